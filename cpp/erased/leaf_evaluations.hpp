// What UCT may evaluate leaves by, and which actions it may leave out, for each game.
#pragma once

#include "erased/evaluations.hpp"
#include "search/mcts/uct.hpp"

namespace bz {

template <Game G>
std::vector<std::string> heuristic_names(const G& game) {
  std::vector<std::string> names = evaluation_names(game);
  names.insert(names.begin(), "rollout");
  return names;
}
inline std::vector<std::string> heuristic_names(const gomoku::State&) {
  return {"rollout", "lines"};
}
inline std::vector<std::string> heuristic_names(const chexers::State&) {
  return {"rollout", "chexers"};
}

template <Game G>
LeafEvaluation<G> leaf_evaluation_named(const G& game, std::string_view heuristic) {
  if (heuristic == "rollout") return {};
  return with_evaluation(game, heuristic,
                         [](auto evaluation) { return LeafEvaluation<G>(evaluation); });
}

// Only Chexers has rules for what need not be looked at.
template <Game G>
Pruner<G> pruner_for(const G&) {
  return {};
}
inline Pruner<chexers::State> pruner_for(const chexers::State&) {
  return
      [](const chexers::State& s, Seat root, ActionList& out) { chexers::relevant(s, root, out); };
}

}  // namespace bz
