// Counts the lines of play of exactly `depth` moves; the test and benchmark of move generators.
#pragma once

#include "games/game.hpp"

namespace bz {

// Depth-first with one copy per level. A game may overload it with something faster.
template <Game G>
std::uint64_t perft(const G& game, int depth) {
  if (depth == 0) return 1;
  std::vector<typename G::Move> moves;
  game.moves(moves);
  if (depth == 1) return moves.size();
  std::uint64_t total = 0;
  for (const auto& move : moves) total += perft(after(game, move), depth - 1);
  return total;
}

}  // namespace bz
