// A classic search of any game: limits in, a report out.
#pragma once

#include <functional>

#include "erased/any_state.hpp"
#include "search/classic/features.hpp"
#include "search/classic/root_moves.hpp"
#include "search/classic/table.hpp"

namespace bz {

// What an alpha-beta search is made of.
struct AlphaBetaSetup {
  Features features;
  Megabytes megabytes{};
  int threads = 1;
  AnyState::Tables tablebase{};
};

using ReportedMove = RootMove<MoveInfo>;
using Report = RootMoves<MoveInfo>;

// A search with what it keeps from move to move.
class AnySearcher {
 public:
  using Watch = std::function<void(Report)>;

  virtual ~AnySearcher() = default;
  // `watch` is told whenever the search has something to report before its end.
  virtual Report search(const AnyState& state, const Limits& limits, const Watch& watch) = 0;
  virtual void clear() = 0;  // forgets earlier searches

  Interrupt interrupt;  // of the search that runs; other threads may set its flag
};

}  // namespace bz
