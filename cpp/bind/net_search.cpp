// Searches with a net for Python players.
#include "search/mcts/net_search.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "bind/gil.hpp"
#include "bind/module.hpp"
#include "erased/any_state.hpp"
#include "erased/any_tablebase.hpp"

using namespace nanobind::literals;

namespace bz {
namespace {

using Rows = nb::ndarray<nb::numpy, float, nb::ndim<4>, nb::c_contig>;
using Answer = nb::ndarray<float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

std::optional<Rows> collect(AnyNetSearch& search, int most) {
  std::unique_ptr<float[]> rows;
  std::size_t extents[4] = {};
  {
    const ReleaseGil released(search);
    extents[0] = static_cast<std::size_t>(search.collect(most));
    if (search.is_done()) return std::nullopt;
    std::ranges::copy(search.input_shape(), extents + 1);
    rows = std::make_unique<float[]>(extents[0] * extents[1] * extents[2] * extents[3]);
    search.write(rows.get());
  }
  const nb::capsule owner(rows.get(),
                          [](void* data) noexcept { delete[] static_cast<float*>(data); });
  return Rows(rows.release(), 4, extents, owner);
}

void receive(AnyNetSearch& search, const Answer& logits, const Answer& values) {
  const ReleaseGil released(search);
  search.receive({logits.data(), logits.size()}, {values.data(), values.size()});
}

}  // namespace

void bind_net_search(nb::module_& m) {
  nb::class_<RootAction>(m, "RootAction", "An action at the root of a search.")
      .def_ro("action", &RootAction::action)
      .def_ro("visits", &RootAction::visits)
      .def_ro("value", &RootAction::value)
      .def_ro("prior", &RootAction::prior)
      .def_ro("proven", &RootAction::proven)
      .def_ro("line", &RootAction::line);
  nb::class_<AnyNetSearch>(m, "NetSearch", "A search whose leaves are evaluated by the caller.")
      .def("follow", &AnyNetSearch::follow, "actions"_a)
      .def("set_simulations", &AnyNetSearch::set_simulations, "simulations"_a)
      .def(
          "collect", &collect, "most"_a = 1,
          "The planes [n, ...] of at most so many states to be evaluated; None when done. Without "
          "any if the search has gone on for a while and needed none.",
          nb::sig("def collect(self, most: int = 1) -> numpy.typing.NDArray[numpy.float32] | None"))
      .def("receive", &receive, "logits"_a, "values"_a)
      .def(
          "run",
          [](AnyNetSearch& search, double seconds) {
            const ReleaseGil released(search);
            return search.run(seconds);
          },
          "seconds"_a, "With a sparse net: searches for so long at most; False when done.")
      .def("net", &AnyNetSearch::net, "Which net must evaluate what collect() gave.")
      .def("candidates", &AnyNetSearch::candidates, "tree"_a = 0)
      .def("evaluation", &AnyNetSearch::evaluation, "tree"_a = 0,
           "What a tree's net said of the root, one value per seat; None before it did.")
      .def("values", &AnyNetSearch::values)
      .def("simulations", &AnyNetSearch::simulations);
  m.def("make_search", &AnyState::make_net_search, "root"_a, "options"_a, "nets"_a, "seed"_a,
        "tablebase"_a.none() = nb::none());
  m.def(
      "make_search",
      [](const AnyState& root, const SearchOptions& options, sparse::Net net, std::uint64_t seed,
         const AnyState::Tables& tablebase) {
        return root.make_sparse_search(std::move(net), options, seed, tablebase);
      },
      "root"_a, "options"_a, "net"_a, "seed"_a, "tablebase"_a.none() = nb::none(),
      "A search with a sparse net, which run() lets go on.");
  m.def(
      "make_search",
      [](const AnyState& root, const SearchOptions& options, const FormatNames& net,
         std::uint64_t seed) { return root.make_net_search(options, {net}, seed, nullptr); },
      "root"_a, "options"_a, "net"_a, "seed"_a);
}

}  // namespace bz
