// What makes one kind of draughts differ from another. A variant is one constant; everything that
// depends on the variant, in C++ and in Python, asks it.
#pragma once

#include <string_view>

#include "games/draughts/geometry.hpp"

namespace bz::draughts {

// What happens to a man that reaches the crowning row in the middle of a capture.
enum class Crowning {
  at_rest,       // it is crowned only if it ends its move there
  stops,         // it is crowned and its move ends
  in_full_flow,  // it is crowned and goes on as a king
};

// What PDN, the format of game files, prescribes for a variant.
struct Pdn {
  std::string_view type;           // the GameType tag: number, who begins, columns, rows, notation
  std::string_view capture = "x";  // between the squares of a capture
  int win = 1;                     // points for a win: results are 1-0 or 2-0
  bool tag_only = false;           // a file without the tag is never taken for this variant
};

struct Rules {
  std::string_view name;
  int width;
  int start_rows;
  Side first = Side::white;
  bool men_capture_backwards;
  bool flying_kings;
  bool largest_capture;  // mandatory, not only any capture
  Crowning crowning = Crowning::at_rest;
  bool algebraic = false;  // squares written a1 instead of 1
  // Moves of each side before a draw: without capture or man move, and in endings with three or
  // with two pieces, a king among them, against a lone king (0: no such rule).
  int quiet_moves;
  int three_against_one = 0;
  int two_against_one = 0;
  bool counts_kings_only = false;  // the last two hold only where all pieces are kings
  Pdn pdn;
};

inline constexpr Rules kInternational{
    .name = "international",
    .width = 10,
    .start_rows = 4,
    .men_capture_backwards = true,
    .flying_kings = true,
    .largest_capture = true,
    .quiet_moves = 25,
    .three_against_one = 16,
    .two_against_one = 5,
    .pdn = {.type = "20,W,10,10,N2,0", .win = 2},
};

inline constexpr Rules kEnglish{
    .name = "english",
    .width = 8,
    .start_rows = 3,
    .first = Side::black,
    .men_capture_backwards = false,
    .flying_kings = false,
    .largest_capture = false,
    .crowning = Crowning::stops,
    .quiet_moves = 40,
    .pdn = {.type = "21,B,8,8,N1,0"},
};

inline constexpr Rules kRussian{
    .name = "russian",
    .width = 8,
    .start_rows = 3,
    .men_capture_backwards = true,
    .flying_kings = true,
    .largest_capture = false,
    .crowning = Crowning::in_full_flow,
    .algebraic = true,
    .quiet_moves = 15,
    .three_against_one = 15,
    .two_against_one = 5,
    .pdn = {.type = "25,W,8,8,A0,0", .capture = ":"},
};

// International rules on the small board.
inline constexpr Rules kBrazilian{
    .name = "brazilian",
    .width = 8,
    .start_rows = 3,
    .men_capture_backwards = true,
    .flying_kings = true,
    .largest_capture = true,
    .quiet_moves = 20,
    .three_against_one = 16,
    .two_against_one = 5,
    .pdn = {.type = "26,W,8,8,A0,0"},
};

// Pool checkers, as the American Pool Checker Association plays it.
inline constexpr Rules kPool{
    .name = "pool",
    .width = 8,
    .start_rows = 3,
    .first = Side::black,
    .men_capture_backwards = true,
    .flying_kings = true,
    .largest_capture = false,
    .quiet_moves = 40,
    .three_against_one = 13,
    .counts_kings_only = true,
    .pdn = {.type = "23,B,8,8,N1,0", .tag_only = true},
};

}  // namespace bz::draughts
