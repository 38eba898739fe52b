// How a state becomes the input of a net, and how a net's answer is read as actions.
//
// Every game has the encoding `mover` and the policy `flat`, both seen by the side to move; a game
// may add its own by overloading encodings() and policies() beside its state.
#pragma once

#include <vector>

#include "games/game.hpp"

namespace bz {

template <class G>
struct Encoding {
  std::string_view name;
  int planes = 0;
  int rows = 0;
  int columns = 0;
  bool any_viewer = false;  // can show a state to a seat that is not to move, as histories need
  void (*write)(const G& state, Seat viewer, float* planes) = nullptr;

  int inputs() const { return planes * rows * columns; }
};

template <class G>
struct Policy {
  std::string_view name;
  int size = 0;
  int (*index)(const G& state, Action a) = nullptr;  // in [0, size); distinct for legal actions
};

template <class G>
concept SeenByAnyone =
    requires(const G& c, float* planes, Seat viewer) { c.encode(planes, viewer); };

template <Game G>
Encoding<G> mover_encoding(const G& game) {
  const Shape& shape = game.shape();
  const auto write = [](const G& state, [[maybe_unused]] Seat viewer, float* planes) {
    if constexpr (SeenByAnyone<G>) {
      state.encode(planes, viewer);
    } else {
      state.encode(planes);
    }
  };
  return {"mover", shape.planes, shape.rows, shape.columns, SeenByAnyone<G>, write};
}

template <Game G>
std::vector<Policy<G>> common_policies(const G& game) {
  return {{"flat", game.shape().actions,
           [](const G& state, Action a) { return static_cast<int>(index(state.relative(a))); }},
          {"absolute", game.shape().actions,
           [](const G&, Action a) { return static_cast<int>(index(a)); }}};
}

template <Game G>
std::vector<Encoding<G>> encodings(const G& game) {
  return {mover_encoding(game)};
}

template <Game G>
std::vector<Policy<G>> policies(const G& game) {
  return common_policies(game);
}

}  // namespace bz
