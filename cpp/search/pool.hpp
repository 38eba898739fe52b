// Many games of self-play that advance together, so that their leaves fill a batch.
#pragma once

#include <memory>
#include <utility>

#include "search/net_slot.hpp"
#include "search/selfplay.hpp"

namespace bz {

// The pool as Python sees it, whatever the game.
class AnyPool {
 public:
  virtual ~AnyPool() = default;

  // Brings every game to a state that must be judged, and writes these states into the rows of
  // their nets' inputs; the number of rows for each net.
  virtual std::vector<int> collect() = 0;
  // Answers the rows of one net: logits [rows, policy size], values [rows, players] in the order of
  // play from the mover.
  virtual void supply(int slot, const float* logits, const float* values) = 0;

  virtual float* inputs(int slot) = 0;  // [games, planes, rows, columns]
  virtual std::vector<int> input_shape(int slot) const = 0;
  virtual int policy_size(int slot) const = 0;
  virtual std::vector<GameRecord> take_finished() = 0;
  virtual void set_version(std::uint32_t version) = 0;
  virtual bool needs_gil() const = 0;
};

template <Game G>
class Pool final : public AnyPool {
 public:
  Pool(const G& start, const SelfPlayOptions& options, std::vector<NetFormat<G>> nets, int games,
       std::uint64_t seed)
      : players_(start.shape().players) {
    for (NetFormat<G>& net : nets) {
      slots_.push_back(
          {net, std::vector<float>(static_cast<std::size_t>(games * net.inputs())), {}});
    }
    Rng rng(seed);
    for (int i = 0; i < games; ++i) games_.push_back({{start, options, rng()}, nullptr});
  }

  std::vector<int> collect() override {
    std::vector<int> counts(slots_.size(), 0);
    for (Entry& entry : games_) {
      if (entry.leaf == nullptr) {
        entry.leaf = entry.game.next(finished_);
        Slot& slot = slots_[static_cast<std::size_t>(entry.leaf->slot)];
        const auto row = slot.waiting.size();
        slot.net.write(*entry.leaf,
                       slot.inputs.data() + row * static_cast<std::size_t>(slot.net.inputs()));
        slot.waiting.push_back(&entry);
      }
    }
    for (std::size_t i = 0; i < slots_.size(); ++i)
      counts[i] = static_cast<int>(slots_[i].waiting.size());
    return counts;
  }

  void supply(int slot_index, const float* logits, const float* values) override {
    Slot& slot = slots_[static_cast<std::size_t>(slot_index)];
    for (Entry* entry : slot.waiting) {
      const Leaf<G>& leaf = *std::exchange(entry->leaf, nullptr);
      slot.net.read_priors(leaf.state, leaf.actions, logits, priors_);
      entry->game.supply(priors_.data(), by_seat(values, leaf.state.to_move(), players_));
      logits += slot.net.policy.size;
      values += players_;
    }
    slot.waiting.clear();
  }

  float* inputs(int slot) override { return slots_[static_cast<std::size_t>(slot)].inputs.data(); }
  std::vector<int> input_shape(int slot) const override {
    const NetFormat<G>& net = slots_[static_cast<std::size_t>(slot)].net;
    return {static_cast<int>(games_.size()), net.planes(), net.encoding.rows, net.encoding.columns};
  }
  int policy_size(int slot) const override {
    return slots_[static_cast<std::size_t>(slot)].net.policy.size;
  }
  std::vector<GameRecord> take_finished() override { return std::exchange(finished_, {}); }
  void set_version(std::uint32_t version) override {
    for (Entry& entry : games_) entry.game.version = version;
  }
  bool needs_gil() const override {
    return requires { typename G::HoldsPython; };
  }

 private:
  struct Entry {
    SelfPlayGame<G> game;
    const Leaf<G>* leaf;  // waits for its judgement
  };
  struct Slot {
    NetFormat<G> net;
    std::vector<float> inputs;
    std::vector<Entry*> waiting;  // in the order of the rows
  };

  int players_;
  std::vector<Entry> games_;
  std::vector<Slot> slots_;
  std::vector<GameRecord> finished_;
  std::vector<float> priors_;
};

}  // namespace bz
