// Monte-Carlo tree search with upper confidence bounds, for any number of players.
//
// Every seat has its own value and picks what is best for itself, so that nothing is negated and
// the same seat may act several times in a row. Results that the tree proves replace means, unless
// plain UCT is asked for.
#pragma once

#include <cmath>
#include <functional>

#include "core/error.hpp"
#include "games/turn.hpp"
#include "search/limits.hpp"
#include "search/mcts/uct_tree.hpp"

namespace bz {

// How a simulation picks among the children of a node. All rules have the form
//   mean + bonus(parent) * width(child)
// where N and n are the visits of parent and child:
//   ucb1:   mean + c * sqrt(log(N) / n), children without visits first
//   puct:   mean + c * p * sqrt(N) / (1 + n), all actions being equally likely
//   puct1:  mean + c / (1 + n)
enum class Selection : std::uint8_t { ucb1, puct, puct1 };

inline Selection selection_named(std::string_view name) {
  if (name == "ucb1") return Selection::ucb1;
  if (name == "puct") return Selection::puct;
  if (name == "puct1") return Selection::puct1;
  fail("there are the selection rules ucb1, puct and puct1, but not " + quoted(name));
}

struct UctOptions {
  Selection selection = Selection::ucb1;
  double c = 1.0;
  int depth = 1000;     // of the tree, in actions
  int megabytes = 256;  // that the tree may take
  bool prove = true;    // what the tree proves counts as such; otherwise means and visits only
  bool shuffle = true;  // try actions in random order, because the order of rules is no merit
  std::uint64_t seed = 0;
};

// What a state that is not over is worth to each seat, in place of a roll-out.
template <class G>
using LeafEvaluation = std::function<Values(const G&)>;

// Takes actions away that a search on behalf of the seat need not look at; must leave one.
template <class G>
using Pruner = std::function<void(const G&, Seat, ActionList&)>;

template <class M>
struct UctMove {
  M move{};
  std::uint64_t visits = 0;
  double value = 0;  // for the mover
  bool proven = false;

  // Two ways of making the same move are one candidate.
  void add(const UctNode& node) {
    visits += node.visits;
    const double share = static_cast<double>(node.visits) / static_cast<double>(visits);
    if (node.proven) value = node.mean;
    if (!proven && !node.proven) value += (node.mean - value) * share;
    proven = proven || node.proven;
  }
};

template <class M>
struct UctResult {
  std::vector<UctMove<M>> candidates;  // all moves; first the one to play, then by visits
  std::vector<M> line;                 // that the search expects, from the move to play on
  std::uint64_t simulations = 0;       // of this search, without those of a tree that was reused
  double seconds = 0;
  int depth = 0;  // of the deepest simulation, in actions
  std::size_t nodes = 0;
};

// A random game to its end: the values of how it ends; uses up the state. Rules that never end are
// cut off as a draw.
template <Game G>
Values rollout(G& game, Rng& rng, ActionList& scratch) {
  if constexpr (PlaysOut<G>) return game.random_outcome(rng);
  constexpr int kLongest = 10'000;
  for (int i = 0; i < kLongest && play_random(game, rng, scratch);) ++i;
  const auto outcome = game.outcome();
  return outcome ? outcome->values : drawn(game.shape().players);
}

template <Game G>
class Uct {
 public:
  using Move = typename G::Move;

  Uct(const G& state, const UctOptions& options, LeafEvaluation<G> evaluation = {},
      Pruner<G> pruner = {})
      : options_(options),
        evaluation_(std::move(evaluation)),
        pruner_(std::move(pruner)),
        rng_(options.seed),
        tree_(capacity(options.megabytes, state.shape())),
        state_(state) {}

  // Sets the state to search, and forgets the tree.
  void reset(const G& state) {
    state_ = state;
    tree_.clear();
  }

