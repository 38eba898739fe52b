// The tree of searches with nets: growing it, and cutting it down to a subtree.
#include "search/mcts/tree.hpp"

#include "tests/check.hpp"

namespace bz::tests {
namespace {

NodeId add(Tree& tree, std::initializer_list<int> actions, float value = 0.0F) {
  const NodeId id = tree.add(Seat{0}, Values(2, value), Status::evaluated);
  for (const int a : actions) tree.add_edge(id, Action{a}, 0.5F);
  return id;
}
Edge& edge(Tree& tree, NodeId id, std::size_t i) { return tree.edges(id)[i]; }
void link(Tree& tree, NodeId parent, int i, NodeId child, std::uint32_t visits) {
  edge(tree, parent, i).child = child;
  edge(tree, parent, i).visits = visits;
}

const Tests kTests{
    {"a node has the edges and the forced replies that were added to it",
     [] {
       Tree tree;
       check(tree.empty());
       const NodeId root = add(tree, {4, 7});
       const NodeId child = tree.add(Seat{1}, Values(2, 1.0F), Status::terminal);
       tree.add_forced(child, Action{9});
       check(root == Tree::root());
       check_equal(tree.edges(root).size(), 2U);
       check(edge(tree, root, 1).action == Action{7});
       check_equal(tree.edges(child).size(), 0U);
       check_equal(tree.forced(child).size(), 1U);
       check(tree.forced(child)[0] == Action{9});
       check(tree[child].is_proven() && !tree[root].is_proven());
     }},
    {"a tree cut down to a child keeps what is below it and nothing else",
     [] {
       Tree tree;
       const NodeId root = add(tree, {0, 1});
       const NodeId left = add(tree, {2});
       const NodeId right = add(tree, {3, 4}, 0.25F);
       const NodeId below = add(tree, {5}, 0.75F);
       tree[right].visits = 8;
       link(tree, root, 0, left, 3);
       link(tree, root, 1, right, 9);
       link(tree, right, 1, below, 6);
       tree.reroot(right);
       check_equal(tree[Tree::root()].values[0], 0.25F);
       check_equal(tree[Tree::root()].visits, 8U);
       check(edge(tree, Tree::root(), 0).child == kNoNode);
       check_equal(edge(tree, Tree::root(), 1).visits, 6U);
       const NodeId kept = edge(tree, Tree::root(), 1).child;
       check_equal(tree[kept].values[0], 0.75F);
       check(edge(tree, kept, 0).action == Action{5});
       check_equal(tree.bytes(), 2 * sizeof(Node) + 3 * sizeof(Edge));
     }},
    {"a node that two edges lead to is still one node after cutting down",
     [] {
       Tree tree;
       const NodeId root = add(tree, {0});
       const NodeId top = add(tree, {1, 2});
       const NodeId first = add(tree, {3});
       const NodeId second = add(tree, {4});
       const NodeId shared = add(tree, {5}, 0.5F);
       link(tree, root, 0, top, 9);
       link(tree, top, 0, first, 4);
       link(tree, top, 1, second, 4);
       link(tree, first, 0, shared, 2);
       link(tree, second, 0, shared, 3);
       tree.reroot(top);
       const NodeId one = edge(tree, edge(tree, Tree::root(), 0).child, 0).child;
       const NodeId other = edge(tree, edge(tree, Tree::root(), 1).child, 0).child;
       check(one == other);
       check_equal(tree[one].values[0], 0.5F);
       check_equal(tree.bytes(), 4 * sizeof(Node) + 5 * sizeof(Edge));
     }},
    {"forced replies move along with their node",
     [] {
       Tree tree;
       const NodeId root = add(tree, {0});
       const NodeId child = tree.add(Seat{0}, Values(2, 0.0F), Status::evaluated);
       tree.add_forced(child, Action{6});
       tree.add_edge(child, Action{7}, 1.0F);
       link(tree, root, 0, child, 1);
       tree.reroot(child);
       check(tree.forced(Tree::root())[0] == Action{6});
     }},
};

}  // namespace
}  // namespace bz::tests
