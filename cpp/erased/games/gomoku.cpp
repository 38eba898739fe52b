#include "eval/gomoku.hpp"

#include "erased/games.hpp"
#include "erased/state_of.hpp"
#include "games/gomoku/encodings.hpp"
#include "games/gomoku/inputs.hpp"

namespace bz {

std::unique_ptr<AnyState> gomoku_start(const gomoku::Options& options) {
  return std::make_unique<StateOf<gomoku::State>>(gomoku::State::start(options));
}

std::vector<std::vector<int>> gomoku_lines(const gomoku::Options& options) {
  return gomoku::winning_lines(options);
}

}  // namespace bz
