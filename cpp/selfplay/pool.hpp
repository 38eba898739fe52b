// Many games of self-play that advance together, so that their leaves fill a batch.
#pragma once

#include <deque>
#include <memory>
#include <utility>

#include "search/mcts/net_format.hpp"
#include "selfplay/game.hpp"

namespace bz {

// The pool as Python sees it, whatever the game.
class AnyPool {
 public:
  virtual ~AnyPool() = default;

  virtual void add(const std::vector<std::uint32_t>& numbers) = 0;  // games to be played
  virtual int left() const = 0;  // games begun or to be begun, and not finished

  // Brings every game to a state that must be evaluated, and writes these states into the rows of
  // their nets' inputs; the number of rows for each net. All are 0 when no game is left to play.
  // Rows may wait while other nets answer theirs: so the games that need one net come together.
  virtual std::vector<int> collect() = 0;
  // Answers the rows of one net: logits [rows, policy size], values [rows, players] in the order of
  // play from the mover.
  virtual void receive(int net, const float* logits, const float* values) = 0;

  virtual float* inputs(int net) = 0;  // [games, planes, rows, columns]
  virtual std::vector<int> input_shape(int net) const = 0;
  virtual int policy_size(int net) const = 0;
  virtual int players() const = 0;
  virtual int waiting(int net) const = 0;  // rows that receive() must answer
  virtual std::vector<GameRecord> take_finished() = 0;
  virtual void set_version(
      std::uint32_t version) = 0;  // written into the games finished from now on
  virtual bool needs_gil() const = 0;
};

template <Game G>
class Pool final : public AnyPool {
 public:
  // Plays at most `games` at a time.
  Pool(const G& start, const SelfPlayOptions& options, std::vector<NetFormat<G>> nets, int games,
       std::uint64_t seed, std::shared_ptr<const Oracle<G>> oracle = nullptr)
      : players_(start.shape().players) {
    for (NetFormat<G>& net : nets) {
      queues_.push_back({net,
                         std::vector<float>(static_cast<std::size_t>(games) *
                                            static_cast<std::size_t>(net.inputs())),
                         {}});
    }
    for (int i = 0; i < games; ++i) {
      games_.push_back({SelfPlayGame<G>(start, options, seed, oracle), nullptr, false});
    }
  }

  void add(const std::vector<std::uint32_t>& numbers) override {
    numbers_.insert(numbers_.end(), numbers.begin(), numbers.end());
  }
  int left() const override {
    const auto playing = std::ranges::count_if(games_, &Entry::playing);
    return static_cast<int>(numbers_.size()) + static_cast<int>(playing);
  }

  std::vector<int> collect() override {
    for (Entry& entry : games_) {
      if (entry.leaf == nullptr) advance_to_leaf(entry);
    }
    std::vector<int> counts;
    for (const NetQueue& queue : queues_) counts.push_back(static_cast<int>(queue.waiting.size()));
    return counts;
  }

  void receive(int net, const float* logits, const float* values) override {
    NetQueue& queue = this->queue(net);
    for (Entry* entry : queue.waiting) {
      const Leaf<G>& leaf = *std::exchange(entry->leaf, nullptr);
      queue.format.read_priors(leaf.state, leaf.actions, logits, priors_);
      entry->game.receive(priors_.data(), by_seat(values, leaf.state.to_move(), players_));
      logits += queue.format.policy.size;
      values += players_;
    }
    queue.waiting.clear();
  }

  int waiting(int net) const override { return static_cast<int>(queue(net).waiting.size()); }
  float* inputs(int net) override { return queue(net).inputs.data(); }
  std::vector<int> input_shape(int net) const override {
    const NetFormat<G>& format = queue(net).format;
    return {static_cast<int>(games_.size()), format.planes(), format.encoding.rows,
            format.encoding.columns};
  }
  int policy_size(int net) const override { return queue(net).format.policy.size; }
  int players() const override { return players_; }
  std::vector<GameRecord> take_finished() override { return std::exchange(finished_, {}); }
  void set_version(std::uint32_t version) override { version_ = version; }
  bool needs_gil() const override { return kHoldsPython<G>; }

 private:
  struct Entry {
    SelfPlayGame<G> game;
    const Leaf<G>* leaf;  // waits for its evaluation
    bool playing;
  };
  // The states that wait for one net.
  struct NetQueue {
    NetFormat<G> format;
    std::vector<float> inputs;
    std::vector<Entry*> waiting;  // in the order of the rows
  };

  NetQueue& queue(int net) { return queues_.at(static_cast<std::size_t>(net)); }
  const NetQueue& queue(int net) const { return queues_.at(static_cast<std::size_t>(net)); }

  void begin_next_game(Entry& entry) {
    entry.playing = !numbers_.empty();
    if (!entry.playing) return;
    entry.game.begin(numbers_.front());
    numbers_.pop_front();
  }

  void advance_to_leaf(Entry& entry) {
    if (!entry.playing) begin_next_game(entry);
    while (entry.playing && (entry.leaf = entry.game.next()) == nullptr) {
      finished_.push_back(entry.game.take());
      finished_.back().version = version_;
      begin_next_game(entry);
    }
    if (!entry.playing) return;
    NetQueue& queue = this->queue(entry.game.net_index(*entry.leaf));
    const std::size_t offset =
        queue.waiting.size() * static_cast<std::size_t>(queue.format.inputs());
    queue.format.write(*entry.leaf, queue.inputs.data() + offset);
    queue.waiting.push_back(&entry);
  }

  int players_;
  std::deque<std::uint32_t> numbers_;  // of games still to be begun
  std::uint32_t version_ = 0;
  std::vector<Entry> games_;
  std::vector<NetQueue> queues_;
  std::vector<GameRecord> finished_;
  std::vector<float> priors_;
};

}  // namespace bz
