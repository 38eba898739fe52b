// A position as its text gives it: the board, the player to move, the exits and the turns.
//
// The text has four fields: the seven rows from r = -3 to r = 3, each from left to right with a
// letter for a piece and a number for empty hexagons; the letter of the player to move; the exits
// of red, green and blue; the turns that all players together have had. The start:
//   gggg/5/6/r5b/r4b/r3b/r2b r 0,0,0 0
#pragma once

#include <array>
#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "games/chexers/hexes.hpp"
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
  explicit SetupReader(std::string_view text) : text_(text) {}

  Setup read() {
    Setup setup;
    read_board(setup);
    next_field("the player to move");
    const auto mover = kLetters.find(peek());
    if (mover == std::string_view::npos) fail("needs the player to move: r, g or b");
    ++at_;
    setup.mover = Seat(static_cast<int>(mover));
    next_field("the exits");
    for (int i = 0; i < kSeats; ++i) {
      if (i > 0 && !eat(',')) fail("needs a comma between two numbers of exits");
      setup.exits[i] = number(kExitsToWin);
    }
    next_field("the number of turns");
    setup.turns = number(kTurnLimit);
    while (eat(' ')) {
    }
    if (at_ < text_.size()) fail("has more than a position");
    check(setup);
    return setup;
  }

 private:
  void read_board(Setup& setup) {
    int i = 0;
    for (int r = -kRadius; r <= kRadius; ++r) {
      if (r > -kRadius && !eat('/')) fail("needs a / between two rows");
      const int end = i + kWidth - std::abs(r);
      while (i < end) {
        const char c = peek();
        const auto owner = kLetters.find(c);
        if (owner != std::string_view::npos) {
          setup.pieces[owner] |= bit(Hex(i++));
        } else if (c >= '1' && c <= '0' + end - i) {
          i += c - '0';
        } else if (c >= '1' && c <= '9') {
          fail("has too many hexagons for the row " + std::to_string(r));
        } else {
          fail("needs r, g, b or a number of empty hexagons in the row " + std::to_string(r));
        }
        ++at_;
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
      bz::fail(position() + " has " + std::to_string(pieces) +
               " pieces on the board and gone, but there are only " + std::to_string(kPieces));
    }
    if (winners > 1) bz::fail(position() + " has two winners; the first fourth exit ends a game");
  }

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool eat(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  void next_field(std::string_view name) {
    if (!eat(' ')) fail("needs a space and then " + std::string(name));
    while (eat(' ')) {
    }
  }
  int number(int largest) {
    int value = 0;
    const auto [end, error] =
        std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc{} || value < 0 || value > largest) {
      fail("needs a number from 0 to " + std::to_string(largest));
    }
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }

  std::string position() const { return "the position " + quoted(text_); }
  [[noreturn]] void fail(const std::string& what) const {
    bz::fail(position() + " " + what + " at character " + std::to_string(at_ + 1));
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

inline Setup parse_fen(std::string_view text) { return SetupReader(text).read(); }

}  // namespace bz::chexers
