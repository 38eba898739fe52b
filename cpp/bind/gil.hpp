// Native code without Python's lock, unless the rules themselves are Python.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>

#include "search/limits.hpp"

namespace bz {

// Lets other Python threads run while native code works.
class ReleaseGil {
 public:
  template <class T>
  explicit ReleaseGil(const T& owner) {
    if (!owner.needs_gil()) released_.emplace();
  }

 private:
  std::optional<nanobind::gil_scoped_release> released_;
};

// Runs a search that obeys `interrupt`. Unless the rules are written in Python it runs without the
// lock and asks now and then whether Ctrl-C was pressed, because Python looks only when asked.
template <class F>
auto interruptible(Interrupt& interrupt, bool needs_gil, F&& search) {
  namespace nb = nanobind;
  interrupt.stop = false;
  interrupt.hook = nullptr;
  if (needs_gil) return search();
  using Clock = Budget::Clock;
  interrupt.hook = [next = Clock::now()]() mutable {
    if (Clock::now() < next) return false;
    next = Clock::now() + std::chrono::milliseconds(50);
    const nb::gil_scoped_acquire acquire;
    return PyErr_CheckSignals() != 0;
  };
  std::optional<nb::gil_scoped_release> release(std::in_place);
  auto result = search();
  release.reset();
  if (PyErr_Occurred() != nullptr) throw nb::python_error();
  return result;
}

}  // namespace bz
