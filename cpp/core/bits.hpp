// Sets of up to 64 squares in one word.
#pragma once

#include <bit>
#include <cstdint>

#ifdef __BMI2__
#include <immintrin.h>
#endif

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

// The n-th member from the lowest, which is number 0.
inline int nth(Bits b, int n) {
#ifdef __BMI2__
  return lowest(_pdep_u64(bit(n), b));
#else
  for (; n > 0; --n) b &= b - 1;
  return lowest(b);
#endif
}

// The members of b that are in `mask`, moved together to the lowest places.
inline Bits extract(Bits b, Bits mask) {
#ifdef __BMI2__
  return _pext_u64(b, mask);
#else
  Bits result = 0;
  for (int place = 0; mask != 0; ++place) result |= (b >> pop(mask) & 1) << place;
  return result;
#endif
}

// The other way round: the lowest bits of b, in order, on the members of `mask`.
inline Bits deposit(Bits b, Bits mask) {
#ifdef __BMI2__
  return _pdep_u64(b, mask);
#else
  Bits result = 0;
  for (; mask != 0; b >>= 1) {
    const Bits place = mask & (~mask + 1);
    if ((b & 1) != 0) result |= place;
    mask ^= place;
  }
  return result;
#endif
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
