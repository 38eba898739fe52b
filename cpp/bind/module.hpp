// The parts of the extension module, one per file of this folder.
#pragma once

#include <nanobind/nanobind.h>

#include "bind/casters.hpp"

namespace bz {

namespace nb = nanobind;

void bind_games(nb::module_& m);
void bind_python_game(nb::module_& m);
void bind_classic(nb::module_& m);
void bind_net_search(nb::module_& m);
void bind_selfplay(nb::module_& m);
void bind_uct(nb::module_& m);
void bind_chexers(nb::module_& m);
void bind_dense(nb::module_& m);
void bind_sparse(nb::module_& m);
void bind_tablebase(nb::module_& m);

}  // namespace bz
