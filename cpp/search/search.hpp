// One search with a net. It runs until a state must be judged, hands that state out, and goes on
// when the judgement has come: so many searches can share one batch.
#pragma once

#include <random>
#include <unordered_map>

#include "games/game.hpp"
#include "search/gumbel.hpp"
#include "search/puct.hpp"

namespace bz {

// What to do with a state that has a single legal action.
enum class Forced {
  judge,      // treat it like any other
  heuristic,  // do not ask the net: a new leaf gets the rule of thumb's value
  skip,       // play on to the next real choice, and judge that
};

// Which of the root's edges simulations follow; below it PUCT decides.
enum class RootRule { puct, gumbel };

struct SearchOptions {
  int simulations = 50;
  PuctOptions puct;
  RootRule root_rule = RootRule::puct;
  GumbelOptions gumbel;
  Forced forced = Forced::skip;
  int depth_limit = 512;      // a line this long is backed up with the rule of thumb's value
  bool exact = true;          // back up proven results
  bool merge = false;         // one node per position, however reached; leaves `exact` out
  double noise_weight = 0.0;  // share of Dirichlet noise in the root's priors
  double noise_alpha = 0.3;
  int history = 0;  // earlier states that the net wants to see
};

// A state that waits for its judgement, with its legal actions in order and the states before it.
template <Game G>
struct Leaf {
  G state;
  ActionList actions;
  std::vector<G> before;  // at most `history` of them, the latest last
};

template <Game G>
class Search {
 public:
  Search(const SearchOptions& options, std::uint64_t seed)
      : options_(options), rule_(options.puct, proves()), gumbel_(options.gumbel), rng_(seed) {}

  // Starts afresh from a state that is not over; `before` are the states that led to it.
  void begin(const G& root, std::vector<G> before = {}) {
    root_.emplace(root);
    before_ = std::move(before);
    tree_.clear();
    known_.clear();
    restart_budget();
  }

  // Moves on to the state that an action led to, and keeps what is known about it.
  void advance(Action action, const G& root, std::vector<G> before = {}) {
    const NodeId child = child_of(action);
    const bool usable =
        child != kNoNode && tree_[child].forced_count == 0 && tree_[child].edge_count > 0;
    if (!usable) return begin(root, std::move(before));
    root_.emplace(root);
    before_ = std::move(before);
    tree_.keep_below(child);
    known_.clear();  // the indices have moved; merging starts again from here
    restart_budget();
    add_noise();
  }

  void reseed(std::uint64_t seed) { rng_ = Rng(seed); }
  void set_simulations(int simulations) { options_.simulations = simulations; }
  // How far a Gumbel root strays from the best action: 1 samples by the policy, 0 does not.
  void set_sampling(double scale) { sampling_ = scale; }

  // Runs simulations until one needs a judgement; nullptr when the search is done.
  const Leaf<G>* next() {
    if (tree_.empty()) {
      path_.clear();
      forced_.clear();
      trail_ = before_;
      root_->actions(actions_);
      met_ = root_->key();
      return hand_out(*root_);
    }
    if (samples_root() && !planned_) {
      gumbel_.begin(tree_, options_.simulations, sampling_, rng_);
      tried_.assign(tree_[Tree::root()].edge_count, {});
      planned_ = true;
    }
    while (done_ < options_.simulations && !tree_[tree_.root()].is_settled()) {
      if (descend()) return &*leaf_;
    }
    return nullptr;
  }

  // Answers next(): a prior for each of the leaf's actions, summing to 1, and a value per seat.
  void supply(const float* priors, const Values& values) {
    const NodeId id = expand(priors, values);
    if (id == tree_.root()) {
      add_noise();
    } else {
      back_up(values);
    }
  }

  const Tree& tree() const { return tree_; }
  const PuctRule& rule() const { return rule_; }
  const G& root() const { return *root_; }
  int simulations_done() const { return done_; }

  bool samples_root() const { return options_.root_rule == RootRule::gumbel; }
  // For a root that samples: the edge to play, and the policy to learn.
  std::size_t sampled_edge() { return gumbel_.best(tree_, rule_); }
  void improved_policy(std::vector<double>& policy) {
    gumbel_.improved_policy(tree_, rule_, policy);
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
    Values values = tree_[Tree::root()].values;
    for (int s = 0; s < values.size(); ++s) values[s] = static_cast<float>(sums[s] / mass);
    return values;
  }

