// The 37 hexagons of Chexers, the six directions, and the turns that map the board onto itself.
//
// A set of hexagons is one word: (q, r) is bit 8(r + 3) + (q + 3), rows of seven and a padding
// column. A step in any direction is then one shift, and a step off the board ends on a bit that
// is no hexagon, never on the far side.
#pragma once

#include <array>
#include <bit>
#include <cstdlib>
#include <optional>

#include "core/bits.hpp"
#include "core/types.hpp"

namespace bz::chexers {

inline constexpr int kSeats = 3;  // red, green, blue
inline constexpr int kHexes = 37;
inline constexpr int kRadius = 3;
inline constexpr int kWidth = 2 * kRadius + 1;  // of the square array that holds the board
inline constexpr int kDirections = 6;

// A hexagon's number, counted row by row: r from -3 to 3, in a row q from left to right.
enum class Hex : std::int8_t {};

struct Axial {
  int q = 0;
  int r = 0;

  friend constexpr bool operator==(Axial, Axial) = default;
  friend constexpr Axial operator+(Axial a, Axial b) { return {a.q + b.q, a.r + b.r}; }
  constexpr bool on_board() const {
    const auto fits = [](int x) { return -kRadius <= x && x <= kRadius; };
    return fits(q) && fits(r) && fits(q + r);
  }
  // A third of a full turn, which takes red's side of the board to green's, green's to blue's and
  // blue's to red's. It keeps the order of play.
  constexpr Axial turned() const { return {-q - r, q}; }
  constexpr int square() const { return 8 * (r + kRadius) + q + kRadius; }
};

constexpr int distance(Axial a, Axial b) {
  const int dq = a.q - b.q;
  const int dr = a.r - b.r;
  // std::abs is no constant expression before C++23.
  const auto size = [](int x) { return x < 0 ? -x : x; };
  return (size(dq) + size(dr) + size(dq + dr)) / 2;
}

// In the order of a clock's hand with steps of 60 degrees, so that a turn adds 2 to a direction.
inline constexpr std::array<Axial, kDirections> kStep = {
    {{1, 0}, {0, 1}, {-1, 1}, {-1, 0}, {0, -1}, {1, -1}}};

inline constexpr auto kAxial = [] {
  std::array<Axial, kHexes> table{};
  int next = 0;
  for (int r = -kRadius; r <= kRadius; ++r) {
    for (int q = -kRadius; q <= kRadius; ++q) {
      if (Axial{q, r}.on_board()) table[next++] = {q, r};
    }
  }
  return table;
}();

inline constexpr auto kHexOfSquare = [] {
  std::array<Hex, 64> table{};
  table.fill(Hex{-1});
  for (int i = 0; i < kHexes; ++i) table[kAxial[i].square()] = Hex(i);
  return table;
}();

constexpr Axial axial(Hex h) { return kAxial[index(h)]; }
constexpr Hex hex(int square) { return kHexOfSquare[square]; }
constexpr std::optional<Hex> hex(Axial a) {
  if (!a.on_board()) return std::nullopt;
  return kHexOfSquare[a.square()];
}
constexpr Bits bit(Hex h) { return bz::bit(axial(h).square()); }

// The hexagon's place in the 7 by 7 array of drawings and encodings; 12 corner cells stay unused.
constexpr int cell(Hex h) { return kWidth * (axial(h).r + kRadius) + axial(h).q + kRadius; }

inline constexpr Bits kBoard = [] {
  Bits all = 0;
  for (const Axial a : kAxial) all |= bz::bit(a.square());
  return all;
}();

// Every member one step further. Members that leave the board become bits outside kBoard.
constexpr Bits step(Bits b, int direction) {
  constexpr auto kOffset = [] {
    std::array<int, kDirections> table{};
    for (int d = 0; d < kDirections; ++d) table[d] = 8 * kStep[d].r + kStep[d].q;
    return table;
  }();
  return std::rotl(b, kOffset[direction]);
}
constexpr int opposite(int direction) { return (direction + 3) % kDirections; }

static_assert(
    [] {
      for (int i = 0; i < kHexes; ++i) {
        for (int d = 0; d < kDirections; ++d) {
          const auto to = hex(kAxial[i] + kStep[d]);
          if ((step(bit(Hex(i)), d) & kBoard) != (to ? bit(*to) : 0)) return false;
        }
      }
      return true;
    }(),
    "a step is a shift for every hexagon and direction");

// kTurned[n][h]: where n turns take a hexagon.
inline constexpr auto kTurned = [] {
  std::array<std::array<Hex, kHexes>, 3> table{};
  for (int i = 0; i < kHexes; ++i) {
    Axial a = kAxial[i];
    for (auto& turn : table) {
      turn[i] = *hex(a);
      a = a.turned();
    }
  }
  return table;
}();

constexpr Bits turned(Bits b, int turns) {
  Bits result = 0;
  while (b != 0) result |= bit(kTurned[turns][index(hex(pop(b)))]);
  return result;
}

constexpr Seat next(Seat s, int turns = 1) { return Seat((index(s) + turns) % kSeats); }

// The hexagons of a column, for red, and the same turned, for the other seats.
constexpr std::array<Bits, kSeats> column(int q) {
  Bits red = 0;
  for (const Axial a : kAxial) red |= a.q == q ? bz::bit(a.square()) : 0;
  return {red, turned(red, 1), turned(red, 2)};
}
inline constexpr auto kStart = column(-kRadius);
inline constexpr auto kLeaving = column(kRadius);

}  // namespace bz::chexers
