// A root that spends few simulations well: sample actions without replacement by the Gumbel trick,
// halve them by what the search finds, and learn the policy that the values found so far justify
// (Danihelka and others, "Policy improvement by planning with Gumbel", 2022).
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/rng.hpp"
#include "search/mcts/puct.hpp"

namespace bz {

struct GumbelOptions {
  int considered = 16;   // actions that get a simulation at all
  double c_visit = 50;   // the weight of a value against the prior: (c_visit + most visits) c_scale
  double c_scale = 1.0;  // for values between 0 and 1
};

class GumbelRoot {
 public:
  explicit GumbelRoot(const GumbelOptions& options) : options_(options) {}

  // Draws the noise and plans the simulations; the root must have its edges.
  void begin(const Tree& tree, int simulations, double noise_scale, Rng& rng) {
    const NodeId root = Tree::root();
    noise_.clear();
    before_.clear();
    for (const Edge& e : tree.edges(root)) {
      noise_.push_back(noise_scale > 0 ? noise_scale * gumbel(rng) : 0.0);
      before_.push_back(e.visits);
    }
    plan(std::min<int>(options_.considered, tree[root].edge_count), simulations);
  }

  // The edge that simulation number `done` follows: the best of those whose turn it is.
  std::size_t next(const Tree& tree, const PuctRule& rule, int done) {
    const auto turn = std::min(static_cast<std::size_t>(done), turns_.size() - 1);
    return best_with(tree, rule, turns_[turn]);
  }

  // The edge to play: the best of those that were simulated most.
  std::size_t best(const Tree& tree, const PuctRule& rule) {
    std::uint32_t most = 0;
    for (std::size_t i = 0; i < before_.size(); ++i) most = std::max(most, visits(tree, i));
    return best_with(tree, rule, most);
  }

  // What the search would rather play: softmax of log prior + weighted value, where an edge that
  // was not tried is worth what the root is thought to be worth.
  void improved_policy(const Tree& tree, const PuctRule& rule, std::vector<double>& policy) {
    rate(tree, rule);
    policy = ratings_;
    const double top = *std::max_element(policy.begin(), policy.end());
    double total = 0;
    for (double& p : policy) total += p = std::exp(p - top);
    for (double& p : policy) p /= total;
  }

 private:
  static constexpr double kLost = -1e6;
  static constexpr double kLeastPrior = 1e-9;

  static double gumbel(Rng& rng) {
    return -std::log(-std::log(std::clamp(rng.uniform(), 1e-12, 1.0 - 1e-12)));
  }

  // How many visits the edge of each simulation must have had: all considered ones get the same
  // number, then the better half of them, and so on until two are left.
  void plan(int considered, int simulations) {
    turns_.clear();
    const int halvings = std::max(1, static_cast<int>(std::ceil(std::log2(considered))));
    std::vector<std::uint32_t> had(static_cast<std::size_t>(considered), 0);
    for (int left = considered; std::ssize(turns_) < std::max(simulations, 1);
         left = std::max(std::min(2, considered), left / 2)) {
      for (int i = std::max(1, simulations / (halvings * left)); i > 0; --i) {
        turns_.insert(turns_.end(), had.begin(), had.begin() + left);
        for (int k = 0; k < left; ++k) ++had[static_cast<std::size_t>(k)];
      }
    }
  }

  std::uint32_t visits(const Tree& tree, std::size_t i) const {
    return tree.edges(Tree::root())[i].visits - before_[i];
  }

  // Falls back to any edge where none has that number of visits, as after a change of plan.
  std::size_t best_with(const Tree& tree, const PuctRule& rule, std::uint32_t wanted) {
    rate(tree, rule);
    std::size_t best = 0;
    bool best_fits = false;
    double best_rating = 0;
    for (std::size_t i = 0; i < ratings_.size(); ++i) {
      const bool fits = visits(tree, i) == wanted;
      const double rating = ratings_[i] + noise_[i];
      if (i > 0 && (fits < best_fits || (fits == best_fits && rating <= best_rating))) continue;
      best = i;
      best_fits = fits;
      best_rating = rating;
    }
    return best;
  }

  // log prior + weighted value of every edge, into ratings_.
  void rate(const Tree& tree, const PuctRule& rule) {
    const Node& root = tree[Tree::root()];
    const double untried = value_of_untried(tree, rule);
    std::uint32_t most = 0;
    for (const Edge& e : tree.edges(Tree::root())) most = std::max(most, e.visits);
    const double weight = (options_.c_visit + most) * options_.c_scale;
    ratings_.clear();
    for (const Edge& e : tree.edges(Tree::root())) {
      const double value = e.visits > 0 ? rule.value(tree, root, e) : untried;
      const double lost = rule.is_lost(tree, root, e) ? kLost : 0.0;
      ratings_.push_back(std::log(std::max<double>(e.prior, kLeastPrior)) +
                         weight * (value + 1) / 2 + lost);
    }
  }

  // A mix of the net's value of the root and of the values found, each action by its prior.
  static double value_of_untried(const Tree& tree, const PuctRule& rule) {
    const Node& root = tree[Tree::root()];
    double mass = 0;
    double sum = 0;
    double tried = 0;
    for (const Edge& e : tree.edges(Tree::root())) {
      if (e.visits == 0) continue;
      const double prior = std::max<double>(e.prior, kLeastPrior);
      mass += prior;
      sum += prior * rule.value(tree, root, e);
      tried += e.visits;
    }
    const double evaluated = root.values[index(root.mover)];
    return tried == 0 ? evaluated : (evaluated + tried * sum / mass) / (1 + tried);
  }

  GumbelOptions options_;
  std::vector<double> noise_;          // per edge
  std::vector<std::uint32_t> before_;  // visits that an edge had when the search began
  std::vector<std::uint32_t> turns_;   // per simulation: the visits of the edge whose turn it is
  std::vector<double> ratings_;
};

}  // namespace bz