  // Sets the state to search; if these actions lead to it from the last one, what the tree knows
  // of it is kept.
  void advance(std::span<const Action> actions, const G& state) {
    const auto known = tree_.find(actions);
    // What a pruner leaves out is right for one seat only.
    const bool is_usable = known && !(pruner_ && state.to_move() != state_.to_move());
    if (is_usable && is_same(after(actions), state)) {
      tree_.reroot(*known);
    } else {
      tree_.clear();
    }
    state_ = state;
  }

  // The state must not be over. At least one simulation is made, whatever the limits.
  UctResult<Move> search(const Limits& limits, const Interrupt& interrupt) {
    Budget budget(limits.seconds, std::min(limits.simulations, limits.nodes), interrupt);
    std::uint64_t simulations = 0;
    deepest_ = 0;
    while (!root().proven && (budget.spend() || root().visits == 0)) {
      simulate();
      ++simulations;
    }
    if (root().first == 0) expand(UctTree::kRoot, state_);
    UctResult<Move> result = report();
    result.simulations = simulations;
    result.seconds = budget.elapsed();
    return result;
  }

 private:
  using Index = UctTree::Index;

  // The root's children must fit, however little memory there is.
  static std::size_t capacity(int megabytes, const Shape& shape) {
    const std::size_t nodes = (static_cast<std::size_t>(megabytes) << 20) / sizeof(UctNode);
    return std::max(nodes, 1 + static_cast<std::size_t>(shape.actions));
  }

  const UctNode& root() const { return tree_[UctTree::kRoot]; }

  // The text may tell apart what counts as equal, such as the number of turns.
  static bool is_same(const G& a, const G& b) { return a == b && a.fen() == b.fen(); }

  G after(std::span<const Action> actions) const {
    G game = state_;
    for (const Action a : actions) game.play(a);
    return game;
  }

  double width(std::uint32_t visits) const {
    constexpr double kFirst = 1e9;  // puts children without visits before all others
    if (options_.selection != Selection::ucb1) return 1.0 / (1.0 + visits);
    return visits == 0 ? kFirst : 1.0 / std::sqrt(visits);
  }
  double bonus(const UctNode& parent) const {
    switch (options_.selection) {
      case Selection::ucb1:
        return options_.c * std::sqrt(std::log(parent.visits));
      case Selection::puct:
        return options_.c * std::sqrt(parent.visits) / parent.children;
      case Selection::puct1:
        break;
    }
    return options_.c;
  }

  Index select(Index parent) const {
    const double scale = bonus(tree_[parent]);
    const UctNode* best = &tree_.children(parent).front();  // whatever the scores are
    double highest = -std::numeric_limits<double>::infinity();
    for (const UctNode& child : tree_.children(parent)) {
      const double score = child.mean + scale * child.width;
      if (score > highest) {
        highest = score;
        best = &child;
      }
    }
    return tree_.index_of(*best);
  }

  void simulate() {
    G game = state_;
    path_.assign(1, UctTree::kRoot);
    while (can_go_on(path_.back(), game)) {
      path_.push_back(select(path_.back()));
      game.play(tree_[path_.back()].action);
    }
    deepest_ = std::max(deepest_, static_cast<int>(path_.size()) - 1);
    backup(evaluate(tree_[path_.back()], game));
  }

  // Whether a simulation goes on to a child; a node gets its children on the second visit.
  bool can_go_on(Index i, const G& game) {
    const UctNode& node = tree_[i];
    if (node.proven || node.visits == 0) return false;
    if (node.first != 0) return true;
    return std::ssize(path_) <= options_.depth && expand(i, game);
  }

  bool expand(Index i, const G& game) {
    game.actions(actions_);
    if (actions_.empty()) return false;  // over; where nothing is proven, simulations come again
    if (pruner_) {
      const std::size_t all = actions_.size();
      pruner_(game, state_.to_move(), actions_);
      tree_[i].pruned = actions_.size() < all;
    }
    if (options_.shuffle) shuffle(actions_);
    return tree_.expand(i, actions_, width(0));
  }

