// Captures as much as it can at every chance, and else goes forward.
#pragma once

#include "eval/evaluation.hpp"
#include "search/classic/root_moves.hpp"

namespace bz {

template <Game G>
class Greedy {
 public:
  using Move = typename G::Move;

  RootMoves<Move> operator()(const G& root, const Limits&, const Interrupt&) const {
    RootMoves<Move> found = unsearched(root);
    for (auto& m : found.moves) {
      m.score = kCapture * static_cast<double>(root.text(m.move).captured.size()) +
                progress(root, m.move);
      m.exact = true;
    }
    found.sort();
    found.nodes = found.moves.size();
    return found;
  }

 private:
  static constexpr double kCapture = 1000;  // more than any progress
};

}  // namespace bz
