// The rules of one game, as everything above the rules sees them.
//
// A model is a small value type: copying is cheap, and a game with its options is nothing but its
// start state. Nothing assumes two players, alternating turns or a square board.
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/rng.hpp"
#include "core/types.hpp"

namespace bz {

// A stone or man on the board, for drawing. Cells are numbered row by row from the top left.
struct Piece {
  int cell = 0;
  Seat owner{};
  std::string_view kind;  // a literal: "man", "king", "stone", ...
};

// A move as a person sees it: its text and the cells that it touches, in order.
struct MoveText {
  std::string text;
  std::vector<int> path;      // cells visited, first to last
  std::vector<int> captured;  // cells of pieces taken
};

template <class G>
concept Game =
    std::copyable<G> && requires(G g, const G& c, Action a, typename G::Move m, ActionList& actions,
                                 std::vector<typename G::Move>& moves, float* planes,
                                 std::string_view text, int symmetry) {
      { c.shape() } -> std::same_as<const Shape&>;
      { c.to_move() } -> std::same_as<Seat>;  // who acts now; the same seat may act twice in a row
      { c.outcome() } -> std::same_as<std::optional<Outcome>>;  // nothing while the game goes on
      { c.key() } -> std::same_as<Key>;  // equal positions with equal movers have equal keys

      // The learning view, step by step.
      {
        c.actions(actions)
      } -> std::same_as<void>;              // overwrites; a fixed order; empty only when over
      { g.play(a) } -> std::same_as<void>;  // a must be legal
      {
        c.encode(planes)
      } -> std::same_as<void>;  // writes shape().inputs() floats, seen by the mover
      {
        c.relative(a)
      } -> std::same_as<Action>;  // the action's id in the mover's view of the board

      // The human view, move by move. In most games Move is Action.
      { c.moves(moves) } -> std::same_as<void>;             // overwrites; empty only when over
      { g.play(m) } -> std::same_as<void>;                  // m must be legal
      { c.steps(m) } -> std::same_as<std::vector<Action>>;  // the actions that make up a legal move
      { c.text(m) } -> std::same_as<MoveText>;
      { c.parse(text) } -> std::same_as<typename G::Move>;  // fails unless one legal move fits
      { c.pieces() } -> std::same_as<std::vector<Piece>>;

      // Positions as text. with_fen keeps the options and fails on bad text.
      { c.fen() } -> std::same_as<std::string>;
      { c.with_fen(text) } -> std::same_as<G>;

      // Symmetry 0 is the identity. They commute with play: s(g.play(a)) == s(g).play(s(a)). What
      // is remembered of earlier positions, for draws by repetition, need not turn along.
      { c.symmetries() } -> std::same_as<int>;
      { c.transformed(symmetry) } -> std::same_as<G>;
      { c.transformed(symmetry, a) } -> std::same_as<Action>;
      { c.transformed(symmetry, Seat{}) } -> std::same_as<Seat>;
    };

// A game that can draw a random legal action faster than by listing them all.
template <class G>
concept RandomlyPlayable = Game<G> && requires(const G& c, Rng& rng) {
  { c.random_action(rng) } -> std::same_as<std::optional<Action>>;  // nothing when over
};

// A game that has a heuristic value of its positions.
template <class G>
concept HasHeuristic = Game<G> && requires(const G& c) {
  { c.heuristic() } -> std::same_as<Values>;  // one value per seat, in [-1, 1]
};

// A game whose course divides into stages, which different nets may evaluate. Every state of equal
// key and every image of it under a symmetry is in the same stage.
template <class G>
concept HasStages = Game<G> && requires(const G& c) {
  { c.stages() } -> std::same_as<int>;  // how many there are
  { c.stage() } -> std::same_as<int>;   // from 0
};

template <Game G>
int stages_of(const G& game) {
  if constexpr (HasStages<G>) return game.stages();
  return 1;
}
template <Game G>
int stage_of(const G& game) {
  if constexpr (HasStages<G>) return game.stage();
  return 0;
}

// A game that can play a random legal action without even naming it.
template <class G>
concept PlaysAtRandom = Game<G> && requires(G g, Rng& rng) {
  { g.play_random(rng) } -> std::same_as<bool>;  // false, and nothing done, when over
};

// A game that can play random actions to the end without every state on the way.
template <class G>
concept PlaysOut = Game<G> && requires(const G& c, Rng& rng) {
  { c.random_outcome(rng) } -> std::same_as<Values>;
};

// Plays a legal action, each with equal chance; false when the game is over.
template <Game G>
bool play_random(G& game, Rng& rng, ActionList& scratch) {
  if constexpr (PlaysAtRandom<G>) {
    return game.play_random(rng);
  } else if constexpr (RandomlyPlayable<G>) {
    const auto action = game.random_action(rng);
    if (action) game.play(*action);
    return action.has_value();
  } else {
    game.actions(scratch);
    if (scratch.empty()) return false;
    game.play(scratch[rng.below(static_cast<std::uint32_t>(scratch.size()))]);
    return true;
  }
}

}  // namespace bz
