// A search tree in two flat arrays, with indices instead of pointers: cheap to grow, to copy and
// to cut down to a subtree.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/types.hpp"

namespace bz {

enum class NodeId : std::int32_t {};
inline constexpr NodeId kNoNode{-1};

// An action from one node to the next. Its value is that of the seat that takes it.
struct Edge {
  double total = 0;  // sum of the values backed up, for the seat that moves
  Action action{};
  float prior = 0;
  std::uint32_t visits = 0;
  NodeId child = kNoNode;

  double mean() const { return visits == 0 ? 0.0 : total / visits; }
};

enum class Status : std::uint8_t {
  unevaluated,  // expanded by another tree of the same search
  evaluated,    // by a net or a heuristic
  proven,       // its values are those of perfect play
  terminal,     // the game is over here
};

struct Node {
  std::uint32_t first_edge = 0;
  std::uint32_t first_forced = 0;  // single replies played on the way in
  std::uint16_t edge_count = 0;
  std::uint16_t forced_count = 0;
  Seat mover{};
  Status status = Status::evaluated;
  std::uint32_t visits = 0;  // how often an edge was chosen here
  Values values;             // as evaluated, or as proven

  bool is_proven() const { return status >= Status::proven; }
};

class Tree {
 public:
  void clear() {
    nodes_.clear();
    edges_.clear();
    forced_.clear();
  }

  bool empty() const { return nodes_.empty(); }
  std::size_t bytes() const {
    return nodes_.size() * sizeof(Node) + edges_.size() * sizeof(Edge) +
           forced_.size() * sizeof(Action);
  }
  static NodeId root() { return NodeId{0}; }
  Node& operator[](NodeId id) { return nodes_[static_cast<std::size_t>(index(id))]; }
  const Node& operator[](NodeId id) const { return nodes_[static_cast<std::size_t>(index(id))]; }

  NodeId add(Seat mover, const Values& values, Status status) {
    nodes_.push_back({.first_edge = static_cast<std::uint32_t>(edges_.size()),
                      .first_forced = static_cast<std::uint32_t>(forced_.size()),
                      .mover = mover,
                      .status = status,
                      .values = values});
    return NodeId{static_cast<std::int32_t>(nodes_.size()) - 1};
  }

  // Only the node added last can get edges and forced replies.
  void add_edge(NodeId id, Action action, float prior) {
    edges_.push_back({0.0, action, prior, 0, kNoNode});
    ++operator[](id).edge_count;
  }
  void add_forced(NodeId id, Action action) {
    forced_.push_back(action);
    ++operator[](id).forced_count;
  }

  std::span<Edge> edges(NodeId id) {
    return {edges_.data() + operator[](id).first_edge, operator[](id).edge_count};
  }
  std::span<const Edge> edges(NodeId id) const {
    return {edges_.data() + operator[](id).first_edge, operator[](id).edge_count};
  }
  std::span<const Action> forced(NodeId id) const {
    return {forced_.data() + operator[](id).first_forced, operator[](id).forced_count};
  }

  // Makes `top` the root and drops what is not below it. With transpositions several edges lead to
  // one node: each node is moved once.
  void reroot(NodeId top) {
    constexpr std::int32_t kUnseen = -1;
    std::vector<std::int32_t> moved(nodes_.size(), kUnseen);
    std::vector<NodeId> order{top};
    moved[static_cast<std::size_t>(index(top))] = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      for (const Edge& e : edges(order[i])) {
        if (e.child == kNoNode) continue;
        std::int32_t& target = moved[static_cast<std::size_t>(index(e.child))];
        if (target != kUnseen) continue;
        target = static_cast<std::int32_t>(order.size());
        order.push_back(e.child);
      }
    }
    Tree kept;
    for (const NodeId old : order) {
      const Node& node = operator[](old);
      const NodeId id = kept.add(node.mover, node.values, node.status);
      kept[id].visits = node.visits;
      for (const Action a : forced(old)) kept.add_forced(id, a);
      for (const Edge& e : edges(old)) {
        kept.edges_.push_back(e);
        ++kept[id].edge_count;
        if (e.child == kNoNode) continue;
        kept.edges_.back().child = NodeId{moved[static_cast<std::size_t>(index(e.child))]};
      }
    }
    *this = std::move(kept);
  }

 private:
  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
  std::vector<Action> forced_;
};

}  // namespace bz
