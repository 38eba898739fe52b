// All that is compiled for one game. Include it only where a game is instantiated, one file each
// (erased/games/*.cpp): then a change of a game's rules compiles that game alone.
//
// A game offers more than its rules by functions beside its state, which are found by its type:
// evaluations(), rule_knowledge(), progress(), encodings(), policies(), sparse_inputs(),
// relevant(), perft(), solved_endings(), tablebase_maker().
#pragma once

#include <algorithm>

#include "erased/any_tablebase.hpp"
#include "erased/net_formats.hpp"
#include "erased/searcher_of.hpp"
#include "erased/uct_of.hpp"
#include "eval/choice.hpp"
#include "games/notation.hpp"
#include "games/oracle.hpp"
#include "games/perft.hpp"
#include "games/turn.hpp"
#include "search/classic/alphabeta.hpp"
#include "search/classic/greedy.hpp"
#include "search/classic/maxn.hpp"
#include "search/classic/minimax.hpp"
#include "search/mcts/net_search.hpp"
#if !defined(__wasm__)
#include "selfplay/pool.hpp"
#include "selfplay/sampler.hpp"
#include "selfplay/scored_pool.hpp"
#include "selfplay/sparse_trainer.hpp"
#endif

namespace bz {

template <Game G>
class StateOf final : public StateIn<G> {
  using StateIn<G>::game_;
  using typename AnyState::Tables;

 public:
  using StateIn<G>::StateIn;

  std::unique_ptr<AnyState> clone() const override { return std::make_unique<StateOf>(game_); }
  bool equals(const AnyState& other) const override {
    const auto* same = dynamic_cast<const StateOf*>(&other);
    return same != nullptr && same->game_ == game_;
  }
  bool needs_gil() const override { return kHoldsPython<G>; }

  const Shape& shape() const override { return game_.shape(); }
  Seat to_move() const override { return game_.to_move(); }
  std::optional<Outcome> outcome() const override { return game_.outcome(); }
  Key key() const override { return game_.key(); }
  int stages() const override { return stages_of(game_); }
  int stage() const override { return stage_of(game_); }

  ActionList actions() const override {
    ActionList list;
    game_.actions(list);
    return list;
  }
  void play(Action a) override {
    const ActionList legal = actions();
    if (std::find(legal.begin(), legal.end(), a) == legal.end()) {
      fail("action " + std::to_string(index(a)) + " is not legal here; " + legal_moves_text(game_));
    }
    game_.play(a);
  }
  bool play_random(std::uint64_t seed) override {
    Rng rng(seed);
    ActionList scratch;
    return bz::play_random(game_, rng, scratch);
  }
  void encode(float* planes) const override { game_.encode(planes); }
  Action relative(Action a) const override { return game_.relative(a); }

  std::vector<MoveInfo> moves() const override {
    std::vector<typename G::Move> list;
    game_.moves(list);
    std::vector<MoveInfo> result;
    for (const auto& move : list) result.push_back(describe(move));
    return result;
  }
  std::vector<MoveInfo> moves_of(const std::vector<Action>& actions) const override {
    StateOf before(game_), now(game_);
    std::optional<Turn<G>> turn;
    std::vector<MoveInfo> result;
    for (const Action a : actions) {
      if (!turn) turn.emplace(before.game_);
      now.play(a);
      if (const auto move = turn->move(a, now.game_)) {
        result.push_back(before.describe(*move));
        before = now;
        turn.reset();
      }
    }
    return result;
  }
  MoveInfo parse(std::string_view text) const override { return describe(game_.parse(text)); }
  std::vector<Piece> pieces() const override { return game_.pieces(); }
  std::string picture() const override {
    if constexpr (requires { game_.picture(); }) return game_.picture();
    return "";
  }

  std::string fen() const override { return game_.fen(); }
  std::unique_ptr<AnyState> with_fen(std::string_view text) const override {
    return std::make_unique<StateOf>(game_.with_fen(text));
  }

  int symmetries() const override { return game_.symmetries(); }
  std::unique_ptr<AnyState> transformed(int symmetry) const override {
    return std::make_unique<StateOf>(game_.transformed(checked(symmetry)));
  }
  Action transformed(int symmetry, Action a) const override {
    return game_.transformed(checked(symmetry), a);
  }
  Seat transformed(int symmetry, Seat s) const override {
    return game_.transformed(checked(symmetry), s);
  }

