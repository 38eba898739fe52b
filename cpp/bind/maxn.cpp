// Searches for any number of players, and the greedy player, for Python.
#include "search/classic/maxn.hpp"

#include "bind/module.hpp"
#include "bind/searcher.hpp"
#include "erased/all_games.hpp"
#include "erased/evaluations.hpp"
#include "search/classic/greedy.hpp"

using namespace nanobind::literals;

namespace bz {
namespace {

class MaxNSearcher final : public Searcher {
 public:
  MaxNSearcher(Others others, std::string evaluation, std::uint64_t seed)
      : Searcher(seed), others_(others), evaluation_(std::move(evaluation)) {}

 protected:
  Report run(const AnyState& state, const Limits& limits) override {
    return with_game(state, [&]<class G>(const G& game) {
      return with_evaluation(game, evaluation_, [&]<class E>(E evaluation) {
        return run_on(game, MaxN<G, E>(evaluation, others_), limits);
      });
    });
  }

 private:
  Others others_;
  std::string evaluation_;
};

class GreedySearcher final : public Searcher {
 public:
  using Searcher::Searcher;

 protected:
  Report run(const AnyState& state, const Limits& limits) override {
    return with_game(state,
                     [&]<class G>(const G& game) { return run_on(game, Greedy<G>(), limits); });
  }
};

}  // namespace

void bind_maxn(nb::module_& m) {
  nb::enum_<Others>(m, "Others", "What a search thinks that the other players want.")
      .value("SELFISH", Others::selfish)
      .value("HOSTILE", Others::hostile)
      .value("BEST_REPLY", Others::best_reply);
  nb::class_<MaxNSearcher, Searcher>(m, "MaxN").def(nb::init<Others, std::string, std::uint64_t>(),
                                                    "others"_a, "evaluation"_a, "seed"_a);
  nb::class_<GreedySearcher, Searcher>(m, "Greedy").def(nb::init<std::uint64_t>(), "seed"_a);
}

}  // namespace bz
