// The points that renju forbids to the first player: those that make six or more in a row, two
// fours, or two threes, unless they make five.
//
// A four is a row of four that one stone turns into exactly five. A straight four can become five
// at both of its ends. A three is a row of three that one stone turns into a straight four; it
// counts only if that stone may itself be played, by the same rules one stone later, and makes no
// five. Nothing here concerns the second player, who is never restrained.
#pragma once

#include <algorithm>
#include <string_view>

#include "games/gomoku/lines.hpp"

namespace bz::gomoku::renju {

enum class Verdict : std::uint8_t { free, five, overline, double_four, double_three };

inline constexpr std::array<std::string_view, 5> kVerdictNames{"free", "five", "overline",
                                                               "double four", "double three"};

constexpr bool is_legal(Verdict verdict) {
  return verdict == Verdict::free || verdict == Verdict::five;
}

// Threes within threes are followed to this depth; a deeper one counts as a three. Random boards
// never need more than five, and a bound keeps composed ones from taking exponential time.
inline constexpr int kMaxNesting = 8;

// All that the rules ask about: the second player's stones are merely not empty.
struct Board {
  const Grid& grid;
  Points black;
  Points empty;

  constexpr Board with(int point) const {
    Board next = *this;
    next.black.add(point);
    next.empty.remove(point);
    return next;
  }
  // A row of four can become exactly five at an end that is empty and has no stone behind it.
  constexpr bool is_open(int end, int outwards) const {
    return empty.has(end) && !black.has(end + outwards);
  }
  // Rows of three and more have a stone within two points of each other stone or gap of theirs.
  constexpr bool has_near(int point, int step) const {
    return black.has(point + step) | black.has(point - step) | black.has(point + 2 * step) |
           black.has(point - 2 * step);
  }
};

// What the stone on one point makes along one step.
struct Made {
  int length = 0;             // of its unbroken row
  int fours = 0;              // two if it joins stones on both sides
  InlineVector<int, 2> next;  // where another stone would make a straight four
};

inline Made made(const Board& board, int point, int step) {
  Made made;
  if (!board.has_near(point, step)) return made;
  const Row row = row_through(board.black, point, step);
  made.length = row.length;
  for (const int next : {row.before, row.after}) {
    if (!board.empty.has(next)) continue;
    const Row longer = row_through(board.black, next, step);
    if (longer.length == 5) {
      ++made.fours;
    } else if (longer.length == 4 && board.is_open(longer.before, -step) &&
               board.is_open(longer.after, step)) {
      made.next.push_back(next);
    }
  }
  if (row.length == 4) made.fours = std::min(made.fours, 1);  // a straight four is one four
  return made;
}

// What a stone of the first player on an empty point would make.
inline Verdict verdict_on(const Board& before, int point, int nesting = kMaxNesting) {
  const Board board = before.with(point);
  std::array<Made, 4> all;
  bool overline = false;
  int fours = 0;
  int threes = 0;
  for (int i = 0; i < 4; ++i) {
    all[i] = made(board, point, board.grid.steps[i]);
    if (all[i].length == 5) return Verdict::five;
    overline |= all[i].length > 5;
    fours += all[i].fours;
    threes += !all[i].next.empty();
  }
  if (overline) return Verdict::overline;
  if (fours > 1) return Verdict::double_four;
  if (threes < 2) return Verdict::free;
  if (nesting == 0) return Verdict::double_three;
  const auto is_free = [&](int next) {
    return verdict_on(board, next, nesting - 1) == Verdict::free;
  };
  const auto is_three = [&](const Made& m) { return std::ranges::any_of(m.next, is_free); };
  return std::ranges::count_if(all, is_three) < 2 ? Verdict::free : Verdict::double_three;
}

}  // namespace bz::gomoku::renju