  std::uint64_t perft(int depth) const override {
    using bz::perft;  // or the game's own
    return perft(game_, depth);
  }
  std::uint64_t playouts(int games, std::uint64_t seed) const override {
    Rng rng(seed);
    ActionList scratch;
    std::uint64_t total = 0;
    for (int i = 0; i < games; ++i) {
      for (G game = game_; bz::play_random(game, rng, scratch);) ++total;
    }
    return total;
  }
  std::vector<float> convert_policy(const std::vector<float>& policy, const std::string& from,
                                    const std::string& to) const override {
    const Policy<G> source = named(policies(game_), from, "policy");
    const Policy<G> target = named(policies(game_), to, "policy");
    if (std::ssize(policy) != source.size) {
      fail("a policy '" + from + "' has " + std::to_string(source.size) + " entries");
    }
    std::vector<float> converted(static_cast<std::size_t>(target.size), 0.0F);
    for (const Action a : actions()) {
      converted[static_cast<std::size_t>(target.index(game_, a))] =
          policy[static_cast<std::size_t>(source.index(game_, a))];
    }
    return converted;
  }

  std::vector<std::vector<std::string>> evaluations() const override {
    return evaluation_names(game_);
  }

  std::unique_ptr<AnySearcher> make_minimax(const EvaluationChoice& evaluation,
                                            std::uint64_t seed) const override {
    check_two_players();
    return with_evaluation(game_, evaluation,
                           [&]<class E>(E e) { return make_searcher<G>(Minimax<G, E>(e), seed); });
  }
  std::unique_ptr<AnySearcher> make_alphabeta(const EvaluationChoice& evaluation,
                                              const AlphaBetaSetup& setup,
                                              std::uint64_t seed) const override {
    check_two_players();
    if (needs_gil() && setup.threads > 1)
      fail("rules written in Python are searched by one thread");
    return with_evaluation(game_, evaluation, [&]<class E>(E e) {
      return make_searcher<G>(AlphaBeta<G, E>(e, setup.features, setup.megabytes, setup.threads,
                                              oracle_in(setup.tablebase)),
                              seed);
    });
  }
  std::unique_ptr<AnySearcher> make_maxn(const EvaluationChoice& evaluation, Others others,
                                         std::uint64_t seed) const override {
    return with_evaluation(game_, evaluation, [&]<class E>(E e) {
      return make_searcher<G>(MaxN<G, E>(e, others), seed);
    });
  }
  std::unique_ptr<AnySearcher> make_greedy(std::uint64_t seed) const override {
    return make_searcher<G>(Greedy<G>(), seed);
  }

  std::unique_ptr<AnyUct> make_uct(const UctOptions& options,
                                   const std::optional<EvaluationChoice>& leaves,
                                   bool prune) const override {
    LeafEvaluation<G> evaluation;
    if (leaves) {
      evaluation = with_evaluation(game_, *leaves, [](auto e) { return LeafEvaluation<G>(e); });
    }
    Pruner<G> pruner;
    if constexpr (requires(ActionList& out) { relevant(game_, Seat{}, out); }) {
      if (prune) pruner = [](const G& g, Seat seat, ActionList& out) { relevant(g, seat, out); };
    }
    return std::make_unique<UctOf<G>>(
        Uct<G>(game_, options, std::move(evaluation), std::move(pruner)));
  }

  std::unique_ptr<AnyNetSearch> make_net_search(const SearchOptions& options,
                                                const std::vector<FormatNames>& nets,
                                                std::uint64_t seed,
                                                const Tables& tables) const override {
    std::vector<NetFormat<G>> formats = formats_of(game_, nets);
    SearchOptions chosen = options;
    prepare(chosen, game_, formats, 0);
    return std::make_unique<NetSearch<G>>(game_, chosen, std::move(formats), seed,
                                          oracle_in(tables));
  }
  std::unique_ptr<AnyNetSearch> make_sparse_search(sparse::Net net, const SearchOptions& options,
                                                   std::uint64_t seed,
                                                   const Tables& tables) const override {
    check_one_tree(options);
    return std::make_unique<NetSearch<G>>(game_, options, Learned<G>(game_, std::move(net)), seed,
                                          oracle_in(tables));
  }

  sparse::ActiveRows sparse_rows() const override {
    return sparse::active_rows<SparseInputs>(game_);
  }
  std::vector<std::vector<int>> sparse_logits(sparse::Net weights,
                                              const std::vector<const AnyState*>& states,
                                              bool portable) const override {
    Learned<G> net(game_, std::move(weights), portable ? sparse::kPortable : sparse::kernels());
    std::vector<std::vector<int>> all;
    for (const AnyState* state : states) {
      all.push_back(net.logits(state_as<G>(*state, "the states are of different games")));
    }
    return all;
  }

