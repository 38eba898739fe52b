// Minimax and alpha-beta for Python.
#include "search/classic/alphabeta.hpp"

#include "bind/module.hpp"
#include "bind/searcher.hpp"
#include "erased/all_games.hpp"
#include "erased/evaluations.hpp"
#include "search/classic/minimax.hpp"

using namespace nanobind::literals;

namespace bz {
namespace {

void check_two_players(const AnyState& state) {
  if (state.shape().players != 2) throw Error("this search plays games for two players only");
}

class MinimaxSearcher final : public Searcher {
 public:
  MinimaxSearcher(std::string evaluation, std::uint64_t seed)
      : Searcher(seed), evaluation_(std::move(evaluation)) {}

 protected:
  Report run(const AnyState& state, const Limits& limits) override {
    check_two_players(state);
    return with_game(state, [&]<class G>(const G& game) {
      return with_evaluation(game, evaluation_, [&]<class E>(E evaluation) {
        return run_on(game, Minimax<G, E>(evaluation), limits);
      });
    });
  }

 private:
  std::string evaluation_;
};

class AlphaBetaSearcher final : public Searcher {
 public:
  AlphaBetaSearcher(std::string evaluation, Features features, int megabytes, std::uint64_t seed)
      : Searcher(seed),
        evaluation_(std::move(evaluation)),
        features_(features),
        table_(features.table ? megabytes : 0) {}

  void clear() override { table_.clear(); }

 protected:
  Report run(const AnyState& state, const Limits& limits) override {
    check_two_players(state);
    return with_game(state, [&]<class G>(const G& game) {
      return with_evaluation(game, evaluation_, [&]<class E>(E evaluation) {
        AlphaBeta<G, E> search(evaluation, features_, &table_);
        if (is_watched()) {
          search.on_depth = [&](const auto& found) { tell(report(game, found)); };
        }
        return run_on(game, search, limits);
      });
    });
  }

 private:
  std::string evaluation_;
  Features features_;
  Table table_;
};

std::vector<std::string> evaluations(const AnyState& state) {
  return with_game(state, [](const auto& game) { return evaluation_names(game); });
}

}  // namespace

void bind_alphabeta(nb::module_& m) {
  nb::class_<ReportedMove>(m, "ReportedMove", "A root move and what a search thinks of it.")
      .def_ro("move", &ReportedMove::move)
      .def_ro("value", &ReportedMove::value, "For the mover, in [-1, 1].")
      .def_ro("exact", &ReportedMove::exact, "If not, the true value may be lower.")
      .def_ro("pv", &ReportedMove::pv, "The expected line, beginning with the move.");

  nb::class_<Report>(m, "Report", "What a search found.")
      .def_ro("moves", &Report::moves, "The moves looked at, the chosen one first.")
      .def_ro("nodes", &Report::nodes)
      .def_ro("depth", &Report::depth, "Of the last search that was completed.")
      .def_ro("seconds", &Report::seconds);

  nb::class_<Searcher>(m, "Searcher", "A search with what it keeps from move to move.")
      .def("search", &Searcher::search, "state"_a, nb::kw_only(), "seconds"_a, "depth"_a, "nodes"_a,
           "progress"_a = nb::none())
      .def("stop", &Searcher::stop, "Ends a running search, from another thread.")
      .def("clear", &Searcher::clear, "Forgets earlier searches.");

  nb::class_<Features>(m, "Features", "The parts of alpha-beta that can be switched on and off.")
      .def(nb::init<>())
      .def_static("plain", &Features::plain, "The algorithm of the books.")
      .def_static("engine", &Features::engine, "Everything that makes it strong.")
      .def_rw("table", &Features::table)
      .def_rw("scout", &Features::scout)
      .def_rw("ties", &Features::ties)
      .def_rw("all_moves", &Features::all_moves)
      .def_rw("deeper", &Features::deeper)
      .def_rw("quiescence", &Features::quiescence)
      .def_rw("extensions", &Features::extensions)
      .def_rw("reductions", &Features::reductions)
      .def_rw("repetition", &Features::repetition)
      .def_rw("sifting", &Features::sifting);

  m.def("evaluations", &evaluations, "state"_a,
        "The names of a game's evaluations, if there is a choice.");
  nb::class_<MinimaxSearcher, Searcher>(m, "Minimax")
      .def(nb::init<std::string, std::uint64_t>(), "evaluation"_a, "seed"_a);
  nb::class_<AlphaBetaSearcher, Searcher>(m, "AlphaBeta")
      .def(nb::init<std::string, Features, int, std::uint64_t>(), "evaluation"_a, "features"_a,
           "megabytes"_a, "seed"_a);
}

}  // namespace bz
