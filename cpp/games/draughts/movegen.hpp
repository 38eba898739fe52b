// All legal moves of a position, whole or step by step, from one set of jumps.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "core/rng.hpp"
#include "games/draughts/position.hpp"

namespace bz::draughts {

using MoveList = std::vector<Move>;

// One jump of a capture, or a quiet step.
struct Step {
  std::uint8_t from = 0;  // bit indices
  std::uint8_t to = 0;
  Bits victim = 0;  // empty for a quiet step

  friend bool operator==(const Step&, const Step&) = default;
};

// Sees the board from one side. Pieces jumped but not yet removed still stand in the way and
// cannot be jumped again (the Turkish strike).
template <const Rules& R, Side S>
class Generator {
 public:
  explicit Generator(const Position<R>& p)
      : own_(p.pieces[index(S)]),
        opponent_(p.pieces[index(other(S))]),
        kings_(p.kings & own_),
        empty_(Board::kBoard & ~(own_ | opponent_)) {}

  bool any_move() const { return any_quiet() || can_capture(); }
  bool can_capture() const { return capturing_men() != 0 || capturing_kings() != 0; }

  // Appends every legal move.
  void moves(MoveList& out) const {
    if (!captures(out)) quiet(out);
  }

  // The number of legal moves, without listing quiet ones.
  std::uint64_t count(MoveList& scratch) const {
    scratch.clear();
    if (captures(scratch)) return scratch.size();
    std::uint64_t total = 0;
    const Bits men = own_ & ~kings_;
    each_forward([&]<int D>() { total += bz::count(shift<D>(men) & empty_); });
    for (Bits rest = kings_; rest != 0;) {
      each_slide(pop(rest), [&](Bits) { ++total; });
    }
    return total;
  }

  // Appends captures; false if there is none.
  bool captures(MoveList& out) const {
    const Bits men = capturing_men();
    const Bits kings = capturing_kings();
    if ((men | kings) == 0) return false;
    Hunt hunt{out, out.size(), 0, 0};
    for (Bits rest = men; rest != 0;) start_hunt(pop(rest), false, hunt);
    for (Bits rest = kings; rest != 0;) start_hunt(pop(rest), true, hunt);
    remove_twins(out, hunt.first);
    return true;
  }

  // Appends the ways to finish the capture of the piece on `at` that has jumped `taken`.
  void further_captures(int at, Bits taken, MoveList& out) const {
    Hunt hunt{out, out.size(), taken, 0};
    start_hunt(at, (kings_ & bit(at)) != 0, hunt);
    remove_twins(out, hunt.first);
  }

  void quiet(MoveList& out) const {
    each_quiet([&](int from, int to, bool crowns) {
      // In place: a copy of what was just written byte by byte would have to wait for it.
      out.emplace_back(Bits{0}, from, to, crowns);
    });
  }

  // Appends the legal first steps of a turn.
  void steps(std::vector<Step>& out) const {
    const Bits men = capturing_men();
    const Bits kings = capturing_kings();
    if ((men | kings) == 0) {
      each_quiet([&](int from, int to, bool) { out.emplace_back(from, to); });
      return;
    }
    int most = 0;
    for (Bits rest = men; rest != 0;) add_jumps(pop(rest), false, 0, most, out);
    for (Bits rest = kings; rest != 0;) add_jumps(pop(rest), true, 0, most, out);
  }

  // Appends the steps with which the piece on `at` must go on after jumping `taken`.
  void further_steps(int at, Bits taken, std::vector<Step>& out) const {
    int most = 0;
    add_jumps(at, (kings_ & bit(at)) != 0, taken, most, out);
  }

  // One of the legal first steps of a turn, each equally likely; nothing if there is none.
  std::optional<Step> random_step(Rng& rng) const {
    const Fan jumps = jump_fan(own_ & ~kings_, kings_, opponent_);
    if (jumps.size() == 0) {
      const Fan slides = slide_fan();
      if (slides.size() == 0) return std::nullopt;
      return step(slides, 0, rng);
    }
    if (is_free_choice(jumps, kings_)) return step(jumps, opponent_, rng);
    return any_of(rng, [&](std::vector<Step>& all) { steps(all); });
  }

  // The same for the piece on `at`, which has jumped `taken` and can go on.
  Step random_further_step(int at, Bits taken, Rng& rng) const {
    const Bits king = kings_ & bit(at);
    const Bits prey = opponent_ & ~taken;
    const Fan jumps = jump_fan(bit(at) & ~king, king, prey);
    if (is_free_choice(jumps, king)) return step(jumps, prey, rng);
    return any_of(rng, [&](std::vector<Step>& all) { further_steps(at, taken, all); });
  }

