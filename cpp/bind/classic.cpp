// Minimax, alpha-beta, max^n and the greedy player for Python.
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "bind/fields.hpp"
#include "bind/gil.hpp"
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

Searcher make_alphabeta(const AnyState& state, const EvaluationChoice& evaluation,
                        const Features& features, int megabytes, std::uint64_t seed, int threads,
                        AnyState::Tables tablebase) {
  const AlphaBetaSetup setup{features, Megabytes{megabytes}, threads, std::move(tablebase)};
  return state.make_alphabeta(evaluation, setup, seed);
}

}  // namespace

void bind_classic(nb::module_& m) {
  nb::class_<ReportedMove>(m, "ReportedMove", "A root move and what a search thinks of it.")
      .def_ro("move", &ReportedMove::move)
      .def_ro("value", &ReportedMove::value, "For the mover, in [-1, 1].")
      .def_ro("exact", &ReportedMove::exact, "If not, the true value may be lower.")
      .def_prop_ro(
          "pv", [](const ReportedMove& m) { return texts(m.line); },
          "The expected line, beginning with the move.");

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

  bind_options<Features, &Features::table, &Features::scout, &Features::ties, &Features::all_moves,
               &Features::deeper, &Features::quiescence, &Features::extensions,
               &Features::reductions, &Features::repetition, &Features::move_filter,
               &Features::replies, &Features::probcut, &Features::futility>(m, "Features")
      .def_static("plain", &Features::plain, "The algorithm of the books.")
      .def_static("engine", &Features::engine, "Everything that makes it strong.");
  bind_enum<Others::selfish, Others::hostile, Others::best_reply>(m, "Others");

  m.def("evaluations", &AnyState::evaluations, "state"_a,
        "The names of each of a game's evaluations, the usual one first.");
  m.def("evaluate", &AnyState::evaluate, "state"_a, "evaluation"_a,
        "What an evaluation says of a state without a search, one value per seat in [-1, 1].");
  m.def("make_minimax", &AnyState::make_minimax, "state"_a, "evaluation"_a, "seed"_a,
        "The evaluation is one of the game's by name, or a sparse net.");
  m.def("make_alphabeta", &make_alphabeta, "state"_a, "evaluation"_a, "features"_a, "megabytes"_a,
        "seed"_a, "threads"_a = 1, "tablebase"_a.none() = nb::none());
  m.def("make_maxn", &AnyState::make_maxn, "state"_a, "evaluation"_a, "others"_a, "seed"_a);
  m.def("make_greedy", &AnyState::make_greedy, "state"_a, "seed"_a);
}

}  // namespace bz
