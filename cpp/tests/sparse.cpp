// Sparse nets: a state is evaluated the same however it was reached, and by whichever kernels.
#include "eval/draughts.hpp"
#include "eval/gomoku.hpp"
#include "eval/learned.hpp"
#include "games/chexers/inputs.hpp"
#include "games/draughts/inputs.hpp"
#include "games/gomoku/inputs.hpp"
#include "nets/sparse/trainer.hpp"
#include "tests/check.hpp"

namespace bz::tests {
namespace {

// Weights as large as they may be, so that a sum that leaves its bounds would show.
template <Game G>
sparse::Net random_net(const G& start) {
  using Inputs = sparse::InputsOf<G>;
  sparse::Shape shape = Inputs::shape(start, 96);
  shape.policy_rows = Inputs::policy_rows(start);
  auto net = std::make_shared<sparse::Weights>(Inputs::name(start), shape);
  Rng rng(7);
  const auto fill = [&](auto& weights, int limit) {
    for (auto& w : weights) {
      const auto drawn = static_cast<int>(rng.below(static_cast<std::uint32_t>(2 * limit + 1)));
      w = static_cast<std::remove_reference_t<decltype(w)>>(drawn - limit);
    }
  };
  const int deep = sparse::deep_limit(net->shape.most_active);
  fill(net->deep, deep);
  fill(net->bias, deep);
  fill(net->linear, 300);
  for (sparse::Layers& layers : net->layers) {
    fill(layers.first, 127);
    fill(layers.first_bias, 30'000);
    fill(layers.second, 127);
    fill(layers.second_bias, 30'000);
    for (auto& output : layers.output) fill(output, 300);
    fill(layers.output_bias, 30'000);
  }
  for (sparse::Context& context : net->contexts) {
    fill(context.weights, 127);
    fill(context.bias, 30'000);
  }
  fill(net->moves, 32'767);
  fill(net->move_bias, 32'767);
  return net;
}

// Along random games, and back to where the first of them began.
template <Game G>
void check_all_ways(const G& start) {
  const auto net = random_net(start);
  const Learned<G> follows(start, net);
  const Learned<G> portable(start, net, sparse::kPortable);
  Rng rng(3);
  ActionList scratch;
  ActionList actions;
  for (int n = 0; n < 5; ++n) {
    for (G game = start; !game.outcome(); play_random(game, rng, scratch)) {
      const std::vector<int> logits = follows.logits(game);
      check(logits == portable.logits(game));
      check(logits == Learned<G>(start, net).logits(game));
      considered_actions(game, actions);
      check(!actions.empty());
      const std::vector<std::int32_t> policy = follows.policy(game, actions);
      check(policy == portable.policy(game, actions));
      check(policy == Learned<G>(start, net).policy(game, actions));
    }
  }
}

const Tests kTests{
    {"international draughts is evaluated alike by changes, afresh and by portable kernels",
     [] { check_all_ways(draughts::State<draughts::kInternational>::start({})); }},
    {"English draughts is evaluated alike by changes, afresh and by portable kernels",
     [] { check_all_ways(draughts::State<draughts::kEnglish>::start({})); }},
    {"gomoku is evaluated alike by changes, afresh and by portable kernels",
     [] { check_all_ways(gomoku::State::start({.size = 15})); }},
    {"Chexers is evaluated alike by changes, afresh and by portable kernels",
     [] { check_all_ways(chexers::State{}); }},
    {"the float net and its whole numbers agree within a tenth of a logit",
     [] {
       using G = draughts::State<draughts::kInternational>;
       using Inputs = sparse::InputsOf<G>;
       const G start = G::start({});
       sparse::Trainer<Inputs> trainer(Inputs::name(start), Inputs::shape(start, 64), 5);
       const Learned<G> rounded(start, trainer.quantised());
       Rng rng(4);
       ActionList scratch;
       for (G game = start; !game.outcome(); play_random(game, rng, scratch)) {
         const auto exact = trainer.logits(Inputs::view(game));
         const std::vector<int> logits = rounded.logits(game);
         for (std::size_t i = 0; i < logits.size(); ++i) {
           check(std::abs(exact[i] - static_cast<float>(logits[i]) / sparse::kLogitOne) < 0.1F);
         }
       }
     }},
};

}  // namespace
}  // namespace bz::tests
