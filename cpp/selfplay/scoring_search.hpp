// The search that plays a game with a sparse net, at a fixed number of nodes for each move:
// alpha-beta for two players, max^n for more, or PUCT for any number.
#pragma once

#include "search/classic/alphabeta.hpp"
#include "search/classic/maxn.hpp"
#include "search/mcts/learned_leaves.hpp"
#include "selfplay/record.hpp"

namespace bz {

enum class ScoringBy { alphabeta, puct };

struct ScoredGameOptions {
  ScoringBy search = ScoringBy::alphabeta;
  SearchOptions puct;          // but for its simulations, which are the nodes
  std::uint64_t nodes = 1000;  // for each move; 0 plays at random to the end
  int least_random = 6;        // moves of the opening
  int most_random = 12;
  float lopsided = 0.8F;   // an opening of more value to one side is not played
  float decided = 0.98F;   // so much value to one side ...
  int decided_moves = 6;   // ... for so many moves in a row ends the game
  int most_moves = 400;    // then it is a draw
  Megabytes megabytes{2};  // of the search's table
};

// What a search plays: a whole move of alpha-beta, or an action of PUCT.
struct Found {
  std::vector<Action> actions;
  Values values;                                      // one per seat; none without a choice
  std::vector<std::pair<Action, float>> policy = {};  // of PUCT: the shares of visits
  std::uint64_t evaluations = 0;
};

// The values of all seats where only the mover's is known: the others share what it leaves, since
// values of any end have the same sum.
template <Game G>
Values values_for_mover(const G& game, float value) {
  const int players = game.shape().players;
  const auto n = static_cast<float>(players);
  Values values(players, (2 - n - value) / (n - 1));
  values[index(game.to_move())] = value;
  return values;
}

template <Game G>
class PuctScoring {
 public:
  PuctScoring(const Learned<G>& net, const SearchOptions& options, std::uint64_t nodes)
      : search_(with_simulations(options, nodes), 0), leaves_(net) {
    leaves_.prepare(search_);
  }

  // Every simulation is spent on this state, beside what is known from those before.
  Found operator()(const G& game, const Interrupt& interrupt) {
    considered_actions(game, actions_);
    if (actions_.size() == 1) return {actions_, {}};
    if (!rooted_) search_.begin(game);
    rooted_ = false;
    const std::uint64_t before = leaves_.evaluations();
    while (leaves_.advance(search_) && !interrupt.raised()) {
    }
    Found found{{}, search_.root_values()};
    found.evaluations = leaves_.evaluations() - before;
    if (!interrupt.raised()) choose(found);
    return found;
  }

  // Follows the game; what is known below the action is kept.
  void played(Action a, const G& after) {
    if (searched_ && !after.outcome()) {
      search_.advance(a, after);
      rooted_ = true;
    }
  }
  void reset(std::uint64_t seed) {
    search_.reseed(seed);
    leave();
  }
  void leave() { rooted_ = searched_ = false; }

 private:
  static SearchOptions with_simulations(SearchOptions options, std::uint64_t nodes) {
    constexpr std::uint64_t kMost = 1'000'000'000;
    options.simulations = static_cast<int>(std::min(nodes, kMost));
    return options;
  }

  // The most visited action, a sure win before all others and a sure loss after them. What is lost
  // has no share in the policy.
  void choose(Found& found) {
    searched_ = true;
    const Tree& tree = search_.tree();
    const Node& root = tree[Tree::root()];
    const auto certain = [&](const Edge& e) {
      return e.child != kNoNode && tree[e.child].is_proven()
                 ? tree[e.child].values[index(root.mover)]
                 : 0.0F;
    };
    const Edge* best = nullptr;
    double best_visits = -1;
    double total = 0;
    for (const Edge& e : tree.edges(Tree::root())) {
      const float sure = certain(e);
      const double visits = sure >= 1 ? 1e12 : sure <= -1 ? 0 : e.visits;
      if (visits > best_visits) {
        best_visits = visits;
        best = &e;
      }
      if (visits > 0) found.policy.emplace_back(e.action, static_cast<float>(visits));
      total += visits;
    }
    if (found.policy.empty()) found.policy.emplace_back(best->action, 1.0F);
    const auto sum = static_cast<float>(std::max(total, 1.0));
    for (auto& [_, share] : found.policy) share /= sum;
    std::erase_if(found.policy, [](const auto& entry) { return entry.second < 1e-4F; });
    found.actions = {best->action};
  }

  Search<G> search_;
  LearnedLeaves<G> leaves_;
  bool rooted_ = false;    // at the state to be searched next, with all of its budget
  bool searched_ = false;  // it has a root at all
  ActionList actions_;
};

// A search with a net.
template <Game G>
class ScoringSearch {
 public:
  // Fails unless the net is one of this game. In a contest PUCT plays without noise.
  ScoringSearch(const G& start, sparse::Net weights, const ScoredGameOptions& options, bool contest)
      : limits_{.nodes = options.nodes} {
    const Learned<G> evaluation(start, std::move(weights));
    if (options.search == ScoringBy::puct) {
      SearchOptions how = options.puct;
      if (contest) how.noise_weight = 0;
      puct_.emplace(evaluation, how, options.nodes);
    } else if (start.shape().players == 2) {
      alphabeta_.emplace(evaluation, Features::engine(), options.megabytes);
    } else {
      maxn_.emplace(evaluation, Others::selfish);
    }
  }

  Found operator()(const G& game, const Interrupt& interrupt) {
    if (puct_) return (*puct_)(game, interrupt);
    const auto found =
        alphabeta_ ? (*alphabeta_)(game, limits_, interrupt) : (*maxn_)(game, limits_, interrupt);
    return {game.steps(found.best().move),
            values_for_mover(game, found.best().value),
            {},
            found.evaluations};
  }
  void played(Action a, const G& after) {
    if (puct_) puct_->played(a, after);
  }
  // The game does not go on from what was searched last.
  void leave() {
    if (puct_) puct_->leave();
  }
  // Forgets other games.
  void clear(std::uint64_t seed) {
    if (alphabeta_) alphabeta_->clear();
    if (puct_) puct_->reset(seed);
  }

 private:
  Limits limits_;
  std::optional<AlphaBeta<G, Learned<G>>> alphabeta_;
  std::optional<MaxN<G, Learned<G>>> maxn_;
  std::optional<PuctScoring<G>> puct_;
};

}  // namespace bz