  // Whether the piece on `at`, standing there as a king or not, has a further jump.
  bool can_jump(int at, bool king, Bits taken) const {
    bool found = false;
    const Bits free = empty_ | bit(at);
    each_jump(at, king, taken, free, [&](int, Bits) { found = true; });
    return found;
  }

  static constexpr bool crowns_at(int bit_index) {
    return (bit(bit_index) & Board::kCrownRow[index(S)]) != 0;
  }

  // Calls route(const std::vector<int>& squares) for each route of a legal capture by a piece that
  // has jumped `taken` already, until it returns true.
  template <class F>
  void routes(const Move& m, Bits taken, F&& route) const {
    std::vector<int> squares{m.from};
    const Landing start{(kings_ & bit(m.from)) != 0, false};
    const Bits free = empty_ | bit(m.from);
    walk(m, m.from, start, taken, m.captured | taken, free, squares, route);
  }

 private:
  using Board = Geometry<R.width>;

  static constexpr int kForwardLeft = S == Side::white ? Board::kUpLeft : Board::kDownRight;
  static constexpr int kForwardRight = S == Side::white ? Board::kUpRight : Board::kDownLeft;

  template <class F>
  static void each_forward(F&& f) {
    f.template operator()<kForwardLeft>();
    f.template operator()<kForwardRight>();
  }

  template <class F>
  static void each_direction(F&& f) {
    each_forward(f);
    f.template operator()<-kForwardRight>();
    f.template operator()<-kForwardLeft>();
  }

  template <class F>
  static void each_man_capture_direction(F&& f) {
    if constexpr (R.men_capture_backwards) {
      each_direction(f);
    } else {
      each_forward(f);
    }
  }

  // Steps as sets of target squares by direction. No two pieces reach a square in the same
  // direction, since the nearer one is in the other's way: counting and picking needs no list.
  struct Fan {
    static constexpr std::array<int, 4> kDirections = {kForwardLeft, kForwardRight, -kForwardRight,
                                                       -kForwardLeft};
    std::array<Bits, 4> targets{};

    int size() const {
      return bz::count(targets[0]) + bz::count(targets[1]) + bz::count(targets[2]) +
             bz::count(targets[3]);
    }
  };

  // Calls f<direction>(number of the direction) in the order of Fan.
  template <class F>
  static void each_way(F&& f) {
    std::size_t way = 0;
    each_direction([&]<int D>() { f.template operator()<D>(way++); });
  }

  // The squares of `free` that a flying piece on `from` reaches, and `from`.
  template <int D>
  static Bits ray(Bits from, Bits free) {
    from |= shift<D>(from) & free;
    free &= shift<D>(free);
    from |= shift<2 * D>(from) & free;
    free &= shift<2 * D>(free);
    from |= shift<4 * D>(from) & free;
    free &= shift<4 * D>(free);
    return from | (shift<8 * D>(from) & free);
  }

  Fan slide_fan() const {
    Fan fan;
    each_way([&]<int D>(std::size_t way) {
      Bits from = kings_;
      if (R.flying_kings && from != 0) from = ray<D>(from, empty_);
      fan.targets[way] = shift<D>(way < 2 ? from | own_ : from) & empty_;
    });
    return fan;
  }

  Fan jump_fan(Bits men, Bits kings, Bits prey) const {
    Fan fan;
    each_way([&]<int D>(std::size_t way) {
      const Bits walkers = way < 2 || R.men_capture_backwards ? men : 0;
      if constexpr (R.flying_kings) {
        fan.targets[way] = shift<D>(shift<D>(walkers) & prey) & empty_;
        if (kings == 0) return;
        const Bits victims = shift<D>(ray<D>(kings, empty_)) & prey;
        const Bits first = shift<D>(victims) & empty_;
        fan.targets[way] |= ray<D>(first, empty_);
      } else {
        fan.targets[way] = shift<D>(shift<D>(walkers | kings) & prey) & empty_;
      }
    });
    return fan;
  }

  // Whether all jumps of the fan are legal, whatever can follow them.
  static bool is_free_choice(const Fan& jumps, Bits kings) {
    if constexpr (R.largest_capture) return jumps.size() == 1;
    return !R.flying_kings || kings == 0 || jumps.size() == 1;
  }

