#include "erased/games.hpp"
#include "erased/state_of.hpp"
#include "eval/chexers_features.hpp"
#include "games/chexers/inputs.hpp"

namespace bz {

std::unique_ptr<AnyState> chexers_start() {
  return std::make_unique<StateOf<chexers::State>>(chexers::State{});
}

}  // namespace bz
