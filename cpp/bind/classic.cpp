// Minimax, alpha-beta, max^n and the greedy player for Python.
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "bind/interrupt.hpp"
#include "bind/module.hpp"
#include "erased/any_searcher.hpp"
#include "erased/any_tablebase.hpp"
#include "eval/choice.hpp"
#include "search/classic/alphabeta.hpp"
#include "search/classic/maxn.hpp"

using namespace nanobind::literals;

namespace bz {
namespace {

using Searcher = std::unique_ptr<AnySearcher>;
using Watcher = nb::typed<nb::callable, void(Report)>;

// Releases the GIL unless the rules are written in Python, and lets Ctrl-C end the search.
Report search(AnySearcher& searcher, const AnyState& state, double seconds, int depth,
              std::uint64_t nodes, const std::optional<Watcher>& progress) {
  AnySearcher::Watch watch;
  if (progress) {
    watch = [&](Report so_far) {
      const nb::gil_scoped_acquire acquire;
      (*progress)(std::move(so_far));
    };
  }
  const Limits limits{.seconds = seconds, .depth = depth, .nodes = nodes};
  return interruptible(searcher.interrupt, state.needs_gil(),
                       [&] { return searcher.search(state, limits, watch); });
}

using Net = std::shared_ptr<const sparse::Weights>;

Searcher make_minimax(const AnyState& state, const std::string& evaluation, std::uint64_t seed,
                      Net net) {
  return state.make_minimax({evaluation, std::move(net)}, seed);
}

Searcher make_alphabeta(const AnyState& state, const std::string& evaluation,
                        const Features& features, int megabytes, std::uint64_t seed, Net net,
                        int threads, AnyState::Tables tablebase) {
  const AlphaBetaSetup setup{features, Megabytes{megabytes}, threads, std::move(tablebase)};
  return state.make_alphabeta({evaluation, std::move(net)}, setup, seed);
}

Searcher make_maxn(const AnyState& state, const std::string& evaluation, Others others,
                   std::uint64_t seed, Net net) {
  return state.make_maxn({evaluation, std::move(net)}, others, seed);
}

Values evaluate(const AnyState& state, const std::string& evaluation, Net net) {
  return state.evaluate({evaluation, std::move(net)});
}

}  // namespace

void bind_classic(nb::module_& m) {
  nb::class_<ReportedMove>(m, "ReportedMove", "A root move and what a search thinks of it.")
      .def_ro("move", &ReportedMove::move)
      .def_ro("value", &ReportedMove::value, "For the mover, in [-1, 1].")
      .def_ro("exact", &ReportedMove::exact, "If not, the true value may be lower.")
      .def_ro("pv", &ReportedMove::pv, "The expected line, beginning with the move.");

  nb::class_<Report>(m, "Report", "What a search found.")
      .def_ro("moves", &Report::moves, "The moves looked at, the chosen one first.")
      .def_ro("nodes", &Report::nodes)
      .def_ro("depth", &Report::depth, "Of the last search that was completed.")
      .def_ro("seconds", &Report::seconds)
      .def_ro("evaluations", &Report::evaluations, "Computed by a net; 0 where none is used.");

  nb::class_<AnySearcher>(m, "Searcher", "A search of one game, with what it keeps between moves.")
      .def("search", &search, "state"_a, nb::kw_only(), "seconds"_a, "depth"_a, "nodes"_a,
           "progress"_a = nb::none(), "`progress` is told whenever a depth is complete.")
      .def(
          "stop", [](AnySearcher& s) { s.interrupt.stop = true; },
          "Ends a running search, from another thread.")
      .def("clear", &AnySearcher::clear, "Forgets earlier searches.");

  nb::class_<Pruning>(m, "Pruning", "How much the alpha-beta engine leaves out.")
      .def_rw("late_first", &Pruning::late_first)
      .def_rw("late_base", &Pruning::late_base)
      .def_rw("late_slope", &Pruning::late_slope)
      .def_rw("futility_depth", &Pruning::futility_depth)
      .def_rw("futility_base", &Pruning::futility_base)
      .def_rw("futility_slope", &Pruning::futility_slope)
      .def_rw("probcut_depth", &Pruning::probcut_depth)
      .def_rw("probcut_share", &Pruning::probcut_share)
      .def_rw("probcut_base", &Pruning::probcut_base)
      .def_rw("probcut_slope", &Pruning::probcut_slope);
  nb::class_<Features>(m, "Features", "The parts of alpha-beta that can be switched on and off.")
      .def(nb::init<>())
      .def_static("plain", &Features::plain, "The algorithm of the books.")
      .def_static("engine", &Features::engine, "Everything that makes it strong.")
      .def_rw("table", &Features::table)
      .def_rw("scout", &Features::scout)
      .def_rw("ties", &Features::ties)
      .def_rw("all_moves", &Features::all_moves)
      .def_rw("deeper", &Features::deeper)
      .def_rw("quiescence", &Features::quiescence)
      .def_rw("extensions", &Features::extensions)
      .def_rw("reductions", &Features::reductions)
      .def_rw("repetition", &Features::repetition)
      .def_rw("move_filter", &Features::move_filter)
      .def_rw("replies", &Features::replies)
      .def_rw("probcut", &Features::probcut)
      .def_rw("futility", &Features::futility)
      .def_rw("pruning", &Features::pruning);
  nb::enum_<Others>(m, "Others", "What a search thinks that the other players want.")
      .value("SELFISH", Others::selfish)
      .value("HOSTILE", Others::hostile)
      .value("BEST_REPLY", Others::best_reply);

  m.def("evaluations", &AnyState::evaluations, "state"_a,
        "The names of each of a game's evaluations, the usual one first.");
  m.def("evaluate", &evaluate, "state"_a, "evaluation"_a, "net"_a.none() = nb::none(),
        "What an evaluation says of a state without a search, one value per seat in [-1, 1].");
  m.def("make_minimax", &make_minimax, "state"_a, "evaluation"_a, "seed"_a,
        "net"_a.none() = nb::none(), "A sparse net comes before any evaluation by name.");
  m.def("make_alphabeta", &make_alphabeta, "state"_a, "evaluation"_a, "features"_a, "megabytes"_a,
        "seed"_a, "net"_a.none() = nb::none(), "threads"_a = 1, "tablebase"_a.none() = nb::none());
  m.def("make_maxn", &make_maxn, "state"_a, "evaluation"_a, "others"_a, "seed"_a,
        "net"_a.none() = nb::none());
  m.def("make_greedy", &AnyState::make_greedy, "state"_a, "seed"_a);
}

}  // namespace bz