  void shuffle(ActionList& list) {
    for (std::size_t n = list.size(); n > 1; --n) {
      std::swap(list[n - 1], list[rng_.below(static_cast<std::uint32_t>(n))]);
    }
  }

  // The values of a leaf; uses up the game.
  Values evaluate(UctNode& leaf, G& game) {
    if (leaf.proven) return leaf.values;
    if (leaf.visits > 0) return evaluation_ ? leaf.values : rollout(game, rng_, actions_);
    leaf.mover = game.to_move();
    if (const auto outcome = game.outcome()) {
      leaf.proven = options_.prove;
      leaf.values = outcome->values;
    } else {
      leaf.values = evaluation_ ? evaluation_(game) : rollout(game, rng_, actions_);
    }
    return leaf.values;
  }

  void backup(Values values) {
    for (std::size_t i = path_.size(); i-- > 0;) {
      UctNode& node = tree_[path_[i]];
      const bool news = i + 1 < path_.size() && !node.proven && tree_[path_[i + 1]].proven;
      if (news && tree_.prove(path_[i])) values = node.values;
      ++node.visits;
      // Nobody chose the root; its mean is not used.
      const double value = values[index(i > 0 ? tree_[path_[i - 1]].mover : node.mover)];
      node.mean = node.proven ? value : node.mean + (value - node.mean) / node.visits;
      node.width = node.proven ? 0 : width(node.visits);
    }
  }

  UctResult<Move> report() const {
    UctResult<Move> result;
    result.depth = deepest_;
    result.nodes = tree_.size();
    G game = state_;
    Index node = UctTree::kRoot;
    while (tree_[node].first != 0) result.line.push_back(play_best_move(game, node));
    result.candidates = candidates();
    const auto chosen =
        std::ranges::find(result.candidates, result.line.front(), &UctMove<Move>::move);
    std::rotate(result.candidates.begin(), chosen, chosen + 1);
    return result;
  }

  // Plays the preferred actions until they make up a move. One that leads out of the tree goes on
  // with any action, while the node stays the last one that is known.
  Move play_best_move(G& game, Index& node) const {
    const Turn<G> turn(game);
    ActionList actions;
    while (true) {
      game.actions(actions);
      Action action = actions.front();
      if (tree_[node].first != 0) {
        node = tree_.best_child(node);
        action = tree_[node].action;
      }
      game.play(action);
      if (const auto move = turn.move(action, game)) return *move;
    }
  }

  // Every move, with the visits of the node after its last action; most visits first.
  std::vector<UctMove<Move>> candidates() const {
    const Turn<G> turn(state_);
    std::vector<UctMove<Move>> result;
    for (const Move& move : turn.moves()) result.push_back({move});
    std::vector<std::pair<Index, G>> unfinished{{UctTree::kRoot, state_}};
    while (!unfinished.empty()) {
      const auto [node, game] = std::move(unfinished.back());
      unfinished.pop_back();
      for (const UctNode& child : tree_.children(node)) {
        if (child.visits == 0) continue;
        G next = game;
        next.play(child.action);
        if (const auto move = turn.move(child.action, next)) {
          std::ranges::find(result, *move, &UctMove<Move>::move)->add(child);
        } else {
          unfinished.emplace_back(tree_.index_of(child), std::move(next));
        }
      }
    }
    std::ranges::stable_sort(result, std::greater{},
                             [](const UctMove<Move>& c) { return std::tuple(c.visits, c.value); });
    return result;
  }

  UctOptions options_;
  LeafEvaluation<G> evaluation_;
  Pruner<G> pruner_;
  Rng rng_;
  UctTree tree_;
  G state_;
  ActionList actions_;       // scratch
  std::vector<Index> path_;  // of the simulation under way
  int deepest_ = 0;
};

}  // namespace bz
