// One game after another, played by searches and written down: by one against itself, or by several
// against each other.
#pragma once

#include <algorithm>
#include <functional>

#include "search/mcts/search.hpp"
#include "selfplay/record.hpp"

namespace bz {

enum class PolicyTarget {
  visits,       // N^(1/t)
  visits_score  // N^(1/t) (Q + U)
};

// Who sits at the board: a search, and the index of the first of its nets in the pool.
struct Contestant {
  SearchOptions search;
  int first_net = 0;
};

struct SelfPlayOptions {
  std::vector<Contestant> contestants{Contestant{}};  // one plays all seats; several take turns
  PolicyTarget target = PolicyTarget::visits;
  double temperature = 1.0;       // for choices made before `temperature_steps`
  int temperature_steps = 10;     // steps of the game
  double late_temperature = 0.0;  // afterwards; 0 takes the most visited
  bool sharpen_targets = false;   // targets follow the temperature; otherwise it is 1 for them
  bool reuse_tree = true;         // keep the tree from choice to choice
  int opening_steps = 0;          // up to so many random steps before the search takes over
  int max_steps = 2000;           // a longer game is cut and counts as a draw
  double full_share = 1.0;        // share of choices with the whole budget, the others are
  int fast_simulations = 0;       // searched with this one, without noise in mind, and not learned
  std::uint32_t early_games = 0;  // games with a smaller number than this have another budget:
  int early_simulations = 0;      // while the net knows nothing, a deep search is wasted on it
  bool record_surprise = false;   // write down how far each target is from the net's policy
};

// Everything random about a game follows from the seed and the game's number. With several
// contestants, numbers come in groups: each group has one opening, and the contestants change
// seats.
template <Game G>
class SelfPlayGame {
 public:
  // What the oracle knows for certain ends a game.
  SelfPlayGame(const G& start, const SelfPlayOptions& options, std::uint64_t seed,
               std::shared_ptr<const Oracle<G>> oracle = nullptr)
      : start_(start),
        options_(options),
        seed_(seed),
        oracle_(std::move(oracle)),
        rng_(seed),
        state_(start) {
    for (const Contestant& c : options.contestants) {
      searches_.emplace_back(c.search, 0);
      searches_.back().set_oracle(oracle_);
    }
  }

  void begin(std::uint32_t number) {
    record_ = {};
    record_.number = number;
    before_.clear();
    search_ = nullptr;
    last_.reset();
    state_ = start_;
    Rng opening(combine(seed_, number / static_cast<std::uint32_t>(searches_.size())));
    for (int left = opening_length(opening); left > 0; --left) {
      state_.actions(actions_);
      // An opening that ends the game is cut short where it still goes on.
      G ahead = state_;
      const Action action = actions_[opening.below(static_cast<std::uint32_t>(actions_.size()))];
      ahead.play(action);
      if (ahead.outcome()) break;
      play(action);
    }
    rng_ = Rng(combine(seed_ + 1, number));
    for (Search<G>& search : searches_) search.reseed(rng_());
  }

  // Plays until a state must be evaluated; nullptr when the game is over and can be taken.
  const Leaf<G>* next() {
    for (;;) {
      state_.actions(actions_);
      if (actions_.empty() || too_long() || adjudicated()) return nullptr;
      if (actions_.size() == 1 && contestant().search.forced != Forced::evaluate) {
        play(actions_.front());
        last_.reset();
        continue;
      }
      if (search_ == nullptr) start_search();
      if (const Leaf<G>* leaf = search_->next()) return leaf;
      choose();
    }
  }

  void receive(const float* priors, const Values& values) { search_->receive(priors, values); }

  // The index in the pool of the net that must evaluate a leaf that next() handed out.
  int net_index(const Leaf<G>& leaf) const { return contestant().first_net + leaf.net; }

  GameRecord take() {
    const auto outcome = state_.outcome();
    const auto known = outcome ? std::nullopt : adjudicated();
    record_.outcome = outcome ? outcome->values : known.value_or(drawn(state_.shape().players));
    if (outcome && outcome->winner) {
      record_.winner = static_cast<std::int8_t>(index(*outcome->winner));
    }
    for (int seat = 0; known && seat < known->size(); ++seat) {
      if ((*known)[seat] >= 1.0F) record_.winner = static_cast<std::int8_t>(seat);
    }
    return std::move(record_);
  }