  // A random step of a fan, traced back to its origin over the empty squares and the prey.
  Step step(const Fan& fan, Bits prey, Rng& rng) const {
    // Without branches, because nothing about a random choice can be predicted.
    std::array<int, 4> before{};  // targets in the ways before this one
    for (std::size_t i = 1; i < 4; ++i) before[i] = before[i - 1] + bz::count(fan.targets[i - 1]);
    const int n = static_cast<int>(rng.below(static_cast<std::uint32_t>(fan.size())));
    const std::size_t way = std::size_t{n >= before[1]} + (n >= before[2]) + (n >= before[3]);
    const int to = nth(fan.targets[way], n - before[way]);
    int from = to - Fan::kDirections[way];
    Bits victim = 0;
    for (; ((empty_ | prey) & bit(from)) != 0; from -= Fan::kDirections[way]) {
      victim |= bit(from) & prey;
    }
    return Step(from, to, victim);
  }

  template <class F>
  static Step any_of(Rng& rng, F&& list) {
    thread_local std::vector<Step> all;
    all.clear();
    list(all);
    return all[rng.below(static_cast<std::uint32_t>(all.size()))];
  }

  bool any_quiet() const {
    bool found = false;
    const Bits men = own_ & ~kings_;
    each_forward([&]<int D>() { found |= (shift<D>(men) & empty_) != 0; });
    each_direction([&]<int D>() { found |= (shift<D>(kings_) & empty_) != 0; });
    return found;
  }

  Bits capturing_men() const {
    Bits found = 0;
    const Bits men = own_ & ~kings_;
    each_man_capture_direction([&]<int D>() { found |= shift<-D>(shift<-D>(empty_) & opponent_); });
    return found & men;
  }

  Bits capturing_kings() const {
    Bits found = 0;
    if (kings_ == 0) return 0;
    if constexpr (R.flying_kings) {
      for (Bits rest = kings_; rest != 0;) {
        const int at = pop(rest);
        if (can_jump(at, true, 0)) found |= bit(at);
      }
    } else {
      each_direction([&]<int D>() { found |= shift<-D>(shift<-D>(empty_) & opponent_); });
    }
    return found & kings_;
  }

  // Calls f(from, to, crowns) for each move without a capture.
  template <class F>
  void each_quiet(F&& f) const {
    const Bits men = own_ & ~kings_;
    each_forward([&]<int D>() {
      for (Bits targets = shift<D>(men) & empty_; targets != 0;) {
        const int to = pop(targets);
        f(to - D, to, crowns_at(to));
      }
    });
    for (Bits rest = kings_; rest != 0;) {
      const int from = pop(rest);
      each_slide(from, [&](Bits to) { f(from, lowest(to), false); });
    }
  }

  // Calls f(target) for each square that the king on `from` can slide to.
  template <class F>
  void each_slide(int from, F&& f) const {
    each_direction([&]<int D>() {
      Bits to = shift<D>(bit(from)) & empty_;
      while (to != 0) {
        f(to);
        if constexpr (!R.flying_kings) break;
        to = shift<D>(to) & empty_;
      }
    });
  }

  // Calls f(landing square, victim) for each jump from `at`; `free` are the squares that do not
  // block, the mover's own starting square among them.
  template <class F>
  void each_jump(int at, bool king, Bits taken, Bits free, F&& f) const {
    const Bits prey = opponent_ & ~taken;
    if (R.flying_kings && king) {
      each_direction([&]<int D>() { flying_jumps<D>(at, taken, free, prey, f); });
      return;
    }
    const auto near = [&]<int D>() {
      const Bits victim = shift<D>(bit(at)) & prey;
      const Bits to = shift<D>(victim) & free;
      if (to != 0) f(lowest(to), victim);
    };
    if (king) {
      each_direction(near);
    } else {
      each_man_capture_direction(near);
    }
  }

  template <int D, class F>
  void flying_jumps(int at, Bits taken, Bits free, Bits prey, F&& f) const {
    Bits b = shift<D>(bit(at));
    while ((b & free) != 0) b = shift<D>(b);
    const Bits victim = b & prey;
    if (victim == 0) return;
    const Bits first = shift<D>(victim) & free;
    // Without the rule of the largest capture a king must still land where it can go on, if it can.
    bool must_go_on = false;
    if constexpr (!R.largest_capture) {
      for (Bits to = first; to != 0; to = shift<D>(to) & free) {
        must_go_on |= goes_on(lowest(to), taken | victim, free);
      }
    }
    for (Bits to = first; to != 0; to = shift<D>(to) & free) {
      if (!must_go_on || goes_on(lowest(to), taken | victim, free)) f(lowest(to), victim);
    }
  }

