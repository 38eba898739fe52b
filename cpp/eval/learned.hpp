// A sparse net as an evaluation of searches. The unit of the score is 1/256 of a logit of the
// points to be expected.
#pragma once

#include "eval/evaluation.hpp"
#include "nets/sparse/encoded.hpp"
#include "nets/sparse/network.hpp"

namespace bz {

// A game of which the rules say nothing more: no quiet positions, no moves to leave out.
struct NoKnowledge {};

namespace detail {
template <Game G>
auto knowledge_of(const G& g) {
  if constexpr (requires { rule_knowledge(g); }) {
    return rule_knowledge(g);
  } else {
    return NoKnowledge{};
  }
}
}  // namespace detail

// What follows from the rules of a game alone, and searches may use beside any evaluation: which
// positions are quiet, which moves need no look. A game tells it by a function
// rule_knowledge(state).
template <Game G>
using KnowledgeOf = decltype(detail::knowledge_of(std::declval<const G&>()));

// The actions that a search by simulations looks at: all, less those that need no look.
template <Game G>
void considered_actions(const G& g, ActionList& out) {
  g.actions(out);
  using Knowledge = KnowledgeOf<G>;
  if constexpr (std::same_as<typename G::Move, Action> && FiltersMoves<Knowledge, G>) {
    thread_local std::vector<int> order;
    if (out.size() > 1) Knowledge{}.filter_moves(g, out, order);
  }
}

// Copies evaluate independently of each other, with the same weights.
template <Game G>
class Learned : public KnowledgeOf<G> {
 public:
  using Inputs = sparse::InputsOf<G>;

  // Fails unless the net is one of this game.
  Learned(const G& game, sparse::Net weights, const sparse::Kernels& kernels = sparse::kernels())
      : net_((check(game, *weights), std::move(weights)), kernels) {}

  Values operator()(const G& g) const {
    if (g.shape().players == 2) return zero_sum(g, value(score(g)));
    return net_.values(Inputs::view(g), g.to_move());
  }
  Score score(const G& g) const {
    const auto found = net_.output_or_end(Inputs::view(g), g.to_move());
    if (const int* end = std::get_if<int>(&found)) return *end * kCertain;
    ++evaluated_;
    return log_odds(std::get<sparse::Output>(found));
  }

  // That the mover wins, the next seat, ..., nobody; in units of 1 / sparse::kLogitOne.
  std::vector<int> logits(const G& g) const {
    const sparse::Output out = net_(Inputs::view(g), g.to_move());
    return {out.logits.begin(), out.logits.begin() + net_.weights().shape.outputs()};
  }

  // One value per seat, after what is about to be captured has been captured: PUCT stops anywhere,
  // and the net knows quiet positions only.
  Values quiescence(const G& g) const {
    int left = kMostLoud;
    return quiescence(g, left);
  }

  // How likely a search should look at each action, summing to 1; all alike where the net has no
  // policy.
  void priors(const G& g, const ActionList& actions, std::vector<float>& out) const {
    if (!net_.weights().shape.has_policy()) {
      out.assign(actions.size(), 1.0F / static_cast<float>(actions.size()));
      return;
    }
    policy(g, actions);
    const std::int32_t top = *std::max_element(move_logits_.begin(), move_logits_.end());
    out.clear();
    float total = 0;
    for (const std::int32_t logit : move_logits_) {
      total += out.emplace_back(std::exp(static_cast<float>(logit - top) / sparse::kLogitOne));
    }
    for (float& p : out) p /= total;
  }

  // The logits of actions in units of 1 / sparse::kLogitOne; of a net with a policy.
  const std::vector<std::int32_t>& policy(const G& g, const ActionList& actions) const {
    move_rows_.clear();
    Inputs::move_rows(g, actions, move_rows_);
    net_.policy(Inputs::view(g), g.to_move(), move_rows_.span(), move_logits_);
    return move_logits_;
  }

  float value(Score s) const { return std::tanh(static_cast<float>(s) / (2 * sparse::kLogitOne)); }
  Score score_of(float value) const {
    const float clamped = std::clamp(value, -0.9999F, 0.9999F);
    return static_cast<Score>(std::lround(2 * sparse::kLogitOne * std::atanh(clamped)));
  }

  std::uint64_t evaluated() const { return evaluated_; }  // scores computed so far

 private:
  static constexpr Score kCertain = 32 * sparse::kLogitOne;
  static constexpr int kMostLoud =
      64;  // positions that are looked at before one is taken as it stands

  Values quiescence(const G& g, int& left) const {
    if constexpr (KnowsQuiet<KnowledgeOf<G>, G>) {
      if (const auto outcome = g.outcome()) return outcome->values;
      if (this->quiet(g) || left <= 0) return (*this)(g);
      std::vector<typename G::Move> moves;
      g.moves(moves);
      const int mover = index(g.to_move());
      std::optional<Values> best;
      for (const auto& m : moves) {
        --left;
        const Values values = quiescence(after(g, m), left);
        if (!best || values[mover] > (*best)[mover]) best = values;
      }
      return *best;
    } else {
      return (*this)(g);
    }
  }

  static void check(const G& game, const sparse::Weights& weights) {
    const std::string name = Inputs::name(game);
    if (weights.inputs != name) {
      fail("this net is one of " + quoted(weights.inputs) + ", and the game needs one of " +
           quoted(name));
    }
    // Weights that are bounded for more active rows than the game has serve as well.
    sparse::Shape needed = Inputs::shape(game, weights.shape.hidden);
    if (weights.shape.has_policy()) needed.policy_rows = Inputs::policy_rows(game);
    const bool bounded = needed.most_active <= weights.shape.most_active;
    needed.most_active = weights.shape.most_active;
    if (!bounded || needed != weights.shape) {
      fail("this net of " + quoted(name) + " has another shape than the game needs");
    }
  }

  mutable sparse::Network<Inputs> net_;
  mutable std::uint64_t evaluated_ = 0;
  mutable sparse::Rows move_rows_;
  mutable std::vector<std::int32_t> move_logits_;
};

}  // namespace bz
