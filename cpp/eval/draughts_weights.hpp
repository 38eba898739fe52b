// The numbers of the draughts evaluation, in hundredths of a man.
//
// Fitted by logistic regression to the results of several thousand games that the engine played
// against itself from random openings; rules with few games lean on a prior.
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
template <class R>
struct Weights {
  static constexpr std::size_t kSquares = Geometry<R::kWidth>::kSquares;
  std::array<std::array<int, kTerms>, 2> terms;
  std::array<std::array<int, kSquares>, 2> places;
  int tempo;
};

template <class R>
inline constexpr Weights<R> kWeights = [] {
  if constexpr (R::kWidth == 10) {
    return Weights<R>{
        {{{118, 136, 176, -4, 2, 32, -2, -1, 4}, {82, 75, 171, 4, 1, -10, -11, -3, -13}}},
        {{{
              0,   0,   0,   0,   0,    //
              69,  69,  69,  69,  69,   //
              10,  4,   8,   -5,  -17,  //
              -48, -58, -43, -47, -49,  //
              -40, -35, -34, -38, -25,  //
              -10, -19, -8,  -14, -15,  //
              -8,  4,   0,   -14, -9,   //
              -13, 2,   13,  17,  -8,   //
              1,   7,   15,  -1,  3,    //
              -15, -8,  3,   6,   -12   //
          },
          {
              0,   0,   0,   0,   0,    //
              5,   45,  25,  27,  40,   //
              40,  8,   16,  19,  -14,  //
              11,  14,  -2,  4,   -2,   //
              13,  2,   -3,  6,   -2,   //
              -9,  5,   -11, -11, -14,  //
              -14, -14, -21, -13, -7,   //
              -11, -8,  -22, -29, -21,  //
              -13, -12, -25, -13, -8,   //
              -3,  4,   3,   2,   13    //
          }}},
        2};
  } else if constexpr (R::kFlyingKings) {
    return Weights<R>{{{{123, 113, 126, -7, 2, 30, 9, 9, 4}, {77, 59, 134, 5, 4, -10, 0, -5, -23}}},
                      {{{
                            0,   0,   0,   0,    //
                            13,  20,  27,  23,   //
                            5,   5,   -1,  5,    //
                            9,   -29, -29, -25,  //
                            -31, 2,   -9,  -1,   //
                            -2,  -11, 0,   -10,  //
                            -7,  5,   11,  1,    //
                            -13, 11,  16,  18    //
                        },
                        {
                            0,   0,   0,   0,    //
                            30,  64,  62,  59,   //
                            25,  25,  24,  -5,   //
                            -30, 5,   -11, -18,  //
                            -3,  -13, -9,  -30,  //
                            -21, -19, -15, -21,  //
                            -26, -15, -25, -24,  //
                            -25, 12,  -4,  8     //
                        }}},
                      1};
  } else {
    return Weights<R>{{{{118, 119, 20, 3, -3, -11, -1, 4, -7}, {82, 108, 16, -2, -1, 9, 0, 0, 1}}},
                      {{{
                            0,   0,   0,   0,    //
                            2,   0,   2,   -7,   //
                            -51, -45, -41, -49,  //
                            -23, -26, -22, -28,  //
                            -17, 1,   -5,  -4,   //
                            8,   11,  20,  8,    //
                            21,  32,  21,  27,   //
                            31,  40,  48,  46    //
                        },
                        {
                            0,   0,   0,   0,    //
                            15,  22,  15,  15,   //
                            32,  30,  36,  23,   //
                            14,  11,  13,  14,   //
                            -4,  -9,  -8,  -8,   //
                            -20, -9,  -18, -16,  //
                            -21, -26, -32, -32,  //
                            -21, -4,  -7,  -6    //
                        }}},
                      -1};
  }
}();

}  // namespace bz::draughts
