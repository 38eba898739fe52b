// Alpha-beta for two players: from the plain algorithm to a full engine, by switches.
//
// With all features off it is Meng 2020, algorithm 7, and gives the value of minimax at the same
// depth; `table`, `scout` and `all_moves` keep that value, the others search more wisely instead.
// Several threads search the same root and share the table; the first one decides.
#pragma once

#include <atomic>

#include "core/threads.hpp"
#include "search/classic/alphabeta_thread.hpp"

namespace bz {

template <Game G, class E>
  requires ScoreEvaluation<E, G>
class AlphaBeta {
 public:
  using Move = typename G::Move;

  // Where there is an oracle, nothing is searched that it knows.
  AlphaBeta(E evaluation, Features features, Megabytes megabytes, int threads = 1,
            std::shared_ptr<const Oracle<G>> oracle = nullptr)
      : table_(features.table ? megabytes : Megabytes{0}), oracle_(std::move(oracle)) {
    for (int t = 0; t < std::max(1, threads); ++t) threads_.emplace_back(evaluation, features);
  }

  // Forgets earlier searches.
  void clear() { table_.clear(); }

  // Told what is known each time that a depth is finished.
  std::function<void(const RootMoves<Move>&)> on_depth;

  RootMoves<Move> operator()(const G& root, const Limits& limits, const Interrupt& interrupt) {
    table_.new_search();
    Limits share = limits;
    if (share.nodes != Limits::kUnbounded) share.nodes /= threads_.size();
    Interrupt done;  // raised when the first thread is
    Helpers helpers;
    std::atomic<std::uint64_t> nodes = 0;
    std::atomic<std::uint64_t> evaluations = 0;
    for (std::size_t t = 1; t < threads_.size(); ++t) {
      helpers.start([&, t] {
        const auto found = threads_[t].run(root, share, done, context(), nullptr, t);
        nodes += found.nodes;
        evaluations += found.evaluations;
      });
    }
    RootMoves<Move> found = threads_[0].run(root, share, interrupt, context(), on_depth, 0);
    done.stop = true;
    helpers.join();
    found.nodes += nodes;
    found.evaluations += evaluations;
    return found;
  }

 private:
  SearchContext<G> context() { return {&table_, oracle_.get()}; }

  Table table_;  // kept from search to search
  std::shared_ptr<const Oracle<G>> oracle_;
  std::vector<AlphaBetaThread<G, E>> threads_;
};

}  // namespace bz
