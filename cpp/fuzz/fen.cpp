// Positions and moves as text. The first byte is the game, the first line its position, the second
// a move; a position that is read is used: its moves are listed, and its text reads back.
#include "fuzz/border.hpp"
#include "games/chexers/state.hpp"
#include "games/draughts/state.hpp"
#include "games/gomoku/state.hpp"

namespace bz::fuzz {
namespace {

template <Game G>
void use(const G& start, std::string_view text) {
  const std::size_t line = std::min(text.find('\n'), text.size());
  const G game = start.with_fen(text.substr(0, line));
  std::vector<typename G::Move> moves;
  game.moves(moves);
  expect(moves.empty() == game.outcome().has_value(), "a game is over when nobody can move");
  const std::string fen = game.fen();
  expect(start.with_fen(fen).fen() == fen, "a position's text reads back");
  if (moves.empty()) return;
  G after = game;
  after.play(moves.back());
  expect(start.with_fen(after.fen()).fen() == after.fen(), "the next position reads back");
  if (line < text.size()) after.play(after.parse(text.substr(line + 1)));
}

template <const draughts::Rules& R>
void use_draughts(std::string_view text) {
  use(draughts::State<R>::start({}), text);
}

void use_any(std::string_view text) {
  if (text.empty()) return;
  const char game = text.front();
  text.remove_prefix(1);
  switch (game) {
    case 'i':
      return use_draughts<draughts::kInternational>(text);
    case 'e':
      return use_draughts<draughts::kEnglish>(text);
    case 'r':
      return use_draughts<draughts::kRussian>(text);
    case 'b':
      return use_draughts<draughts::kBrazilian>(text);
    case 'p':
      return use_draughts<draughts::kPool>(text);
    case 'g':
      return use(gomoku::State::start({.size = 8}), text);
    case 'j':
      return use(gomoku::State::start({.size = 15, .rule = gomoku::Rule::renju}), text);
    case 'c':
      return use(chexers::State{}, text);
    default:
      return;
  }
}

}  // namespace
}  // namespace bz::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  bz::fuzz::read_or_refuse([&] { bz::fuzz::use_any(text); });
  return 0;
}
