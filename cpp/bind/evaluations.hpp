// Which evaluations each game has, by name.
#pragma once

#include "bind/python_game.hpp"
#include "eval/draughts.hpp"

namespace bz {

// Calls f with the evaluation of that name; "auto" is the game's own choice.
template <class R, class F>
auto with_evaluation(const draughts::State<R>&, std::string_view name, F&& f) {
  if (name == "material") return f(draughts::Material<R>{});
  if (name == "auto" || name == "strong") return f(draughts::Strong<R>{});
  throw Error("draughts has the evaluations material and strong, but not '" + std::string(name) +
              "'");
}

// A game with one evaluation or none.
template <class G, class F>
auto with_evaluation(const G&, std::string_view name, F&& f) {
  if (name != "auto") {
    throw Error("this game has no choice of evaluations, so there is no '" + std::string(name) +
                "'");
  }
  return f(Rounded<NoEvaluation>{});
}

}  // namespace bz
