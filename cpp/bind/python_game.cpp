// All that is compiled for games written in Python.
#include "bind/python_game.hpp"

#include <nanobind/stl/unique_ptr.h>

#include "bind/module.hpp"
#include "erased/state_of.hpp"

using namespace nanobind::literals;

namespace bz {
namespace {

std::unique_ptr<AnyState> python_start(const nb::object& rules) {
  return std::make_unique<StateOf<PythonGame>>(PythonGame::start(rules));
}

}  // namespace

void bind_python_game(nb::module_& m) {
  m.def("python_start", &python_start, "rules"_a, "`rules` is a boardzero.games.checked.Checked.");
}

}  // namespace bz
