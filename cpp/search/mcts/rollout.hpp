// A random game to its end: what UCT evaluates a leaf by where nothing better is known.
#pragma once

#include "games/game.hpp"

namespace bz {

// The values of how a random game ends; uses up the state. Rules that never end are cut off as a
// draw.
template <Game G>
Values rollout(G& game, Rng& rng, ActionList& scratch) {
  if constexpr (PlaysOut<G>) return game.random_outcome(rng);
  constexpr int kLongest = 10'000;
  for (int i = 0; i < kLongest && play_random(game, rng, scratch);) ++i;
  const auto outcome = game.outcome();
  return outcome ? outcome->values : drawn(game.shape().players);
}

}  // namespace bz
