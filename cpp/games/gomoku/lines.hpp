// Rows of stones: how long the one through a point is, and which rows of cells can win at all.
#pragma once

#include <vector>

#include "games/gomoku/board.hpp"

namespace bz::gomoku {

// The unbroken row of stones through one point along one step, as if that point held a stone.
struct Row {
  int length;
  int before;  // the points just outside
  int after;
};

constexpr Row row_through(const Points& stones, int point, int step) {
  int before = point - step;
  int after = point + step;
  int length = 1;
  for (; stones.has(before); before -= step) ++length;
  for (; stones.has(after); after += step) ++length;
  return {length, before, after};
}

// Every stone of a line of four or more has two neighbours in a row on one of its sides.
constexpr bool has_two_beside(const Points& stones, int point, int step) {
  return (stones.has(point + step) & stones.has(point + 2 * step)) |
         (stones.has(point - step) & stones.has(point - 2 * step));
}

// Whether a stone on `point` completes a line: exactly that long, or longer if overlines count.
constexpr bool completes_line(const Grid& grid, const Points& stones, int point, int line,
                              bool overlines) {
  for (const int step : grid.steps) {
    if (line > 3 && !has_two_beside(stones, point, step)) continue;  // spares most walks
    const int length = row_through(stones, point, step).length;
    if (length == line || (overlines && length > line)) return true;
  }
  return false;
}

// The cells of every line on the board: 96 lines of five on 8x8.
inline std::vector<std::vector<int>> winning_lines(const Options& options) {
  validate(options);
  const Grid& board = grid(options.size);
  std::vector<std::vector<int>> lines;
  for (const int step : board.steps) {
    for (int cell = 0; cell < board.shape.cells(); ++cell) {
      std::vector<int> cells;
      int point = board.point_of[cell];
      for (; board.inside.has(point) && std::ssize(cells) < options.line; point += step) {
        cells.push_back(board.cell_of[point]);
      }
      if (std::ssize(cells) == options.line) lines.push_back(std::move(cells));
    }
  }
  return lines;
}

}  // namespace bz::gomoku
