// One search with a net: select, expand, evaluate, backup. It runs until a leaf needs its
// evaluation, hands that state out, and goes on when the evaluation has come: so many searches can
// share one batch. A search alone can hand out several leaves; until they are evaluated, each path
// that waits carries a virtual loss, so that the next simulation looks elsewhere.
#pragma once

#include <deque>
#include <limits>
#include <memory>
#include <random>
#include <unordered_map>
#include <utility>

#include "core/error.hpp"
#include "games/oracle.hpp"
#include "search/mcts/forced_playouts.hpp"
#include "search/mcts/gumbel.hpp"
#include "search/mcts/multi_tree.hpp"

namespace bz {

// What to do with a state that has a single legal action.
enum class Forced {
  evaluate,   // treat it like any other
  heuristic,  // do not ask the net: a new leaf gets the game's heuristic value
  skip,       // play on to the next real choice, and evaluate that
};

// Which of the root's edges simulations follow; below it PUCT decides.
enum class RootRule { puct, gumbel };

struct SearchOptions {
  int simulations = 50;
  PuctOptions puct;
  RootRule root = RootRule::puct;
  GumbelOptions gumbel;
  Forced forced = Forced::skip;
  int depth_limit = 512;        // a line this long is backed up with the heuristic value
  bool proven = true;           // back up proven results
  bool transpositions = false;  // one node per position, however reached; leaves `proven` out
  bool child_values = false;  // Wang 2018, 4.2.2: a node's children are all evaluated on its first
                              // visit, and begin with that value and one visit; for a PUCT root
                              // and one tree, without transpositions; no state is skipped
  bool random_ties = false;   // of equal edges take any, not the first
  double noise_weight = 0.0;  // share of Dirichlet noise in the root's priors
  double noise_alpha = 0.3;
  double forced_playouts = 0;  // at the roots of full searches in self-play; see ForcedPlayouts
  int history = 0;             // earlier states that the net wants to see
  std::size_t memory = 0;      // bytes; trees that have grown so large end it; 0: any
  std::vector<TreePlan> trees{TreePlan{}};  // the first one's visits decide
  std::vector<int> turns{0};                // whose simulation comes next, over and over
};

// A state that waits for its evaluation, with its legal actions in order and the states before it.
template <Game G>
struct Leaf {
  G state;
  ActionList actions;
  std::vector<G> before;  // at most `history` of them, the latest last
  int net = 0;            // which of the contestant's nets must evaluate it
};

template <Game G>
class Search {
 public:
  Search(const SearchOptions& options, std::uint64_t seed)
      : options_(options),
        rule_(options.puct, proves()),
        gumbel_(options.gumbel),
        rng_(seed),
        trees_(options.trees) {
    if (!options.child_values) return;
    if (options.trees.size() > 1 || options.transpositions || samples_root()) {
      fail("child_values is for one tree with a PUCT root and without transpositions");
    }
  }

  // Starts afresh from a state that is not over; `before` are the states that led to it.
  void begin(const G& root, std::vector<G> before = {}) {
    trees_.clear();
    pending_.clear();
    scoring_.reset();
    set_root(root, std::move(before));
  }

  // Moves on to the state that an action led to, and keeps what is known about it.
  void advance(Action action, const G& root, std::vector<G> before = {}) {
    abandon_pending();
    const NodeId child = child_of(action);
    const bool usable =
        child != kNoNode && tree()[child].forced_count == 0 && tree()[child].edge_count > 0;
    if (!usable) return begin(root, std::move(before));
    trees_.reroot(child);
    set_root(root, std::move(before));
    if (trees_.is_evaluated(Tree::root())) add_noise();
  }

  // What it knows is proven, from the next root on.
  void set_oracle(std::shared_ptr<const Oracle<G>> oracle) { oracle_ = std::move(oracle); }

  // Which actions are looked at, from the next root on; without it all that are legal. Of a state
  // that is not over at least one.
  using Lister = void (*)(const G&, ActionList&);
  void set_lister(Lister lister) { lister_ = lister; }

  void reseed(std::uint64_t seed) { rng_ = Rng(seed); }
  void set_simulations(int simulations) { options_.simulations = simulations; }
  // How far a Gumbel root strays from the best action: 1 samples by the policy, 0 does not.
  void set_sampling(double scale) { sampling_ = scale; }
  // Forced playouts at a PUCT root from now on.
  void set_forced_playouts(const ForcedPlayouts& forced) { forced_playouts_ = forced; }

