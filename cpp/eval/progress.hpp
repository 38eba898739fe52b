// How far a move leads towards what a game is about, for a player who looks no further.
#pragma once

#include "eval/chexers.hpp"
#include "games/draughts/state.hpp"
#include "games/gomoku/state.hpp"

namespace bz {

// A game of which nothing is known.
template <Game G>
int progress(const G&, const typename G::Move&) {
  return 0;
}

// Rows that a man gains towards the crowning row.
template <const draughts::Rules& R>
int progress(const draughts::State<R>& s, const draughts::Move& m) {
  using Board = draughts::Geometry<R.width>;
  if ((s.position().kings & bit(m.from)) != 0) return 0;
  const int down = Board::row(Board::square(m.to)) - Board::row(Board::square(m.from));
  return s.position().side == draughts::Side::white ? -down : down;
}

// Steps that a piece gains towards the hexagons from which it can leave; leaving is the goal.
inline int progress(const chexers::State& s, Action a) {
  if (a == chexers::kPass) return 0;
  if (chexers::is_exit(a)) return chexers::kWidth;
  const auto steps = [&](chexers::Hex h) { return chexers::steps_to_leave(s.to_move(), h); };
  return steps(chexers::origin(a)) - steps(*chexers::target(a));
}

// The longest row through the stone; among equal ones, the nearest to the centre.
inline int progress(const gomoku::State& s, Action a) {
  const gomoku::Grid& board = gomoku::grid(s.options().size);
  int longest = 0;
  for (const int step : board.steps) {
    const int point = board.point_of[index(a)];
    longest = std::max(longest, gomoku::row_through(s.stones(s.to_move()), point, step).length);
  }
  const int last = s.options().size - 1;
  const int row = index(a) / s.options().size;
  const int column = index(a) % s.options().size;
  const int from_centre = std::max(std::abs(2 * row - last), std::abs(2 * column - last));
  return longest * 2 * gomoku::kMaxSize - from_centre;
}

}  // namespace bz
