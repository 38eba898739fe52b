// One interface for all games, so that whoever is above needs to know none of them: the rules, and
// what is compiled for them. StateOf (state_of.hpp) implements it, once for each game.
#pragma once

#include <memory>
#include <tuple>

#include "eval/evaluation.hpp"

namespace bz {

struct AlphaBetaSetup;
struct SearchOptions;
struct ScoredGameOptions;
struct SelfPlayOptions;
struct UctOptions;
enum class Others;
class AnyNetSearch;
class AnyPool;
class AnySampler;
class AnyScoredPool;
class AnySearcher;
class AnySparseTrainer;
class AnyTablebase;
class AnyTablebaseMaker;
class AnyUct;

namespace sparse {
struct ActiveRows;
struct MoveRows;
}  // namespace sparse

// A move with everything that Python wants to know about it.
struct MoveInfo : MoveText {
  std::vector<Action> actions;
};

template <Game G>
MoveInfo described(const G& state, const typename G::Move& move) {
  return {state.text(move), state.steps(move)};
}
// One move after the other.
template <Game G>
std::vector<MoveInfo> described(G state, const std::vector<typename G::Move>& line) {
  std::vector<MoveInfo> all;
  for (const auto& move : line) {
    all.push_back(described(state, move));
    state.play(move);
  }
  return all;
}

// The texts of such a line.
inline std::vector<std::string> texts(const std::vector<MoveInfo>& line) {
  std::vector<std::string> all;
  for (const MoveInfo& move : line) all.push_back(move.text);
  return all;
}

// How a net wants its states and gives its answers, by names: (encoding, policy, history).
using FormatNames = std::tuple<std::string, std::string, int>;

class AnyState {
 public:
  using Tables = std::shared_ptr<const AnyTablebase>;  // endgame tables, or none

  virtual ~AnyState() = default;

  virtual std::unique_ptr<AnyState> clone() const = 0;
  virtual bool equals(const AnyState& other) const = 0;
  virtual bool needs_gil() const = 0;  // rules written in Python

  virtual const Shape& shape() const = 0;
  virtual Seat to_move() const = 0;
  virtual std::optional<Outcome> outcome() const = 0;
  virtual Key key() const = 0;
  virtual int stages() const = 0;
  virtual int stage() const = 0;

  virtual ActionList actions() const = 0;
  virtual void play(Action a) = 0;                   // fails unless legal
  virtual bool play_random(std::uint64_t seed) = 0;  // false when over
  virtual void encode(float* planes) const = 0;
  virtual Action relative(Action a) const = 0;

  virtual std::vector<MoveInfo> moves() const = 0;
  // The moves that actions make when played from here, without one that they leave unfinished.
  virtual std::vector<MoveInfo> moves_of(const std::vector<Action>& actions) const = 0;
  virtual MoveInfo parse(std::string_view text) const = 0;
  virtual std::vector<Piece> pieces() const = 0;
  virtual std::string picture() const = 0;  // drawn by the rules themselves; mostly empty

  virtual std::string fen() const = 0;
  virtual std::unique_ptr<AnyState> with_fen(std::string_view text) const = 0;

  virtual int symmetries() const = 0;
  virtual std::unique_ptr<AnyState> transformed(int symmetry) const = 0;
  virtual Action transformed(int symmetry, Action a) const = 0;
  virtual Seat transformed(int symmetry, Seat s) const = 0;

  virtual std::uint64_t perft(int depth) const = 0;
  virtual std::uint64_t playouts(int games, std::uint64_t seed) const = 0;  // actions played
  // A policy vector of one kind as one of another: what belongs to no legal action is 0.
  virtual std::vector<float> convert_policy(const std::vector<float>& policy,
                                            const std::string& from,
                                            const std::string& to) const = 0;

  // The names of each of the game's evaluations, the usual one first.
  virtual std::vector<std::vector<std::string>> evaluations() const = 0;

