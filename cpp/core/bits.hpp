// Sets of up to 64 squares in one word.
#pragma once

#include <bit>
#include <cstdint>

namespace bz {

using Bits = std::uint64_t;

constexpr Bits bit(int square) { return Bits{1} << square; }
constexpr int count(Bits b) { return std::popcount(b); }
constexpr int lowest(Bits b) { return std::countr_zero(b); }

// Removes and returns the lowest member.
constexpr int pop(Bits& b) {
  const int square = lowest(b);
  b &= b - 1;
  return square;
}

// A positive offset moves every member to a higher square.
template <int Offset>
constexpr Bits shift(Bits b) {
  if constexpr (Offset >= 0) {
    return b << Offset;
  } else {
    return b >> -Offset;
  }
}

}  // namespace bz
