// Five in a row as rows of a sparse net: every place for a line that one side alone has stones in.
//
// A place has the same row wherever and whichever way it lies, so a net that has learned on one
// board plays on others too.
#pragma once

#include "games/gomoku/places.hpp"
#include "games/gomoku/state.hpp"
#include "nets/sparse/inputs.hpp"

namespace bz::gomoku {

struct Inputs {
  using Game = State;
  static constexpr bool kSeesSymmetries = false;  // they have the same rows

  // The stones of the seat to move and of the other.
  struct View {
    std::array<Points, 2> stones{};
    int size = 0;  // 0 is no board at all
  };

  static constexpr int kBuckets = 4;
  static constexpr int kUsualSize = 15;

  static std::string name(const Game& g) {
    if (g.options().line != kPlaceLength) {
      fail("sparse nets of gomoku know only lines of five");
    }
    return "gomoku-" + std::string(kRuleNames[static_cast<std::size_t>(g.options().rule)]);
  }
  static sparse::Shape shape(const Game& g, int hidden) {
    return {.deep_rows = kPlaceKinds.count,
            .most_active = places(std::max(g.options().size, kUsualSize)),
            .linear_rows = 0,
            .buckets = kBuckets,
            .players = 2,
            .hidden = hidden,
            .accumulator_shift = 0};
  }

  static View view(const Game& g) {
    const Seat own = g.to_move();
    return {{g.stones(own), g.stones(Seat{static_cast<std::int8_t>(1 - index(own))})},
            g.options().size};
  }

  static int bucket(const View& v) {
    constexpr int kStones = 16;  // per bucket
    int stones = 0;
    for (const Points& p : v.stones) {
      for (const Bits word : p.words) stones += count(word);
    }
    return std::min(stones / kStones, kBuckets - 1);
  }
  static int phase(const View&) { return 0; }
  template <class F>
  static void each_linear(const View&, F&&) {}

  static void rows(const View& v, sparse::Rows& out) {
    if (v.size == 0) return;
    const BoardLines lines = lines_of(v);
    const LineTable& wall = walls(v.size);
    for (int d = 0; d < kDirections; ++d) {
      for (int line = 0; line < (d < 2 ? v.size : 2 * v.size - 1); ++line) {
        const Strip strip = lines.strip(wall, d, line);
        if ((strip.own | strip.other) == 0) continue;
        for (int at = 0; at + kPlaceLength <= v.size; ++at) {
          if (const int kind = strip.kind(at); kind >= 0) out.push(kind);
        }
      }
    }
  }

  class Tracker {
   public:
    bool follow(const View& to, sparse::Changes& out) {
      constexpr int kMostStones = 12;  // beyond, starting afresh is quicker
      if (to.size != view_.size || distance(to) > kMostStones) {
        view_ = to;
        lines_ = lines_of(to);
        return false;
      }
      for (const bool adds : {false, true}) {  // in this order no point ever has two stones
        for (int side = 0; side < 2; ++side) {
          const auto s = static_cast<std::size_t>(side);
          each_difference(adds ? to.stones[s] : view_.stones[s],
                          adds ? view_.stones[s] : to.stones[s],
                          [&](int point) { toggle(side, point, out); });
        }
      }
      view_ = to;
      return true;
    }

   private:
    int distance(const View& to) const {
      int stones = 0;
      for (std::size_t side = 0; side < 2; ++side) {
        for (std::size_t w = 0; w < to.stones[side].words.size(); ++w) {
          stones += count(to.stones[side].words[w] ^ view_.stones[side].words[w]);
        }
      }
      return stones;
    }

    // All places of which the point is a part or a flank may become of another kind.
    void toggle(int side, int point, sparse::Changes& out) {
      const int size = view_.size;
      const int cell = grid(size).cell_of[static_cast<std::size_t>(point)];
      const LineTable& wall = walls(size);
      for (int d = 0; d < kDirections; ++d) {
        const Spot s = spot(d, size, cell / size, cell % size);
        const Strip before = lines_.strip(wall, d, s.line);
        lines_.flip(side, d, s);
        const Strip after = lines_.strip(wall, d, s.line);
        const int last = std::min(s.at + 1, size - kPlaceLength);
        for (int at = std::max(0, s.at - kPlaceLength); at <= last; ++at) {
          if (const int kind = before.kind(at); kind >= 0) out.removed.push(kind);
          if (const int kind = after.kind(at); kind >= 0) out.added.push(kind);
        }
      }
    }

    View view_;
    BoardLines lines_;
  };

 private:
  // The points that a has and b has not.
  template <class F>
  static void each_difference(const Points& a, const Points& b, F&& f) {
    for (int w = 0; w < std::ssize(a.words); ++w) {
      const auto at = static_cast<std::size_t>(w);
      for (Bits rest = a.words[at] & ~b.words[at]; rest != 0;) f(64 * w + pop(rest));
    }
  }

  static BoardLines lines_of(const View& v) {
    BoardLines lines;
    for (int side = 0; side < 2; ++side) {
      each_difference(v.stones[static_cast<std::size_t>(side)], {},
                      [&](int point) { lines.toggle(side, v.size, point); });
    }
    return lines;
  }

  static constexpr int places(int size) {
    const int along = size - kPlaceLength + 1;
    return 2 * size * along + 2 * along * along;
  }
};

Inputs sparse_inputs(const State&);

}  // namespace bz::gomoku