  // Runs simulations until one needs an evaluation. nullptr if none does: the search is done, it
  // cannot go on before what waits has been evaluated, or so many in a row needed none.
  const Leaf<G>* next(int patience = std::numeric_limits<int>::max()) {
    if (scoring_ && score_children() == Ended::pending) return &pending_.back().leaf;
    if (scoring_) return nullptr;
    if (!pending_.empty()) {
      if (samples_root() || !trees_.is_evaluated(Tree::root())) return nullptr;
      set_virtual_loss(pending_.back(), true);
    }
    if (trees_.empty()) add_root();
    if (!trees_.is_evaluated(Tree::root()) && evaluate_root()) return &pending_.back().leaf;
    if (samples_root() && !planned_) {
      gumbel_.begin(tree(), deciding_simulations(), sampling_, rng_);
      tried_.assign(tree()[Tree::root()].edge_count, {});
      planned_ = true;
    }
    while (!is_done() && patience-- > 0) {
      active_ = options_.turns[static_cast<std::size_t>(begun()) % options_.turns.size()];
      switch (simulate()) {
        case Ended::backed_up:
          break;
        case Ended::pending:
          return &pending_.back().leaf;
        case Ended::collided:
          return nullptr;
      }
    }
    return nullptr;
  }

  bool is_done() const {
    if (trees_.empty() || scoring_) return false;
    return begun() >= options_.simulations || tree()[Tree::root()].is_proven() || is_full();
  }

  // The evaluation of the oldest leaf that waits: a prior for each of its actions, summing to 1,
  // and a value per seat.
  void receive(const float* priors, const Values& values) {
    Pending& pending = pending_.front();
    set_virtual_loss(pending, false);
    active_ = pending.tree;
    std::swap(path_, pending.path);
    const NodeId id = pending.node;
    pending_.pop_front();
    trees_.set_evaluation(active_, id, priors, values);
    if (scoring_) {
      count_child(path_.back(), values);
    } else if (id != Tree::root()) {
      backup(trees_[active_][id].values);
    } else if (trees_.is_evaluated(Tree::root())) {
      add_noise();
    }
  }

  int trees() const { return trees_.count(); }
  const Tree& tree(int which = 0) const { return trees_[which]; }
  const PuctRule& rule() const { return rule_; }
  const ForcedPlayouts& forced_playouts() const { return forced_playouts_; }
  const G& root() const { return *root_; }
  // What the nets gave one of the root's edges, before noise.
  float prior_before_noise(std::size_t edge) const {
    return priors_before_noise_.empty() ? tree().edges(Tree::root())[edge].prior
                                        : priors_before_noise_[edge];
  }
  int simulations_done() const { return done_; }

  bool samples_root() const { return options_.root == RootRule::gumbel; }
  // For a root that samples: the edge to play, and the policy to learn.
  std::size_t sampled_edge() { return gumbel_.best(tree(), rule_); }
  void improved_policy(std::vector<double>& policy) {
    gumbel_.improved_policy(tree(), rule_, policy);
  }

  // What the root is worth under a policy, as far as this search has tried its actions. The plain
  // mean of root_values() would count actions that were only tried to be sorted out.
  Values values_under(const std::vector<double>& policy) const {
    double mass = 0;
    double sums[kMaxPlayers] = {};
    for (std::size_t i = 0; i < tried_.size(); ++i) {
      if (tried_[i].visits == 0) continue;
      mass += policy[i];
      for (int s = 0; s < kMaxPlayers; ++s) {
        sums[s] += policy[i] * tried_[i].sums[s] / tried_[i].visits;
      }
    }
    if (mass <= 0) return root_values();
    Values values = tree()[Tree::root()].values;
    for (int s = 0; s < values.size(); ++s) values[s] = static_cast<float>(sums[s] / mass);
    return values;
  }

  // What the search thinks of the root, one value per seat.
  Values root_values() const {
    const Node& node = tree()[Tree::root()];
    if (node.is_proven()) return node.values;
    Values mean = node.values;
    for (int s = 0; s < mean.size(); ++s) {
      mean[s] = static_cast<float>((node.values[s] + sums_[s]) / (1.0 + counted_));
    }
    return mean;
  }

 private:
  struct Visit {
    NodeId node;
    std::uint32_t edge;  // position among the node's edges
  };

  // A simulation that waits for the evaluation of its leaf.
  struct Pending {
    int tree;
    NodeId node;  // the leaf's
    std::vector<Visit> path;
    Leaf<G> leaf;
    bool has_virtual_loss = false;
  };

  // A node whose children are being evaluated, with the simulation that has come to it.
  struct Scoring {
    NodeId node;
    G state;
    std::vector<Visit> path;
    std::vector<G> trail;
    std::uint32_t next = 0;  // edge
  };

