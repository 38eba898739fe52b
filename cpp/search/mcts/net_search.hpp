// One search with a net or several, for playing and analysing: the caller asks the nets, or a
// sparse net evaluates in the core.
#pragma once

#include <chrono>
#include <span>
#include <tuple>

#include "core/error.hpp"
#include "search/mcts/learned_leaves.hpp"
#include "search/mcts/net_format.hpp"

namespace bz {

// An action at the root as the search sees it; the value is the mover's.
struct RootAction {
  Action action{};
  int visits = 0;
  float value = 0;
  float prior = 0;
  bool proven = false;
  std::vector<Action> line;  // what is expected to follow, this action first
};

class AnyNetSearch {
 public:
  virtual ~AnyNetSearch() = default;
  virtual bool needs_gil() const = 0;
  virtual int net() const = 0;                       // which net the present rows are for
  virtual std::vector<int> input_shape() const = 0;  // of that net

  // Goes on from the present root along the given actions, keeping what is known below; what waits
  // for an evaluation is given up.
  virtual void follow(const std::vector<Action>& actions) = 0;
  virtual void set_simulations(int simulations) = 0;  // counted from the last change of root
  // How many states are to be evaluated together. 0 when done, and after a while without any: then
  // the caller, who may look at the clock, asks again.
  virtual int collect(int most) = 0;
  virtual bool is_done() const = 0;
  virtual void write(float* rows) const = 0;  // the states that were collected, for their net
  virtual void receive(std::span<const float> logits, std::span<const float> values) = 0;
  // With a sparse net instead of all that: searches for so long at most; false when done.
  virtual bool run(double seconds) = 0;

  virtual std::vector<RootAction> candidates(
      int tree) = 0;  // the one to play first, then by visits
  virtual std::optional<Values> evaluation(int tree) const = 0;  // of the root, if there is one
  virtual Values values() const = 0;                             // of the root, by seat
  virtual int simulations() const = 0;
};

template <Game G>
class NetSearch final : public AnyNetSearch {
 public:
  NetSearch(const G& root, const SearchOptions& options, std::vector<NetFormat<G>> nets,
            std::uint64_t seed, std::shared_ptr<const Oracle<G>> oracle = nullptr)
      : nets_(std::move(nets)), history_(options.history), search_(options, seed) {
    if (root.outcome()) fail(kOver);
    search_.set_oracle(std::move(oracle));
    search_.begin(root);
  }
  NetSearch(const G& root, const SearchOptions& options, const Learned<G>& net, std::uint64_t seed,
            std::shared_ptr<const Oracle<G>> oracle = nullptr)
      : NetSearch(root, options, std::vector<NetFormat<G>>{}, seed, std::move(oracle)) {
    own_.emplace(net);
    own_->prepare(search_);
  }

  bool needs_gil() const override { return kHoldsPython<G>; }
  int net() const override { return leaves_.empty() ? 0 : leaves_.front()->net; }
  std::vector<int> input_shape() const override {
    return {format().planes(), format().encoding.rows, format().encoding.columns};
  }

  void follow(const std::vector<Action>& actions) override {
    if (actions.empty()) return;
    leaves_.clear();
    held_.clear();
    for (const Action a : actions) {
      G state = search_.root();
      if (history_ > 0) before_.push_back(state);
      if (std::ssize(before_) > history_) before_.erase(before_.begin());
      state.play(a);
      search_.advance(a, state, before_);
    }
  }
  void set_simulations(int simulations) override { search_.set_simulations(simulations); }

  int collect(int most) override {
    if (own_) fail("this search has a net of its own");
    if (!leaves_.empty()) fail("the last states still wait for their evaluation");
    if (search_.root().outcome()) fail(kOver);
    std::swap(leaves_, held_);
    while (std::ssize(leaves_) < most) {
      const Leaf<G>* leaf = search_.next(kPatience);
      if (leaf == nullptr) break;
      if (!leaves_.empty() && leaf->net != net()) {
        held_.push_back(leaf);  // for another net: it opens the next batch
        break;
      }
      leaves_.push_back(leaf);
    }
    return static_cast<int>(leaves_.size());
  }
  bool is_done() const override { return leaves_.empty() && search_.is_done(); }
  void write(float* rows) const override {
    for (const Leaf<G>* leaf : leaves_) {
      format().write(*leaf, rows);
      rows += format().inputs();
    }
  }

