// What the bindings of all classic searches share: limits in, a report out, and how to stop.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind/interrupt.hpp"
#include "erased/any_state.hpp"
#include "search/classic/findings.hpp"

namespace bz {

namespace nb = nanobind;

// One move of the root, for Python.
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
};

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
Report report(const G& root, const Findings<typename G::Move>& found) {
  Report result{{}, found.nodes, found.depth, found.seconds};
  for (const auto& m : found.moves) result.moves.push_back(report(root, m));
  return result;
}

// A search with what it keeps from move to move. Only `stop` may be called by another thread.
class Searcher {
 public:
  using Watcher = nb::typed<nb::callable, void(Report)>;

  explicit Searcher(std::uint64_t seed) : rng_(seed) {}
  virtual ~Searcher() = default;

  // Releases the GIL unless the rules are written in Python, and lets Ctrl-C end the search.
  // `progress` is called with a report whenever the search has one to give before its end.
  Report search(const AnyState& state, double seconds, int depth, std::uint64_t nodes,
                std::optional<Watcher> progress) {
    if (state.outcome()) throw Error("the game is over, so there is no move to search for");
    progress_ = progress ? &*progress : nullptr;
    const Limits limits{.seconds = seconds, .depth = depth, .nodes = nodes};
    return interruptible(interrupt_, state.needs_gil(), [&] { return run(state, limits); });
  }

  void stop() { interrupt_.stop = true; }
  virtual void clear() {}

 protected:
  virtual Report run(const AnyState& state, const Limits& limits) = 0;

  // Runs one search on a state of known type.
  template <Game G, class S>
  Report run_on(const G& root, S&& search, const Limits& limits) {
    auto found = search(root, limits, interrupt_);
    found.break_tie(rng_);
    return report(root, found);
  }

  bool is_watched() const { return progress_ != nullptr; }
  void tell(Report&& so_far) const {
    const nb::gil_scoped_acquire acquire;
    (*progress_)(std::move(so_far));
  }

  Rng rng_;

 private:
  Interrupt interrupt_;
  const Watcher* progress_ = nullptr;  // of the search that runs
};

}  // namespace bz
