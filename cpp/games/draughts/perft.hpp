// Perft on bare positions, without what the state remembers of earlier ones.
#pragma once

#include "games/draughts/state.hpp"
#include "games/perft.hpp"

namespace bz::draughts {

template <const Rules& R>
class Perft {
 public:
  explicit Perft(int depth) : lists_(static_cast<std::size_t>(depth) + 1) {}

  std::uint64_t operator()(const Position<R>& p, int depth) {
    if (depth == 0) return 1;
    MoveList& moves = lists_[static_cast<std::size_t>(depth)];
    if (depth == 1) {
      return with_generator(p, [&](const auto& generator) { return generator.count(moves); });
    }
    legal_moves(p, moves);
    std::uint64_t total = 0;
    for (const Move& m : moves) {
      Position<R> next = p;
      next.play(m);
      total += operator()(next, depth - 1);
    }
    return total;
  }

 private:
  std::vector<MoveList> lists_;  // one per depth, so that nothing is allocated on the way
};

template <const Rules& R>
std::uint64_t perft(const State<R>& state, int depth) {
  if (state.in_capture()) return bz::perft(state, depth);
  return Perft<R>(depth)(state.position(), depth);
}

}  // namespace bz::draughts
