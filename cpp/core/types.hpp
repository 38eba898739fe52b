// The few words that every layer shares: who moves, what is done, what it is worth.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/inline_vector.hpp"

namespace bz {

// A player's place at the table; seat 0 moves first.
enum class Seat : std::int8_t {};

// One learning step, an id below Shape::actions. In draughts a capture of three is three actions.
enum class Action : std::int32_t {};

// Identifies a position and the seat to move, not how it was reached.
using Key = std::uint64_t;

template <class E>
  requires std::is_enum_v<E>
constexpr auto index(E e) {
  return static_cast<std::underlying_type_t<E>>(e);
}

// The opponent, where there are two players.
constexpr Seat other(Seat s) { return s == Seat{0} ? Seat{1} : Seat{0}; }

inline constexpr int kMaxPlayers = 4;

// One value per seat, each in [-1, 1]. Never negated: every seat has its own entry.
using Values = InlineVector<float, kMaxPlayers>;

using ActionList = std::vector<Action>;

// What a draw is worth to each: an equal share of the win, so that the values of any end have the
// same sum and an even game is worth no less than giving it up. 0 for two, -1/3 for three.
inline Values drawn(int players) {
  return Values(players, 2.0F / static_cast<float>(players) - 1.0F);
}

// What a search or a net must know about a game before it sees a state.
struct Shape {
  int players = 0;
  int actions = 0;  // number of action ids
  int planes = 0;   // of the default encoding
  int rows = 0;
  int columns = 0;

  int cells() const { return rows * columns; }
  int inputs() const { return planes * cells(); }
};

// How a game ended. A game cut short may have unequal values and still no winner.
struct Outcome {
  Values values;
  std::optional<Seat> winner;
  std::string_view reason;  // a literal: "blocked", "repetition", ...

  static Outcome win(Seat winner, int players, std::string_view reason) {
    Values values(players, -1.0F);
    values[index(winner)] = 1.0F;
    return {values, winner, reason};
  }
  static Outcome draw(int players, std::string_view reason) {
    return {drawn(players), std::nullopt, reason};
  }
};

}  // namespace bz
