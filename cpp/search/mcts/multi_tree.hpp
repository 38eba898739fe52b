// Trees that one search grows together, with a net or several each.
//
// They have one shape: node 7 is the same state in all of them. Visits and values are each tree's
// own; so is the evaluation of a state, until every tree has one: from then on they share it.
#pragma once

#include <algorithm>
#include <optional>

#include "search/mcts/puct.hpp"

namespace bz {

// One of the trees of a search.
struct TreePlan {
  std::vector<int> nets{0};    // which net evaluates a state, by the game's stage; a single one all
  std::optional<int> follows;  // a tree whose visits lead the way in this one
  double value_share = 1.0;    // of what this tree's net says in what all share; the trees' shares
  double prior_share = 1.0;    // sum to 1

  int net(int stage) const {
    return nets.size() == 1 ? nets[0] : nets.at(static_cast<std::size_t>(stage));
  }
};

class MultiTree {
 public:
  explicit MultiTree(std::vector<TreePlan> plans)
      : plans_(std::move(plans)), trees_(plans_.size()) {}

  int count() const { return static_cast<int>(trees_.size()); }
  bool empty() const { return trees_[0].empty(); }
  Tree& operator[](int tree) { return trees_[static_cast<std::size_t>(tree)]; }
  const Tree& operator[](int tree) const { return trees_[static_cast<std::size_t>(tree)]; }
  const TreePlan& plan(int tree) const { return plans_[static_cast<std::size_t>(tree)]; }

  std::size_t bytes() const { return trees_.size() * trees_[0].bytes(); }

  void clear() {
    for (Tree& tree : trees_) tree.clear();
  }
  void reroot(NodeId top) {
    for (Tree& tree : trees_) tree.reroot(top);
  }

  // The edge that a simulation in this tree follows; of equals the first, or any by lot.
  Edge* select(const PuctRule& rule, int tree, NodeId id, Rng* lot) {
    const std::optional<int> leader = plan(tree).follows;
    return rule.select(operator[](tree), id, leader ? &operator[](*leader) : nullptr, lot);
  }

  // A state that no tree has evaluated, reached through forced replies.
  NodeId add(Seat mover, int players, const ActionList& actions,
             const std::vector<Action>& forced) {
    NodeId id{};
    for (Tree& tree : trees_) {
      id = tree.add(mover, Values(players, 0.0F), Status::unevaluated);
      for (const Action a : forced) tree.add_forced(id, a);
      for (const Action a : actions) tree.add_edge(id, a, 0.0F);
    }
    return id;
  }

  void link(NodeId parent, std::uint32_t edge, NodeId child) {
    for (Tree& tree : trees_) tree.edges(parent)[edge].child = child;
  }

  // What is proven is proven in every tree.
  void mark_proven(NodeId id, const Values& values, Status status) {
    for (Tree& tree : trees_) {
      tree[id].values = values;
      tree[id].status = status;
    }
  }

  bool is_evaluated(int tree, NodeId id) const {
    return operator[](tree)[id].status != Status::unevaluated;
  }
  bool is_evaluated(NodeId id) const {
    return std::all_of(trees_.begin(), trees_.end(),
                       [&](const Tree& tree) { return tree[id].status != Status::unevaluated; });
  }

  void set_evaluation(int tree, NodeId id, const float* priors, const Values& values) {
    Tree& own = operator[](tree);
    for (Edge& e : own.edges(id)) e.prior = *priors++;
    note(own[id], values, id);
  }

  // Takes another tree's evaluation over if the same net made it; false if there is none.
  bool copy_evaluation(int tree, NodeId id, int stage) {
    for (int other = 0; other < count(); ++other) {
      if (!is_evaluated(other, id) || plan(other).net(stage) != plan(tree).net(stage)) continue;
      Tree& own = operator[](tree);
      const Edge* from = operator[](other).edges(id).data();
      for (Edge& e : own.edges(id)) e.prior = (from++)->prior;
      note(own[id], operator[](other)[id].values, id);
      return true;
    }
    return false;
  }

 private:
  void note(Node& node, const Values& values, NodeId id) {
    node.values = values;
    node.status = Status::evaluated;
    if (count() > 1 && is_evaluated(id)) share(id);
  }

  // Meng 2020, eq. 4.1 and 4.2, both from what the nets said.
  void share(NodeId id) {
    const Node& node = trees_[0][id];
    for (int s = 0; s < node.values.size(); ++s) {
      mix(&TreePlan::value_share, [&](Tree& tree) -> float& { return tree[id].values[s]; });
    }
    for (std::size_t e = 0; e < node.edge_count; ++e) {
      mix(&TreePlan::prior_share, [&](Tree& tree) -> float& { return tree.edges(id)[e].prior; });
    }
  }

  // Replaces a number that every tree has by the weighted sum of all.
  template <class Place>
  void mix(double TreePlan::* weight, Place place) {
    double total = 0;
    for (int t = 0; t < count(); ++t) total += plan(t).*weight * place(operator[](t));
    for (Tree& tree : trees_) place(tree) = static_cast<float>(total);
  }

  std::vector<TreePlan> plans_;
  std::vector<Tree> trees_;
};

}  // namespace bz
