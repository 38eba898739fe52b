// Solved endings as Python and the sampler see them, whatever the game.
#pragma once

#include <functional>
#include <memory>

#include "erased/all_games.hpp"
#include "games/draughts/tablebase.hpp"

namespace bz {

class AnyTablebase {
 public:
  virtual ~AnyTablebase() = default;
  virtual std::string bytes() const = 0;
  // Moves of both sides to the end, odd if the mover wins; nothing in draws, in the middle of a
  // capture and in what is not here.
  virtual std::optional<int> plies(const AnyState& state) const = 0;
  virtual std::optional<Values> values(const AnyState& state) const = 0;
};

template <const draughts::Rules& R>
class TablebaseOf final : public AnyTablebase {
 public:
  explicit TablebaseOf(draughts::Tablebase<R> table) : table_(std::move(table)) {}

  std::string bytes() const override { return table_.bytes(); }
  std::optional<int> plies(const AnyState& state) const override {
    return own(state).in_capture() ? std::nullopt : table_.plies(own(state).position());
  }
  std::optional<Values> values(const AnyState& state) const override {
    return table_.values(own(state));
  }
  const draughts::Tablebase<R>& table() const { return table_; }

 private:
  static const draughts::State<R>& own(const AnyState& state) {
    if (const auto* found = dynamic_cast<const StateOf<draughts::State<R>>*>(&state)) {
      return found->game();
    }
    throw Error("this tablebase is of " + std::string(R.name) + " draughts");
  }

  draughts::Tablebase<R> table_;
};

// What a table knows for sure about states of a game; throws Error if it is of another game.
template <const draughts::Rules& R>
std::function<std::optional<Values>(const draughts::State<R>&)> certainty(
    const draughts::State<R>&, std::shared_ptr<const AnyTablebase> any) {
  const auto* own = dynamic_cast<const TablebaseOf<R>*>(any.get());
  if (own == nullptr) throw Error("the tablebase is of another game");
  return [any, own](const draughts::State<R>& state) { return own->table().values(state); };
}
template <Game G>
std::function<std::optional<Values>(const G&)> certainty(const G&,
                                                         std::shared_ptr<const AnyTablebase>) {
  throw Error("the tablebase is of another game");
}

}  // namespace bz
