// Squares, moves and positions of draughts as text.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "games/draughts/movegen.hpp"
#include "games/notation.hpp"

namespace bz::draughts {

template <const Rules& R>
struct FenPosition {
  Position<R> position;
  int at = 0;      // bit index of the piece in the middle of a capture,
  Bits taken = 0;  // and what it has jumped; empty between moves
};

struct ParsedMove {
  std::vector<int> squares;  // from 0
  bool capture = false;
};

inline bool is_subsequence(const std::vector<int>& part, const std::vector<int>& whole) {
  auto it = whole.begin();
  return std::all_of(part.begin(), part.end(), [&](int x) {
    it = std::find(it, whole.end(), x);
    return it != whole.end() && (++it, true);
  });
}

template <const Rules& R>
class Notation {
 public:
  using Board = Geometry<R.width>;

  // "28", or "c3" in variants that are written so.
  static std::string square(int s) {
    if constexpr (!R.algebraic) return std::to_string(s + 1);
    const Square named = Square(s);
    return static_cast<char>('a' + Board::column(named)) +
           std::to_string(R.width - Board::row(named));
  }

  static std::string move(const std::vector<int>& path, bool capture, bool whole_path) {
    std::string text = square(path.front());
    const auto first = whole_path ? path.begin() + 1 : path.end() - 1;
    for (auto it = first; it != path.end(); ++it) text += (capture ? "x" : "-") + square(*it);
    return text;
  }

  static ParsedMove parse_move(std::string_view text) {
    TextCursor cursor(text, "bad move " + quoted(text) + ":");
    ParsedMove result;
    result.squares.push_back(read_square(cursor));
    while (cursor.skip_spaces(), !cursor.at_end()) {
      if (cursor.take('X') || cursor.take(':') || cursor.take('*')) {
        result.capture = true;
      } else if (!cursor.take('-')) {
        cursor.fail("expected '-' or 'x' between squares");
      }
      result.squares.push_back(read_square(cursor));
    }
    if (result.squares.size() < 2) cursor.fail("a move needs two squares");
    return result;
  }

  // "W:W31,32,K40:B1,2", and ":M27x22,18" behind it when the piece on 27 is in the middle of a
  // capture and has jumped 22 and 18.
  static std::string fen(const Position<R>& p, int at, Bits taken) {
    std::string text = p.side == Side::white ? "W" : "B";
    for (const Side side : {Side::white, Side::black}) {
      text += side == Side::white ? ":W" : ":B";
      text += list(p.pieces[index(side)], p.kings);
    }
    if (taken != 0) text += ":M" + list(bit(at), 0) + "x" + list(taken, 0);
    return text;
  }

  static FenPosition<R> parse_fen(std::string_view text) {
    TextCursor cursor(text, "bad FEN " + quoted(text) + ":");
    FenPosition<R> result;
    result.position.side = read_side(cursor, "expected W or B for the side to move");
    bool seen[2] = {false, false};
    while (cursor.take(':')) {
      cursor.skip_spaces();
      if (cursor.upper() == 'H' || cursor.upper() == 'F') {  // move counters of some programs
        cursor.next();
        while (cursor.is_digit()) cursor.next();
        continue;
      }
      if (cursor.take('M')) {
        read_capture(cursor, result);
        continue;
      }
      const Side side = read_side(cursor, "expected W or B before a list of squares");
      if (std::exchange(seen[index(side)], true)) cursor.fail("the same colour comes twice");
      read_pieces(cursor, side, result.position);
    }
    cursor.take('.');
    cursor.skip_spaces();
    if (!cursor.at_end()) cursor.fail("expected ':', ',' or the end");
    if (!seen[0] || !seen[1]) cursor.fail("the squares of both colours are needed");
    check_capture(cursor, result);
    check_men(cursor, result);
    return result;
  }

 private:
  static std::string list(Bits set, Bits kings) {
    std::string text;
    while (set != 0) {
      const int b = pop(set);
      if (!text.empty()) text += ",";
      if ((kings & bit(b)) != 0) text += "K";
      text += square(static_cast<int>(Board::square(b)));
    }
    return text;
  }

  static Side read_side(TextCursor& cursor, const char* expected) {
    if (cursor.take('W')) return Side::white;
    if (cursor.take('B')) return Side::black;
    cursor.fail(expected);
  }

