// What a search without a net knows of a game: evaluations, written by hand or learned.
//
// An evaluation maps a state to one value per seat in [-1, 1]. A search for two players counts in
// whole numbers instead: a score, in the evaluation's own unit and seen by the mover. The rest is
// optional, and a search asks for it only where an evaluation has it.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <tuple>
#include <variant>

#include "core/error.hpp"
#include "games/game.hpp"

namespace bz::sparse {
struct Weights;
using Net = std::shared_ptr<const Weights>;
}  // namespace bz::sparse

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
concept KnowsRepetition = requires(const E& e, const G& g) {
  { e.may_repeat(g) } -> std::same_as<bool>;
};

// Looks at the legal moves before they are searched: may drop hopeless ones, but not all, and
// gives each that is left a number for the order of search, the highest first.
template <class E, class G>
concept FiltersMoves = requires(const E& e, const G& g, std::vector<typename G::Move>& moves,
                                std::vector<int>& order) {
  { e.filter_moves(g, moves, order) } -> std::same_as<void>;
};

inline constexpr Score kEvaluationLimit = 1'000'000;

// For two seats of which one gains what the other loses.
template <Game G>
Values zero_sum(const G& g, float mover_value) {
  Values values(2, -mover_value);
  values[index(g.to_move())] = mover_value;
  return values;
}

// Scores of an evaluation without bounds: a lead of Half is worth half a win.
template <int Half>
struct Unbounded {
  float value(Score s) const {
    return static_cast<float>(s) / (static_cast<float>(std::abs(s)) + Half);
  }
  Score score_of(float value) const {
    const float clamped = std::clamp(value, -0.99F, 0.99F);
    return static_cast<Score>(std::lround(Half * clamped / (1.0F - std::abs(clamped))));
  }
};

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

// An evaluation as users choose it; some are known by an older name too.
template <class E>
struct NamedEvaluation {
  std::string_view name;
  E evaluation;
  std::string_view alias = name;

  bool is(std::string_view wanted) const { return wanted == name || wanted == alias; }
};

// What a search evaluates positions by: one of the game's evaluations, by name, or a sparse net.
using EvaluationChoice = std::variant<std::string, sparse::Net>;

// A game's evaluations, as a tuple of NamedEvaluation: overload it beside the game's evaluation.
template <Game G>
std::tuple<> evaluations(const G&) {
  return {};
}

template <Game G>
std::vector<std::vector<std::string>> evaluation_names(const G& game) {
  std::vector<std::vector<std::string>> all;
  const auto add = [&](const auto& named) {
    all.push_back({std::string(named.name)});
    if (named.alias != named.name) all.back().emplace_back(named.alias);
  };
  std::apply([&](const auto&... each) { (add(each), ...); }, evaluations(game));
  return all;
}

// How far a move leads towards what the game is about, for a player who looks no further; overload
// it beside the game's evaluation.
template <Game G>
int progress(const G&, const typename G::Move&) {
  return 0;
}

}  // namespace bz
