// One search with a net or several, for playing and analysing: the caller asks the nets.
#pragma once

#include <tuple>

#include "core/error.hpp"
#include "search/net_slot.hpp"

namespace bz {

// An action at the root as the search sees it; the value is the mover's.
struct Candidate {
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
  virtual int trees() const = 0;
  virtual int net() const = 0;                       // which net the present row is for
  virtual std::vector<int> input_shape() const = 0;  // of that net
  virtual int policy_size() const = 0;
  virtual int players() const = 0;

  // Goes on from the present root along the given actions, keeping what is known below.
  virtual void follow(const std::vector<Action>& actions) = 0;
  virtual void set_simulations(int simulations) = 0;  // counted from the last change of root
  virtual float* collect() = 0;                       // a row to be judged; nullptr when done
  virtual void supply(const float* logits, const float* values) = 0;

  virtual std::vector<Candidate> candidates(int tree) = 0;  // the one to play first, then by visits
  virtual std::optional<Values> judgement(int tree) const = 0;  // of the root, if there is one
  virtual Values values() const = 0;                            // of the root, by seat
  virtual int simulations() const = 0;
};

template <Game G>
class NetSearch final : public AnyNetSearch {
 public:
  NetSearch(const G& root, const SearchOptions& options, std::vector<NetFormat<G>> nets,
            std::uint64_t seed)
      : nets_(std::move(nets)), history_(options.history), search_(options, seed) {
    search_.begin(root);
  }

  bool needs_gil() const override {
    return requires { typename G::HoldsPython; };
  }
  int trees() const override { return search_.trees(); }
  int net() const override { return leaf_ == nullptr ? 0 : leaf_->net; }
  std::vector<int> input_shape() const override {
    return {format().planes(), format().encoding.rows, format().encoding.columns};
  }
  int policy_size() const override { return format().policy.size; }
  int players() const override { return search_.root().shape().players; }

  void follow(const std::vector<Action>& actions) override {
    for (const Action a : actions) {
      G state = search_.root();
      if (history_ > 0) before_.push_back(state);
      if (std::ssize(before_) > history_) before_.erase(before_.begin());
      state.play(a);
      search_.advance(a, state, before_);
    }
  }
  void set_simulations(int simulations) override { search_.set_simulations(simulations); }

  float* collect() override {
    leaf_ = search_.next();
    if (leaf_ == nullptr) return nullptr;
    row_.resize(static_cast<std::size_t>(format().inputs()));
    format().write(*leaf_, row_.data());
    return row_.data();
  }

  void supply(const float* logits, const float* values) override {
    if (leaf_ == nullptr) throw Error("there is no state that waits for a judgement");
    format().read_priors(leaf_->state, leaf_->actions, logits, priors_);
    search_.supply(priors_.data(), by_seat(values, leaf_->state.to_move(), players()));
    leaf_ = nullptr;
  }

  std::optional<Values> judgement(int which) const override {
    const Tree& tree = search_.tree(which);
    if (tree.empty() || tree[Tree::root()].status == Status::unjudged) return std::nullopt;
    return tree[Tree::root()].values;
  }

  std::vector<Candidate> candidates(int which) override {
    const Tree& tree = search_.tree(which);
    std::vector<Candidate> found;
    if (tree.empty()) return found;
    const Node& root = tree[Tree::root()];
    for (const Edge* e = tree.begin_edges(Tree::root()); e != tree.end_edges(Tree::root()); ++e) {
      Candidate c;
      c.action = e->action;
      c.visits = static_cast<int>(e->visits);
      c.value = static_cast<float>(search_.rule().value(tree, root, *e));
      c.prior = e->prior;
      c.proven = e->child != kNoNode && tree[e->child].is_settled();
      c.line = line(tree, *e);
      found.push_back(std::move(c));
    }
    // A proven win comes first and a proven loss last, however often they were visited.
    const auto rank = [](const Candidate& c) {
      return c.proven && c.value >= 1 ? 2 : c.proven && c.value <= -1 ? 0 : 1;
    };
    std::stable_sort(found.begin(), found.end(), [&](const Candidate& a, const Candidate& b) {
      return std::tuple(rank(a), a.visits, a.prior) > std::tuple(rank(b), b.visits, b.prior);
    });
    if (which == 0 && search_.samples_root() && !root.is_settled() &&
        search_.simulations_done() > 0) {
      const Action best = tree.begin_edges(Tree::root())[search_.sampled_edge()].action;
      const auto first = std::find_if(found.begin(), found.end(),
                                      [&](const Candidate& c) { return c.action == best; });
      std::rotate(found.begin(), first, first + 1);
    }
    return found;
  }

  Values values() const override { return search_.root_values(); }
  int simulations() const override { return search_.simulations_done(); }

 private:
  static constexpr int kLongestLine = 24;

  const NetFormat<G>& format() const { return nets_[static_cast<std::size_t>(net())]; }

  static std::vector<Action> line(const Tree& tree, const Edge& first) {
    std::vector<Action> actions{first.action};
    for (NodeId at = first.child; at != kNoNode && std::ssize(actions) < kLongestLine;) {
      actions.insert(actions.end(), tree.begin_forced(at), tree.end_forced(at));
      const Edge* best =
          std::max_element(tree.begin_edges(at), tree.end_edges(at),
                           [](const Edge& a, const Edge& b) { return a.visits < b.visits; });
      if (best == tree.end_edges(at) || best->visits == 0) break;
      actions.push_back(best->action);
      at = best->child;
    }
    return actions;
  }

  std::vector<NetFormat<G>> nets_;
  int history_;
  Search<G> search_;
  std::vector<G> before_;
  std::vector<float> row_;
  std::vector<float> priors_;
  const Leaf<G>* leaf_ = nullptr;
};

}  // namespace bz