  // What the search thinks of the root, one value per seat.
  Values root_values() const {
    const Node& node = tree_[tree_.root()];
    if (node.is_settled()) return node.values;
    Values mean = node.values;
    for (int s = 0; s < mean.size(); ++s) {
      mean[s] = static_cast<float>((node.values[s] + sums_[s]) / (1.0 + done_));
    }
    return mean;
  }

 private:
  struct Visit {
    NodeId node;
    std::uint32_t edge;  // position among the node's edges
  };

  // What this search found about one of the root's actions.
  struct Trial {
    int visits = 0;
    double sums[kMaxPlayers] = {};  // by seat

    void add(const Values& values) {
      ++visits;
      for (int s = 0; s < values.size(); ++s) sums[s] += values[s];
    }
  };

  bool proves() const { return options_.exact && !options_.merge; }
  Edge& edge(const Visit& v) { return tree_.begin_edges(v.node)[v.edge]; }

  void restart_budget() {
    done_ = 0;
    planned_ = false;
    std::fill_n(sums_, kMaxPlayers, 0.0);
  }

  NodeId child_of(Action action) const {
    if (tree_.empty()) return kNoNode;
    const Edge* end = tree_.end_edges(tree_.root());
    const Edge* found = std::find_if(tree_.begin_edges(tree_.root()), end,
                                     [&](const Edge& e) { return e.action == action; });
    return found == end ? kNoNode : found->child;
  }

  const Leaf<G>* hand_out(const G& state) {
    const auto wanted = static_cast<std::ptrdiff_t>(options_.history);
    const auto first = trail_.end() - std::min(wanted, std::ssize(trail_));
    leaf_.emplace(Leaf<G>{state, actions_, {first, trail_.end()}});
    return &*leaf_;
  }

  void follow(G& state, Action action) {
    if (options_.history > 0) trail_.push_back(state);
    state.play(action);
  }

  // One simulation, down to a leaf. True if that waits for a judgement in leaf_; otherwise the
  // simulation is over.
  bool descend() {
    path_.clear();
    forced_.clear();
    trail_ = before_;
    NodeId at = tree_.root();
    G state = *root_;
    while (static_cast<int>(path_.size()) < options_.depth_limit) {
      Edge& chosen = choose(at);
      path_.push_back({at, static_cast<std::uint32_t>(&chosen - tree_.begin_edges(at))});
      follow(state, chosen.action);
      if (chosen.child == kNoNode && options_.merge) chosen.child = known(state);
      if (chosen.child == kNoNode) return meet_new(state);
      at = chosen.child;
      for (const Action* a = tree_.begin_forced(at); a != tree_.end_forced(at); ++a) {
        if (is_over_merged(state)) break;
        follow(state, *a);
      }
      if (is_over_merged(state)) return finish(state.outcome()->values);
      if (tree_[at].is_settled()) return finish(tree_[at].values);
    }
    return finish(rule_of_thumb(state));
  }

  Edge& choose(NodeId at) {
    if (!path_.empty() || !samples_root()) return *rule_.choose(tree_, at);
    return tree_.begin_edges(at)[gumbel_.next(tree_, rule_, done_)];
  }

  // A merged node may be over or not, depending on how long the game has lasted.
  bool is_over_merged(const G& state) const { return options_.merge && state.outcome(); }

  NodeId known(const G& state) const {
    const auto found = known_.find(state.key());
    return found == known_.end() ? kNoNode : NodeId{found->second};
  }

  // The edge followed last leads to a state without a node.
  bool meet_new(G& state) {
    met_ = state.key();
    for (;;) {
      if (const auto outcome = state.outcome()) return settle(state, *outcome);
      state.actions(actions_);
      if (actions_.size() > 1 || options_.forced != Forced::skip) break;
      if (forced_.size() == 0xffff) break;
      forced_.push_back(actions_.front());
      follow(state, actions_.front());
    }
    hand_out(state);
    if (!(HasHeuristic<G> && options_.forced == Forced::heuristic && actions_.size() == 1)) {
      return true;
    }
    const float certain = 1.0F;
    const Values values = rule_of_thumb(leaf_->state);
    expand(&certain, values);
    return finish(values);
  }

