// Sparse nets for Python: their files, the games that they play, and their training.
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "bind/bytes.hpp"
#include "bind/fields.hpp"
#include "bind/gil.hpp"
#include "bind/module.hpp"
#include "erased/any_state.hpp"
#include "selfplay/scored_pool.hpp"
#include "selfplay/sparse_trainer.hpp"

using namespace nanobind::literals;

namespace bz {
namespace {

std::tuple<std::vector<int>, std::vector<int>, int, int> sparse_rows(const AnyState& state) {
  sparse::ActiveRows rows = state.sparse_rows();
  return {std::move(rows.deep), std::move(rows.linear), rows.bucket, rows.phase};
}

std::vector<std::vector<int>> sparse_logits(sparse::Net net,
                                            const std::vector<const AnyState*>& states,
                                            bool portable) {
  if (states.empty()) return {};
  const ReleaseGil released(*states.front());
  return states.front()->sparse_logits(std::move(net), states, portable);
}

std::tuple<std::vector<Action>, std::vector<std::vector<int>>> sparse_move_rows(
    const AnyState& state) {
  sparse::MoveRows moves = state.sparse_move_rows();
  return {std::move(moves.actions), std::move(moves.rows)};
}

std::vector<std::vector<int>> sparse_policies(sparse::Net net,
                                              const std::vector<const AnyState*>& states,
                                              bool portable) {
  if (states.empty()) return {};
  const ReleaseGil released(*states.front());
  return states.front()->sparse_policies(std::move(net), states, portable);
}

std::vector<nb::bytes> take_finished(AnyScoredPool& pool, double seconds) {
  std::vector<GameRecord> games;
  {
    const ReleaseGil released(pool);
    games = pool.take_finished(seconds);
  }
  return to_bytes(games);
}

AnySparseTrainer::Result train(AnySparseTrainer& trainer, const std::vector<nb::bytes>& games,
                               const sparse::TrainerOptions& options, std::uint64_t seed) {
  std::vector<std::string_view> records;
  for (const nb::bytes& game : games) records.push_back(view(game));
  const ReleaseGil released(trainer);
  return trainer.train(records, options, seed);
}

void bind_trainer(nb::module_& m) {
  using Options = sparse::TrainerOptions;
  bind_options<Options, &Options::batch, &Options::rate, &Options::result_share, &Options::decay,
               &Options::policy_weight, &Options::threads>(m, "SparseTrainerOptions");
  using Result = AnySparseTrainer::Result;
  nb::class_<Result>(m, "SparseTrainingResult", "The samples of a pass and their mean losses.")
      .def_ro("samples", &Result::samples)
      .def_ro("result_loss", &Result::result_loss, "Cross-entropy to how the games ended.")
      .def_ro("value_loss", &Result::value_loss, "Cross-entropy to what the search thought.")
      .def_ro("policy_loss", &Result::policy_loss,
              "Of a net with a policy: cross-entropy to the moves that the search liked.");
  nb::class_<AnySparseTrainer>(m, "SparseTrainer", "Teaches a sparse net from recorded games.")
      .def("train", &train, "games"_a, "options"_a, "seed"_a,
           "One pass over the games' positions in a random order: the values of the quiet ones, "
           "and the choices in all of them where the net has a policy.")
      .def("net", &AnySparseTrainer::weights, "The net as it is now, in whole numbers.")
      .def(
          "state", [](const AnySparseTrainer& t) { return to_bytes(t.bytes()); },
          "Everything that restore() needs to go on later.")
      .def(
          "restore", [](AnySparseTrainer& t, const nb::bytes& b) { t.restore(view(b)); },
          "state"_a);
  m.def("make_sparse_trainer", &AnyState::make_sparse_trainer, "start"_a, "hidden"_a, "seed"_a,
        "policy"_a = false, "A trainer of a new net with so many hidden units.");
}

}  // namespace

void bind_sparse(nb::module_& m) {
  nb::class_<sparse::Weights>(m, "SparseNet", "The weights of a sparse net, ready to play.")
      .def_static(
          "parse", [](const nb::bytes& b) { return sparse::Weights::parse(view(b)); }, "bytes"_a,
          "Reads what bytes() gave; refuses what is damaged.")
      .def("bytes", [](const sparse::Weights& w) { return to_bytes(w.bytes()); })
      .def_ro("inputs", &sparse::Weights::inputs, "What its rows mean: games that share it.")
      .def_prop_ro("hidden", [](const sparse::Weights& w) { return w.shape.hidden; })
      .def_prop_ro("players", [](const sparse::Weights& w) { return w.shape.players; })
      .def_prop_ro("has_policy", [](const sparse::Weights& w) { return w.shape.has_policy(); })
      .def_prop_ro("parameters", [](const sparse::Weights& w) {
        std::size_t total = 0;
        sparse::detail::each_array(w, [&](const auto*, std::size_t n) { total += n; });
        return total;
      });
  m.def("sparse_rows", &sparse_rows, "state"_a,
        "What a sparse net sees: active deep rows, active linear rows, bucket, phase.");
  m.def("sparse_logits", &sparse_logits, "net"_a, "states"_a, "portable"_a = false,
        "Of each state, in units of 1/256: that the mover wins, the next seat, ..., nobody. Goes "
        "from state to state by what changes.");

  m.def("sparse_move_rows", &sparse_move_rows, "state"_a,
        "The actions that a search with a sparse net looks at, and the rows of each.");
  m.def("sparse_policies", &sparse_policies, "net"_a, "states"_a, "portable"_a = false,
        "Of each state the logits of those actions, in units of 1/256; for nets with a policy.");

  bind_enum<ScoringBy::alphabeta, ScoringBy::puct>(m, "ScoringBy");
  using Options = ScoredGameOptions;
  bind_options<Options, &Options::search, &Options::puct, &Options::nodes, &Options::least_random,
               &Options::most_random, &Options::lopsided, &Options::decided,
               &Options::decided_moves, &Options::most_moves>(m, "ScoredGameOptions");
  nb::class_<AnyScoredPool>(m, "ScoredPool", "Games that sparse nets play, on several threads.")
      .def("set_nets", &AnyScoredPool::set_nets, "nets"_a, "version"_a,
           "For the games that begin from now on. Two play against each other, each opening twice; "
           "the first has seat 0 in games with an even number.")
      .def("add", &AnyScoredPool::add, "numbers"_a, "Games to be played.")
      .def("left", &AnyScoredPool::left, "Games begun or to be begun, and not taken.")
      .def("take_finished", &take_finished, "seconds"_a,
           "The games finished since the last call, as bytes; waits for one at most so long.")
      .def("evaluations", &AnyScoredPool::evaluations, "Computed by nets in all finished games.");
  m.def("make_scored_pool", &AnyState::make_scored_pool, "start"_a, "options"_a, "threads"_a,
        "seed"_a, "Games by PUCT, or by alpha-beta, which is max^n where more than two play.");
  bind_trainer(m);
}

}  // namespace bz
