// Teaches a sparse net from recorded games.
#pragma once

#include <numeric>

#include "nets/sparse/encoded.hpp"
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
  };

  // One pass over the quiet positions of the games, in an order that the seed decides.
  virtual Result train(const std::vector<std::string_view>& games,
                       const sparse::TrainerOptions& options, std::uint64_t seed) = 0;
  virtual std::shared_ptr<const sparse::Weights> weights() const = 0;  // as whole numbers
  // Everything, to go on later; restore() fails on what is not of this game and shape.
  virtual std::string bytes() const = 0;
  virtual void restore(std::string_view bytes) = 0;
  virtual bool needs_gil() const = 0;
};

// All quiet positions of a game, each as a sample, by playing it through once. Where the rows of a
// state and of its images under symmetries differ, one of them is drawn.
template <sparse::Inputs I>
void append_samples(const GameRecord& record, const typename I::Game& start, Rng& rng,
                    std::vector<sparse::Sample<I>>& out) {
  const int players = start.shape().players;
  if (record.outcome.size() != players) fail("a game has values for other players");
  typename I::Game game = record.fen.empty() ? start : start.with_fen(record.fen);
  std::size_t ply = 0;
  for (const Decision& d : record.decisions) {
    for (; ply < d.ply; ++ply) game.play(record.actions[ply]);
    if (!d.quiet) continue;
    const int mover = index(game.to_move());
    const int came = record.winner < 0 ? players : (record.winner - mover + players) % players;
    const auto seen = [&] {
      if constexpr (I::kSeesSymmetries) {
        const auto images = static_cast<std::uint32_t>(game.symmetries());
        return I::view(game.transformed(static_cast<int>(rng.below(images))));
      } else {
        return I::view(game);
      }
    };
    out.push_back({seen(), static_cast<std::int8_t>(came), d.full, d.values[mover]});
  }
}

template <Game G>
class SparseTrainer final : public AnySparseTrainer {
 public:
  using Inputs = sparse::InputsOf<G>;

  SparseTrainer(const G& start, int hidden, std::uint64_t seed)
      : start_(start), trainer_(Inputs::name(start), Inputs::shape(start, checked(hidden)), seed) {}

  Result train(const std::vector<std::string_view>& games, const sparse::TrainerOptions& options,
               std::uint64_t seed) override {
    Rng rng(seed);
    samples_.clear();
    for (const std::string_view bytes : games) {
      append_samples<Inputs>(GameRecord::parse(bytes), start_, rng, samples_);
    }
    std::vector<std::uint32_t> order(samples_.size());
    std::iota(order.begin(), order.end(), 0U);
    for (std::size_t i = order.size(); i > 1; --i) {
      std::swap(order[i - 1], order[rng.below(static_cast<std::uint32_t>(i))]);
    }
    const sparse::Loss loss = trainer_.train(samples_, order, options);
    return {std::ssize(samples_), loss.result, loss.value};
  }

  std::shared_ptr<const sparse::Weights> weights() const override { return trainer_.quantised(); }
  std::string bytes() const override { return trainer_.bytes(); }
  void restore(std::string_view bytes) override { trainer_.restore(bytes); }
  bool needs_gil() const override {
    return requires { typename G::HoldsPython; };
  }

 private:
  static int checked(int hidden) {
    using namespace sparse;
    if (hidden >= kHiddenStep && hidden <= kMostHidden && hidden % kHiddenStep == 0) return hidden;
    fail("a sparse net has " + std::to_string(kHiddenStep) + " to " + std::to_string(kMostHidden) +
         " hidden units, a multiple of " + std::to_string(kHiddenStep) + ", but not " +
         std::to_string(hidden));
  }

  G start_;
  sparse::Trainer<Inputs> trainer_;
  std::vector<sparse::Sample<Inputs>> samples_;
};

}  // namespace bz
