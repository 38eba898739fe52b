// The history heuristic: moves that caused cutoffs elsewhere are searched early, and earlier where
// they did so in reply to the same move.
#pragma once

#include <array>
#include <cstdint>

#include "core/types.hpp"

namespace bz {

// Tells moves apart well enough for statistics.
constexpr std::size_t slot(Action a) { return static_cast<std::size_t>(index(a)); }
template <class Move>
  requires requires(const Move& m) {
    m.from;
    m.to;
  }
constexpr std::size_t slot(const Move& m) {
  return static_cast<std::size_t>(m.from) * 64 + static_cast<std::size_t>(m.to);
}

inline constexpr std::size_t kNoMove = ~std::size_t{0};

class History {
 public:
  static constexpr int kMost = 1 << 14;

  // `last` is the slot of the opponent's move before, or kNoMove.
  template <class Move>
  int operator()(Seat mover, const Move& m, std::size_t last) const {
    const int replies = last == kNoMove ? 0 : replies_[reply(mover, m, last)];
    return counts_[place(mover, m)] + replies;
  }

  // The same move tends to be good in many positions. Gains shrink near the limits, so that old
  // merits fade.
  template <class Move>
  void reward(Seat mover, const Move& m, std::size_t last, int amount) {
    add(counts_[place(mover, m)], amount);
    if (last != kNoMove) add(replies_[reply(mover, m, last)], amount);
  }

  void clear() {
    counts_.fill(0);
    replies_.fill(0);
  }

 private:
  static constexpr std::size_t kSlots = 4096;
  // Of replies and of the moves before them only where they ended counts: a table of all pairs of
  // moves would not stay in the cache.
  static constexpr std::size_t kEnds = 64;

  static void add(std::int16_t& e, int amount) {
    e = static_cast<std::int16_t>(e + amount - e * (amount < 0 ? -amount : amount) / kMost);
  }
  template <class Move>
  static std::size_t place(Seat mover, const Move& m) {
    return static_cast<std::size_t>(index(mover)) * kSlots + slot(m) % kSlots;
  }
  template <class Move>
  static std::size_t reply(Seat mover, const Move& m, std::size_t last) {
    return (static_cast<std::size_t>(index(mover)) * kEnds + last % kEnds) * kEnds +
           slot(m) % kEnds;
  }

  std::array<std::int16_t, kMaxPlayers * kSlots> counts_{};
  std::array<std::int16_t, kMaxPlayers * kEnds * kEnds> replies_{};
};

}  // namespace bz
