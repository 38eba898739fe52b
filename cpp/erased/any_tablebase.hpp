// Solved endings of any game.
#pragma once

#include "erased/any_state.hpp"

namespace bz {

class AnyTablebase {
 public:
  virtual ~AnyTablebase() = default;
  virtual std::string bytes() const = 0;
  // Moves of both sides to the end, odd if the mover wins; nothing in draws, in the middle of a
  // capture and in what is not here.
  virtual std::optional<int> plies(const AnyState& state) const = 0;
  virtual std::optional<Values> values(const AnyState& state) const = 0;
  virtual bool is_of(const AnyState& state) const = 0;
};

}  // namespace bz
