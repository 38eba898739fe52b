// What bounds a search, and the budget that a running search spends.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>

namespace bz {

// The first bound that is reached ends a search; the defaults bound nothing.
struct Limits {
  static constexpr std::uint64_t kUnbounded = std::numeric_limits<std::uint64_t>::max();

  double seconds = std::numeric_limits<double>::infinity();
  int depth = std::numeric_limits<int>::max();
  std::uint64_t nodes = kUnbounded;
  std::uint64_t simulations = kUnbounded;
};

// Ends a search from outside: another thread sets the flag, or the hook, called in the searching
// thread at each poll, says so.
struct Interrupt {
  std::atomic<bool> stop = false;
  std::function<bool()> hook;

  bool raised() const { return stop.load(std::memory_order_relaxed) || (hook && hook()); }
};

// Counts units of work (nodes or simulations) and looks at the clock only about once in a
// millisecond, whatever a unit costs.
class Budget {
 public:
  using Clock = std::chrono::steady_clock;

  Budget(double seconds, std::uint64_t units, const Interrupt& interrupt)
      : units_(units), seconds_(seconds), interrupt_(interrupt) {
    schedule();
  }

  // One more unit; false once the budget is spent, and from then on.
  bool spend() { return ++used_ < next_poll_ || poll(); }

  bool exhausted() const { return exhausted_; }
  std::uint64_t used() const { return used_; }
  double elapsed() const { return seconds_since(start_); }

 private:
  static constexpr double kPollSeconds = 0.001;
  static constexpr std::uint64_t kLongestInterval = 1 << 16;

  static double seconds_since(Clock::time_point t) {
    return std::chrono::duration<double>(Clock::now() - t).count();
  }

  void schedule() { next_poll_ = std::min(used_ + interval_, std::max(units_, used_)); }

  bool poll() {
    exhausted_ = exhausted_ || used_ > units_ || elapsed() >= seconds_ || interrupt_.raised();
    if (exhausted_) {
      --used_;  // the unit that was refused
      next_poll_ = 0;
      return false;
    }
    const double since = seconds_since(last_poll_);
    if (since < kPollSeconds / 2) interval_ = std::min(2 * interval_, kLongestInterval);
    if (since > kPollSeconds) interval_ = std::max<std::uint64_t>(1, interval_ / 2);
    last_poll_ = Clock::now();
    schedule();
    return true;
  }

  std::uint64_t used_ = 0;
  std::uint64_t next_poll_ = 0;
  std::uint64_t interval_ = 1;
  std::uint64_t units_;
  double seconds_;
  bool exhausted_ = false;
  const Interrupt& interrupt_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_poll_ = start_;
};

}  // namespace bz
