// The input of the net of Wang 2018: absolute colours.
#pragma once

#include "games/encoding.hpp"
#include "games/gomoku/state.hpp"

namespace bz::gomoku {

// Three planes: whose turn it is (0 for the first player, 1 for the second), the first player's
// stones, the second player's stones. Wang names only the last two; in the picture, with the
// first player to move, the first plane is 0.
inline void write_wang(const State& state, Seat, float* planes) {
  const int cells = state.shape().cells();
  std::fill_n(planes, cells, static_cast<float>(index(state.to_move())));
  std::fill_n(planes + cells, 2 * cells, 0.0F);
  for (const Piece& stone : state.pieces()) {
    planes[(1 + index(stone.owner)) * cells + stone.cell] = 1.0F;
  }
}

inline std::vector<Encoding<State>> encodings(const State& state) {
  const Shape& shape = state.shape();
  return {mover_encoding(state), {"wang", 3, shape.rows, shape.columns, true, &write_wang}};
}

}  // namespace bz::gomoku
