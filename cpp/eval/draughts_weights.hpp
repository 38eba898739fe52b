// The numbers of the draughts evaluation, in hundredths of a man.
#pragma once

#include <array>
#include <cstddef>

#include "games/draughts/rules.hpp"

namespace bz::draughts {

enum Term : std::size_t {
  kMen,
  kKings,
  kFirstKing,  // the first king is worth more than the next
  kGuarded,    // friends diagonally behind a man, which cannot be jumped from there
  kBlocked,    // men that cannot step forwards
  kPassed,     // men that no opponent stands in the way of
  kEdgeKings,
  kDiagonal,  // a king on the main diagonal
  kLean,      // how unevenly the men are spread over left and right
  kTerms,
};

// Both phases: a full board, then an empty one. The places of men are by square, seen by white,
// who moves up.
template <const Rules& R>
struct Weights {
  static constexpr std::size_t kSquares = Geometry<R.width>::kSquares;
  std::array<std::array<int, kTerms>, 2> terms;
  std::array<std::array<int, kSquares>, 2> places;
  int tempo;
};

// One number for each row, from the crowning row down, and a bonus for the columns in the middle.
template <const Rules& R>
constexpr std::array<int, Weights<R>::kSquares> rows_and_centre(
    const std::array<int, R.width>& rows, int centre) {
  std::array<int, Weights<R>::kSquares> places{};
  for (std::size_t s = 0; s < places.size(); ++s) {
    const Square square = Square(s);
    const int column = Geometry<R.width>::column(square);
    const bool middle = column >= R.width / 4 && column < R.width - R.width / 4;
    places[s] = rows[Geometry<R.width>::row(square)] + (middle ? centre : 0);
  }
  return places;
}

template <const Rules& R>
inline constexpr Weights<R> kWeights = [] {
  if constexpr (R.width == 10) {
    return Weights<R>{
        {{{100, 280, 60, 3, -2, 10, -5, 20, -2}, {100, 300, 60, 2, -3, 30, -5, 40, -1}}},
        {rows_and_centre<R>({0, 20, 15, 12, 9, 6, 4, 2, 1, 6}, 4),
         rows_and_centre<R>({0, 50, 38, 28, 20, 14, 9, 5, 2, 0}, 2)},
        3};
  } else if constexpr (R.flying_kings) {
    return Weights<R>{
        {{{100, 250, 50, 3, -2, 10, -5, 20, -2}, {100, 270, 60, 2, -3, 30, -5, 40, -1}}},
        {rows_and_centre<R>({0, 20, 14, 10, 7, 4, 2, 8}, 4),
         rows_and_centre<R>({0, 50, 35, 22, 14, 8, 3, 0}, 2)},
        3};
  } else {
    return Weights<R>{
        {{{100, 140, 10, 3, -2, 10, -8, 0, -1}, {100, 140, 10, 2, -3, 20, -10, 5, 0}}},
        {rows_and_centre<R>({0, 12, 10, 8, 6, 4, 2, 12}, 4),
         rows_and_centre<R>({0, 30, 22, 16, 10, 6, 2, 2}, 3)},
        3};
  }
}();

}  // namespace bz::draughts
