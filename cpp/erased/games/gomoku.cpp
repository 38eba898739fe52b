#include "eval/gomoku.hpp"

#include "erased/games.hpp"
#include "erased/state_of.hpp"
#include "games/gomoku/encodings.hpp"

namespace bz {

std::unique_ptr<AnyState> gomoku_start(int size, int line, std::string_view rule) {
  using namespace gomoku;
  return std::make_unique<StateOf<State>>(State::start({size, line, rule_named(rule)}));
}

std::vector<std::vector<int>> gomoku_lines(int size, int line) {
  return gomoku::winning_lines(size, line);
}

}  // namespace bz
