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

// Where the functions of the concept below write.
template <class G>
struct Out {
  ActionList& actions;
  std::vector<typename G::Move>& moves;
  float* planes;
};

template <class G>
concept Game = std::copyable<G> && requires(G g, const G& c, Action a, G::Move m, Out<G> out) {
  { c.shape() } -> std::same_as<const Shape&>;  // players, actions, planes, rows, columns
  { c.to_move() } -> std::same_as<Seat>;        // the same seat may act twice in a row
  { c.outcome() } -> std::same_as<std::optional<Outcome>>;  // nothing while the game goes on
  { c.key() } -> std::same_as<Key>;                         // of the position and the seat to move

  // The learning view, step by step.
  { c.actions(out.actions) } -> std::same_as<void>;  // overwrites, in a fixed order; empty if over
  { g.play(a) } -> std::same_as<void>;               // a must be legal
  { c.encode(out.planes) } -> std::same_as<void>;    // shape().inputs() floats, seen by the mover
  { c.relative(a) } -> std::same_as<Action>;         // the action's id in the mover's view

  // The human view, move by move. In most games Move is Action.
  { c.moves(out.moves) } -> std::same_as<void>;         // overwrites; empty if over
  { g.play(m) } -> std::same_as<void>;                  // m must be legal
  { c.steps(m) } -> std::same_as<std::vector<Action>>;  // the actions that make up a legal move
  { c.text(m) } -> std::same_as<MoveText>;              // as people write it
  { c.parse("") } -> std::same_as<typename G::Move>;    // fails unless one legal move fits the text
  { c.pieces() } -> std::same_as<std::vector<Piece>>;   // for drawing
  { c.fen() } -> std::same_as<std::string>;             // the position as text
  { c.with_fen("") } -> std::same_as<G>;                // keeps the options; fails on bad text

  // Symmetry 0 is the identity. They commute with play: s(g.play(a)) == s(g).play(s(a)). What is
  // remembered of earlier positions, for draws by repetition, need not turn along.
  { c.symmetries() } -> std::same_as<int>;
  { c.transformed(0) } -> std::same_as<G>;
  { c.transformed(0, a) } -> std::same_as<Action>;
  { c.transformed(0, Seat{}) } -> std::same_as<Seat>;
};

// Rules written in Python: whoever plays them must hold its lock.
template <class G>
inline constexpr bool kHoldsPython = requires { typename G::HoldsPython; };

// The state that a legal move or action leads to.
template <Game G, class M>
G after(const G& game, const M& move) {
  G next = game;
  next.play(move);
  return next;
}

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