  bool settle(const G& state, const Outcome& outcome) {
    if (!options_.merge) {
      const NodeId id = tree_.add(state.to_move(), outcome.values, Status::terminal);
      for (const Action a : forced_) tree_.add_forced(id, a);
      edge(path_.back()).child = id;
    }
    return finish(outcome.values);
  }

  // Gives the leaf a node, and the edge that led to it its child.
  NodeId expand(const float* priors, const Values& values) {
    const NodeId id = tree_.add(leaf_->state.to_move(), values, Status::open);
    for (const Action a : forced_) tree_.add_forced(id, a);
    for (std::size_t i = 0; i < leaf_->actions.size(); ++i) {
      tree_.add_edge(id, leaf_->actions[i], priors[i]);
    }
    if (options_.merge) known_.emplace(met_, index(id));
    if (!path_.empty()) edge(path_.back()).child = id;
    return id;
  }

  // Ends a simulation that needed no judgement.
  bool finish(const Values& values) {
    back_up(values);
    if (proves()) prove_upwards();
    return false;
  }

  void back_up(const Values& values) {
    for (const Visit& v : path_) {
      Edge& e = edge(v);
      Node& node = tree_[v.node];
      ++e.visits;
      e.total += values[index(node.mover)];
      ++node.visits;
    }
    for (int s = 0; s < values.size(); ++s) sums_[s] += values[s];
    if (samples_root()) tried_[path_.front().edge].add(values);
    ++done_;
  }

  // Settles every node on the path whose result has become certain.
  void prove_upwards() {
    for (auto v = path_.rbegin(); v != path_.rend(); ++v) {
      if (!prove(v->node)) return;
    }
  }

  // A node is certain if its mover has a sure win, or if all replies are: then the best is taken.
  bool prove(NodeId id) {
    Node& node = tree_[id];
    const int mover = index(node.mover);
    const Values* best = nullptr;
    bool all = true;
    for (const Edge* e = tree_.begin_edges(id); e != tree_.end_edges(id); ++e) {
      if (e->child == kNoNode || !tree_[e->child].is_settled()) {
        all = false;
        continue;
      }
      const Values& values = tree_[e->child].values;
      if (best == nullptr || values[mover] > (*best)[mover]) best = &values;
    }
    if (best == nullptr || (!all && (*best)[mover] < 1.0F)) return false;
    node.values = Values(*best);
    node.status = Status::exact;
    return true;
  }

  static Values rule_of_thumb(const G& state) {
    if constexpr (HasHeuristic<G>) {
      return state.heuristic();
    } else {
      return Values(state.shape().players, 0.0F);
    }
  }

  void add_noise() {
    if (options_.noise_weight <= 0) return;
    Edge* const begin = tree_.begin_edges(tree_.root());
    Edge* const end = tree_.end_edges(tree_.root());
    std::gamma_distribution<double> gamma(options_.noise_alpha, 1.0);
    noise_.clear();
    double total = 0;
    for (const Edge* e = begin; e != end; ++e) total += noise_.emplace_back(gamma(rng_));
    if (total <= 0) return;
    for (Edge* e = begin; e != end; ++e) {
      const double share = noise_[static_cast<std::size_t>(e - begin)] / total;
      e->prior = static_cast<float>((1 - options_.noise_weight) * e->prior +
                                    options_.noise_weight * share);
    }
  }

  SearchOptions options_;
  PuctRule rule_;
  GumbelRoot gumbel_;
  bool planned_ = false;  // gumbel_ knows this search's root and budget
  double sampling_ = 0;
  std::vector<Trial> tried_;  // per edge of a root that samples
  Rng rng_;
  std::optional<G> root_;
  std::vector<G> before_;  // the root, seen backwards
  std::vector<G> trail_;   // the same for the state that a simulation has come to
  Tree tree_;
  std::unordered_map<Key, std::int32_t> known_;  // positions with a node, when merging
  Key met_{};  // the position met last, before its forced replies: a merged node goes by it
  std::optional<Leaf<G>> leaf_;
  std::vector<Visit> path_;
  std::vector<Action> forced_;  // single replies on the way to the leaf
  ActionList actions_;
  std::vector<double> noise_;
  double sums_[kMaxPlayers] = {};
  int done_ = 0;
};

}  // namespace bz
