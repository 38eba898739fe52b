#include "bind/module.hpp"

#include "core/error.hpp"

namespace nb = nanobind;

NB_MODULE(_core, m) {
  m.doc() =
      "The compiled core of BoardZero: rules and searches. Private: use the boardzero package.";
  nb::exception<bz::Error>(m, "BoardZeroError", PyExc_ValueError);
  bz::bind_games(m);
  bz::bind_chexers(m);
}
