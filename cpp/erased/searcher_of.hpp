// A classic search of one game behind AnySearcher.
#pragma once

#include "erased/any_searcher.hpp"
#include "search/classic/root_moves.hpp"

namespace bz {

template <Game G>
ReportedMove report(const G& root, const RootMove<typename G::Move>& found) {
  const MoveText text = root.text(found.move);
  const float value = found.value + 0.0F;  // never -0.0
  ReportedMove result{{text, root.steps(found.move)}, value, found.exact, {text.text}};
  G at = root;
  at.play(found.move);
  for (const auto& move : found.line) {
    result.pv.push_back(at.text(move).text);
    at.play(move);
  }
  return result;
}

template <Game G>
Report report(const G& root, const RootMoves<typename G::Move>& found) {
  Report result{{}, found.nodes, found.depth, found.seconds, found.evaluations};
  for (const auto& m : found.moves) result.moves.push_back(report(root, m));
  return result;
}

template <Game G, class Search>
class SearcherOf final : public AnySearcher {
 public:
  SearcherOf(Search search, std::uint64_t seed) : search_(std::move(search)), rng_(seed) {}

  Report search(const AnyState& state, const Limits& limits, const Watch& watch) override {
    const G& root = state_as<G>(state, "this search was made for another game");
    if (root.outcome()) fail("the game is over, so there is no move to search for");
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
