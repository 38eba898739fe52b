// Games that advance together and games on threads: whole, legal, and the same however many play.
#include <map>

#include "erased/net_formats.hpp"
#include "eval/draughts.hpp"
#include "eval/learned.hpp"
#include "games/draughts/encodings.hpp"
#include "games/draughts/inputs.hpp"
#include "selfplay/pool.hpp"
#include "selfplay/sampler.hpp"
#include "selfplay/scored_pool.hpp"
#include "selfplay/sparse_trainer.hpp"
#include "tests/check.hpp"

namespace bz::tests {
namespace {

using G = draughts::State<draughts::kEnglish>;
using Inputs = sparse::InputsOf<G>;
using Records = std::map<std::uint32_t, std::string>;  // by number

const G kStart = G::start({});

NetFormat<G> format() { return format_of(kStart, {"mover", "flat", 0}); }

// Four games with a net that knows nothing, so many at a time.
Records pooled(int at_once) {
  SelfPlayOptions options;
  options.contestants[0].search.simulations = 6;
  options.max_steps = 40;
  Pool<G> pool(kStart, options, {format()}, at_once, 5);
  pool.add({0, 1, 2, 3});
  Records found;
  while (pool.left() > 0) {
    const auto rows = static_cast<std::size_t>(pool.collect()[0]);
    const std::vector<float> logits(rows * static_cast<std::size_t>(pool.policy_size(0)));
    const std::vector<float> values(rows * 2);
    pool.receive(0, logits.data(), values.data());
    for (const GameRecord& game : pool.take_finished()) found[game.number] = game.bytes();
  }
  return found;
}

sparse::Net small_net() {
  return sparse::Trainer<Inputs>(Inputs::name(kStart), Inputs::shape(kStart, 32), 5).quantised();
}

// Six games with a sparse net, played by so many threads.
Records scored(int threads) {
  ScoredGameOptions options;
  options.nodes = 60;
  options.most_moves = 40;
  options.megabytes = Megabytes{1};
  ScoredPool<G> pool(kStart, options, threads, 7);
  pool.set_nets({small_net()}, 3);
  pool.add({0, 1, 2, 3, 4, 5});
  Records found;
  while (pool.left() > 0) {
    for (const GameRecord& game : pool.take_finished(5.0)) found[game.number] = game.bytes();
  }
  return found;
}

const Tests kTests{
    {"games of a pool are legal, and the same whether they are played one by one or together",
     [] {
       const Records found = pooled(3);
       check_equal(found.size(), std::size_t{4});
       check(found == pooled(1));
       const Sampler<G> sampler(kStart, format());
       for (const auto& [number, bytes] : found) sampler.verify(GameRecord::parse(bytes));
     }},
    {"games with a sparse net are the same on one thread and on three",
     [] {
       const Records found = scored(1);
       check_equal(found.size(), std::size_t{6});
       check(found == scored(3));
     }},
    {"a pool that is dropped while it plays ends its threads",
     [] {
       ScoredGameOptions options;
       options.nodes = 100'000;
       ScoredPool<G> pool(kStart, options, 2, 7);
       pool.set_nets({small_net()}, 1);
       pool.add({0, 1, 2, 3});
     }},
    {"a sparse net learns from games on two threads what it learns on one",
     [] {
       const Records games = scored(1);
       std::vector<std::string_view> bytes;
       for (const auto& [number, record] : games) bytes.push_back(record);
       const auto loss = [&](int threads) {
         SparseTrainer<G> trainer(kStart, 32, false, 5);
         for (int pass = 0; pass < 3; ++pass) {
           trainer.train(bytes, {.batch = 16, .threads = threads}, 1);
         }
         return trainer.train(bytes, {.batch = 16, .threads = threads}, 1).value_loss;
       };
       check(std::abs(loss(1) - loss(2)) < 1e-3F);
     }},
};

}  // namespace
}  // namespace bz::tests
