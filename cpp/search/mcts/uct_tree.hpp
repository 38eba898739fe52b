// The tree of UCT: one flat array, children side by side, and what is proven about each node.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/rng.hpp"
#include "core/types.hpp"

namespace bz {

// A state in the tree, reached by an action of its parent's mover, here called the chooser.
struct UctNode {
  double mean = 0;   // for the chooser; before the first visit, what the parent was evaluated as
  double width = 0;  // how uncertain the mean is, see Selection; 0 once proven
  std::uint32_t visits = 0;
  std::uint32_t first = 0;  // child; 0 while there are none
  Action action{};
  std::uint16_t children = 0;
  Seat mover{};
  bool proven = false;         // values are those of perfect play
  bool pruned = false;         // some legal actions have no child
  std::uint16_t distance = 0;  // actions to the end of the game, if proven
  Values values;               // one per seat: proven, or as evaluated on the first visit
};

class UctTree {
 public:
  using Index = std::uint32_t;
  static constexpr Index kRoot = 0;

  explicit UctTree(std::size_t capacity) : capacity_(capacity) { clear(); }

  void clear() {
    nodes_.reserve(capacity_);  // costs nothing until it is used
    nodes_.assign(1, UctNode{});
  }
  std::size_t size() const { return nodes_.size(); }

  UctNode& operator[](Index i) { return nodes_[i]; }
  const UctNode& operator[](Index i) const { return nodes_[i]; }

  std::span<UctNode> children(Index i) {
    return {nodes_.data() + nodes_[i].first, nodes_[i].children};
  }
  std::span<const UctNode> children(Index i) const {
    return {nodes_.data() + nodes_[i].first, nodes_[i].children};
  }
  Index index_of(const UctNode& node) const { return static_cast<Index>(&node - nodes_.data()); }

  // Gives a node its children; false when the memory is full.
  bool expand(Index parent, std::span<const Action> actions, double width) {
    if (nodes_.size() + actions.size() > capacity_) return false;
    UctNode child;
    child.mean = nodes_[parent].values[index(nodes_[parent].mover)];
    child.width = width;
    nodes_[parent].first = static_cast<Index>(nodes_.size());
    nodes_[parent].children = static_cast<std::uint16_t>(actions.size());
    for (const Action a : actions) {
      child.action = a;
      nodes_.push_back(child);
    }
    return true;
  }

  // The node that these actions lead to, if the tree has been there.
  std::optional<Index> find(std::span<const Action> actions) const {
    Index at = kRoot;
    for (const Action a : actions) {
      const auto below = children(at);
      const auto child = std::ranges::find(below, a, &UctNode::action);
      if (child == below.end() || child->visits == 0) return std::nullopt;
      at = index_of(*child);
    }
    return at;
  }

  // Keeps only this node, as the root, and what is below it. Breadth first: the copies themselves
  // are the queue of nodes whose children are to be copied.
  void reroot(Index root) {
    std::vector<UctNode> copies;
    copies.reserve(capacity_);
    copies.push_back(nodes_[root]);
    for (std::size_t i = 0; i < copies.size(); ++i) {
      if (copies[i].first == 0) continue;
      const auto below = nodes_.begin() + copies[i].first;
      const auto end = below + copies[i].children;
      copies[i].first = static_cast<Index>(copies.size());
      copies.insert(copies.end(), below, end);
    }
    nodes_ = std::move(copies);
  }

  // Makes a node proven if its children say so: the mover has a won child, or all children are
  // proven and it picks the best for itself. Quick wins and slow losses are preferred.
  bool prove(Index i) {
    UctNode& node = nodes_[i];
    const int seat = index(node.mover);
    const UctNode* best = nullptr;
    bool all_proven = !node.pruned;
    for (const UctNode& child : children(i)) {
      all_proven = all_proven && child.proven;
      if (child.proven && (best == nullptr || is_better(child, *best, seat))) best = &child;
    }
    if (best == nullptr || !(all_proven || best->values[seat] >= 1)) return false;
    node.proven = true;
    node.values = best->values;
    node.distance = static_cast<std::uint16_t>(best->distance + 1);
    return true;
  }

  // The child to play. A node's visits tell its worth best, but what is proven needs no visits.
  Index best_child(Index i) const {
    const int seat = index(nodes_[i].mover);
    const UctNode* sure = nullptr;
    const UctNode* popular = nullptr;
    for (const UctNode& child : children(i)) {
      if (child.proven) {
        if (sure == nullptr || is_better(child, *sure, seat)) sure = &child;
      } else if (popular == nullptr ||
                 std::pair(child.visits, child.mean) > std::pair(popular->visits, popular->mean)) {
        popular = &child;
      }
    }
    if (sure == nullptr) return index_of(*popular);
    if (popular == nullptr) return index_of(*sure);
    const float value = sure->values[seat];
    const bool is_sure_better = popular->visits == 0 ? value > -1 : value > popular->mean;
    return index_of(is_sure_better || value >= 1 ? *sure : *popular);
  }

 private:
  // Of two proven children.
  static bool is_better(const UctNode& a, const UctNode& b, int seat) {
    if (a.values[seat] != b.values[seat]) return a.values[seat] > b.values[seat];
    return a.values[seat] > 0 ? a.distance < b.distance : a.distance > b.distance;
  }

  std::size_t capacity_;
  std::vector<UctNode> nodes_;
};

}  // namespace bz