  // How a simulation ended; collided: at a leaf that waits already.
  enum class Ended { backed_up, pending, collided };

  // What this search found about one of the root's actions.
  struct Trial {
    int visits = 0;
    double sums[kMaxPlayers] = {};  // by seat

    void add(const Values& values) {
      ++visits;
      for (int s = 0; s < values.size(); ++s) sums[s] += values[s];
    }
  };

  bool proves() const { return options_.proven && !options_.transpositions; }
  bool is_full() const { return options_.memory > 0 && trees_.bytes() >= options_.memory; }

  void set_root(const G& root, std::vector<G> before) {
    root_.emplace(root);
    rooted_oracle_.begin(oracle_.get(), root);
    before_ = std::move(before);
    transpositions_.clear();  // nodes have new indices; the table starts again from here
    priors_before_noise_.clear();
    done_ = counted_ = 0;
    planned_ = false;
    std::fill_n(sums_, kMaxPlayers, 0.0);
  }

  int begun() const { return done_ + static_cast<int>(pending_.size()); }

  // Counts a path that waits as visited and lost, or no longer.
  void set_virtual_loss(Pending& pending, bool on) {
    if (std::exchange(pending.has_virtual_loss, on) == on) return;
    const int times = on ? 1 : -1;
    Tree& tree = trees_[pending.tree];
    for (const Visit& v : pending.path) {
      Edge& e = tree.edges(v.node)[v.edge];
      e.visits += static_cast<std::uint32_t>(times);
      e.total -= times;
      tree[v.node].visits += static_cast<std::uint32_t>(times);
    }
  }
  void abandon_pending() {
    for (Pending& pending : pending_) set_virtual_loss(pending, false);
    pending_.clear();
    scoring_.reset();
  }

  bool is_pending(NodeId id) const {
    return std::any_of(pending_.begin(), pending_.end(), [&](const Pending& pending) {
      return pending.node == id && pending.tree == active_;
    });
  }

  NodeId child_of(Action action) const {
    if (trees_.empty()) return kNoNode;
    const auto edges = tree().edges(Tree::root());
    const auto found = std::ranges::find(edges, action, &Edge::action);
    return found == edges.end() ? kNoNode : found->child;
  }

  void add_root() {
    list_actions(*root_);
    forced_replies_.clear();
    const NodeId id =
        trees_.add(root_->to_move(), root_->shape().players, actions_, forced_replies_);
    if (options_.transpositions) transpositions_.emplace(root_->key(), index(id));
  }

  // Every tree evaluates the root before the simulations begin. True while one waits for its net.
  bool evaluate_root() {
    path_.clear();
    trail_ = before_;
    list_actions(*root_);
    for (active_ = 0; active_ < trees_.count(); ++active_) {
      if (trees_.is_evaluated(active_, Tree::root())) continue;
      if (!trees_.copy_evaluation(active_, Tree::root(), stage_of(*root_))) {
        request_evaluation(Tree::root(), *root_);
        return true;
      }
    }
    add_noise();
    return false;
  }

  void list_actions(const G& state) {
    if (lister_ == nullptr) {
      state.actions(actions_);
    } else {
      lister_(state, actions_);
    }
  }

  void request_evaluation(NodeId id, const G& state) {
    const auto wanted = static_cast<std::ptrdiff_t>(options_.history);
    const auto first = trail_.end() - std::min(wanted, std::ssize(trail_));
    const int net = trees_.plan(active_).net(stage_of(state));
    pending_.push_back(
        {active_, id, std::move(path_), Leaf<G>{state, actions_, {first, trail_.end()}, net}});
  }

  void follow(G& state, Action action) {
    if (options_.history > 0) trail_.push_back(state);
    state.play(action);
  }

  // One simulation, down to a leaf.
  Ended simulate() {
    path_.clear();
    forced_replies_.clear();
    trail_ = before_;
    Tree& tree = trees_[active_];
    NodeId at = Tree::root();
    G state = *root_;
    while (static_cast<int>(path_.size()) < options_.depth_limit) {
      if (options_.child_values && !has_child_values(at)) {
        scoring_.emplace(at, state, std::move(path_), std::move(trail_));
        return score_children();
      }
      Edge& chosen = select(at);
      path_.push_back({at, static_cast<std::uint32_t>(&chosen - tree.edges(at).data())});
      follow(state, chosen.action);
      if (chosen.child == kNoNode && options_.transpositions) link(find_transposition(state));
      if (chosen.child == kNoNode) return expand(state);
      at = chosen.child;
      for (const Action a : tree.forced(at)) {
        if (is_over_transposed(state)) break;
        follow(state, a);
      }
      if (is_over_transposed(state)) return finish(state.outcome()->values);
      if (tree[at].is_proven()) return finish(tree[at].values);
      if (!trees_.is_evaluated(active_, at)) {
        if (is_pending(at)) return Ended::collided;
        list_actions(state);
        return evaluate(at, state);
      }
    }
    return finish(heuristic_value(state));
  }

