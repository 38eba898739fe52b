// A position as its text gives it: the board, the player to move, the exits and the turns.
//
// The text has four fields: the seven rows from r = -3 to r = 3, each from left to right with a
// letter for a piece and a number for empty hexagons; the letter of the player to move; the exits
// of red, green and blue; the turns that all players together have had. The start:
//   gggg/5/6/r5b/r4b/r3b/r2b r 0,0,0 0
#pragma once

#include "games/chexers/notation.hpp"
#include "games/notation.hpp"

namespace bz::chexers {

inline constexpr int kExitsToWin = 4;
inline constexpr int kPieces = 12;               // on the board and gone, of all seats together
inline constexpr int kTurnLimit = 256 * kSeats;  // of all seats together
inline constexpr std::string_view kLetters = "rgb";

struct Setup {
  std::array<Bits, kSeats> pieces{};
  std::array<int, kSeats> exits{};
  Seat mover{};
  int turns = 0;
};

inline std::string to_fen(const Setup& setup) {
  RowsText rows;
  for (int i = 0; i < kHexes; ++i) {
    if (i > 0 && kAxial[i].r != kAxial[i - 1].r) rows.next_row();
    int owner = 0;
    while (owner < kSeats && (setup.pieces[owner] & bit(Hex(i))) == 0) ++owner;
    owner == kSeats ? rows.empty() : rows.piece(kLetters[owner]);
  }
  std::string fen = rows.end_gap() + ' ' + kLetters[index(setup.mover)];
  for (int i = 0; i < kSeats; ++i) fen += (i == 0 ? ' ' : ',') + std::to_string(setup.exits[i]);
  return fen + ' ' + std::to_string(setup.turns);
}

// Reads a position's text from left to right; every complaint names its place.
class SetupReader {
 public:
  explicit SetupReader(std::string_view text)
      : what_("the position " + quoted(text)), cursor_(text, what_) {}

  Setup read() {
    Setup setup;
    read_board(setup);
    next_field("the player to move");
    const auto mover = kLetters.find(cursor_.peek());
    if (mover == std::string_view::npos) cursor_.fail("needs the player to move: r, g or b");
    cursor_.next();
    setup.mover = Seat(static_cast<int>(mover));
    next_field("the exits");
    for (int i = 0; i < kSeats; ++i) {
      if (i > 0 && !cursor_.eat(",")) cursor_.fail("needs a comma between two numbers of exits");
      setup.exits[i] = number(kExitsToWin);
    }
    next_field("the number of turns");
    setup.turns = number(kTurnLimit);
    skip_blanks();
    if (!cursor_.at_end()) cursor_.fail("has more than a position");
    check(setup);
    return setup;
  }

 private:
  void read_board(Setup& setup) {
    int i = 0;
    for (int r = -kRadius; r <= kRadius; ++r) {
      if (r > -kRadius && !cursor_.eat("/")) cursor_.fail("needs a / between two rows");
      const int end = i + kWidth - std::abs(r);
      while (i < end) {
        const char c = cursor_.peek();
        const auto owner = kLetters.find(c);
        if (owner != std::string_view::npos) {
          setup.pieces[owner] |= bit(Hex(i++));
        } else if (c >= '1' && c <= '0' + end - i) {
          i += c - '0';
        } else if (c >= '1' && c <= '9') {
          cursor_.fail("has too many hexagons for the row " + std::to_string(r));
        } else {
          cursor_.fail("needs r, g, b or a number of empty hexagons in the row " +
                       std::to_string(r));
        }
        cursor_.next();
      }
    }
  }

  void check(const Setup& setup) const {
    int pieces = 0;
    int winners = 0;
    for (int i = 0; i < kSeats; ++i) {
      pieces += count(setup.pieces[i]) + setup.exits[i];
      winners += setup.exits[i] == kExitsToWin;
    }
    if (pieces > kPieces) {
      fail(what_ + " has " + std::to_string(pieces) +
           " pieces on the board and gone, but there are only " + std::to_string(kPieces));
    }
    if (winners > 1) fail(what_ + " has two winners; the first fourth exit ends a game");
  }

  void skip_blanks() {
    while (cursor_.eat(" ")) {
    }
  }
  void next_field(std::string_view name) {
    if (!cursor_.eat(" ")) cursor_.fail("needs a space and then " + std::string(name));
    skip_blanks();
  }
  int number(int largest) {
    TextCursor ahead = cursor_;
    int value = 0;
    if (!ahead.eat(value) || value < 0 || value > largest) {
      cursor_.fail("needs a number from 0 to " + std::to_string(largest));
    }
    cursor_ = ahead;
    return value;
  }

  std::string what_;
  TextCursor cursor_;
};

inline Setup parse_fen(std::string_view text) { return SetupReader(text).read(); }

}  // namespace bz::chexers
