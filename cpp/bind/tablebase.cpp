// Solved endings for Python.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind/gil.hpp"
#include "bind/module.hpp"
#include "erased/any_tablebase.hpp"

using namespace nanobind::literals;

namespace bz {
namespace {

std::shared_ptr<AnyTablebase> make_tablebase(const AnyState& start, int pieces,
                                             const std::optional<nb::bytes>& bytes) {
  std::optional<std::string> data;
  if (bytes) data.emplace(bytes->c_str(), bytes->size());
  const ReleaseGil released(start);
  return start.make_tablebase(pieces, data);
}

}  // namespace

void bind_tablebase(nb::module_& m) {
  nb::class_<AnyTablebase>(m, "Tablebase", "Endings with few pieces, solved.")
      .def("bytes",
           [](const AnyTablebase& table) {
             const std::string bytes = table.bytes();
             return nb::bytes(bytes.data(), bytes.size());
           })
      .def("plies", &AnyTablebase::plies, "state"_a,
           "Moves of both sides to the end, odd if the mover wins; None in draws, within a "
           "capture and in what is not here.")
      .def("values", &AnyTablebase::values, "state"_a,
           "What the state is certainly worth to each seat, if that is known.");
  m.def("make_tablebase", &make_tablebase, "start"_a, "pieces"_a, "bytes"_a = nb::none(),
        "Solves the endings of a game with up to so many pieces, or reads what bytes() gave.");
}

}  // namespace bz
