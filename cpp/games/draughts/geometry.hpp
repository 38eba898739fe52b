// Where the dark squares lie in a 64-bit word.
//
// Two rows share a period with one unused bit at its end, so that each diagonal direction is one
// constant shift on the whole board and a step off the side lands on an unused bit:
//
//   10x10:   0  1  2  3  4          8x8:   0  1  2  3
//          5  6  7  8  9 (10)            4  5  6  7 (8)
//           11 12 13 ...                   9 10 ...
//
// Squares count from 0 at the top left as printed boards do from 1. White moves up.
#pragma once

#include <array>

#include "core/bits.hpp"

namespace bz::draughts {

// A dark square, counted row by row from the top left, starting at 0.
enum class Square : std::int8_t {};

enum class Side : std::uint8_t { white, black };
constexpr Side other(Side s) { return s == Side::white ? Side::black : Side::white; }

template <int Width>
struct Geometry {
  static constexpr int kWidth = Width;
  static constexpr int kRowLength = Width / 2;
  static constexpr int kSquares = Width * kRowLength;
  static constexpr int kPeriod = 2 * kRowLength + 1;

  static constexpr int kUpLeft = -(kRowLength + 1);
  static constexpr int kUpRight = -kRowLength;
  static constexpr int kDownLeft = kRowLength;
  static constexpr int kDownRight = kRowLength + 1;

  static constexpr int bit_index(Square s) {
    const int square = static_cast<int>(s);
    return square + square / (2 * kRowLength);
  }
  static constexpr Square square(int bit_index) { return Square(bit_index - bit_index / kPeriod); }
  static constexpr Square rotated(Square s) { return Square(kSquares - 1 - static_cast<int>(s)); }
  static constexpr int row(Square s) { return static_cast<int>(s) / kRowLength; }
  static constexpr int column(Square s) {  // of the whole board, light squares included
    return 2 * (static_cast<int>(s) % kRowLength) + (row(s) % 2 == 0 ? 1 : 0);
  }

  static constexpr Bits rows(int first, int last) {
    Bits b = 0;
    for (int s = first * kRowLength; s < (last + 1) * kRowLength; ++s) {
      b |= bit(bit_index(Square(s)));
    }
    return b;
  }

  static constexpr Bits kBoard = rows(0, Width - 1);
  static constexpr Bits kCrownRow[2] = {rows(0, 0), rows(Width - 1, Width - 1)};

  static constexpr Bits rotated(Bits b) {
    Bits turned = 0;
    while (b != 0) turned |= bit(bit_index(rotated(square(pop(b)))));
    return turned;
  }
};

}  // namespace bz::draughts
