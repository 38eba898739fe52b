// Reading moves by comparing with what is legal; enough for every game whose moves have one name.
#pragma once

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