 private:
  // The result of an ending that the oracle knows.
  std::optional<Values> adjudicated() const {
    return oracle_ ? oracle_->certain(state_) : std::nullopt;
  }
  bool too_long() const { return std::ssize(record_.actions) >= options_.max_steps; }

  // Seat 0 belongs to contestant 0 in the first game of a group, to contestant 1 in the second.
  std::size_t contestant_index() const {
    return (static_cast<std::size_t>(index(state_.to_move())) + record_.number) % searches_.size();
  }
  const Contestant& contestant() const { return options_.contestants[contestant_index()]; }

  int opening_length(Rng& rng) const {
    if (options_.opening_steps == 0) return 0;
    // Contestants meet after a full opening; learning wants all lengths.
    if (searches_.size() > 1) return options_.opening_steps;
    return static_cast<int>(rng.below(static_cast<std::uint32_t>(options_.opening_steps) + 1));
  }

  void play(Action a) {
    const auto wanted = contestant().search.history;
    if (wanted > 0) {
      before_.push_back(state_);
      if (std::ssize(before_) > wanted) before_.erase(before_.begin());
    }
    state_.play(a);
    record_.actions.push_back(a);
  }

  void start_search() {
    search_ = &searches_[contestant_index()];
    full_ = options_.full_share >= 1.0 || rng_.uniform() < options_.full_share;
    search_->set_simulations(full_ ? full_budget()
                                   : std::min(options_.fast_simulations, full_budget()));
    search_->set_sampling(temperature());
    search_->set_forced_playouts(ForcedPlayouts(full_ ? contestant().search.forced_playouts : 0));
    if (last_ && options_.reuse_tree && searches_.size() == 1) {
      search_->advance(*last_, state_, before_);
    } else {
      search_->begin(state_, before_);
    }
    last_.reset();
  }

  int full_budget() const {
    const bool early = record_.number < options_.early_games;
    return early ? options_.early_simulations : contestant().search.simulations;
  }

  double temperature() const {
    const bool early = static_cast<int>(record_.actions.size()) < options_.temperature_steps;
    return early ? options_.temperature : options_.late_temperature;
  }

  void choose() {
    Decision decision;
    decision.ply = static_cast<std::uint16_t>(record_.actions.size());
    decision.full = full_;
    const std::size_t chosen = choose_and_weigh();
    decision.values = sampled() ? search_->values_under(weights_) : search_->root_values();
    decision.brief = search_->samples_root();
    if (sampled() || !full_) drop_negligible();
    if (options_.record_surprise && full_) decision.surprise = surprise();
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      if (weights_[i] > 0)
        decision.policy.emplace_back(edge(i).action, static_cast<float>(weights_[i]));
    }
    record_.decisions.push_back(std::move(decision));
    const Action action = edge(chosen).action;
    play(action);
    search_ = nullptr;
    last_ = action;
  }

  // An improved policy gives every action something. What hardly counts is not worth storing; of a
  // choice that is not learned, a guess at the reply needs only the foremost.
  void drop_negligible() {
    constexpr double kLeast = 5e-4;
    constexpr std::ptrdiff_t kForemost = 8;
    const double most = *std::max_element(weights_.begin(), weights_.end());
    for (double& w : weights_) {
      if (w < kLeast && w < most) w = 0;
    }
    if (!full_ && std::ssize(weights_) > kForemost) {
      std::vector<double> sorted = weights_;
      const auto last = sorted.begin() + kForemost - 1;
      std::nth_element(sorted.begin(), last, sorted.end(), std::greater<>());
      auto room =
          kForemost - std::count_if(sorted.begin(), last, [&](double w) { return w > *last; });
      for (double& w : weights_) {
        if (w < *last || (w == *last && room-- <= 0)) w = 0;
      }
    }
    normalise();
  }