  void receive(std::span<const float> logits, std::span<const float> values) override {
    if (leaves_.empty()) fail("there is no state that waits for an evaluation");
    const NetFormat<G>& asked = format();
    const auto actions = static_cast<std::size_t>(asked.policy.size);
    const int players = search_.root().shape().players;
    const auto seats = static_cast<std::size_t>(players);
    if (logits.size() != leaves_.size() * actions || values.size() != leaves_.size() * seats) {
      fail("the net's answer does not fit the game");
    }
    for (std::size_t i = 0; i < leaves_.size(); ++i) {
      const Leaf<G>& leaf = *leaves_[i];
      asked.read_priors(leaf.state, leaf.actions, &logits[i * actions], priors_);
      search_.receive(priors_.data(), by_seat(&values[i * seats], leaf.state.to_move(), players));
    }
    leaves_.clear();
  }

  bool run(double seconds) override {
    if (!own_) fail("this search waits for its caller to evaluate");
    if (search_.root().outcome()) fail(kOver);
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::duration<double>(seconds);
    while (own_->advance(search_)) {
      if (Clock::now() >= end) return true;
    }
    return false;
  }

  std::optional<Values> evaluation(int which) const override {
    const Tree& tree = this->tree(which);
    if (tree.empty() || tree[Tree::root()].status == Status::unevaluated) return std::nullopt;
    return tree[Tree::root()].values;
  }

  std::vector<RootAction> candidates(int which) override {
    const Tree& tree = this->tree(which);
    std::vector<RootAction> found;
    if (tree.empty()) return found;
    const Node& root = tree[Tree::root()];
    for (const Edge& e : tree.edges(Tree::root())) {
      found.push_back({.action = e.action,
                       .visits = static_cast<int>(e.visits),
                       .value = static_cast<float>(search_.rule().value(tree, root, e)),
                       .prior = e.prior,
                       .proven = e.child != kNoNode && tree[e.child].is_proven(),
                       .line = line(tree, e)});
    }
    // A proven win comes first and a proven loss last, however often they were visited.
    const auto rank = [](const RootAction& c) {
      return c.proven && c.value >= 1 ? 2 : c.proven && c.value <= -1 ? 0 : 1;
    };
    std::stable_sort(found.begin(), found.end(), [&](const RootAction& a, const RootAction& b) {
      return std::tuple(rank(a), a.visits, a.prior) > std::tuple(rank(b), b.visits, b.prior);
    });
    if (which == 0 && search_.samples_root() && !root.is_proven() &&
        search_.simulations_done() > 0) {
      const Action best = tree.edges(Tree::root())[search_.sampled_edge()].action;
      const auto first = std::ranges::find(found, best, &RootAction::action);
      std::rotate(found.begin(), first, first + 1);
    }
    return found;
  }

  Values values() const override { return search_.root_values(); }
  int simulations() const override { return search_.simulations_done(); }

 private:
  static constexpr int kLongestLine = 24;
  static constexpr int kPatience = 1024;  // a millisecond or so
  static constexpr const char* kOver = "the game is over, so there is no move to search for";

  const Tree& tree(int which) const {
    if (which >= 0 && which < search_.trees()) return search_.tree(which);
    fail("this search has no tree " + std::to_string(which));
  }
  const NetFormat<G>& format() const { return nets_[static_cast<std::size_t>(net())]; }

  static std::vector<Action> line(const Tree& tree, const Edge& first) {
    std::vector<Action> actions{first.action};
    for (NodeId at = first.child; at != kNoNode && std::ssize(actions) < kLongestLine;) {
      const auto forced = tree.forced(at);
      actions.insert(actions.end(), forced.begin(), forced.end());
      const auto best = std::ranges::max_element(tree.edges(at), {}, &Edge::visits);
      if (best == tree.edges(at).end() || best->visits == 0) break;
      actions.push_back(best->action);
      at = best->child;
    }
    return actions;
  }

  std::vector<NetFormat<G>> nets_;
  int history_;
  Search<G> search_;
  std::optional<LearnedLeaves<G>> own_;
  std::vector<G> before_;
  std::vector<float> priors_;
  std::vector<const Leaf<G>*> leaves_;  // handed out, all for one net
  std::vector<const Leaf<G>*> held_;    // at most one, for another
};

}  // namespace bz