  static int read_number(TextCursor& cursor) {
    int n = 0;
    if (!cursor.is_digit() || !cursor.eat(n)) cursor.fail("expected a square");
    return n;
  }

  // Numeric everywhere; algebraic ("c3") is understood by all variants too.
  static int read_square(TextCursor& cursor) {
    cursor.skip_spaces();
    const int column = cursor.upper() - 'A';
    if (column < 0 || column >= R.width) {
      const int n = read_number(cursor);
      if (n < 1 || n > Board::kSquares) {
        cursor.fail("square " + std::to_string(n) + " is not on the board (1 to " +
                    std::to_string(Board::kSquares) + ")");
      }
      return n - 1;
    }
    cursor.next();
    const int rank = read_number(cursor);
    if (rank < 1 || rank > R.width) cursor.fail("no such row");
    const int row = R.width - rank;
    if ((row + column) % 2 == 0) cursor.fail("that square is a light one");
    return row * Board::kRowLength + column / 2;
  }

  static void read_pieces(TextCursor& cursor, Side side, Position<R>& p) {
    cursor.skip_spaces();
    if (cursor.at_end() || cursor.peek() == ':' || cursor.peek() == '.') return;
    do {
      const bool king = cursor.take('K');
      const int first = read_square(cursor);
      const int last = cursor.take('-') ? read_square(cursor) : first;
      if (last < first) cursor.fail("a range must go upwards");
      for (int s = first; s <= last; ++s) place(cursor, side, king, s, p);
    } while (cursor.take(','));
  }

  static void place(const TextCursor& cursor, Side side, bool king, int s, Position<R>& p) {
    const Bits here = bit(Board::bit_index(Square(s)));
    if (((p.pieces[0] | p.pieces[1]) & here) != 0) {
      cursor.fail("square " + square(s) + " is taken twice");
    }
    p.pieces[index(side)] |= here;
    if (king) p.kings |= here;
    const int most = R.start_rows * Board::kRowLength;
    if (count(p.pieces[index(side)]) > most) {
      cursor.fail("a side has at most " + std::to_string(most) + " pieces");
    }
  }

  static void read_capture(TextCursor& cursor, FenPosition<R>& result) {
    const auto next_bit = [&] { return Board::bit_index(Square(read_square(cursor))); };
    result.at = next_bit();
    if (!cursor.take('X')) cursor.fail("expected 'x' and the squares jumped");
    do {
      result.taken |= bit(next_bit());
    } while (cursor.take(','));
  }

  static void check_capture(const TextCursor& cursor, const FenPosition<R>& result) {
    if (result.taken == 0) return;
    const Position<R>& p = result.position;
    const bool own = (p.own() & bit(result.at)) != 0;
    const bool theirs = (result.taken & ~p.opponent()) == 0;
    if (!own || !theirs) cursor.fail("the capture under way does not fit the pieces");
    const bool goes_on = with_generator(p, [&](const auto& generator) {
      return generator.can_jump(result.at, (p.kings & bit(result.at)) != 0, result.taken);
    });
    if (!goes_on) cursor.fail("the capture under way cannot go on");
  }

  // No man stands on its crowning row, unless a capture leads over it.
  static void check_men(const TextCursor& cursor, const FenPosition<R>& result) {
    const Position<R>& p = result.position;
    for (const Side side : {Side::white, Side::black}) {
      Bits stray = p.men(side) & Board::kCrownRow[index(side)];
      const bool passing = result.taken != 0 && side == p.side;
      if (passing && R.crowning == Crowning::at_rest) stray &= ~bit(result.at);
      if (stray == 0) continue;
      cursor.fail("a man cannot stand on " + list(stray, 0) +
                  ", its crowning row (write K for a king)");
    }
  }
};

// One sentence on why no legal move fits.
template <class State>
std::string why_illegal(const State& state, const ParsedMove& wanted, std::string_view text) {
  std::vector<typename State::Move> moves;
  state.moves(moves);
  std::string why = quoted(text) + " is not legal here";
  if (!moves.empty() && moves.front().is_capture() && !wanted.capture) {
    why += " because a capture is mandatory";
  }
  return why + "; " + legal_moves_text(state);
}

}  // namespace bz::draughts
