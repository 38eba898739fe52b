// Scores and windows of searches for two players.
//
// A score is seen by the mover. Wins lie beyond every evaluation, and a win is worth more the
// sooner it comes.
#pragma once

#include "eval/evaluation.hpp"

namespace bz {

// How far to look ahead, in changes of the player to move: who moves again, as in the middle of a
// capture, does so at no cost of depth.
using Depth = int;

// Moves made since the root.
enum class Ply : int {};
constexpr Ply operator+(Ply ply, int moves) { return Ply{index(ply) + moves}; }

inline constexpr Ply kRootPly{0};
// No line of a search is longer, whatever the game and its cycles.
inline constexpr int kMaxPly = 128;

inline constexpr Score kWin = 2 * kEvaluationLimit;
inline constexpr Score kInfinity = kWin + 1;

constexpr Score win_in(int plies) { return kWin - plies; }
// A win that is certain, in an ending reached after so many plies; how long it takes is not known.
constexpr Score won_ending_in(int plies) { return kWin - kEvaluationLimit / 2 - plies; }
constexpr bool is_win(Score s) { return s >= win_in(2 * kMaxPly); }
constexpr bool is_decided(Score s) { return is_win(s) || is_win(-s); }
// A certain win, sooner or later.
constexpr bool is_known(Score s) { return s > kEvaluationLimit; }
// Plies from the root to the end of a decided game.
constexpr int plies_to_end(Score s) { return kWin - (s < 0 ? -s : s); }

struct Window {
  Score alpha = -kInfinity;
  Score beta = kInfinity;

  constexpr Window operator-() const { return {-beta, -alpha}; }
  constexpr bool is_null() const { return beta - alpha <= 1; }
};
constexpr Window above(Score s) { return {s, s + 1}; }

// What is certain of a state, seen by its mover; `win` is the score of one that is won.
template <Game G, class E>
Score certain_score(const E& evaluation, const G& g, const Values& values, Score win) {
  const float value = values[index(g.to_move())];
  if (value >= 1.0F) return win;
  return value <= -1.0F ? -win : evaluation.score_of(value);
}

// Any state, without looking ahead.
template <Game G, class E>
Score static_score(const E& evaluation, const G& g, Ply ply) {
  if (const auto outcome = g.outcome()) {
    return certain_score(evaluation, g, outcome->values, win_in(index(ply)));
  }
  return std::clamp(evaluation.score(g), -kEvaluationLimit, kEvaluationLimit);
}

// Of a score as people read it; a forced win is a win.
template <class E>
float value_of(const E& evaluation, Score s) {
  if (is_known(s) || is_known(-s)) return s > 0 ? 1.0F : -1.0F;
  return evaluation.value(s);
}

}  // namespace bz
