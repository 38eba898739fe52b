// The list of games: how each one starts.
//
// What is compiled for a game stands in a file of its own in erased/games, the only one that
// includes its rules.
#pragma once

#include "erased/any_state.hpp"
#include "games/draughts/endings.hpp"
#include "games/gomoku/options.hpp"

namespace bz {

// The rules and the start of a kind of draughts; they fail where there is none of the name.
const draughts::Rules& draughts_rules(std::string_view variant);
std::unique_ptr<AnyState> draughts_start(std::string_view variant,
                                         const draughts::Options& options);

std::unique_ptr<AnyState> gomoku_start(const gomoku::Options& options);
std::vector<std::vector<int>> gomoku_lines(const gomoku::Options& options);  // that win, as cells

std::unique_ptr<AnyState> chexers_start();

}  // namespace bz
