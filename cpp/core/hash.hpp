// Scrambles words into keys. Positions are a few words, so mixing them afresh is as fast as
// keeping Zobrist tables up to date, and needs no state.
#pragma once

#include <cstdint>

namespace bz {

constexpr std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9ULL;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

constexpr std::uint64_t combine(std::uint64_t seed, std::uint64_t word) {
  return mix(seed * 0x9e3779b97f4a7c15ULL + word + 0x632be59bd9b4e019ULL);
}

}  // namespace bz
