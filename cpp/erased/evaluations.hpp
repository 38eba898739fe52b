// Which evaluations each game has, by name.
#pragma once

#include "bind/python_game.hpp"
#include "eval/chexers.hpp"
#include "eval/draughts.hpp"
#include "eval/gomoku.hpp"

namespace bz {

// A game without a choice of evaluations takes any name for the one that it has.
template <Game G>
std::vector<std::string> evaluation_names(const G&) {
  return {};
}
template <const draughts::Rules& R>
std::vector<std::string> evaluation_names(const draughts::State<R>&) {
  return {"material", "strong"};
}

// Calls f with an evaluation of the game.
template <Game G, class F>
auto with_evaluation(const G&, std::string_view, F&& f) {
  return f(Rounded<NoEvaluation>{});
}
template <const draughts::Rules& R, class F>
auto with_evaluation(const draughts::State<R>&, std::string_view name, F&& f) {
  if (name == "material") return f(draughts::Material<R>{});
  if (name == "strong") return f(draughts::Strong<R>{});
  throw Error("there is no evaluation '" + std::string(name) + "'");
}
template <class F>
auto with_evaluation(const gomoku::State&, std::string_view, F&& f) {
  return f(gomoku::Lines{});
}
template <class F>
auto with_evaluation(const chexers::State&, std::string_view, F&& f) {
  constexpr auto kSquashed = [](const chexers::State& s) { return chexers::squashed(s); };
  return f(Rounded<decltype(kSquashed)>{kSquashed});
}

}  // namespace bz
