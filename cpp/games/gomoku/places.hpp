// Places for a line of five, read off the lines of the board in all four directions.
//
// A place is five points in a row, which only one side has stones in, and the two points beside
// them, which may be empty, of the same side, of the other or the wall. Each kind of place has a
// number; a place and its mirror image are of one kind.
#pragma once

#include <algorithm>
#include <bit>
#include <utility>

#include "games/gomoku/board.hpp"

namespace bz::gomoku {

inline constexpr int kPlaceLength = 5;
inline constexpr int kDirections = 4;
inline constexpr int kMostLines = 2 * kMaxSize - 1;

// The points of one line as bits; the first is left free, so that each point has one before it.
using LineBits = std::uint32_t;
inline constexpr int kMargin = 1;

// By direction and line; a column or row has `size` lines, a diagonal almost twice as many.
using LineTable = std::array<std::array<LineBits, kMostLines>, kDirections>;

struct Spot {
  int line;
  int at;
};
constexpr Spot spot(int direction, int size, int row, int column) {
  switch (direction) {
    case 0:
      return {row, column};
    case 1:
      return {column, row};
    case 2:
      return {column - row + size - 1, row};
    default:
      return {row + column, row};
  }
}

// Where a line begins and ends, and how far apart its points are as cells.
constexpr std::pair<int, int> line_ends(int direction, int size, int line) {
  switch (direction) {
    case 2:
      return {std::max(0, size - 1 - line), std::min(size - 1, 2 * size - 2 - line)};
    case 3:
      return {std::max(0, line - size + 1), std::min(size - 1, line)};
    default:
      return {0, size - 1};
  }
}
constexpr int cell_step(int direction, int size) {
  constexpr std::array kColumns = {1, 0, 1, -1};
  return (direction == 0 ? 0 : size) + kColumns[static_cast<std::size_t>(direction)];
}

// What is off the board, for each size.
inline const LineTable& walls(int size) {
  static const auto all = [] {
    std::array<LineTable, kMaxSize + 1> tables;
    for (int n = kMinSize; n <= kMaxSize; ++n) {
      LineTable& table = tables[static_cast<std::size_t>(n)];
      for (auto& direction : table) direction.fill(~LineBits{0});
      for (int cell = 0; cell < n * n; ++cell) {
        for (int d = 0; d < kDirections; ++d) {
          const Spot s = spot(d, n, cell / n, cell % n);
          table[static_cast<std::size_t>(d)][static_cast<std::size_t>(s.line)] &=
              ~(LineBits{1} << (s.at + kMargin));
        }
      }
    }
    return tables;
  }();
  return all[static_cast<std::size_t>(size)];
}

// The number of a kind: by whose stones (0 or 1), which of the five points, and the flanks.
struct PlaceKinds {
  std::array<std::array<std::array<std::int16_t, 16>, 1 << kPlaceLength>, 2> of;
  int count;
};
inline constexpr PlaceKinds kPlaceKinds = [] {
  PlaceKinds kinds{};
  for (unsigned side = 0; side < 2; ++side) {
    for (unsigned core = 1; core < 1U << kPlaceLength; ++core) {
      unsigned mirrored = 0;
      for (int i = 0; i < kPlaceLength; ++i) {
        mirrored |= (core >> i & 1) << (kPlaceLength - 1 - i);
      }
      for (unsigned flanks = 0; flanks < 16; ++flanks) {
        const unsigned swapped = (flanks & 3) << 2 | flanks >> 2;
        const bool seen = mirrored < core || (mirrored == core && swapped < flanks);
        kinds.of[side][core][flanks] =
            seen ? kinds.of[side][mirrored][swapped] : static_cast<std::int16_t>(kinds.count++);
      }
    }
  }
  return kinds;
}();

// An arm is what lies from a point outwards, up to four points or the wall: as many numbers as
// there are sequences of so many points that are empty, own or the other's.
inline constexpr int kReach = 4;
inline constexpr int kArms = 1 + 3 + 9 + 27 + 81;

// One line of the board: own stones, the other's and walls.
struct Strip {
  LineBits own;
  LineBits other;
  LineBits wall;

