// Searches with nets: virtual losses come and go, and proven values spread.
#include "search/mcts/search.hpp"

#include <map>

#include "games/gomoku/state.hpp"
#include "search/mcts/uct_tree.hpp"
#include "tests/check.hpp"

namespace bz::tests {
namespace {

using Game = gomoku::State;

Game position(const char* fen) {
  return Game::start({5, 3, gomoku::Rule::freestyle}).with_fen(fen);
}

// Answers like a net that knows nothing.
void answer(Search<Game>& search, const Leaf<Game>& leaf) {
  const std::vector<float> priors(leaf.actions.size(),
                                  1.0F / static_cast<float>(leaf.actions.size()));
  search.receive(priors.data(), Values(2, 0.0F));
}

Search<Game> searched(const Game& root, int simulations) {
  SearchOptions options;
  options.simulations = simulations;
  Search<Game> search(options, 1);
  search.begin(root);
  while (const auto* leaf = search.next()) answer(search, Leaf<Game>(*leaf));
  return search;
}

// What each edge has gathered, by the actions that lead to it; edges without visits are left out.
using Statistics = std::map<std::vector<int>, std::pair<std::uint32_t, double>>;

void gather(const Tree& tree, NodeId id, std::vector<int>& path, Statistics& out) {
  for (const Edge& e : tree.edges(id)) {
    path.push_back(index(e.action));
    if (e.visits > 0) out[path] = {e.visits, e.total};
    if (e.child != kNoNode) gather(tree, e.child, path, out);
    path.pop_back();
  }
}
Statistics statistics(const Search<Game>& search) {
  Statistics all;
  std::vector<int> path;
  gather(search.tree(), Tree::root(), path, all);
  return all;
}

Values root_values(const Game& root, int simulations) {
  return searched(root, simulations).root_values();
}

const Tests kTests{
    {"a path that waits for its evaluation counts as visited and lost",
     [] {
       Search<Game> search = searched(position("5/5/5/5/5 x"), 30);
       search.set_simulations(40);
       const Statistics before = statistics(search);
       const Leaf<Game>* first = search.next();
       check(first != nullptr && statistics(search) == before);
       check(search.next() != nullptr);  // now the first carries its virtual loss
       std::uint32_t visits = 0;
       double total = 0;
       for (const auto& [path, now] : statistics(search)) {
         const auto was = before.contains(path) ? before.at(path) : std::pair{0U, 0.0};
         if (path.size() == 1) visits += now.first - was.first;
         if (path.size() == 1) total += now.second - was.second;
       }
       check_equal(visits, 1U);
       check_equal(total, -1.0);
     }},
    {"virtual losses that are taken back leave the tree as it was",
     [] {
       const Game root = position("5/5/5/5/5 x");
       Search<Game> quiet = searched(root, 60);
       Search<Game> disturbed = searched(root, 60);
       disturbed.set_simulations(70);
       for (int i = 0; i < 5; ++i) check(disturbed.next() != nullptr);
       check(statistics(disturbed) != statistics(quiet));
       const Action action = Action{12};
       Game after = root;
       after.play(action);
       quiet.advance(action, after);
       disturbed.advance(action, after);
       check(statistics(disturbed) == statistics(quiet));
     }},
    {"leaves that are answered leave no virtual loss behind",
     [] {
       Search<Game> search = searched(position("5/5/5/5/5 x"), 1);
       search.set_simulations(9);
       std::vector<Leaf<Game>> leaves;
       for (int i = 0; i < 8; ++i) leaves.push_back(*search.next());
       for (const Leaf<Game>& leaf : leaves) answer(search, leaf);
       std::uint32_t visits = 0;
       for (const auto& [path, edge] : statistics(search)) {
         check_equal(edge.second, 0.0);  // all values were 0
         if (path.size() == 1) visits += edge.first;
       }
       check_equal(visits, 9U);
     }},
    {"a winning reply proves a state won",
     [] { check_equal(root_values(position("5/5/1xx2/oo3/5 x"), 200)[0], 1.0F); }},
    {"a state all of whose replies lose is proven lost",
     [] {
       // x completes three in a row on either side, whatever o does.
       const Search<Game> search = searched(position("5/5/1xx2/5/o4 o"), 20'000);
       check(search.tree()[Tree::root()].is_proven());
       check_equal(search.root_values()[1], -1.0F);
       check_equal(search.root_values()[0], 1.0F);
     }},
    {"a proof climbs as many moves as it takes",
     [] {
       // x makes an open two, which is the position above.
       const Search<Game> search = searched(position("5/5/1x3/5/o4 x"), 200'000);
       check(search.tree()[Tree::root()].is_proven());
       check_equal(search.root_values()[0], 1.0F);
     }},
    {"a node of UCT is proven by one winning child or by all of its children",
     [] {
       const auto child = [](UctTree& tree, int i, float value, int distance) {
         UctNode& node = tree.children(UctTree::kRoot)[static_cast<std::size_t>(i)];
         node.proven = true;
         node.values = Values(2, -value);
         node.values[0] = value;
         node.distance = static_cast<std::uint16_t>(distance);
       };
       UctTree tree(10);
       tree[UctTree::kRoot].values = Values(2, 0.0F);
       const std::vector<Action> actions{Action{0}, Action{1}};
       check(tree.expand(UctTree::kRoot, actions, 1.0));
       child(tree, 0, -1.0F, 4);
       check(!tree.prove(UctTree::kRoot));
       child(tree, 1, -1.0F, 2);
       check(tree.prove(UctTree::kRoot));  // lost, as late as possible
       check_equal(tree[UctTree::kRoot].values[0], -1.0F);
       check_equal(tree[UctTree::kRoot].distance, 5);
       tree[UctTree::kRoot].proven = false;
       child(tree, 1, 1.0F, 2);
       check(tree.prove(UctTree::kRoot));
       check_equal(tree[UctTree::kRoot].values[0], 1.0F);
     }},
};

}  // namespace
}  // namespace bz::tests
