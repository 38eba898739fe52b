// Solved endings of one kind of draughts behind AnyTablebase.
#pragma once

#include "erased/any_tablebase.hpp"
#include "games/draughts/tablebase.hpp"

namespace bz::draughts {

template <const Rules& R>
class TablebaseOf final : public AnyTablebase {
 public:
  explicit TablebaseOf(Tablebase<R> table) : table_(std::move(table)) {}

  std::string bytes() const override { return table_.bytes(); }
  std::optional<int> plies(const AnyState& state) const override {
    return own(state).in_capture() ? std::nullopt : table_.plies(own(state).position());
  }
  std::optional<Values> values(const AnyState& state) const override {
    return table_.values(own(state));
  }
  bool is_of(const AnyState& state) const override {
    return dynamic_cast<const StateIn<State<R>>*>(&state) != nullptr;
  }

 private:
  static const State<R>& own(const AnyState& state) {
    return state_as<State<R>>(state, "this tablebase is of " + std::string(R.name) + " draughts");
  }

  Tablebase<R> table_;
};

// What StateOf asks of a game whose endings can be solved.
template <const Rules& R>
std::shared_ptr<AnyTablebase> solved_endings(const State<R>&, int pieces,
                                             const std::optional<std::string>& bytes) {
  return std::make_shared<TablebaseOf<R>>(bytes ? Tablebase<R>(pieces, *bytes)
                                                : Tablebase<R>(pieces));
}

}  // namespace bz::draughts
