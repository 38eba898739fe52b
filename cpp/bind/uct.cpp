// Monte-Carlo tree search for Python.
#include "search/mcts/uct.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "bind/interrupt.hpp"
#include "erased/all_games.hpp"
#include "erased/leaf_evaluations.hpp"

using namespace nanobind::literals;

namespace bz {
namespace {

struct UctReport {
  std::vector<UctMove<MoveInfo>> candidates;
  std::vector<std::string> line;
  std::uint64_t simulations = 0;
  double seconds = 0;
  int depth = 0;
  std::size_t nodes = 0;
};

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

// A search of any game, with its tree. Only `stop` may be called by another thread.
class AnyUct {
 public:
  virtual ~AnyUct() = default;

  UctReport search(const AnyState& state, const std::optional<std::vector<int>>& played,
                   std::optional<double> seconds, std::optional<std::uint64_t> simulations) {
    if (state.outcome()) throw Error("the game is over, so there is no move to search for");
    Limits limits;
    if (seconds) limits.seconds = *seconds;
    if (simulations) limits.simulations = *simulations;
    std::optional<ActionList> actions;
    if (played) {
      actions.emplace();
      for (const int a : *played) actions->push_back(Action{a});
    }
    return interruptible(interrupt_, state.needs_gil(),
                         [&] { return run(state, actions, limits, interrupt_); });
  }
  void stop() { interrupt_.stop = true; }

 protected:
  virtual UctReport run(const AnyState& state, const std::optional<ActionList>& played,
                        Limits limits, const Interrupt& interrupt) = 0;

 private:
  Interrupt interrupt_;
};

template <Game G>
class UctOf final : public AnyUct {
 public:
  explicit UctOf(Uct<G> uct) : uct_(std::move(uct)) {}

 protected:
  UctReport run(const AnyState& state, const std::optional<ActionList>& played, Limits limits,
                const Interrupt& interrupt) override {
    const auto start = Budget::Clock::now();
    const auto* same = dynamic_cast<const StateOf<G>*>(&state);
    if (same == nullptr) throw Error("this search was made for another game");
    if (played) {
      uct_.advance(*played, same->game());
    } else {
      uct_.reset(same->game());
    }
    // To tidy up a large tree takes time, too.
    limits.seconds -= std::chrono::duration<double>(Budget::Clock::now() - start).count();
    return report(same->game(), uct_.search(limits, interrupt));
  }

 private:
  Uct<G> uct_;
};

Selection selection_named(const std::string& name) {
  if (name == "ucb1") return Selection::ucb1;
  if (name == "puct") return Selection::puct;
  if (name == "puct1") return Selection::puct1;
  throw Error("there are the selection rules ucb1, puct and puct1, but not '" + name + "'");
}

std::unique_ptr<AnyUct> make_uct(const AnyState& state, const std::string& selection, double c,
                                 const std::string& heuristic, bool prune, int depth, int megabytes,
                                 bool shuffle, std::uint64_t seed) {
  constexpr std::size_t kMegabyte = 1 << 20;
  UctOptions options{.selection = selection_named(selection),
                     .c = c,
                     .depth = depth,
                     .nodes = static_cast<std::size_t>(megabytes) * kMegabyte / sizeof(UctNode),
                     .shuffle = shuffle,
                     .seed = seed};
  return with_game(state, [&]<class G>(const G& game) -> std::unique_ptr<AnyUct> {
    // The root's children must fit, however little memory there is.
    options.nodes = std::max(options.nodes, 1 + static_cast<std::size_t>(game.shape().actions));
    Pruner<G> pruner = prune ? pruner_for(game) : Pruner<G>{};
    return std::make_unique<UctOf<G>>(
        Uct<G>(game, options, leaf_evaluation_named(game, heuristic), std::move(pruner)));
  });
}

std::vector<std::string> heuristics(const AnyState& state) {
  return with_game(state, [](const auto& game) { return heuristic_names(game); });
}

}  // namespace

void bind_uct(nb::module_& m) {
  using Found = UctMove<MoveInfo>;
  nb::class_<Found>(m, "UctMove", "A move of the root and what a search thinks of it.")
      .def_ro("move", &Found::move)
      .def_ro("visits", &Found::visits)
      .def_ro("value", &Found::value, "For the mover, in [-1, 1].")
      .def_ro("proven", &Found::proven, "The value is proven.");

  nb::class_<UctReport>(m, "UctReport", "What a search found.")
      .def_ro("candidates", &UctReport::candidates, "All moves, the chosen one first.")
      .def_ro("line", &UctReport::line, "The expected line, beginning with the chosen move.")
      .def_ro("simulations", &UctReport::simulations, "Without those of a tree that was reused.")
      .def_ro("seconds", &UctReport::seconds)
      .def_ro("depth", &UctReport::depth, "Of the deepest simulation, in actions.")
      .def_ro("nodes", &UctReport::nodes, "In the tree.");

  nb::class_<AnyUct>(m, "Uct", "Monte-Carlo tree search of one game, with its tree.")
      .def(nb::new_(&make_uct), "state"_a, nb::kw_only(), "selection"_a, "c"_a, "heuristic"_a,
           "prune"_a, "depth"_a, "megabytes"_a, "shuffle"_a, "seed"_a)
      .def("search", &AnyUct::search, "state"_a, nb::kw_only(), "played"_a.none(),
           "seconds"_a.none(), "simulations"_a.none(),
           "Search a state; `played` are the actions since the last one, whose tree is then kept.")
      .def("stop", &AnyUct::stop, "Ends a running search, from another thread.");

  m.def("uct_heuristics", &heuristics, "state"_a, "What may evaluate the leaves of this game.");
}

}  // namespace bz
