// Reading moves by comparing with what is legal; enough for every game whose moves have one name.
#pragma once

#include <cctype>
#include <charconv>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "games/game.hpp"

namespace bz {

// "a, b, c, ..." of the legal moves, at most `limit` of them.
template <class G>
std::string legal_moves_text(const G& game, int limit = 12) {
  std::vector<typename G::Move> moves;
  game.moves(moves);
  if (moves.empty()) return "the game is over";
  std::string text = "legal moves are ";
  int shown = 0;
  for (const auto& move : moves) {
    if (shown == limit) return text + ", ...";
    if (shown++ > 0) text += ", ";
    text += game.text(move).text;
  }
  return text;
}

// Walks through a text and knows where it stands, for messages.
class TextCursor {
 public:
  explicit TextCursor(std::string_view text, std::string what = "")
      : text_(text), what_(std::move(what)) {}

  bool at_end() const { return at_ == text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[at_]; }
  char next() { return text_[at_++]; }
  char upper() const { return static_cast<char>(std::toupper(static_cast<unsigned char>(peek()))); }
  bool is_digit() const { return std::isdigit(static_cast<unsigned char>(peek())) != 0; }
  void skip_spaces() {
    while (std::isspace(static_cast<unsigned char>(peek())) != 0) ++at_;
  }
  // Goes past a letter, in either case and after any spaces, if that comes next.
  bool take(char capital) {
    skip_spaces();
    if (upper() != capital) return false;
    ++at_;
    return true;
  }
  // Goes past exactly this.
  bool eat(std::string_view literal) {
    if (!text_.substr(at_).starts_with(literal)) return false;
    at_ += literal.size();
    return true;
  }
  bool eat(int& number) {
    const char* const end = text_.data() + text_.size();
    const auto [rest, error] = std::from_chars(text_.data() + at_, end, number);
    if (error != std::errc{}) return false;
    at_ = static_cast<std::size_t>(rest - text_.data());
    return true;
  }

  [[noreturn]] void fail(const std::string& why) const {
    bz::fail(what_ + " " + why + " at character " + std::to_string(at_ + 1));
  }

 private:
  std::string_view text_;
  std::string what_;  // begins every message
  std::size_t at_ = 0;
};

// Rows of a board as text: a letter for a piece, a number for empty cells, a slash between rows.
class RowsText {
 public:
  void empty() { ++gap_; }
  void piece(char letter) { end_gap() += letter; }
  void next_row() { end_gap() += '/'; }
  std::string& end_gap() {
    if (gap_ > 0) text_ += std::to_string(gap_);
    gap_ = 0;
    return text_;
  }

 private:
  std::string text_;
  int gap_ = 0;
};

template <class G>
typename G::Move find_by_text(const G& game, std::string_view text) {
  std::vector<typename G::Move> moves;
  game.moves(moves);
  for (const auto& move : moves) {
    if (game.text(move).text == text) return move;
  }
  fail(quoted(text) + " is not a legal move here; " + legal_moves_text(game));
}

}  // namespace bz