  // Of the place that begins `at`; -1 if nobody or both have stones there, or it is off the board.
  int kind(int at) const {
    constexpr unsigned kCore = 0x3E;
    const unsigned o = own >> at & 0x7F;
    const unsigned t = other >> at & 0x7F;
    const unsigned w = wall >> at & 0x7F;
    const bool ours = (o & kCore) != 0;
    const bool theirs = (t & kCore) != 0;
    if (ours == theirs || (w & kCore) != 0) return -1;
    // A flank in two bits: nothing, the same side, the other side, the wall.
    const unsigned same = (ours ? o : t) | w;
    const unsigned foe = (ours ? t : o) | w;
    const unsigned left = (same & 1) | (foe & 1) << 1;
    const unsigned right = same >> 6 | foe >> 6 << 1;
    return kPlaceKinds.of[theirs][(same & kCore) >> 1][left << 2 | right];
  }

  // The two arms from the point `at`.
  std::array<int, 2> arms(int at) const {
    constexpr unsigned kMask = (1U << kReach) - 1;
    const int place = at + kMargin;
    const auto after = [&](LineBits line) { return line >> (place + 1) & kMask; };
    // The points before, the nearest in the lowest bit; before the line's first bit is the wall.
    const auto before = [&](LineBits line, unsigned rest) {
      const auto wide = static_cast<std::uint64_t>(line) << kReach | rest;
      return kReversed[wide >> place & kMask];
    };
    return {arm(before(own, 0), before(other, 0), before(wall, kMask)),
            arm(after(own), after(other), after(wall))};
  }

 private:
  static constexpr std::array<std::uint8_t, 1 << kReach> kReversed = [] {
    std::array<std::uint8_t, 1 << kReach> table{};
    for (unsigned set = 0; set < table.size(); ++set) {
      for (int i = 0; i < kReach; ++i) {
        if ((set >> i & 1) != 0) table[set] |= static_cast<std::uint8_t>(1 << (kReach - 1 - i));
      }
    }
    return table;
  }();

  // The bits as digits 0 and 1 in base 3.
  static constexpr std::array<std::uint8_t, 1 << kReach> kDigits = [] {
    std::array<std::uint8_t, 1 << kReach> table{};
    for (unsigned set = 0; set < table.size(); ++set) {
      unsigned value = 0;
      for (int i = kReach - 1; i >= 0; --i) value = 3 * value + (set >> i & 1);
      table[set] = static_cast<std::uint8_t>(value);
    }
    return table;
  }();

  static int arm(unsigned own, unsigned other, unsigned wall) {
    constexpr std::array<int, kReach + 1> kFirst = {0, 1, 4, 13, 40};  // by length
    const auto length = static_cast<std::size_t>(std::countr_zero(wall | 1U << kReach));
    return kFirst[length] + kDigits[own] + 2 * kDigits[other];
  }
};

// The stones of both sides, line by line.
class BoardLines {
 public:
  void toggle(int side, int size, int point) {
    const int cell = grid(size).cell_of[static_cast<std::size_t>(point)];
    for (int d = 0; d < kDirections; ++d) flip(side, d, spot(d, size, cell / size, cell % size));
  }
  void flip(int side, int d, Spot s) {
    stones_[static_cast<std::size_t>(side)][static_cast<std::size_t>(d)]
           [static_cast<std::size_t>(s.line)] ^= LineBits{1} << (s.at + kMargin);
  }
  Strip strip(const LineTable& walls, int d, int line) const {
    const auto direction = static_cast<std::size_t>(d);
    const auto at = static_cast<std::size_t>(line);
    return {stones_[0][direction][at], stones_[1][direction][at], walls[direction][at]};
  }

 private:
  std::array<LineTable, 2> stones_{};
};

}  // namespace bz::gomoku
