// Five in a row as rows of a sparse net: every place for a line that one side alone has stones in,
// and every empty point by the two greatest threats that a stone there would make.
//
// A place or point has the same row wherever and whichever way it lies, so a net that has learned
// on one board plays on others too. For the same reason a move is the four lines through its point.
#pragma once

#include "games/gomoku/places.hpp"
#include "games/gomoku/state.hpp"
#include "games/gomoku/threats.hpp"
#include "nets/sparse/inputs.hpp"

namespace bz::gomoku {

struct Inputs {
  using Game = State;
  static constexpr bool kSeesSymmetries = false;  // they have the same rows

  // The stones of the seat to move and of the other.
  struct View {
    std::array<Points, 2> stones{};
    int size = 0;            // 0 is no board at all
    bool overlines = false;  // count as fives, and nothing is forbidden
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
    const int size = std::max(g.options().size, kUsualSize);
    return {.deep_rows = kPlaceKinds.count + 2 * kThreatPairs,
            .most_active = places(size) + 2 * size * size,
            .linear_rows = 0,
            .buckets = kBuckets,
            .players = 2,
            .hidden = hidden,
            .accumulator_shift = 0};
  }

  static View view(const Game& g) {
    const Seat own = g.to_move();
    return {{g.stones(own), g.stones(Seat{static_cast<std::int8_t>(1 - index(own))})},
            g.options().size,
            g.options().rule == Rule::freestyle};
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
    for (int cell = 0; cell < v.size * v.size; ++cell) {
      if (is_empty(v, cell)) push_threats(threats_at(lines, v.size, cell), out);
    }
  }

  // A row for each direction: what lies on either side of the point.
  static constexpr int kMoveRows = kDirections;
  static int policy_rows(const Game&) { return kArms * (kArms + 1) / 2; }
  static void move_rows(const Game& g, const ActionList& actions, sparse::Rows& out) {
    const View v = view(g);
    const BoardLines lines = lines_of(v);
    const LineTable& wall = walls(v.size);
    for (const Action a : actions) {
      for (int d = 0; d < kDirections; ++d) {
        const Spot s = spot(d, v.size, index(a) / v.size, index(a) % v.size);
        const auto [one, other] = lines.strip(wall, d, s.line).arms(s.at);
        const int low = std::min(one, other);  // whichever way the line is read
        const int high = std::max(one, other);
        out.push(high * (high + 1) / 2 + low);
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
        ends_ = {};
        for (int cell = 0; cell < to.size * to.size; ++cell) {
          PointThreats& threats = threats_[static_cast<std::size_t>(cell)];
          threats = threats_at(lines_, to.size, cell);
          if (is_empty(to, cell)) ends_.count(threats, 1);
        }
        return false;
      }
      touched_.clear();
      for (const bool adds : {false, true}) {  // in this order no point ever has two stones
        for (int side = 0; side < 2; ++side) {
          const auto s = static_cast<std::size_t>(side);
          each_difference(adds ? to.stones[s] : view_.stones[s],
                          adds ? view_.stones[s] : to.stones[s],
                          [&](int point) { toggle(side, point, out); });
        }
      }
      for (const Touched& t : touched_) {
        is_touched_[static_cast<std::size_t>(t.cell)] = false;
        const PointThreats& now = threats_[static_cast<std::size_t>(t.cell)];
        const bool was_empty = is_empty(view_, t.cell);
        const bool stays = was_empty && is_empty(to, t.cell);
        if (stays && now == t.before) continue;
        if (was_empty) {
          push_threats(t.before, out.removed);
          ends_.count(t.before, -1);
        }
        if (is_empty(to, t.cell)) {
          push_threats(now, out.added);
          ends_.count(now, 1);
        }
      }
      view_ = to;
      return true;
    }

    // Whether the mover wins (1) or loses (-1) whatever happens, because a five is there or cannot
    // be stopped; 0 where that is not known.
    int decided() const {
      if (!view_.overlines) return 0;
      if (ends_.fives[0] > 0) return 1;
      if (ends_.fives[1] > 1) return -1;
      return ends_.fives[1] == 0 && ends_.double_fives > 0 ? 1 : 0;
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
        const auto [first, end] = line_ends(d, size, s.line);
        const int step = cell_step(d, size);
        for (int near = std::max(first, s.at - kThreatReach);
             near <= std::min(end, s.at + kThreatReach); ++near) {
          touch(cell + (near - s.at) * step, d, near, after);
        }
      }
    }

    void touch(int cell, int direction, int at, const Strip& strip) {
      const auto c = static_cast<std::size_t>(cell);
      if (!is_touched_[c]) {
        is_touched_[c] = true;
        touched_.push_back({cell, threats_[c]});
      }
      set_threats(threats_[c], strip, direction, at);
    }

    // The points that end a game.
    struct Ends {
      std::array<int, 2> fives{};  // of either side
      int double_fives = 0;        // of the mover, where a stone makes two fives possible

      void count(const PointThreats& threats, int by) {
        for (std::size_t side = 0; side < 2; ++side) {
          if (promise(threats[side]).five) fives[side] += by;
        }
        if (promise(threats[0]).cannot_be_stopped) double_fives += by;
      }
    };

    struct Touched {
      int cell;
      PointThreats before;
    };

    View view_;
    BoardLines lines_;
    Ends ends_;
    std::array<PointThreats, kMaxCells> threats_{};
    std::array<bool, kMaxCells> is_touched_{};
    std::vector<Touched> touched_;
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

  static bool is_empty(const View& v, int cell) {
    const int point = grid(v.size).point_of[static_cast<std::size_t>(cell)];
    return !v.stones[0].has(point) && !v.stones[1].has(point);
  }
  static PointThreats threats_at(const BoardLines& lines, int size, int cell) {
    PointThreats threats{};
    for (int d = 0; d < kDirections; ++d) {
      const Spot s = spot(d, size, cell / size, cell % size);
      set_threats(threats, lines.strip(walls(size), d, s.line), d, s.at);
    }
    return threats;
  }
  static void push_threats(const PointThreats& threats, sparse::Rows& out) {
    for (int side = 0; side < 2; ++side) {
      const int pair = promise(threats[static_cast<std::size_t>(side)]).pair;
      if (pair >= 0) out.push(kPlaceKinds.count + side * kThreatPairs + pair);
    }
  }

  static constexpr int places(int size) {
    const int along = size - kPlaceLength + 1;
    return 2 * size * along + 2 * along * along;
  }
};

Inputs sparse_inputs(const State&);

}  // namespace bz::gomoku
