// A Chexers position as a few hand-picked numbers instead of a picture: an input for shallow nets.
#pragma once

#include "eval/chexers.hpp"
#include "games/encoding.hpp"

namespace bz::chexers {

inline constexpr int kFeatures = 7;  // of each seat

// Pieces that a rival can jump over in one action.
inline int threatened(const State& s, Seat seat) {
  const Bits own = s.pieces(seat);
  const Bits rivals = s.occupied() & ~own;
  const Bits empty = kBoard & ~s.occupied();
  Bits found = 0;
  for (int way = 0; way < kDirections; ++way) {
    found |= own & step(rivals, way) & step(empty, opposite(way));
  }
  return count(found);
}

// Each about 0 to 1: pieces, exits, whether they suffice to win, steps to the win (2 if it is out
// of reach), steps of all pieces to their exits, pairs of neighbours, pieces under attack.
inline std::array<float, kFeatures> features(const State& s, Seat seat) {
  const Bits own = s.pieces(seat);
  int walk = 0;
  for (Bits b = own; b != 0;) walk += steps_to_leave(seat, hex(pop(b)));
  int pairs = 0;
  for (int way = 0; way < kDirections / 2; ++way) pairs += count(own & step(own, way));
  const auto to_win = steps_to_win(s, seat);
  return {static_cast<float>(count(own)) / 4.0F,
          static_cast<float>(s.exits(seat)) / kExitsToWin,
          has_enough_pieces(s, seat) ? 1.0F : 0.0F,
          to_win ? static_cast<float>(*to_win) / 28.0F : 2.0F,
          static_cast<float>(walk) / 24.0F,
          static_cast<float>(pairs) / 4.0F,
          static_cast<float>(threatened(s, seat)) / 4.0F};
}

// The viewer's features, then those of the next and of the previous player.
inline void write_features(const State& state, Seat viewer, float* out) {
  for (int i = 0; i < kSeats; ++i) {
    const auto own = features(state, next(viewer, i));
    out = std::copy(own.begin(), own.end(), out);
  }
}

inline std::vector<Encoding<State>> encodings(const State& state) {
  return {mover_encoding(state), {"features", kSeats * kFeatures, 1, 1, true, &write_features}};
}

}  // namespace bz::chexers
