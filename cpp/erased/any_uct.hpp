// A Monte-Carlo tree search of any game, with its tree.
#pragma once

#include "erased/any_state.hpp"
#include "search/limits.hpp"
#include "search/mcts/uct.hpp"

namespace bz {

using UctReport = UctResult<MoveInfo>;

class AnyUct {
 public:
  virtual ~AnyUct() = default;
  // `played` are the actions since the last state, whose tree is then kept.
  virtual UctReport search(const AnyState& state, const std::optional<ActionList>& played,
                           Limits limits) = 0;

  Interrupt interrupt;  // of the search that runs; other threads may set its flag
};

}  // namespace bz