  // KL of the target from what the nets said without a search.
  float surprise() const {
    double sum = 0;
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      const double prior = std::max<double>(search_->prior_before_noise(i), 1e-9);
      if (weights_[i] > 0) sum += weights_[i] * std::log(weights_[i] / prior);
    }
    return static_cast<float>(sum);
  }

  bool sampled() const {
    return search_->samples_root() && !search_->tree()[Tree::root()].is_proven();
  }

  // The edge to play; leaves the policy to learn in weights_.
  std::size_t choose_and_weigh() {
    if (sampled()) {
      const std::size_t chosen = search_->sampled_edge();
      search_->improved_policy(weights_);
      return chosen;
    }
    weights(temperature(), visits());
    const std::size_t chosen = sample();
    std::vector<double> learned = visits();
    search_->forced_playouts().prune(search_->tree(), search_->rule(), learned);
    weights(options_.sharpen_targets ? temperature() : 1.0, std::move(learned));
    return chosen;
  }

  const Edge& edge(std::size_t i) const { return search_->tree().edges(Tree::root())[i]; }

  std::vector<double> visits() const {
    std::vector<double> visits;
    for (const Edge& e : search_->tree().edges(Tree::root())) visits.push_back(e.visits);
    return visits;
  }

  // The root's distribution at a temperature, into weights_; sums to 1.
  void weights(double temperature, std::vector<double> visits) {
    const Tree& tree = search_->tree();
    const Node& root = tree[Tree::root()];
    weights_ = std::move(visits);
    if (root.is_proven()) {
      weigh_proven(root);
    } else {
      const bool untouched = root.visits == 0;  // a budget of nothing: trust the priors
      if (untouched) {
        for (std::size_t i = 0; i < weights_.size(); ++i) weights_[i] = edge(i).prior;
      }
      apply_temperature(temperature > 0 ? temperature : 1.0);
      if (options_.target == PolicyTarget::visits_score && !untouched) multiply_scores();
      if (temperature <= 0) keep_best();
    }
    normalise();
  }

  // Where the result is certain every action that keeps it is as good as any other.
  void weigh_proven(const Node& root) {
    const Tree& tree = search_->tree();
    const int mover = index(root.mover);
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      const NodeId child = edge(i).child;
      const bool keeps = child != kNoNode && tree[child].is_proven() &&
                         tree[child].values[mover] >= root.values[mover];
      weights_[i] = keeps ? 1.0 : 0.0;
    }
  }

  void apply_temperature(double temperature) {
    const double most = *std::max_element(weights_.begin(), weights_.end());
    for (double& w : weights_) {
      if (w > 0) w = std::pow(w / most, 1.0 / temperature);
    }
  }

  // Of several best the first, as an argmax gives, or all: then the lot decides.
  void keep_best() {
    const auto best = std::max_element(weights_.begin(), weights_.end());
    if (contestant().search.random_ties) {
      const double most = *best;
      for (double& w : weights_) w = w == most ? 1.0 : 0.0;
      return;
    }
    const auto place = static_cast<std::size_t>(best - weights_.begin());
    weights_.assign(weights_.size(), 0.0);
    weights_[place] = 1.0;
  }

  // Q + U may be negative; it is shifted so that the worst possible is 0. Where all that was tried
  // is lost, nothing is left to tell the actions apart and the visits stand.
  void multiply_scores() {
    std::vector<double> product = weights_;
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      const double score = search_->rule().score(search_->tree(), Tree::root(), edge(i));
      product[i] *= std::max(0.0, 1.0 + score);
    }
    if (*std::max_element(product.begin(), product.end()) > 0) weights_ = std::move(product);
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

  G start_;
  SelfPlayOptions options_;
  std::uint64_t seed_;
  std::shared_ptr<const Oracle<G>> oracle_;
  Rng rng_;
  std::vector<Search<G>> searches_;  // one per contestant
  Search<G>* search_ = nullptr;      // whose turn it is to search, while it does
  G state_;
  std::vector<G> before_;  // the states before, as far as a net wants to see them
  GameRecord record_;
  ActionList actions_;
  std::vector<double> weights_;
  std::optional<Action> last_;  // the action just chosen, if nothing was played since
  bool full_ = true;
};

}  // namespace bz
