// Forced playouts: at the root, an action that was tried at all is tried for a while by its prior
// alone, so that noise can find what the net does not see; what was only forced is not learned (Wu,
// "Accelerating self-play learning in Go", 2019).
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "search/mcts/puct.hpp"

namespace bz {

class ForcedPlayouts {
 public:
  // How strongly they are forced; 0: not at all.
  explicit ForcedPlayouts(double strength) : strength_(strength) {}

  // The first of the root's edges that has some visits but not enough; nullptr if none is.
  Edge* next(Tree& tree, const PuctRule& rule) const {
    if (strength_ <= 0) return nullptr;
    const NodeId root = Tree::root();
    for (Edge& e : tree.edges(root)) {
      if (e.visits > 0 && e.visits < wanted(tree, e) && !rule.is_lost(tree, tree[root], e)) {
        return &e;
      }
    }
    return nullptr;
  }

  // The visits of the root's edges as targets count them. Off every edge but the most visited come
  // those forced visits without which the rule would still prefer the most visited one; who is left
  // with a single visit is left with none.
  void prune(const Tree& tree, const PuctRule& rule, std::vector<double>& visits) const {
    if (strength_ <= 0) return;
    const NodeId root = Tree::root();
    const auto most = static_cast<std::size_t>(std::ranges::max_element(visits) - visits.begin());
    const double bar = rule.score(tree, root, tree.edges(root)[most]);
    for (std::size_t i = 0; i < visits.size(); ++i) {
      const Edge& e = tree.edges(root)[i];
      if (i == most || e.visits == 0) continue;
      unsigned left = e.visits;
      while (left > 0 && e.visits - left < wanted(tree, e) &&
             rule.score_with(tree, root, e, left - 1) < bar) {
        --left;
      }
      visits[i] = left > 1 ? left : 0;
    }
  }

 private:
  double wanted(const Tree& tree, const Edge& e) const {
    return std::sqrt(strength_ * e.prior * tree[Tree::root()].visits);
  }

  double strength_;
};

}  // namespace bz
