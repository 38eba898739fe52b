// One type for every game, so that Python needs one binding.
#pragma once

#include <algorithm>
#include <memory>

#include "games/game.hpp"
#include "games/notation.hpp"

namespace bz {

// A move with everything that Python wants to know about it.
struct MoveInfo {
  MoveText text;
  std::vector<Action> actions;
};

class AnyState {
 public:
  virtual ~AnyState() = default;

  virtual std::unique_ptr<AnyState> clone() const = 0;
  virtual bool equals(const AnyState& other) const = 0;
  virtual bool needs_gil() const = 0;  // rules written in Python

  virtual const Shape& shape() const = 0;
  virtual Seat to_move() const = 0;
  virtual std::optional<Outcome> outcome() const = 0;
  virtual Key key() const = 0;
  virtual int stages() const = 0;
  virtual int stage() const = 0;

  virtual ActionList actions() const = 0;
  virtual void play(Action a) = 0;                   // throws Error unless legal
  virtual bool play_random(std::uint64_t seed) = 0;  // false when over
  virtual void encode(float* planes) const = 0;
  virtual Action relative(Action a) const = 0;

  virtual std::vector<MoveInfo> moves() const = 0;
  virtual MoveInfo parse(std::string_view text) const = 0;
  virtual std::vector<Piece> pieces() const = 0;
  virtual std::string picture() const = 0;  // drawn by the rules themselves; mostly empty

  virtual std::string fen() const = 0;
  virtual std::unique_ptr<AnyState> with_fen(std::string_view text) const = 0;

  virtual int symmetries() const = 0;
  virtual std::unique_ptr<AnyState> transformed(int symmetry) const = 0;
  virtual Action transformed(int symmetry, Action a) const = 0;
  virtual Seat transformed(int symmetry, Seat s) const = 0;
};

template <Game G>
class StateOf final : public AnyState {
 public:
  explicit StateOf(G game) : game_(std::move(game)) {}

  const G& game() const { return game_; }

  std::unique_ptr<AnyState> clone() const override { return std::make_unique<StateOf>(game_); }
  bool equals(const AnyState& other) const override {
    const auto* same = dynamic_cast<const StateOf*>(&other);
    return same != nullptr && same->game_ == game_;
  }
  bool needs_gil() const override {
    return requires { typename G::HoldsPython; };
  }

  const Shape& shape() const override { return game_.shape(); }
  Seat to_move() const override { return game_.to_move(); }
  std::optional<Outcome> outcome() const override { return game_.outcome(); }
  Key key() const override { return game_.key(); }
  int stages() const override { return stages_of(game_); }
  int stage() const override { return stage_of(game_); }

  ActionList actions() const override {
    ActionList list;
    game_.actions(list);
    return list;
  }
  void play(Action a) override {
    const ActionList legal = actions();
    if (std::find(legal.begin(), legal.end(), a) == legal.end()) {
      throw Error("action " + std::to_string(index(a)) + " is not legal here; " +
                  legal_moves_text(game_));
    }
    game_.play(a);
  }
  bool play_random(std::uint64_t seed) override {
    Rng rng(seed);
    ActionList scratch;
    return bz::play_random(game_, rng, scratch);
  }
  void encode(float* planes) const override { game_.encode(planes); }
  Action relative(Action a) const override { return game_.relative(a); }

  std::vector<MoveInfo> moves() const override {
    std::vector<typename G::Move> list;
    game_.moves(list);
    std::vector<MoveInfo> result;
    for (const auto& move : list) result.push_back(describe(move));
    return result;
  }
  MoveInfo parse(std::string_view text) const override { return describe(game_.parse(text)); }
  std::vector<Piece> pieces() const override { return game_.pieces(); }
  std::string picture() const override {
    if constexpr (requires { game_.picture(); }) return game_.picture();
    return "";
  }

  std::string fen() const override { return game_.fen(); }
  std::unique_ptr<AnyState> with_fen(std::string_view text) const override {
    return std::make_unique<StateOf>(game_.with_fen(text));
  }

  int symmetries() const override { return game_.symmetries(); }
  std::unique_ptr<AnyState> transformed(int symmetry) const override {
    return std::make_unique<StateOf>(game_.transformed(checked(symmetry)));
  }
  Action transformed(int symmetry, Action a) const override {
    return game_.transformed(checked(symmetry), a);
  }
  Seat transformed(int symmetry, Seat s) const override {
    return game_.transformed(checked(symmetry), s);
  }

 private:
  MoveInfo describe(const typename G::Move& move) const {
    return {game_.text(move), game_.steps(move)};
  }
  int checked(int symmetry) const {
    if (symmetry >= 0 && symmetry < game_.symmetries()) return symmetry;
    throw Error("there is no symmetry " + std::to_string(symmetry));
  }

  G game_;
};

}  // namespace bz