  // Whether a flying king on `at` has a jump. Apart from each_jump, which asks it.
  bool goes_on(int at, Bits taken, Bits free) const {
    bool found = false;
    each_direction([&]<int D>() {
      Bits b = shift<D>(bit(at));
      while ((b & free) != 0) b = shift<D>(b);
      found |= (shift<D>(b & opponent_ & ~taken) & free) != 0;
    });
    return found;
  }

  // What the piece is after landing on `to`, and whether its move ends there.
  struct Landing {
    bool king;
    bool ends;
  };
  static Landing land(int to, bool king) {
    if (king || !crowns_at(to)) return {king, false};
    return {R.crowning == Crowning::in_full_flow, R.crowning == Crowning::stops};
  }

  struct Hunt {
    MoveList& out;
    std::size_t first;  // where this position's captures begin in `out`
    Bits before;        // jumped before this hunt began
    int most;           // captured so far by the longest
  };

  void start_hunt(int from, bool king, Hunt& hunt) const {
    follow(Move(0, from, from), from, king, king, 0, empty_ | bit(from), hunt);
  }

  // Depth is bounded by the opponent's pieces: each call has taken one more.
  void follow(Move m, int at, bool was_king, bool king, int taken, Bits free, Hunt& hunt) const {
    bool on = false;
    each_jump(at, king, m.captured | hunt.before, free, [&](int to, Bits victim) {
      on = true;
      Move next = m;
      next.captured |= victim;
      next.to = static_cast<std::uint8_t>(to);
      const Landing landing = land(to, king);
      if (landing.ends) {
        finish(next, was_king, landing.king, taken + 1, hunt);
      } else {
        follow(next, to, was_king, landing.king, taken + 1, free, hunt);
      }
    });
    if (!on) finish(m, was_king, king, taken, hunt);
  }

  void finish(Move m, bool was_king, bool king, int taken, Hunt& hunt) const {
    if constexpr (R.largest_capture) {
      if (taken < hunt.most) return;
      if (taken > hunt.most) hunt.out.resize(hunt.first);
      hunt.most = taken;
    }
    m.crowns = !was_king && (king || crowns_at(m.to));
    hunt.out.push_back(m);
  }

  // Different routes to the same result are one move.
  static void remove_twins(MoveList& out, std::size_t first) {
    if (out.size() - first < 2) return;
    const auto begin = out.begin() + static_cast<std::ptrdiff_t>(first);
    std::sort(begin, out.end());
    out.erase(std::unique(begin, out.end()), out.end());
  }

  // The most captures that can follow once the piece has jumped to `at`.
  int longest(int at, Landing landing, Bits taken, Bits free) const {
    if (landing.ends) return 0;
    int most = 0;
    each_jump(at, landing.king, taken, free, [&](int to, Bits victim) {
      most = std::max(most, 1 + longest(to, land(to, landing.king), taken | victim, free));
    });
    return most;
  }

  void add_jumps(int at, bool king, Bits taken, int& most, std::vector<Step>& out) const {
    const Bits free = empty_ | bit(at);
    each_jump(at, king, taken, free, [&](int to, Bits victim) {
      if constexpr (R.largest_capture) {
        const int length = 1 + longest(to, land(to, king), taken | victim, free);
        if (length < most) return;
        if (length > most) out.clear();
        most = length;
      }
      out.emplace_back(at, to, victim);
    });
  }

  template <class F>
  bool walk(const Move& m, int at, Landing landing, Bits taken, Bits goal, Bits free,
            std::vector<int>& squares, F& route) const {
    if (taken == goal) return at == m.to && route(squares);
    if (landing.ends) return false;
    bool stop = false;
    each_jump(at, landing.king, taken, free, [&](int to, Bits victim) {
      if (stop || (victim & ~goal) != 0) return;
      squares.push_back(to);
      stop = walk(m, to, land(to, landing.king), taken | victim, goal, free, squares, route);
      squares.pop_back();
    });
    return stop;
  }

  Bits own_;
  Bits opponent_;
  Bits kings_;  // own only
  Bits empty_;
};

// Calls f with the generator of the side to move.
template <const Rules& R, class F>
decltype(auto) with_generator(const Position<R>& p, F&& f) {
  return p.side == Side::white ? f(Generator<R, Side::white>(p)) : f(Generator<R, Side::black>(p));
}

template <const Rules& R>
void legal_moves(const Position<R>& p, MoveList& out) {
  out.clear();
  with_generator(p, [&](const auto& generator) { generator.moves(out); });
}

}  // namespace bz::draughts
