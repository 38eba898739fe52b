// Monte-Carlo tree search for Python.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "bind/gil.hpp"
#include "bind/module.hpp"
#include "erased/any_uct.hpp"
#include "eval/choice.hpp"

using namespace nanobind::literals;

namespace bz {
namespace {

UctReport search(AnyUct& uct, const AnyState& state, const std::optional<ActionList>& played,
                 std::optional<double> seconds, std::optional<std::uint64_t> simulations) {
  Limits limits;
  if (seconds) limits.seconds = *seconds;
  if (simulations) limits.simulations = *simulations;
  return interruptible(uct.interrupt, state.needs_gil(),
                       [&] { return uct.search(state, played, limits); });
}

std::unique_ptr<AnyUct> make_uct(const AnyState& state, const std::string& selection, double c,
                                 const std::optional<EvaluationChoice>& evaluation, bool prune,
                                 int depth, int megabytes, bool prove, bool shuffle,
                                 std::uint64_t seed) {
  const UctOptions options{selection_named(selection), c, depth, megabytes, prove, shuffle, seed};
  return state.make_uct(options, evaluation, prune);
}

}  // namespace

void bind_uct(nb::module_& m) {
  using Found = UctMove<MoveInfo>;
  nb::class_<Found>(m, "UctMove", "A move of the root and what a search thinks of it.")
      .def_ro("move", &Found::move)
      .def_ro("visits", &Found::visits)
      .def_ro("value", &Found::value, "For the mover, in [-1, 1].")
      .def_ro("proven", &Found::proven, "The value is proven.");

  nb::class_<UctReport>(m, "UctReport", "What a search found.")
      .def_ro("candidates", &UctReport::candidates, "All moves, the chosen one first.")
      .def_prop_ro(
          "line", [](const UctReport& r) { return texts(r.line); },
          "The expected line, beginning with the chosen move.")
      .def_ro("simulations", &UctReport::simulations, "Without those of a tree that was reused.")
      .def_ro("seconds", &UctReport::seconds)
      .def_ro("depth", &UctReport::depth, "Of the deepest simulation, in actions.")
      .def_ro("nodes", &UctReport::nodes, "In the tree.");

  nb::class_<AnyUct>(m, "Uct", "Monte-Carlo tree search of one game, with its tree.")
      .def(nb::new_(&make_uct), "state"_a, nb::kw_only(), "selection"_a, "c"_a,
           "evaluation"_a.none(), "prune"_a, "depth"_a, "megabytes"_a, "prove"_a, "shuffle"_a,
           "seed"_a)
      .def("search", &search, "state"_a, nb::kw_only(), "played"_a.none(), "seconds"_a.none(),
           "simulations"_a.none(),
           "Search a state; `played` are the actions since the last one, whose tree is then kept.")
      .def(
          "stop", [](AnyUct& uct) { uct.interrupt.stop = true; },
          "Ends a running search, from another thread.");
}

}  // namespace bz