  Edge& select(NodeId at) {
    const bool decides = path_.empty() && active_ == 0;  // at the root of the tree that does
    if (decides && samples_root()) {
      return trees_[0].edges(at)[gumbel_.next(tree(), rule_, counted_)];
    }
    if (decides) {
      if (Edge* forced = forced_playouts_.next(trees_[0], rule_)) return *forced;
    }
    return *trees_.select(rule_, active_, at, options_.random_ties ? &rng_ : nullptr);
  }

  // How many of the simulations are those of the tree that decides.
  int deciding_simulations() const {
    const auto round = static_cast<int>(options_.turns.size());
    const auto begin = options_.turns.begin();
    const auto in_first = [&](int turns) {
      return static_cast<int>(std::count(begin, begin + turns, 0));
    };
    return options_.simulations / round * in_first(round) + in_first(options_.simulations % round);
  }

  // The edge followed last leads to this node.
  void link(NodeId child) { trees_.link(path_.back().node, path_.back().edge, child); }

  // A node reached by transposition may be over or not, depending on how long the game has lasted.
  bool is_over_transposed(const G& state) const {
    return options_.transpositions && state.outcome();
  }

  NodeId find_transposition(const G& state) const {
    const auto found = transpositions_.find(state.key());
    return found == transpositions_.end() ? kNoNode : NodeId{found->second};
  }

  // Adds the node of the state that the edge followed last leads to.
  Ended expand(G& state) {
    const Key met = state.key();  // before its forced replies: the table goes by it
    for (;;) {
      if (const auto outcome = state.outcome()) {
        return expand_proven(state, outcome->values, Status::terminal);
      }
      if (const auto values = rooted_oracle_.certain(state)) {
        return expand_proven(state, *values, Status::proven);
      }
      list_actions(state);
      if (actions_.size() > 1 || options_.forced != Forced::skip) break;
      if (forced_replies_.size() == 0xffff) break;
      forced_replies_.push_back(actions_.front());
      follow(state, actions_.front());
    }
    const NodeId id = trees_.add(state.to_move(), state.shape().players, actions_, forced_replies_);
    if (options_.transpositions) transpositions_.emplace(met, index(id));
    link(id);
    return evaluate(id, state);
  }

  // A tree meets a state that it has not evaluated yet, with the actions in actions_.
  Ended evaluate(NodeId id, const G& state) {
    if (HasHeuristic<G> && options_.forced == Forced::heuristic && actions_.size() == 1) {
      const float certain = 1.0F;
      trees_.set_evaluation(active_, id, &certain, heuristic_value(state));
    } else if (!trees_.copy_evaluation(active_, id, stage_of(state))) {
      request_evaluation(id, state);
      return Ended::pending;
    }
    return finish(trees_[active_][id].values);
  }

  bool has_child_values(NodeId id) const {
    return std::ranges::all_of(tree().edges(id), [](const Edge& e) { return e.visits > 0; });
  }

  // Asks for the value of the next child of scoring_ that has none. When all have come, what the
  // node itself is worth is backed up. Children that wait end it: the next come after them.
  Ended score_children() {
    active_ = 0;
    const NodeId at = scoring_->node;
    while (scoring_->next < tree()[at].edge_count) {
      const std::uint32_t i = scoring_->next++;
      const Edge edge = tree().edges(at)[i];
      if (edge.visits > 0) continue;
      G state = scoring_->state;
      trail_ = scoring_->trail;
      follow(state, edge.action);
      path_.assign(1, {at, i});
      forced_replies_.clear();
      if (const auto outcome = state.outcome()) {
        if (edge.child == kNoNode) link(add_proven(state, outcome->values, Status::terminal));
        count_child({at, i}, outcome->values);
        continue;
      }
      list_actions(state);
      NodeId child = edge.child;
      if (child == kNoNode) {
        child = trees_.add(state.to_move(), state.shape().players, actions_, forced_replies_);
        link(child);
      }
      request_evaluation(child, state);
      return Ended::pending;
    }
    if (!pending_.empty()) return Ended::collided;
    path_ = std::move(scoring_->path);
    scoring_.reset();
    if (!path_.empty()) backup(tree()[at].values);
    if (proves() && prove(at)) prove_upwards();
    return Ended::backed_up;
  }

