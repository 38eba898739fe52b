// A classic search of any game: limits in, a report out.
#pragma once

#include <functional>

#include "erased/any_state.hpp"
#include "search/classic/features.hpp"
#include "search/classic/table.hpp"
#include "search/limits.hpp"

namespace bz {

// What an alpha-beta search is made of.
struct AlphaBetaSetup {
  Features features;
  Megabytes megabytes{};
  int threads = 1;
  AnyState::Tables tablebase{};
};

// One move of the root and what the search thinks of it.
struct ReportedMove {
  MoveInfo move;
  float value = 0;
  bool exact = false;
  std::vector<std::string> pv;  // begins with the move itself
};

struct Report {
  std::vector<ReportedMove> moves;  // best first
  std::uint64_t nodes = 0;
  int depth = 0;
  double seconds = 0;
  std::uint64_t evaluations = 0;  // computed by a net; 0 where none is used
};

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
