// Games with a sparse net on several threads: no Python on the way, nor its lock.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "selfplay/scored_game.hpp"

namespace bz {

// As Python sees it, whatever the game.
class AnyScoredPool {
 public:
  virtual ~AnyScoredPool() = default;

  // The nets of the games that begin from now on, one or two that play against each other, and the
  // version written into them.
  virtual void set_nets(const std::vector<sparse::Net>& nets, std::uint32_t version) = 0;
  virtual void add(const std::vector<std::uint32_t>& numbers) = 0;  // games to be played
  virtual int left() const = 0;  // games begun or to be begun, and not taken
  // The games finished since the last call; waits for one, but not longer than that.
  virtual std::vector<GameRecord> take_finished(double seconds) = 0;
  virtual std::uint64_t evaluations() const = 0;  // computed in all finished games
  virtual bool needs_gil() const = 0;
};

// Without threads a game is played whenever somebody waits for one: so games whose rules are
// written in Python stay in the thread that holds its lock.
template <Game G>
class ScoredPool final : public AnyScoredPool {
 public:
  ScoredPool(const G& start, const ScoredGameOptions& options, int threads, std::uint64_t seed)
      : player_(start, options, seed) {
    if (needs_gil()) return;
    for (int i = 0; i < threads; ++i) {
      threads_.emplace_back([this, start, options, seed] {
        ScoredGame<G> player(start, options, seed);
        while (play_next(player)) {
        }
      });
    }
  }
  ~ScoredPool() override {
    {
      const std::lock_guard lock(mutex_);
      interrupt_.stop = true;
    }
    work_.notify_all();
    threads_.clear();  // joins
  }

  void set_nets(const std::vector<sparse::Net>& nets, std::uint32_t version) override {
    if (nets.empty() || nets.size() > 2) fail("a game is played by one net or by two");
    player_.use(nets);  // fails here, not in a thread, if one is no net of this game
    const std::lock_guard lock(mutex_);
    nets_ = nets;
    version_ = version;
    work_.notify_all();
  }

  void add(const std::vector<std::uint32_t>& numbers) override {
    const std::lock_guard lock(mutex_);
    numbers_.insert(numbers_.end(), numbers.begin(), numbers.end());
    work_.notify_all();
  }
  int left() const override {
    const std::lock_guard lock(mutex_);
    return static_cast<int>(numbers_.size() + finished_.size()) + playing_;
  }

  std::vector<GameRecord> take_finished(double seconds) override {
    if (threads_.empty()) {
      if (!numbers_.empty() && !nets_.empty()) play_next(player_);
    } else {
      std::unique_lock lock(mutex_);
      done_.wait_for(lock, std::chrono::duration<double>(seconds),
                     [this] { return !finished_.empty() || (numbers_.empty() && playing_ == 0); });
    }
    const std::lock_guard lock(mutex_);
    return std::exchange(finished_, {});
  }

  std::uint64_t evaluations() const override {
    const std::lock_guard lock(mutex_);
    return evaluations_;
  }
  bool needs_gil() const override { return kHoldsPython<G>; }

 private:
  // Waits for a game to play; false when there will be none.
  bool play_next(ScoredGame<G>& player) {
    std::unique_lock lock(mutex_);
    work_.wait(lock, [this] { return interrupt_.stop || (!nets_.empty() && !numbers_.empty()); });
    if (interrupt_.stop) return false;
    const std::uint32_t number = numbers_.front();
    numbers_.pop_front();
    ++playing_;
    const auto nets = nets_;
    const std::uint32_t version = version_;
    lock.unlock();
    player.use(nets);
    const std::uint64_t before = player.evaluations();
    std::optional<GameRecord> record = player.play(number, interrupt_);
    lock.lock();
    --playing_;
    evaluations_ += player.evaluations() - before;
    if (record) {
      record->version = version;
      finished_.push_back(std::move(*record));
    }
    done_.notify_all();
    return true;
  }

  ScoredGame<G> player_;  // plays where there are no threads
  mutable std::mutex mutex_;
  std::condition_variable work_;
  std::condition_variable done_;
  Interrupt interrupt_;
  typename ScoredGame<G>::Nets nets_;
  std::uint32_t version_ = 0;
  std::deque<std::uint32_t> numbers_;  // of games still to be begun
  int playing_ = 0;
  std::uint64_t evaluations_ = 0;
  std::vector<GameRecord> finished_;
  std::vector<std::jthread> threads_;  // last: they use all of the above
};

}  // namespace bz
