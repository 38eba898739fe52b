// A classic search of one game behind AnySearcher.
#pragma once

#include "erased/any_searcher.hpp"

namespace bz {

template <Game G>
Report report(const G& root, const RootMoves<typename G::Move>& found) {
  Report result{{}, found.nodes, found.depth, found.seconds, found.evaluations};
  for (const auto& m : found.moves) {
    const float value = m.value + 0.0F;  // never -0.0
    result.moves.push_back(
        {described(root, m.move), m.score, value, m.exact, described(root, m.line)});
  }
  return result;
}

template <Game G, class Search>
class SearcherOf final : public AnySearcher {
 public:
  SearcherOf(Search search, std::uint64_t seed) : search_(std::move(search)), rng_(seed) {}

  Report search(const AnyState& state, const Limits& limits, const Watch& watch) override {
    const G& root = root_as<G>(state);
    if constexpr (requires { search_.on_depth; }) {
      search_.on_depth = nullptr;
      if (watch) search_.on_depth = [&](const auto& found) { watch(report(root, found)); };
    }
    auto found = search_(root, limits, interrupt);
    found.break_tie(rng_);
    return report(root, found);
  }

  void clear() override {
    if constexpr (requires { search_.clear(); }) search_.clear();
  }

 private:
  Search search_;
  Rng rng_;  // decides between equal moves
};

template <Game G, class Search>
std::unique_ptr<AnySearcher> make_searcher(Search search, std::uint64_t seed) {
  return std::make_unique<SearcherOf<G, Search>>(std::move(search), seed);
}

}  // namespace bz
