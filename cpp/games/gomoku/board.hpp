// The board as a set of points, framed by guard points that never hold a stone, so that walking
// along a line stops at the edge by itself, and looking two points ahead needs no bounds check.
#pragma once

#include <array>
#include <cstdint>

#include "core/bits.hpp"
#include "core/types.hpp"
#include "games/gomoku/options.hpp"

namespace bz::gomoku {

inline constexpr int kMaxCells = kMaxSize * kMaxSize;

// A set of points, guards included.
struct Points {
  std::array<Bits, 8> words{};  // 24 rows of 21 points, and 3 at the corners, fit into 512 bits

  constexpr bool has(int point) const { return words[point >> 6] >> (point & 63) & 1; }
  constexpr void add(int point) { words[point >> 6] |= bit(point & 63); }
  constexpr void remove(int point) { words[point >> 6] &= ~bit(point & 63); }
  bool operator==(const Points&) const = default;
};

// The geometry of one size. Cells are numbered row by row from the top left, as actions are; a
// point is the same place inside the frame of two guard rows above, two below, and one guard column
// that serves both sides.
struct Grid {
  Shape shape;
  std::array<int, 4> steps{};  // to the next point along the row, column and both diagonals
  int words = 0;               // of a Points that can hold a stone
  Points inside;
  std::array<std::int16_t, kMaxCells> point_of{};
  std::array<std::int16_t, 512> cell_of{};

  constexpr explicit Grid(int size) : shape{2, size * size, 3, size, size} {
    const int stride = size + 1;
    steps = {1, stride, stride + 1, stride - 1};
    for (int cell = 0; cell < size * size; ++cell) {
      const int point = (cell / size + 2) * stride + cell % size + 2;
      point_of[cell] = static_cast<std::int16_t>(point);
      cell_of[point] = static_cast<std::int16_t>(cell);
      inside.add(point);
      words = point / 64 + 1;
    }
  }
};

template <int... Offsets>
constexpr auto make_grids(std::integer_sequence<int, Offsets...>) {
  return std::array{Grid(kMinSize + Offsets)...};
}
inline constexpr auto kGrids =
    make_grids(std::make_integer_sequence<int, kMaxSize - kMinSize + 1>{});

constexpr const Grid& grid(int size) { return kGrids[size - kMinSize]; }

}  // namespace bz::gomoku