  // A child's own value is its first visit.
  void count_child(const Visit& v, const Values& values) {
    Edge& e = trees_[0].edges(v.node)[v.edge];
    Node& node = trees_[0][v.node];
    e.visits = 1;
    e.total = values[index(node.mover)];
    ++node.visits;
  }

  NodeId add_proven(const G& state, const Values& values, Status status) {
    const NodeId id = trees_.add(state.to_move(), values.size(), {}, forced_replies_);
    trees_.mark_proven(id, values, status);
    return id;
  }

  Ended expand_proven(const G& state, const Values& values, Status status) {
    if (!options_.transpositions) link(add_proven(state, values, status));
    return finish(values);
  }

  // Ends a simulation that needed no evaluation.
  Ended finish(const Values& values) {
    backup(values);
    if (proves()) prove_upwards();
    return Ended::backed_up;
  }

  void backup(const Values& values) {
    Tree& tree = trees_[active_];
    for (const Visit& v : path_) {
      Edge& e = tree.edges(v.node)[v.edge];
      Node& node = tree[v.node];
      ++e.visits;
      e.total += values[index(node.mover)];
      ++node.visits;
    }
    ++done_;
    if (active_ != 0) return;
    for (int s = 0; s < values.size(); ++s) sums_[s] += values[s];
    if (samples_root()) tried_[path_.front().edge].add(values);
    ++counted_;
  }

  // Marks every node on the path whose result has become certain.
  void prove_upwards() {
    for (auto v = path_.rbegin(); v != path_.rend(); ++v) {
      if (!prove(v->node)) return;
    }
  }

  // A node is certain if its mover has a sure win, or if all replies are: then the best is taken.
  bool prove(NodeId id) {
    const int mover = index(tree()[id].mover);
    const Values* best = nullptr;
    bool all = true;
    for (const Edge& e : tree().edges(id)) {
      if (e.child == kNoNode || !tree()[e.child].is_proven()) {
        all = false;
        continue;
      }
      const Values& values = tree()[e.child].values;
      if (best == nullptr || values[mover] > (*best)[mover]) best = &values;
    }
    if (best == nullptr || (!all && (*best)[mover] < 1.0F)) return false;
    trees_.mark_proven(id, Values(*best), Status::proven);
    return true;
  }

  static Values heuristic_value(const G& state) {
    if constexpr (HasHeuristic<G>) {
      return state.heuristic();
    } else {
      return drawn(state.shape().players);
    }
  }

  // In the tree that decides.
  void add_noise() {
    if (options_.noise_weight <= 0) return;
    const auto edges = trees_[0].edges(Tree::root());
    std::gamma_distribution<double> gamma(options_.noise_alpha, 1.0);
    noise_.clear();
    double total = 0;
    while (noise_.size() < edges.size()) total += noise_.emplace_back(gamma(rng_));
    if (total <= 0) return;
    priors_before_noise_.clear();
    const double weight = options_.noise_weight;
    for (std::size_t i = 0; i < edges.size(); ++i) {
      float& prior = edges[i].prior;
      priors_before_noise_.push_back(prior);
      prior = static_cast<float>((1 - weight) * prior + weight * (noise_[i] / total));
    }
  }

  SearchOptions options_;
  PuctRule rule_;
  GumbelRoot gumbel_;
  bool planned_ = false;  // gumbel_ knows this search's root and budget
  ForcedPlayouts forced_playouts_{0};
  std::vector<float>
      priors_before_noise_;  // the root's priors before noise; empty where there is none
  double sampling_ = 0;
  std::vector<Trial> tried_;  // per edge of a root that samples
  Rng rng_;
  std::optional<G> root_;
  std::shared_ptr<const Oracle<G>> oracle_;
  RootedOracle<G> rooted_oracle_;
  Lister lister_ = nullptr;
  std::vector<G> before_;  // the root, seen backwards
  std::vector<G> trail_;   // the same for the state that a simulation has come to
  MultiTree trees_;
  int active_ = 0;                                        // the tree of the present simulation
  std::unordered_map<Key, std::int32_t> transpositions_;  // the node of each position
  std::deque<Pending> pending_;                           // oldest first
  std::optional<Scoring> scoring_;  // while it lasts, pending_ holds children of its node
  std::vector<Visit> path_;
  std::vector<Action> forced_replies_;  // single replies on the way to the leaf
  ActionList actions_;
  std::vector<double> noise_;
  int done_ = 0;                   // simulations in all trees
  double sums_[kMaxPlayers] = {};  // of what came back to the root of the tree that decides
  int counted_ = 0;                // and how often
};

}  // namespace bz
