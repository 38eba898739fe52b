// Threads beside the one that goes on; a build for browsers has none.
#pragma once

#include <functional>
#include <vector>

#include "core/error.hpp"

#if !defined(__wasm__)
#include <thread>
#endif

namespace bz {

class Helpers {
 public:
#if defined(__wasm__)
  void start(const std::function<void()>&) { fail("there is only one thread here"); }
  void join() {}
#else
  void start(std::function<void()> work) { threads_.emplace_back(std::move(work)); }
  void join() {
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

 private:
  std::vector<std::thread> threads_;
#endif
};

}  // namespace bz
