// What makes one kind of draughts differ from another. A variant is one struct of constants.
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

struct International {
  static constexpr std::string_view kName = "international";
  static constexpr int kWidth = 10;
  static constexpr int kStartRows = 4;
  static constexpr Side kFirst = Side::white;
  static constexpr bool kMenCaptureBackwards = true;
  static constexpr bool kFlyingKings = true;
  static constexpr bool kMustTakeMost = true;
  static constexpr Crowning kCrowning = Crowning::at_rest;
  static constexpr bool kAlgebraic = false;  // squares written a1 instead of 1
  // Moves of each side before a draw: without capture or man move, and in endings with three or
  // with two pieces against a lone king (0: no such rule).
  static constexpr int kQuietMoves = 25;
  static constexpr int kThreeAgainstOne = 16;
  static constexpr int kTwoAgainstOne = 5;
};

struct English {
  static constexpr std::string_view kName = "english";
  static constexpr int kWidth = 8;
  static constexpr int kStartRows = 3;
  static constexpr Side kFirst = Side::black;
  static constexpr bool kMenCaptureBackwards = false;
  static constexpr bool kFlyingKings = false;
  static constexpr bool kMustTakeMost = false;
  static constexpr Crowning kCrowning = Crowning::stops;
  static constexpr bool kAlgebraic = false;
  static constexpr int kQuietMoves = 40;
  static constexpr int kThreeAgainstOne = 0;
  static constexpr int kTwoAgainstOne = 0;
};

struct Russian {
  static constexpr std::string_view kName = "russian";
  static constexpr int kWidth = 8;
  static constexpr int kStartRows = 3;
  static constexpr Side kFirst = Side::white;
  static constexpr bool kMenCaptureBackwards = true;
  static constexpr bool kFlyingKings = true;
  static constexpr bool kMustTakeMost = false;
  static constexpr Crowning kCrowning = Crowning::in_full_flow;
  static constexpr bool kAlgebraic = true;
  static constexpr int kQuietMoves = 15;
  static constexpr int kThreeAgainstOne = 15;
  static constexpr int kTwoAgainstOne = 5;
};

// International rules on the small board.
struct Brazilian : International {
  static constexpr std::string_view kName = "brazilian";
  static constexpr int kWidth = 8;
  static constexpr int kStartRows = 3;
  static constexpr int kQuietMoves = 20;
};

}  // namespace bz::draughts
