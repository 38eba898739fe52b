// Points and positions as text: "h8" is column h, eighth row from the bottom, and
// "8/8/3x4/4o3/8/8/8/8 x" gives the rows from the top, then the side to move.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "games/notation.hpp"

namespace bz::gomoku {

constexpr bool is_digit(char c) { return '0' <= c && c <= '9'; }

inline std::string point_name(int size, int cell) {
  return static_cast<char>('a' + cell % size) + std::to_string(size - cell / size);
}

// The cell that a text such as "h8" or " H 8" names.
inline int parse_point(int size, std::string_view text) {
  std::string name;
  for (const char c : text) {
    if (c != ' ') name += 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  for (int cell = 0; cell < size * size; ++cell) {
    if (point_name(size, cell) == name) return cell;
  }
  fail(quoted(text) + " is not a point of this board, which has a1 to " +
       point_name(size, size - 1));
}

// The stones on the board and who is to place the next one; any number of either is allowed.
struct Diagram {
  std::vector<Piece> stones;
  Seat mover{0};
};

constexpr char stone_letter(Seat seat) { return seat == Seat{0} ? 'x' : 'o'; }
constexpr std::optional<Seat> seat_of(char letter) {
  if (letter == 'x' || letter == 'X') return Seat{0};
  if (letter == 'o' || letter == 'O') return Seat{1};
  return std::nullopt;
}

inline std::string write_fen(int size, const Diagram& diagram) {
  std::string board(static_cast<std::size_t>(size * size), ' ');
  for (const Piece& stone : diagram.stones) board[stone.cell] = stone_letter(stone.owner);
  RowsText rows;
  for (int cell = 0; cell < size * size; ++cell) {
    if (cell > 0 && cell % size == 0) rows.next_row();
    board[cell] == ' ' ? rows.empty() : rows.piece(board[cell]);
  }
  return rows.end_gap() + ' ' + stone_letter(diagram.mover);
}

// Adds the stones of one row; `row` counts from the top, from 0.
inline void parse_row(std::string_view text, int row, int size, std::vector<Piece>& stones) {
  const auto refuse = [&](const std::string& what) {
    fail("row " + std::to_string(row + 1) + " from the top, " + quoted(text) + ", " + what);
  };
  int column = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (const auto owner = seat_of(text[i])) {
      stones.push_back({row * size + column++, *owner, "stone"});
    } else if (is_digit(text[i])) {
      int gap = text[i] - '0';
      if (gap == 0) refuse("has a run of no cells");
      while (i + 1 < text.size() && is_digit(text[i + 1]) && gap <= size) {
        gap = 10 * gap + (text[++i] - '0');
      }
      column += gap;
    } else {
      refuse("may hold only x, o and numbers of empty cells");
    }
    if (column > size) refuse("has more than " + std::to_string(size) + " cells");
  }
  if (column < size) {
    refuse("has " + std::to_string(column) + " cells instead of " + std::to_string(size));
  }
}

inline Diagram parse_fen(int size, std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  text.remove_prefix(std::min(text.find_first_not_of(kBlank), text.size()));
  text = text.substr(0, text.find_last_not_of(kBlank) + 1);
  std::string_view rows = text.substr(0, text.find_first_of(kBlank));
  std::string_view mover = text.substr(rows.size());
  mover.remove_prefix(std::min(mover.find_first_not_of(kBlank), mover.size()));

  if (const auto found = 1 + std::ranges::count(rows, '/'); found != size) {
    fail("the position has " + std::to_string(found) + " rows instead of " + std::to_string(size));
  }
  Diagram diagram;
  for (int row = 0; row < size; ++row) {
    const std::string_view cells = rows.substr(0, rows.find('/'));
    parse_row(cells, row, size, diagram.stones);
    rows.remove_prefix(std::min(cells.size() + 1, rows.size()));
  }
  if (mover.size() != 1 || !seat_of(mover[0])) {
    fail("the side to move, after the rows, is " + quoted(mover) + " instead of x or o");
  }
  diagram.mover = *seat_of(mover[0]);
  return diagram;
}

}  // namespace bz::gomoku
