// Monte-Carlo tree search of one game behind AnyUct.
#pragma once

#include "erased/any_uct.hpp"

namespace bz {

template <Game G>
UctReport report(const G& state, const UctResult<typename G::Move>& found) {
  UctReport result{{}, {}, found.simulations, found.seconds, found.depth, found.nodes};
  for (const auto& c : found.candidates) {
    const MoveInfo move{state.text(c.move), state.steps(c.move)};
    result.candidates.push_back({move, c.visits, c.value, c.proven});
  }
  G game = state;
  for (const auto& move : found.line) {
    result.line.push_back(game.text(move).text);
    game.play(move);
  }
  return result;
}

template <Game G>
class UctOf final : public AnyUct {
 public:
  explicit UctOf(Uct<G> uct) : uct_(std::move(uct)) {}

  UctReport search(const AnyState& state, const std::optional<ActionList>& played,
                   Limits limits) override {
    const auto start = Budget::Clock::now();
    const G& root = state_as<G>(state, "this search was made for another game");
    if (root.outcome()) fail("the game is over, so there is no move to search for");
    if (played) {
      uct_.advance(*played, root);
    } else {
      uct_.reset(root);
    }
    // To tidy up a large tree takes time, too.
    limits.seconds -= std::chrono::duration<double>(Budget::Clock::now() - start).count();
    return report(root, uct_.search(limits, interrupt));
  }

 private:
  Uct<G> uct_;
};

}  // namespace bz
