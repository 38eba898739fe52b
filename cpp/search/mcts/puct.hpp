// Which edge a simulation follows: the trade between what looks good and what is little known.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/rng.hpp"
#include "search/mcts/tree.hpp"

namespace bz {

enum class Formula {
  meng,       // Meng 2020: Q + c P sqrt(N) / (1 + n), and c P sqrt(N + eps) where n is 0
  alphazero,  // Q + c(N) P sqrt(N) / (1 + n), with c growing slowly with N
};

enum class FirstPlay {
  zero,    // an edge without visits counts as a draw
  parent,  // as its node was evaluated, less a reduction that grows with the prior mass tried
};

struct PuctOptions {
  Formula formula = Formula::alphazero;
  double c_puct = 1.25;
  double c_base = 19652;
  FirstPlay first_play = FirstPlay::parent;
  double first_play_reduction = 0.2;
};

// With `use_proofs`, proven values replace means and what is known to be lost is avoided.
class PuctRule {
 public:
  PuctRule(const PuctOptions& options, bool use_proofs)
      : options_(options), use_proofs_(use_proofs) {}

  // The edge to follow; of equals the first, or any by lot. What a leader has visited counts by its
  // visits there.
  Edge* select(Tree& tree, NodeId id, const Tree* leader = nullptr, Rng* lot = nullptr) const {
    const Terms terms = this->terms(tree, id);
    const Edge* led = leader == nullptr ? nullptr : leader->edges(id).data();
    Edge* best = nullptr;
    double best_score = 0;
    std::uint32_t equals = 1;
    for (Edge& e : tree.edges(id)) {
      const unsigned visits = led == nullptr ? 0 : (led++)->visits;
      const double score = visits > 0 && !is_lost(tree, tree[id], e)
                               ? visits
                               : this->score(tree, tree[id], e, terms);
      if (best != nullptr && score <= best_score) {
        // The n-th of equals replaces the one chosen so far with a chance of 1 in n.
        if (lot == nullptr || score < best_score || lot->below(++equals) != 0) continue;
      } else {
        equals = 1;
      }
      best_score = score;
      best = &e;
    }
    return best;
  }

  // Q + U of an edge, as select() sees it.
  double score(const Tree& tree, NodeId id, const Edge& e) const {
    return score(tree, tree[id], e, terms(tree, id));
  }

  // The same for an edge that has been visited, had it been visited only so often.
  double score_with(const Tree& tree, NodeId id, const Edge& e, unsigned visits) const {
    return visited_score(tree, tree[id], e, visits, terms(tree, id));
  }

  // Q of an edge that has been visited, for the mover of its node.
  double value(const Tree& tree, const Node& node, const Edge& e) const {
    return is_proven(tree, e) ? tree[e.child].values[index(node.mover)] : e.mean();
  }

  bool is_lost(const Tree& tree, const Node& node, const Edge& e) const {
    return is_proven(tree, e) && tree[e.child].values[index(node.mover)] <= -1.0F;
  }

 private:
  static constexpr double kEps = 1e-8;
  static constexpr double kLost = -1e6;  // puts an edge below all that are not lost

  // What the scores of all edges of a node have in common.
  struct Terms {
    double spread;     // c sqrt(N)
    double first;      // the same for an edge without visits
    double unvisited;  // Q of an edge without visits
  };

  Terms terms(const Tree& tree, NodeId id) const {
    const double visits = tree[id].visits;
    if (options_.formula == Formula::meng) {
      return {options_.c_puct * std::sqrt(visits), options_.c_puct * std::sqrt(visits + kEps), 0.0};
    }
    const double c = options_.c_puct + std::log((1 + visits + options_.c_base) / options_.c_base);
    const double spread = c * std::sqrt(std::max(visits, 1.0));
    return {spread, spread, first_play_value(tree, id)};
  }

  double first_play_value(const Tree& tree, NodeId id) const {
    if (options_.first_play == FirstPlay::zero) return 0.0;
    const Node& node = tree[id];
    double tried = 0;
    for (const Edge& e : tree.edges(id)) tried += e.visits > 0 ? e.prior : 0;
    return node.values[index(node.mover)] - options_.first_play_reduction * std::sqrt(tried);
  }

  double score(const Tree& tree, const Node& node, const Edge& e, const Terms& terms) const {
    if (e.visits > 0) return visited_score(tree, node, e, e.visits, terms);
    const double lost = is_lost(tree, node, e) ? kLost : 0.0;
    return lost + terms.unvisited + e.prior * terms.first;
  }

  double visited_score(const Tree& tree, const Node& node, const Edge& e, unsigned visits,
                       const Terms& terms) const {
    const double lost = is_lost(tree, node, e) ? kLost : 0.0;
    return lost + value(tree, node, e) + e.prior * terms.spread / (1.0 + visits);
  }

  bool is_proven(const Tree& tree, const Edge& e) const {
    return use_proofs_ && e.child != kNoNode && tree[e.child].is_proven();
  }

  PuctOptions options_;
  bool use_proofs_;
};

}  // namespace bz
