// What a stone on an empty point would make, in each of the four directions.
//
// Read off the four points on either side of it, so it follows from the rules alone: a five, a four
// that can or cannot be stopped, a three that would become one, and so on. Overlines count as
// fives, and forbidden points are not looked at: a net learns what they are worth.
#pragma once

#include <algorithm>

#include "games/gomoku/places.hpp"

namespace bz::gomoku {

enum class Threat : std::uint8_t { none, two, open_two, three, open_three, four, open_four, five };
inline constexpr int kThreats = 8;

// Stones further away from a point than this do not change what a stone makes there.
inline constexpr int kThreatReach = kPlaceLength - 1;

namespace detail {

inline constexpr int kWindow = 2 * kThreatReach + 1;  // the point in the middle
inline constexpr unsigned kMiddle = 1U << kThreatReach;

// The five places of a window that the middle is a part of.
template <class F>
constexpr void each_place(F&& f) {
  for (int at = 0; at < kPlaceLength; ++at) f(0x1FU << at);
}

constexpr bool has_five(unsigned own) {
  bool found = false;
  each_place([&](unsigned place) { found |= (own & place) == place; });
  return found;
}

// The points, counted, at which one more stone leads to what `wanted` says.
template <class F>
constexpr int points_for(unsigned own, unsigned blocked, F&& wanted) {
  int found = 0;
  for (int i = 0; i < kWindow; ++i) {
    const unsigned point = 1U << i;
    if (((own | blocked) & point) == 0 && wanted(own | point)) ++found;
  }
  return found;
}

// Of a window with a stone in its middle.
constexpr Threat threat(unsigned own, unsigned blocked) {
  const auto is_open_four = [&](unsigned stones) {
    return points_for(stones, blocked, has_five) >= 2;
  };
  const auto is_open_three = [&](unsigned stones) {
    return points_for(stones, blocked, has_five) == 0 &&
           points_for(stones, blocked, is_open_four) > 0;
  };
  if (has_five(own)) return Threat::five;
  if (const int fives = points_for(own, blocked, has_five); fives > 0) {
    return fives > 1 ? Threat::open_four : Threat::four;
  }
  if (points_for(own, blocked, is_open_four) > 0) return Threat::open_three;
  int most = 0;
  each_place([&](unsigned place) {
    if ((blocked & place) == 0) most = std::max(most, count(own & place));
  });
  if (most == 3) return Threat::three;
  if (points_for(own, blocked, is_open_three) > 0) return most > 1 ? Threat::open_two : Threat::two;
  return most > 1 ? Threat::two : Threat::none;
}

// A set of eight points as digits 0 and 1 in base 3.
inline constexpr auto kTernary = [] {
  std::array<std::uint16_t, 1 << (2 * kThreatReach)> table{};
  for (unsigned set = 0; set < table.size(); ++set) {
    unsigned value = 0;
    for (int digit = 2 * kThreatReach - 1; digit >= 0; --digit)
      value = 3 * value + (set >> digit & 1);
    table[set] = static_cast<std::uint16_t>(value);
  }
  return table;
}();

// By the eight points around the middle: own stones, and what is in the way. In base 3 it is small
// enough to stay in the fastest cache.
class ThreatTable {
 public:
  ThreatTable() {
    for (unsigned own = 0; own < kTernary.size(); ++own) {
      for (unsigned blocked = 0; blocked < kTernary.size(); ++blocked) {
        if ((own & blocked) != 0) continue;
        entries_[place(own, blocked)] = threat(spread(own) | kMiddle, spread(blocked));
      }
    }
  }
  // Of nine points each; the middle is taken for the stone.
  Threat operator()(unsigned own, unsigned blocked) const {
    return entries_[place(around(own), around(blocked))];
  }

 private:
  static constexpr unsigned place(unsigned own, unsigned blocked) {
    return kTernary[own] + 2U * kTernary[blocked];
  }
  static constexpr unsigned spread(unsigned eight) { return (eight & 0xF) | (eight & 0xF0) << 1; }
  static constexpr unsigned around(unsigned nine) { return (nine & 0xF) | (nine >> 1 & 0xF0); }

  std::array<Threat, 6561> entries_{};
};

inline constexpr int kThreatBits = 3;

}  // namespace detail

// What a stone of either side, the mover's own first, would make on one point: three bits for each
// direction.
using FourThreats = std::uint16_t;
using PointThreats = std::array<FourThreats, 2>;

// Sets what stones would make on the point that lies `at` this place of a line.
inline void set_threats(PointThreats& threats, const Strip& strip, int direction, int at) {
  static const detail::ThreatTable table;
  const auto window = [at](LineBits line, unsigned before) {
    constexpr int kBefore = kThreatReach - kMargin;  // places that a line does not have
    return static_cast<unsigned>(((std::uint64_t{line} << kBefore) | before) >> at) & 0x1FF;
  };
  const unsigned wall = window(strip.wall, 7);
  const unsigned own = window(strip.own, 0);
  const unsigned other = window(strip.other, 0);
  const auto put = [&](FourThreats& four, Threat t) {
    const int shift = detail::kThreatBits * direction;
    four = static_cast<FourThreats>((four & ~(7 << shift)) | static_cast<int>(t) << shift);
  };
  put(threats[0], table(own, other | wall));
  put(threats[1], table(other, own | wall));
}

// What the four directions of a point amount to.
struct Promise {
  std::int8_t pair;        // the two greatest threats as one number, -1 for nothing but a two
  bool five;               // a stone wins
  bool cannot_be_stopped;  // or makes two fives possible at once
};

// A point with two threats is what games are won by.
inline constexpr int kThreatPairs = kThreats * (kThreats + 1) / 2 - 3;
inline const Promise& promise(FourThreats four) {
  static const auto table = [] {
    std::array<Promise, 1 << (kDirections * detail::kThreatBits)> promises{};
    for (unsigned all = 0; all < promises.size(); ++all) {
      std::array<int, kDirections> each{};
      for (std::size_t d = 0; d < each.size(); ++d) {
        each[d] = static_cast<int>(all >> (detail::kThreatBits * d) & 7);
      }
      std::ranges::sort(each, std::greater{});
      const auto at_least = [&](std::size_t nth, Threat t) {
        return each[nth] >= static_cast<int>(t);
      };
      const int pair = each[0] * (each[0] + 1) / 2 + each[1] - 3;
      promises[all] = {static_cast<std::int8_t>(std::max(pair, -1)), at_least(0, Threat::five),
                       at_least(0, Threat::open_four) || at_least(1, Threat::four)};
    }
    return promises;
  }();
  return table[four];
}

}  // namespace bz::gomoku
