// One game after another, played by a search against itself and written down.
#pragma once

#include "search/record.hpp"
#include "search/search.hpp"

namespace bz {

enum class TargetStyle {
  visits,       // N^(1/t)
  visits_score  // N^(1/t) (Q + U)
};

struct SelfPlayOptions {
  SearchOptions search;
  TargetStyle style = TargetStyle::visits;
  double temperature = 1.0;       // for choices made before `temperature_steps`
  int temperature_steps = 10;     // steps of the game
  double late_temperature = 0.0;  // afterwards; 0 takes the most visited
  bool sharpen_targets = false;   // targets follow the temperature; otherwise it is 1 for them
  bool reuse = true;              // keep the tree from choice to choice
  int opening_steps = 0;          // up to so many random steps before the search takes over
  int max_steps = 2000;           // a longer game is cut and counts as a draw
  double full_share = 1.0;        // share of choices with the whole budget, the others are
  int fast_simulations = 0;       // searched with this one, without noise in mind, and not learned
};

template <Game G>
class SelfPlayGame {
 public:
  SelfPlayGame(const G& start, const SelfPlayOptions& options, std::uint64_t seed)
      : start_(start),
        options_(options),
        rng_(seed),
        search_(options.search, rng_()),
        state_(start) {
    begin();
  }

  // Plays until a state must be judged. Finished games are appended to `done` on the way.
  const Leaf<G>* next(std::vector<GameRecord>& done) {
    for (;;) {
      state_.actions(actions_);
      if (actions_.empty() || too_long()) {
        done.push_back(finish());
        begin();
        continue;
      }
      if (actions_.size() == 1 && options_.search.forced != Forced::judge) {
        play(actions_.front());
        searching_ = false;
        continue;
      }
      if (!searching_) start_search();
      if (const Leaf<G>* leaf = search_.next()) return leaf;
      choose();
    }
  }

  void supply(const float* priors, const Values& values) { search_.supply(priors, values); }

  const Search<G>& search() const { return search_; }
  std::uint32_t version = 0;  // of the net that plays, for the record

 private:
  bool too_long() const { return static_cast<int>(record_.actions.size()) >= options_.max_steps; }

  void begin() {
    record_ = {};
    before_.clear();
    searching_ = false;
    state_ = start_;
    const int steps =
        options_.opening_steps > 0 ? static_cast<int>(rng_.below(options_.opening_steps + 1U)) : 0;
    for (int i = 0; i < steps; ++i) {
      state_.actions(actions_);
      if (actions_.empty()) return begin();  // a game that ends in its opening is not a game
      play(actions_[rng_.below(static_cast<std::uint32_t>(actions_.size()))]);
    }
  }

  void play(Action a) {
    if (options_.search.history > 0) {
      before_.push_back(state_);
      if (std::ssize(before_) > options_.search.history) before_.erase(before_.begin());
    }
    state_.play(a);
    record_.actions.push_back(a);
  }

  void start_search() {
    searching_ = true;
    full_ = options_.full_share >= 1.0 || rng_.uniform() < options_.full_share;
    search_.set_simulations(full_ ? options_.search.simulations : options_.fast_simulations);
    if (last_choice_ && options_.reuse) {
      search_.advance(*last_choice_, state_, before_);
    } else {
      search_.begin(state_, before_);
    }
    last_choice_.reset();
  }

  void choose() {
    const double t = static_cast<int>(record_.actions.size()) < options_.temperature_steps
                         ? options_.temperature
                         : options_.late_temperature;
    weights(t);
    Decision decision;
    decision.ply = static_cast<std::uint16_t>(record_.actions.size());
    decision.full = full_;
    decision.values = search_.root_values();
    const std::size_t chosen = sample();
    if (!options_.sharpen_targets) weights(1.0);
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      if (weights_[i] > 0)
        decision.policy.emplace_back(edge(i).action, static_cast<float>(weights_[i]));
    }
    record_.decisions.push_back(std::move(decision));
    const Action action = edge(chosen).action;
    play(action);
    searching_ = false;
    last_choice_ = action;
  }

  const Edge& edge(std::size_t i) const { return search_.tree().begin_edges(Tree::root())[i]; }

  // The root's distribution at a temperature, into weights_; sums to 1.
  void weights(double temperature) {
    const Tree& tree = search_.tree();
    const Node& root = tree[Tree::root()];
    weights_.assign(root.edge_count, 0.0);
    if (root.is_settled()) {
      weigh_proven(root);
    } else {
      for (std::size_t i = 0; i < weights_.size(); ++i) weights_[i] = edge(i).visits;
      const bool untouched = root.visits == 0;  // a budget of nothing: trust the priors
      if (untouched) {
        for (std::size_t i = 0; i < weights_.size(); ++i) weights_[i] = edge(i).prior;
      }
      heat(temperature);
      if (options_.style == TargetStyle::visits_score && !untouched) multiply_scores();
    }
    normalise();
  }

  // Where the result is certain every action that keeps it is as good as any other.
  void weigh_proven(const Node& root) {
    const Tree& tree = search_.tree();
    const int mover = index(root.mover);
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      const NodeId child = edge(i).child;
      const bool keeps = child != kNoNode && tree[child].is_settled() &&
                         tree[child].values[mover] >= root.values[mover];
      weights_[i] = keeps ? 1.0 : 0.0;
    }
  }

  void heat(double temperature) {
    const double most = *std::max_element(weights_.begin(), weights_.end());
    for (double& w : weights_) {
      if (temperature <= 0) {
        w = w == most ? 1.0 : 0.0;
      } else if (w > 0) {
        w = std::pow(w / most, 1.0 / temperature);
      }
    }
    if (temperature > 0) return;
    // Of several most visited the first, as an argmax gives.
    const auto first = std::find(weights_.begin(), weights_.end(), 1.0);
    std::fill(first + 1, weights_.end(), 0.0);
  }

  // Q + U may be negative; it is shifted so that the worst possible is 0.
  void multiply_scores() {
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      const double score = search_.rule().score(search_.tree(), Tree::root(), edge(i));
      weights_[i] *= std::max(0.0, 1.0 + score);
    }
  }

  void normalise() {
    double total = 0;
    for (const double w : weights_) total += w;
    for (double& w : weights_) w /= total;
  }

  std::size_t sample() {
    double left = rng_.uniform();
    std::size_t last = 0;
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      if (weights_[i] <= 0) continue;
      last = i;
      left -= weights_[i];
      if (left < 0) break;
    }
    return last;
  }

  GameRecord finish() {
    const auto outcome = state_.outcome();
    record_.outcome = outcome ? outcome->values : Values(state_.shape().players, 0.0F);
    if (outcome && outcome->winner)
      record_.winner = static_cast<std::int8_t>(index(*outcome->winner));
    record_.version = version;
    last_choice_.reset();
    return std::move(record_);
  }

  G start_;
  SelfPlayOptions options_;
  Rng rng_;
  Search<G> search_;
  G state_;
  std::vector<G> before_;
  GameRecord record_;
  ActionList actions_;
  std::vector<double> weights_;
  std::optional<Action> last_choice_;
  bool searching_ = false;
  bool full_ = true;
};

}  // namespace bz
