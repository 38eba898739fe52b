// Lets a sparse net evaluate the leaves of a PUCT search, in the thread that searches.
#pragma once

#include "eval/learned.hpp"
#include "search/mcts/search.hpp"

namespace bz {

template <Game G>
class LearnedLeaves {
 public:
  explicit LearnedLeaves(const Learned<G>& net) : net_(net) {}

  // Makes a search one of this net: it looks at the moves that the net learns to choose from.
  static void prepare(Search<G>& search) { search.set_lister(&considered_actions<G>); }

  // Goes on for a short while; false when the search is done.
  bool advance(Search<G>& search) {
    for (int n = 0; n < kLeaves; ++n) {
      const Leaf<G>* leaf = search.next(kLeaves);
      if (leaf == nullptr) return !search.is_done();
      net_.priors(leaf->state, leaf->actions, priors_);
      const Values values = net_.quiescence(leaf->state);
      search.receive(priors_.data(), values);
      ++evaluations_;
    }
    return true;
  }

  std::uint64_t evaluations() const { return evaluations_; }  // leaves so far

 private:
  static constexpr int kLeaves = 64;

  Learned<G> net_;
  std::vector<float> priors_;
  std::uint64_t evaluations_ = 0;
};

}  // namespace bz
