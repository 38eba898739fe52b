// The list of games that every search is compiled for.
#pragma once

#include "bind/python_game.hpp"
#include "erased/any_state.hpp"
#include "eval/chexers_features.hpp"
#include "games/draughts/encodings.hpp"
#include "games/gomoku/encodings.hpp"

namespace bz {

template <class... Gs>
struct GameList {};

using AllGames =
    GameList<draughts::State<draughts::kInternational>, draughts::State<draughts::kEnglish>,
             draughts::State<draughts::kRussian>, draughts::State<draughts::kBrazilian>,
             gomoku::State, chexers::State, PythonGame>;

namespace detail {
template <class F, class G, class... Rest>
decltype(auto) with_game(const AnyState& state, F&& f, GameList<G, Rest...>) {
  if (const auto* found = dynamic_cast<const StateOf<G>*>(&state)) return f(found->game());
  if constexpr (sizeof...(Rest) == 0) {
    throw Error("this game has no native search");
  } else {
    return with_game(state, std::forward<F>(f), GameList<Rest...>{});
  }
}
}  // namespace detail

// Calls f with the state as its own type.
template <class F>
decltype(auto) with_game(const AnyState& state, F&& f) {
  return detail::with_game(state, std::forward<F>(f), AllGames{});
}

}  // namespace bz
