// Teaches a sparse net from recorded games.
#pragma once

#include <numeric>

#include "eval/learned.hpp"
#include "nets/sparse/trainer.hpp"
#include "selfplay/record.hpp"

namespace bz {

// As Python sees it, whatever the game.
class AnySparseTrainer {
 public:
  virtual ~AnySparseTrainer() = default;

  struct Result {
    std::int64_t samples = 0;
    float result_loss = 0;  // cross-entropy to how the games ended
    float value_loss = 0;   // and to what the search thought
    float policy_loss = 0;  // of a net with a policy, to the moves that the search liked
  };

  // One pass over the games' positions, in an order that the seed decides: the values of the quiet
  // ones, and the choices in all of them where the net has a policy.
  virtual Result train(const std::vector<std::string_view>& games,
                       const sparse::TrainerOptions& options, std::uint64_t seed) = 0;
  virtual sparse::Net weights() const = 0;  // as whole numbers
  // Everything, to go on later; restore() fails on what is not of this game and shape.
  virtual std::string bytes() const = 0;
  virtual void restore(std::string_view bytes) = 0;
  virtual bool needs_gil() const = 0;
};

// Games as samples, by playing each through once. Where the rows of a state and of its images under
// symmetries differ, one of them is drawn.
template <Game G>
class SampleReader {
 public:
  using I = sparse::InputsOf<G>;

  SampleReader(const G& start, bool policies) : start_(start), policies_(policies) {}

  void clear() {
    samples.clear();
    targets.clear();
  }

  void append(const GameRecord& record, Rng& rng) {
    const int players = start_.shape().players;
    if (record.outcome.size() != players) fail("a game has values for other players");
    G game = record.fen.empty() ? start_ : start_.with_fen(record.fen);
    std::size_t ply = 0;
    for (const Decision& d : record.decisions) {
      for (; ply < d.ply; ++ply) game.play(record.actions[ply]);
      const bool chosen = policies_ && d.full && has_choice(game);
      if (!d.quiet && !chosen) continue;
      int symmetry = 0;
      std::optional<G> image;
      if constexpr (I::kSeesSymmetries) {
        symmetry = static_cast<int>(rng.below(static_cast<std::uint32_t>(game.symmetries())));
        image.emplace(game.transformed(symmetry));
      }
      const G& seen = image ? *image : game;
      const int mover = index(game.to_move());
      const int came = record.winner < 0 ? players : (record.winner - mover + players) % players;
      sparse::Sample<I> sample{I::view(seen), static_cast<std::int8_t>(came), d.full,
                               d.values[mover]};
      sample.quiet = d.quiet;
      if (chosen) add_target(d, record.actions[ply], game, seen, symmetry, sample);
      samples.push_back(std::move(sample));
    }
  }

  std::vector<sparse::Sample<I>> samples;
  sparse::PolicyTargets targets;

 private:
  bool has_choice(const G& game) {
    considered_actions(game, actions_);
    return actions_.size() > 1;
  }

  // The shares of the search's visits; where only its best move is known, that is all of them.
  void add_target(const Decision& d, Action played, const G& game, const G& seen, int symmetry,
                  sparse::Sample<I>& sample) {
    const std::size_t first = targets.shares.size();
    float total = 0;
    for (const Action a : actions_) {
      float share = d.policy.empty() && a == played ? 1.0F : 0.0F;
      for (const auto& [action, given] : d.policy) {
        if (action == a) share = given;
      }
      targets.shares.push_back(share);
      total += share;
    }
    if (total <= 0) {  // what was chosen is not among what is looked at now
      targets.shares.resize(first);
      return;
    }
    for (std::size_t i = first; i < targets.shares.size(); ++i) targets.shares[i] /= total;
    if constexpr (I::kSeesSymmetries) {
      for (Action& a : actions_) a = game.transformed(symmetry, a);
    }
    rows_.clear();
    I::move_rows(seen, actions_, rows_);
    targets.rows.insert(targets.rows.end(), rows_.span().begin(), rows_.span().end());
    sample.first_move = static_cast<std::uint32_t>(first);
    sample.moves = static_cast<std::uint32_t>(actions_.size());
  }

  G start_;
  bool policies_;
  ActionList actions_;
  sparse::Rows rows_;
};

template <Game G>
class SparseTrainer final : public AnySparseTrainer {
 public:
  using Inputs = sparse::InputsOf<G>;

  SparseTrainer(const G& start, int hidden, bool policy, std::uint64_t seed)
      : reader_(start, policy), trainer_(Inputs::name(start), shape(start, hidden, policy), seed) {}

  Result train(const std::vector<std::string_view>& games, const sparse::TrainerOptions& options,
               std::uint64_t seed) override {
    Rng rng(seed);
    reader_.clear();
    for (const std::string_view bytes : games) reader_.append(GameRecord::parse(bytes), rng);
    std::vector<std::uint32_t> order(reader_.samples.size());
    std::iota(order.begin(), order.end(), 0U);
    for (std::size_t i = order.size(); i > 1; --i) {
      std::swap(order[i - 1], order[rng.below(static_cast<std::uint32_t>(i))]);
    }
    const sparse::Loss loss = trainer_.train(reader_.samples, reader_.targets, order, options);
    return {std::ssize(order), loss.result, loss.value, loss.policy};
  }

  sparse::Net weights() const override { return trainer_.quantised(); }
  std::string bytes() const override { return trainer_.bytes(); }
  void restore(std::string_view bytes) override { trainer_.restore(bytes); }
  bool needs_gil() const override { return kHoldsPython<G>; }

 private:
  static sparse::Shape shape(const G& start, int hidden, bool policy) {
    sparse::Shape s = Inputs::shape(start, checked(hidden));
    if (policy) s.policy_rows = Inputs::policy_rows(start);
    return s;
  }
  static int checked(int hidden) {
    using namespace sparse;
    if (hidden >= kHiddenStep && hidden <= kMostHidden && hidden % kHiddenStep == 0) return hidden;
    fail("a sparse net has " + std::to_string(kHiddenStep) + " to " + std::to_string(kMostHidden) +
         " hidden units, a multiple of " + std::to_string(kHiddenStep) + ", but not " +
         std::to_string(hidden));
  }

  SampleReader<G> reader_;
  sparse::Trainer<Inputs> trainer_;
};

}  // namespace bz
