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

// Copies evaluate independently of each other, with the same weights.
template <Game G>
class Learned : public KnowledgeOf<G> {
 public:
  using Inputs = sparse::InputsOf<G>;

  // Fails unless the net is one of this game.
  Learned(const G& game, std::shared_ptr<const sparse::Weights> weights,
          const sparse::Kernels& kernels = sparse::kernels())
      : net_((check(game, *weights), std::move(weights)), kernels) {}

  Values operator()(const G& g) const {
    if (g.shape().players == 2) return zero_sum(g, value(score(g)));
    return net_.values(Inputs::view(g), g.to_move());
  }
  Score score(const G& g) const {
    ++evaluated_;
    return log_odds(net_(Inputs::view(g), g.to_move()));
  }

  // That the mover wins, the next seat, ..., nobody; in units of 1 / sparse::kLogitOne.
  std::vector<int> logits(const G& g) const {
    const sparse::Output out = net_(Inputs::view(g), g.to_move());
    return {out.logits.begin(), out.logits.begin() + net_.weights().shape.outputs()};
  }

  float value(Score s) const { return std::tanh(static_cast<float>(s) / (2 * sparse::kLogitOne)); }
  Score score_of(float value) const {
    const float clamped = std::clamp(value, -0.9999F, 0.9999F);
    return static_cast<Score>(std::lround(2 * sparse::kLogitOne * std::atanh(clamped)));
  }

  std::uint64_t evaluated() const { return evaluated_; }  // scores computed so far

 private:
  static void check(const G& game, const sparse::Weights& weights) {
    const std::string name = Inputs::name(game);
    if (weights.inputs != name) {
      fail("this net is one of " + quoted(weights.inputs) + ", and the game needs one of " +
           quoted(name));
    }
    // Weights that are bounded for more active rows than the game has serve as well.
    sparse::Shape needed = Inputs::shape(game, weights.shape.hidden);
    const bool bounded = needed.most_active <= weights.shape.most_active;
    needed.most_active = weights.shape.most_active;
    if (!bounded || needed != weights.shape) {
      fail("this net of " + quoted(name) + " has another shape than the game needs");
    }
  }

  mutable sparse::Network<Inputs> net_;
  mutable std::uint64_t evaluated_ = 0;
};

}  // namespace bz
