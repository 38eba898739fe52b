// Draughts by counting pieces: Meng 2020, eq. 6.1.
#pragma once

#include "eval/evaluation.hpp"
#include "games/draughts/state.hpp"

namespace bz::draughts {

// What every evaluation of draughts knows of the rules.
struct Knowledge {
  template <const Rules& R>
  bool quiet(const State<R>& s) const {
    return !s.in_capture() &&
           with_generator(s.position(), [](const auto& g) { return !g.can_capture(); });
  }
  // Only kings go back, so both sides must have one.
  template <const Rules& R>
  bool may_repeat(const State<R>& s) const {
    const Position<R>& p = s.position();
    return (p.pieces[0] & p.kings) != 0 && (p.pieces[1] & p.kings) != 0;
  }
};

// The unit of the score is a man; the value is the score over the pieces of the start position.
template <const Rules& R>
struct Material : Knowledge {
  static constexpr int kPieces = 2 * R.start_rows * Geometry<R.width>::kRowLength;

  Values operator()(const State<R>& s) const { return zero_sum(s, value(score(s))); }
  Score score(const State<R>& s) const { return score_of(s.material_balance()); }
  float value(Score s) const {
    return std::clamp(static_cast<float>(s) / static_cast<float>(kPieces), -1.0F, 1.0F);
  }
  Score score_of(float value) const {
    return static_cast<Score>(std::lround(value * static_cast<float>(kPieces)));
  }
};

}  // namespace bz::draughts
