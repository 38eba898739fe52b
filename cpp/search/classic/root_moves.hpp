// The moves of the root, with what a search has found out about each.
#pragma once

#include <algorithm>
#include <vector>

#include "core/rng.hpp"
#include "search/limits.hpp"

namespace bz {

template <class Move>
struct RootMove {
  Move move;
  double score = 0;        // orders the moves; only the search knows its unit
  float value = 0;         // for the mover, in [-1, 1]
  bool exact = false;      // or else not more than that
  std::vector<Move> line;  // what is expected, from the move on
};

// A move and what follows it.
template <class Move>
void set_line(std::vector<Move>& line, const Move& move, const std::vector<Move>& rest) {
  line.assign(1, move);
  line.insert(line.end(), rest.begin(), rest.end());
}

template <class Move>
struct RootMoves {
  std::vector<RootMove<Move>> moves;  // best first
  std::uint64_t nodes = 0;            // states visited below the root
  int depth = 0;                      // of the last search that was completed
  double seconds = 0;
  std::uint64_t evaluations = 0;  // computed; told by evaluations that count

  const RootMove<Move>& best() const { return moves.front(); }

  // Best first, exact before inexact, and otherwise as before.
  void sort() {
    std::ranges::stable_sort(moves, [](const RootMove<Move>& a, const RootMove<Move>& b) {
      return a.score != b.score ? a.score > b.score : a.exact > b.exact;
    });
  }

  // Brings one of those that are as good as the best, which come first, to the front.
  void break_tie(Rng& rng) {
    const auto equals = std::ranges::count_if(
        moves, [this](const RootMove<Move>& m) { return m.exact && m.score == best().score; });
    if (equals > 1) std::swap(moves.front(), moves[rng.below(static_cast<std::uint32_t>(equals))]);
  }
};

// The legal moves of a state that is not over, none searched yet.
template <class G>
RootMoves<typename G::Move> unsearched(const G& root) {
  std::vector<typename G::Move> moves;
  root.moves(moves);
  RootMoves<typename G::Move> found;
  for (const auto& move : moves) found.moves.push_back({.move = move, .line = {move}});
  return found;
}

// Searches deeper and deeper until a limit is reached; what a search has not finished counts for
// nothing. `value_move(RootMove&, child, depth)` must set score, value and line of the move, and
// return whether a deeper search could say something else.
template <class G, class F>
RootMoves<typename G::Move> deepen(const G& root, const Limits& limits, const Budget& budget,
                                   F&& value_move) {
  RootMoves<typename G::Move> found = unsearched(root);
  bool open = true;
  for (int depth = 1; open && depth <= limits.depth; ++depth) {
    auto next = found;
    open = false;
    for (auto& m : next.moves) {
      open |= value_move(m, after(root, m.move), depth);
      m.exact = true;
      if (budget.exhausted()) break;
    }
    if (budget.exhausted()) break;
    next.depth = depth;
    next.sort();
    found = std::move(next);
  }
  found.nodes = budget.used();
  found.seconds = budget.elapsed();
  return found;
}

}  // namespace bz