  // Searches of this game, whatever its state.
  virtual std::unique_ptr<AnySearcher> make_minimax(const EvaluationChoice& evaluation,
                                                    std::uint64_t seed) const = 0;
  virtual std::unique_ptr<AnySearcher> make_alphabeta(const EvaluationChoice& evaluation,
                                                      const AlphaBetaSetup& setup,
                                                      std::uint64_t seed) const = 0;
  virtual std::unique_ptr<AnySearcher> make_maxn(const EvaluationChoice& evaluation, Others others,
                                                 std::uint64_t seed) const = 0;
  virtual std::unique_ptr<AnySearcher> make_greedy(std::uint64_t seed) const = 0;
  virtual std::unique_ptr<AnyUct> make_uct(const UctOptions& options,
                                           const std::optional<EvaluationChoice>& leaves,
                                           bool prune) const = 0;

  // Begins with this state.
  virtual std::unique_ptr<AnyNetSearch> make_net_search(const SearchOptions& options,
                                                        const std::vector<FormatNames>& nets,
                                                        std::uint64_t seed,
                                                        const Tables& tables) const = 0;
  virtual std::unique_ptr<AnyNetSearch> make_sparse_search(sparse::Net net,
                                                           const SearchOptions& options,
                                                           std::uint64_t seed,
                                                           const Tables& tables) const = 0;

  // Sparse nets: what they see of this state and of its moves, and what one says of several states
  // of this game and of their moves.
  virtual sparse::ActiveRows sparse_rows() const = 0;
  virtual std::vector<std::vector<int>> sparse_logits(sparse::Net weights,
                                                      const std::vector<const AnyState*>& states,
                                                      bool portable) const = 0;
  virtual sparse::MoveRows sparse_move_rows() const = 0;
  virtual std::vector<std::vector<int>> sparse_policies(sparse::Net weights,
                                                        const std::vector<const AnyState*>& states,
                                                        bool portable) const = 0;

  // What an evaluation says of this state, for each seat.
  virtual Values evaluate(const EvaluationChoice& evaluation) const = 0;

  // Endgame tables of this game, none in memory yet.
  virtual std::shared_ptr<AnyTablebase> empty_tablebase() const = 0;

#if !defined(__wasm__)  // a browser plays, and does not learn
  // Self-play with residual nets, and samples of what was played.
  virtual std::unique_ptr<AnyPool> make_pool(const SelfPlayOptions& options,
                                             const std::vector<FormatNames>& nets, int games,
                                             std::uint64_t seed, const Tables& tables) const = 0;
  virtual std::unique_ptr<AnySampler> make_sampler(const FormatNames& net,
                                                   const Tables& tables) const = 0;
  // Self-play with sparse nets, and a trainer of one with so many hidden units.
  virtual std::unique_ptr<AnyScoredPool> make_scored_pool(const ScoredGameOptions& options,
                                                          int threads,
                                                          std::uint64_t seed) const = 0;
  virtual std::unique_ptr<AnySparseTrainer> make_sparse_trainer(int hidden, std::uint64_t seed,
                                                                bool policy) const = 0;
  // Makes the endgame tables with so many pieces.
  virtual std::unique_ptr<AnyTablebaseMaker> make_tablebase(int pieces) const = 0;
#endif
};

// A state of a known game.
template <Game G>
class StateIn : public AnyState {
 public:
  explicit StateIn(G game) : game_(std::move(game)) {}
  const G& game() const { return game_; }

 protected:
  G game_;
};

// The state as its own type; fails with `complaint` if it is of another game.
template <Game G>
const G& state_as(const AnyState& state, const std::string& complaint) {
  if (const auto* own = dynamic_cast<const StateIn<G>*>(&state)) return own->game();
  fail(complaint);
}

// The same for the root of a search, which must not be over.
template <Game G>
const G& root_as(const AnyState& state) {
  const G& root = state_as<G>(state, "this search was made for another game");
  if (root.outcome()) fail("the game is over, so there is no move to search for");
  return root;
}

}  // namespace bz
