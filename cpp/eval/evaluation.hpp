// What hand-written knowledge of a game offers to searches.
//
// An evaluation maps a state to one value per seat in [-1, 1]. A search for two players counts in
// whole numbers instead: a score, in the evaluation's own unit and seen by the mover. The rest is
// optional, and a search asks for it only where an evaluation has it.
#pragma once

#include <algorithm>
#include <cmath>

#include "games/game.hpp"

namespace bz {

using Score = int;

template <class E, class G>
concept Evaluation = Game<G> && requires(const E& e, const G& g) {
  { e(g) } -> std::same_as<Values>;
};

template <class E, class G>
concept ScoreEvaluation = Evaluation<E, G> && requires(const E& e, const G& g, Score s, float v) {
  { e.score(g) } -> std::same_as<Score>;     // of a game that is not over; below kEvaluationLimit
  { e.value(s) } -> std::same_as<float>;     // rises with the score
  { e.score_of(v) } -> std::same_as<Score>;  // the inverse, for outcomes between loss and win
};

// Whether a position may be evaluated as it stands, or something is about to be captured.
template <class E, class G>
concept KnowsQuiet = requires(const E& e, const G& g) {
  { e.quiet(g) } -> std::same_as<bool>;
};

// Whether a position can come again later in the game; a search need not look for repetitions of
// one that cannot.
template <class E, class G>
concept KnowsReturn = requires(const E& e, const G& g) {
  { e.may_return(g) } -> std::same_as<bool>;
};

// Looks at the legal moves before they are searched: may drop hopeless ones, but not all, and
// gives the promise of each that is left, higher to be searched earlier.
template <class E, class G>
concept KnowsMoves =
    requires(const E& e, const G& g, std::vector<typename G::Move>& moves, std::vector<int>& out) {
      { e.sift(g, moves, out) } -> std::same_as<void>;
    };

inline constexpr Score kEvaluationLimit = 1'000'000;

// For two seats of which one gains what the other loses.
template <Game G>
Values zero_sum(const G& g, float mover_value) {
  Values values(2, -mover_value);
  values[index(g.to_move())] = mover_value;
  return values;
}

// Knows nothing: every position that is not over is worth the same.
struct NoEvaluation {
  template <Game G>
  Values operator()(const G& g) const {
    return Values(g.shape().players, 0.0F);
  }
};

// Scores in ten-thousandths, for an evaluation that has only values.
template <class E>
struct Rounded {
  static constexpr float kUnit = 10'000.0F;
  E evaluation;

  template <Game G>
  Values operator()(const G& g) const {
    return evaluation(g);
  }
  template <Game G>
  Score score(const G& g) const {
    return score_of(evaluation(g)[index(g.to_move())]);
  }
  float value(Score s) const { return std::clamp(static_cast<float>(s) / kUnit, -1.0F, 1.0F); }
  Score score_of(float value) const { return static_cast<Score>(std::lround(value * kUnit)); }
};

}  // namespace bz
