// Endgame tables for Python.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "bind/bytes.hpp"
#include "bind/gil.hpp"
#include "bind/module.hpp"
#include "erased/any_tablebase.hpp"

using namespace nanobind::literals;

namespace bz {
namespace {

// Ctrl-C ends it, with nothing lost but the slice that was being solved.
nb::bytes solve(AnyTablebaseMaker& maker, int threads) {
  Interrupt interrupt;
  return to_bytes(interruptible(
      interrupt, false, [&] { return maker.solve(threads, [&] { return interrupt.raised(); }); }));
}

}  // namespace

void bind_tablebase(nb::module_& m) {
  nb::class_<SliceInfo>(m, "TablebaseSlice", "The positions of one material balance in a table.")
      .def_ro("balance", &SliceInfo::balance, "Of the mover against the other: KKM-KM.")
      .def_ro("pieces", &SliceInfo::pieces)
      .def_ro("positions", &SliceInfo::positions)
      .def_ro("losses", &SliceInfo::losses, "For the mover.")
      .def_ro("draws", &SliceInfo::draws)
      .def_ro("wins", &SliceInfo::wins)
      .def_ro("longest", &SliceInfo::longest,
              "Plies at most before a decided position is captured or crowned out of the slice.")
      .def_ro("bytes", &SliceInfo::bytes, "Packed.");

  nb::class_<AnyTablebase>(m, "Tablebase", "Endings with few pieces, solved.")
      .def("add", &AnyTablebase::add, "path"_a, nb::call_guard<nb::gil_scoped_release>(),
           "Maps a file into memory; fails if it is damaged or of another game.")
      .def("pieces", &AnyTablebase::pieces, "The most that a position here has; 0 without a file.")
      .def("probe", &AnyTablebase::probe, "state"_a,
           "1, 0 or -1 for the mover with best play, whatever the counters of draws say; None "
           "within a capture and in what is not here.")
      .def("certain", &AnyTablebase::certain, "state"_a,
           "The result for each seat, where no draw by counting can come before it.")
      .def("slices", &AnyTablebase::slices)
      .def("inconsistent", &AnyTablebase::inconsistent, "pieces"_a, "samples"_a, "seed"_a,
           nb::call_guard<nb::gil_scoped_release>(),
           "How many of so many random positions do not follow from what their moves lead to.");
  m.def("empty_tablebase", &AnyState::empty_tablebase, "start"_a,
        "Endgame tables of a game, to which files can be added.");

  nb::class_<AnyTablebaseMaker>(m, "TablebaseMaker",
                                "Solves the positions with one number of pieces.")
      .def(
          "header", [](const AnyTablebaseMaker& maker) { return to_bytes(maker.header()); },
          "What a file of these tables begins with.")
      .def(
          "add",
          [](AnyTablebaseMaker& maker, const nb::bytes& file) { return maker.add(view(file)); },
          "file"_a, "Adds what a file has, of these or of fewer pieces; the bytes that are whole.")
      .def("solve", &solve, "threads"_a,
           "Solves the next slices, as bytes to be appended to the file; empty when all are done.")
      .def("total", &AnyTablebaseMaker::total, "The positions of all slices.")
      .def("done", &AnyTablebaseMaker::done, "Those that are solved.");
  m.def("make_tablebase", &AnyState::make_tablebase, "start"_a, "pieces"_a);
}

}  // namespace bz
