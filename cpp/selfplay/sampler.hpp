// Draws training samples from recorded games by playing them through again.
#pragma once

#include <memory>

#include "search/mcts/net_format.hpp"
#include "selfplay/record.hpp"

namespace bz {

// Where one sample goes. Values are in the order of play from the mover.
struct SampleRow {
  float* inputs;   // [planes, rows, columns]
  float* policy;   // [policy size], sums to 1
  float* outcome;  // [players], how the game ended
  float* search;   // [players], what the search thought
  // What only some nets learn; null where it is not wanted.
  float* reply = nullptr;       // [policy size], the next mover's policy; zeros at the end
  float* moves_left = nullptr;  // [1], the steps that were still to come, this one included
  float* ownership = nullptr;   // [board planes, rows, columns], the last board
};

class AnySampler {
 public:
  virtual ~AnySampler() = default;
  virtual std::vector<int> input_shape() const = 0;
  virtual std::vector<int> board_shape() const = 0;  // of a single state, without a history
  virtual int policy_size() const = 0;
  virtual int players() const = 0;
  virtual int symmetries() const = 0;
  virtual bool needs_gil() const = 0;
  virtual void draw(const GameRecord& game, int decision, int symmetry,
                    const SampleRow& row) const = 0;
  // The game's stage at each decision that was searched in full.
  virtual std::vector<int> stages(const GameRecord& game) const = 0;
  // Fails unless every action and target of the game is legal and its outcome is right.
  virtual void verify(const GameRecord& game) const = 0;
};

template <Game G>
class Sampler final : public AnySampler {
 public:
  // Where the oracle is certain what a state is worth, that is the value to learn.
  Sampler(const G& start, const NetFormat<G>& net,
          std::shared_ptr<const Oracle<G>> oracle = nullptr)
      : start_(start), net_(net), oracle_(std::move(oracle)) {}

  std::vector<int> input_shape() const override {
    return {net_.planes(), net_.encoding.rows, net_.encoding.columns};
  }
  std::vector<int> board_shape() const override {
    return {net_.encoding.planes, net_.encoding.rows, net_.encoding.columns};
  }
  int policy_size() const override { return net_.policy.size; }
  int players() const override { return start_.shape().players; }
  int symmetries() const override { return start_.symmetries(); }
  bool needs_gil() const override { return kHoldsPython<G>; }

  void draw(const GameRecord& game, int index_of_decision, int symmetry,
            const SampleRow& row) const override {
    const Decision& decision = game.decisions.at(static_cast<std::size_t>(index_of_decision));
    const bool is_last = &decision == &game.decisions.back();
    G state = begin(game);
    std::vector<G> before;
    for (int ply = 0; ply < decision.ply; ++ply) {
      if (net_.history > 0 && ply >= decision.ply - net_.history) {
        before.push_back(state.transformed(symmetry));
      }
      state.play(game.actions[static_cast<std::size_t>(ply)]);
    }
    const Seat mover = state.to_move();
    const G shown = symmetry == 0 ? state : state.transformed(symmetry);
    net_.write(shown, before, row.inputs);
    const auto write_policy = [&](const Decision* d, float* out) {
      std::fill_n(out, net_.policy.size, 0.0F);
      if (d == nullptr) return;
      for (const auto& [action, share] : d->policy) {
        out[net_.policy.index(shown, state.transformed(symmetry, action))] += share;
      }
    };
    write_policy(&decision, row.policy);
    const std::optional<Values> certain = oracle_ ? oracle_->certain(state) : std::nullopt;
    from_mover(certain.value_or(game.outcome), mover, row.outcome);
    from_mover(certain.value_or(decision.values), mover, row.search);
    // The answer is told as the present mover would see it.
    if (row.reply != nullptr) write_policy(is_last ? nullptr : &decision + 1, row.reply);
    if (row.moves_left != nullptr) {
      *row.moves_left = static_cast<float>(std::ssize(game.actions) - decision.ply);
    }
    if (row.ownership != nullptr) {
      const G last = last_board(game, decision.ply, std::move(state));
      net_.encoding.write(last.transformed(symmetry), shown.to_move(), row.ownership);
    }
  }

  std::vector<int> stages(const GameRecord& game) const override {
    std::vector<int> found;
    G state = begin(game);
    std::size_t ply = 0;
    for (const Decision& decision : game.decisions) {
      while (ply < decision.ply) state.play(game.actions[ply++]);
      if (decision.full) found.push_back(stage_of(state));
    }
    return found;
  }

  void verify(const GameRecord& game) const override {
    if (game.outcome.size() != players()) fail("a game has values for other players");
    G state = begin(game);
    ActionList legal;
    auto decision = game.decisions.begin();
    for (std::size_t ply = 0; ply < game.actions.size(); ++ply) {
      state.actions(legal);
      require(legal, game.actions[ply], ply);
      for (; decision != game.decisions.end() && decision->ply == ply; ++decision) {
        for (const auto& [action, share] : decision->policy) require(legal, action, ply);
      }
      state.play(game.actions[ply]);
    }
    if (decision != game.decisions.end()) fail("a game's choices are out of order");
    const auto outcome = state.outcome();
    if (outcome &&
        !std::equal(outcome->values.begin(), outcome->values.end(), game.outcome.begin())) {
      fail("a game's recorded outcome is not how it ended");
    }
  }

 private:
  // The state at the end of the game. An encoding that shows a state only to its mover gets the
  // last one in which the mover of this state was to move.
  G last_board(const GameRecord& game, std::size_t ply, G state) const {
    const Seat viewer = state.to_move();
    G last = state;
    for (; ply < game.actions.size(); ++ply) {
      if (!net_.encoding.any_viewer && state.to_move() == viewer) last = state;
      state.play(game.actions[ply]);
    }
    return net_.encoding.any_viewer ? state : last;
  }

  G begin(const GameRecord& game) const {
    return game.fen.empty() ? start_ : start_.with_fen(game.fen);
  }

  static void require(const ActionList& legal, Action a, std::size_t ply) {
    if (std::find(legal.begin(), legal.end(), a) != legal.end()) return;
    fail("a game has the illegal action " + std::to_string(index(a)) + " at step " +
         std::to_string(ply));
  }

  void from_mover(const Values& values, Seat mover, float* out) const {
    for (int i = 0; i < players(); ++i) out[i] = values[(index(mover) + i) % players()];
  }

  G start_;
  NetFormat<G> net_;
  std::shared_ptr<const Oracle<G>> oracle_;
};

}  // namespace bz
