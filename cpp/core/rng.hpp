// A small, fast and reproducible source of random numbers (xoshiro256**).
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

#include "core/hash.hpp"

namespace bz {

class Rng {
 public:
  using result_type = std::uint64_t;

  explicit Rng(std::uint64_t seed) {
    for (auto& word : state_) {
      seed += 0x9e3779b97f4a7c15ULL;
      word = mix(seed);
    }
  }

  std::uint64_t operator()() {
    const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const std::uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  // Uniform in [0, bound); bound must be positive.
  std::uint32_t below(std::uint32_t bound) {
    return static_cast<std::uint32_t>(((operator()() >> 32) * bound) >> 32);
  }

  // Uniform in [0, 1).
  double uniform() { return static_cast<double>(operator()() >> 11) * 0x1.0p-53; }

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }

 private:
  std::uint64_t state_[4];
};

}  // namespace bz
