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

// Both words at once: the halves of their product. Faster than mixing them in turn.
constexpr std::uint64_t fold(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = Wide{a ^ 0xa0761d6478bd642fULL} * (b ^ 0xe7037ed1a0b428dbULL);
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

}  // namespace bz
