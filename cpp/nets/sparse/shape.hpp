// The sizes of a sparse net, and the whole numbers that it computes with.
//
// A state is a short list of active rows. The *deep* rows each hold a vector; their sum, the
// accumulator, passes two small layers with clipped rectifiers. The *linear* rows each hold two
// numbers, for the beginning and for the end of a game, that are added straight to the outcome. The
// layers exist once for each *bucket*, a stage of the game. The outputs are logits, seen by the
// seat to move: that it wins, that the next seat wins, and so on, and that nobody does.
//
// A net may have a *policy*. A move, too, is a few rows: each holds a vector, which meets the
// activations of a layer of the policy's own on the accumulator, and a number. Their sum is the
// move's logit; only legal moves are ever scored.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "core/types.hpp"

namespace bz::sparse {

inline constexpr int kLayer = 32;        // outputs of both small layers
inline constexpr int kMostHidden = 512;  // of the accumulator
inline constexpr int kHiddenStep = 32;   // it is a multiple of this
inline constexpr int kMostOutputs = kMaxPlayers + 1;

struct Shape {
  std::int32_t deep_rows = 0;
  std::int32_t most_active = 0;  // deep rows at once, counted as often as they occur
  std::int32_t linear_rows = 0;
  std::int32_t buckets = 1;
  std::int32_t players = 2;
  std::int32_t hidden = 64;
  std::int32_t accumulator_shift = 2;  // how many bits finer than activations its sums are
  std::int32_t policy_rows = 0;        // that moves may have; 0 is a net without a policy

  int outputs() const { return players + 1; }
  bool has_policy() const { return policy_rows > 0; }
  float accumulator_one() const;  // what an activation of 1.0 is in the accumulator's sums
  friend bool operator==(const Shape&, const Shape&) = default;
};

// An activation of 1.0.
inline constexpr int kOne = 127;
inline float Shape::accumulator_one() const {
  return static_cast<float>(kOne << accumulator_shift);
}
// A weight of 1.0 in the layers; their sums are shifted back to activations.
inline constexpr int kLayerShift = 6;
// Weights of the output and its sum: a logit of 1.0 is 1 << kLogitShift for the outside.
inline constexpr int kOutputShift = 14;
inline constexpr int kLogitShift = 8;
inline constexpr int kLogitOne = 1 << kLogitShift;
// Linear weights and the numbers of moves, and the phase that blends the two numbers of a row.
inline constexpr int kLinearShift = 10;
inline constexpr int kPhaseShift = 6;
inline constexpr int kFullPhase = 1 << kPhaseShift;  // the beginning of a game; 0 is its end

// The largest weight of a deep row with which no sum of active rows leaves 16 bits.
constexpr int deep_limit(int most_active) { return 32767 / (most_active + 1); }

// ln(1 + exp(-x)) for x in units of a logit, from 0 on; beyond the table it is nothing.
inline constexpr int kSoftplusEntries = 8 * kLogitOne;
inline const std::array<std::uint8_t, kSoftplusEntries>& softplus_table() {
  static const auto table = [] {
    std::array<std::uint8_t, kSoftplusEntries> entries{};
    for (int i = 0; i < kSoftplusEntries; ++i) {
      const double x = static_cast<double>(i) / kLogitOne;
      entries[static_cast<std::size_t>(i)] =
          static_cast<std::uint8_t>(std::floor(std::log1p(std::exp(-x)) * kLogitOne + 0.5));
    }
    return entries;
  }();
  return table;
}

}  // namespace bz::sparse
