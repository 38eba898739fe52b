// Monte-Carlo tree search of one game behind AnyUct.
#pragma once

#include "erased/any_uct.hpp"

namespace bz {

template <Game G>
UctReport report(const G& root, const UctResult<typename G::Move>& found) {
  UctReport result{
      {}, described(root, found.line), found.simulations, found.seconds, found.depth, found.nodes};
  for (const auto& c : found.candidates) {
    result.candidates.push_back({described(root, c.move), c.visits, c.value, c.proven});
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
    const G& root = root_as<G>(state);
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
