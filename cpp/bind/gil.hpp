// Lets other Python threads run while native code works, unless the rules themselves are Python.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>

namespace bz {

class ReleaseGil {
 public:
  template <class T>
  explicit ReleaseGil(const T& owner) {
    if (!owner.needs_gil()) released_.emplace();
  }

 private:
  std::optional<nanobind::gil_scoped_release> released_;
};

}  // namespace bz
