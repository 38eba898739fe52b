// All that is compiled for one kind of draughts; each variant has a file that includes this.
#pragma once

#include "erased/state_of.hpp"
#include "erased/tablebase_of.hpp"
#include "eval/draughts.hpp"
#include "games/draughts/encodings.hpp"
#include "games/draughts/inputs.hpp"
#include "games/draughts/perft.hpp"

namespace bz::draughts {

template <const Rules& R>
std::unique_ptr<AnyState> start(const Options& options) {
  return std::make_unique<StateOf<State<R>>>(State<R>::start(options));
}

}  // namespace bz::draughts