  sparse::MoveRows sparse_move_rows() const override {
    ActionList actions;
    considered_actions(game_, actions);
    return sparse::move_rows<SparseInputs>(game_, actions);
  }
  std::vector<std::vector<int>> sparse_policies(sparse::Net weights,
                                                const std::vector<const AnyState*>& states,
                                                bool portable) const override {
    if (!weights->shape.has_policy()) fail("this net has no policy");
    Learned<G> net(game_, std::move(weights), portable ? sparse::kPortable : sparse::kernels());
    std::vector<std::vector<int>> all;
    ActionList actions;
    for (const AnyState* state : states) {
      const G& game = state_as<G>(*state, "the states are of different games");
      considered_actions(game, actions);
      const auto& logits = net.policy(game, actions);
      all.emplace_back(logits.begin(), logits.end());
    }
    return all;
  }

  Values evaluate(const EvaluationChoice& evaluation) const override {
    if (const auto outcome = game_.outcome()) return outcome->values;
    return with_evaluation(game_, evaluation, [&](const auto& e) { return e(game_); });
  }

  std::shared_ptr<AnyTablebase> empty_tablebase() const override {
    if constexpr (requires { solved_endings(game_); }) {
      return solved_endings(game_);
    } else {
      fail("only endings of draughts can be solved");
    }
  }

#if !defined(__wasm__)
  std::unique_ptr<AnyPool> make_pool(const SelfPlayOptions& options,
                                     const std::vector<FormatNames>& nets, int games,
                                     std::uint64_t seed, const Tables& tables) const override {
    if (games < 1) fail("a pool needs at least one game at a time");
    if (options.contestants.empty()) fail("a pool needs a contestant");
    std::vector<NetFormat<G>> formats = formats_of(game_, nets);
    SelfPlayOptions chosen = options;
    for (Contestant& c : chosen.contestants) {
      if (c.first_net < 0 || c.first_net >= std::ssize(formats)) fail("a contestant has no net");
      prepare(c.search, game_, formats, c.first_net);
    }
    return std::make_unique<Pool<G>>(game_, chosen, std::move(formats), games, seed,
                                     oracle_in(tables));
  }
  std::unique_ptr<AnySampler> make_sampler(const FormatNames& net,
                                           const Tables& tables) const override {
    return std::make_unique<Sampler<G>>(game_, format_of(game_, net), oracle_in(tables));
  }
  std::unique_ptr<AnyScoredPool> make_scored_pool(const ScoredGameOptions& options, int threads,
                                                  std::uint64_t seed) const override {
    if (options.search == ScoringBy::puct) check_one_tree(options.puct);
    return std::make_unique<ScoredPool<G>>(game_, options, threads, seed);
  }
  std::unique_ptr<AnySparseTrainer> make_sparse_trainer(int hidden, std::uint64_t seed,
                                                        bool policy) const override {
    return std::make_unique<SparseTrainer<G>>(game_, hidden, policy, seed);
  }
  std::unique_ptr<AnyTablebaseMaker> make_tablebase(int pieces) const override {
    if constexpr (requires { tablebase_maker(game_, pieces); }) {
      return tablebase_maker(game_, pieces);
    } else {
      fail("only endings of draughts can be solved");
    }
  }
#endif

 private:
  using SparseInputs = sparse::InputsOf<G>;

  static void check_one_tree(const SearchOptions& options) {
    if (options.trees.size() != 1 || options.turns.size() != 1 || options.turns[0] != 0) {
      fail("a sparse net is searched with one tree");
    }
  }

  static std::shared_ptr<const Oracle<G>> oracle_in(const Tables& tables) {
    auto oracle = std::dynamic_pointer_cast<const Oracle<G>>(tables);
    if (tables && !oracle) fail("the tablebase is of another game");
    return oracle;
  }

  MoveInfo describe(const typename G::Move& move) const {
    return {game_.text(move), game_.steps(move)};
  }
  int checked(int symmetry) const {
    if (symmetry >= 0 && symmetry < game_.symmetries()) return symmetry;
    fail("there is no symmetry " + std::to_string(symmetry));
  }
  void check_two_players() const {
    if (shape().players != 2) fail("this search plays games for two players only");
  }
};

}  // namespace bz
