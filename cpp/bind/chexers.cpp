// The hand-written evaluation of Chexers for Python.
#include "eval/chexers.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "bind/module.hpp"
#include "erased/any_state.hpp"

using namespace nanobind::literals;

namespace bz {
namespace {

const chexers::State& chexers_state(const AnyState& state) {
  return state_as<chexers::State>(state, "this evaluation is for chexers only");
}

Seat chexers_seat(int seat) {
  if (seat < 0 || seat >= chexers::kSeats) fail("chexers has the seats 0, 1 and 2");
  return Seat(seat);
}

chexers::Scores scores(const AnyState& state) { return chexers::evaluate(chexers_state(state)); }

std::pair<std::string_view, Seat> objective(const AnyState& state, int seat) {
  static constexpr std::string_view kNames[] = {"exit", "block", "centre"};
  const auto result = chexers::objective(chexers_state(state), chexers_seat(seat));
  return {kNames[static_cast<int>(result.aim)], result.of};
}

ActionList relevant(const AnyState& state, int root) {
  ActionList actions;
  chexers::relevant(chexers_state(state), chexers_seat(root), actions);
  return actions;
}

std::string_view stage(const AnyState& state, int seat) {
  static constexpr std::string_view kNames[] = {"early", "middle", "end", "won"};
  return kNames[static_cast<int>(chexers::stage(chexers_state(state), chexers_seat(seat)))];
}

double thinking_time(const AnyState& state, double seconds_left) {
  return chexers::thinking_time(chexers_state(state), seconds_left);
}

}  // namespace

void bind_chexers(nb::module_& m) {
  m.def("chexers_scores", &scores, "state"_a,
        "What the position is worth to each seat: about 1 for a piece and 10 for an exit.");
  m.def(
      "chexers_objective", &objective, "state"_a, "seat"_a,
      "What the seat should head for, 'exit', 'block' or 'centre', and whose hexagons these are.");
  m.def("chexers_relevant", &relevant, "state"_a, "root"_a,
        "The legal actions that a search on behalf of the root seat looks at.");
  m.def("chexers_stage", &stage, "state"_a, "seat"_a,
        "The part of the game for a seat's clock: 'early', 'middle', 'end' or 'won'.");
  m.def("chexers_thinking_time", &thinking_time, "state"_a, "seconds_left"_a,
        "Seconds that the mover should give to its next action.");
}

}  // namespace bz
