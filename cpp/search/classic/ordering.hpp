// The history heuristic: moves that caused cutoffs elsewhere are searched early.
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

class History {
 public:
  static constexpr int kMost = 1 << 14;

  template <class Move>
  int operator()(Seat mover, const Move& m) const {
    return counts_[place(mover, m)];
  }

  // The same move tends to be good in many positions. Gains shrink near the limits, so that old
  // merits fade.
  template <class Move>
  void reward(Seat mover, const Move& m, int amount) {
    std::int16_t& e = counts_[place(mover, m)];
    e = static_cast<std::int16_t>(e + amount - e * (amount < 0 ? -amount : amount) / kMost);
  }

 private:
  static constexpr std::size_t kSlots = 4096;

  template <class Move>
  static std::size_t place(Seat mover, const Move& m) {
    return static_cast<std::size_t>(index(mover)) * kSlots + slot(m) % kSlots;
  }

  std::array<std::int16_t, kMaxPlayers * kSlots> counts_{};
};

}  // namespace bz
