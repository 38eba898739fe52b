// The hand-written evaluation of Chexers (Mann and Han 2019): what a position is worth to each
// seat, what each seat should head for, which actions a search may leave out, and how long to
// think.
//
//   score(seat) = 10 * exits + sum over its pieces of (1 - k * distance + m * friends)
//
// distance: steps to the nearest hexagon of the seat's objective; friends: own pieces next to this
// one. All functions are pure; the numbers that are ours to choose are in Weights.
#pragma once

#include <cmath>
#include <limits>

#include "eval/evaluation.hpp"
#include "games/chexers/state.hpp"

namespace bz::chexers {

struct Weights {
  float exit = 10.0F;
  float distance = 0.05F;  // k
  float friends = 0.005F;  // m
  int block_within = 8;    // a rival this near to winning is blocked; 0: never
  float scale = 10.0F;     // the lead in points that counts as tanh(1) of a win
};

// The scale of the formula: about 1 for a piece and 10 for an exit.
using Scores = std::array<float, kSeats>;

enum class Aim { exit, block, centre };

struct Objective {
  Aim aim = Aim::exit;
  Seat of{};  // whose leaving hexagons to head for: one's own, or the blocked rival's

  friend bool operator==(const Objective&, const Objective&) = default;
};

namespace detail {

// By seat, then the centre: steps from each hexagon to the nearest one of that goal.
inline constexpr auto kSteps = [] {
  std::array<std::array<int, kHexes>, kSeats + 1> table{};
  for (int goal = 0; goal <= kSeats; ++goal) {
    const Bits goals = goal == kSeats ? bz::bit(Axial{0, 0}.square()) : kLeaving[goal];
    for (int h = 0; h < kHexes; ++h) {
      table[goal][h] = kWidth;
      for (Bits b = goals; b != 0;) {
        table[goal][h] = std::min(table[goal][h], distance(kAxial[h], axial(hex(pop(b)))));
      }
    }
  }
  return table;
}();

}  // namespace detail

constexpr int steps_to_leave(Seat s, Hex h) { return detail::kSteps[index(s)][index(h)]; }
constexpr int steps_to_centre(Hex h) { return detail::kSteps[kSeats][index(h)]; }

// The hexagons within one step of any of these, and these.
constexpr Bits spread(Bits b) {
  Bits result = b;
  for (int way = 0; way < kDirections; ++way) result |= step(b, way);
  return result & kBoard;
}

inline bool has_enough_pieces(const State& s, Seat seat) {
  return s.exits(seat) + count(s.pieces(seat)) >= kExitsToWin;
}

// Single steps and exits until the seat has won with its nearest pieces if nobody stands in the
// way; no number when it has too few pieces.
inline std::optional<int> steps_to_win(const State& s, Seat seat) {
  if (!has_enough_pieces(s, seat)) return std::nullopt;
  std::array<int, kWidth> at_distance{};
  for (Bits b = s.pieces(seat); b != 0;) ++at_distance[steps_to_leave(seat, hex(pop(b)))];
  int needed = kExitsToWin - s.exits(seat);
  int steps = 0;
  for (int d = 0; d < kWidth && needed > 0; ++d) {
    const int used = std::min(needed, at_distance[d]);
    steps += used * (d + 1);
    needed -= used;
  }
  return steps;
}

// Block a rival that is about to win and ahead of us; gather in the centre with too few pieces
// to win; else leave.
inline Objective objective(const State& s, Seat seat, const Weights& w = {}) {
  int ahead =
      std::min(steps_to_win(s, seat).value_or(std::numeric_limits<int>::max()), w.block_within + 1);
  Objective result{has_enough_pieces(s, seat) ? Aim::exit : Aim::centre, seat};
  for (int i = 1; i < kSeats; ++i) {
    const Seat rival = next(seat, i);
    if (const auto steps = steps_to_win(s, rival); steps && *steps < ahead) {
      ahead = *steps;
      result = {Aim::block, rival};
    }
  }
  return result;
}

// The formula for one seat with a given objective.
inline float score(const State& s, Seat seat, Objective goal, const Weights& w = {}) {
  const Bits own = s.pieces(seat);
  int distances = 0;
  for (Bits b = own; b != 0;) {
    const Hex h = hex(pop(b));
    distances += goal.aim == Aim::centre ? steps_to_centre(h) : steps_to_leave(goal.of, h);
  }
  int pairs = 0;  // of neighbours; each counts for both
  for (int way = 0; way < kDirections / 2; ++way) pairs += count(own & step(own, way));
  return w.exit * static_cast<float>(s.exits(seat)) + static_cast<float>(count(own)) -
         w.distance * static_cast<float>(distances) + w.friends * static_cast<float>(2 * pairs);
}

// Every seat with the objective that it should have.
inline Scores evaluate(const State& s, const Weights& w = {}) {
  Scores scores{};
  for (int i = 0; i < kSeats; ++i) scores[i] = score(s, Seat(i), objective(s, Seat(i), w), w);
  return scores;
}

// The evaluation for searches, in [-1, 1] for each seat: tanh of its lead over the mean of the
// others. A finished game has its outcome.
inline Values squashed(const State& s, const Weights& w = {}) {
  if (const auto outcome = s.outcome()) return outcome->values;
  const Scores scores = evaluate(s, w);
  Values values(kSeats, 0.0F);
  for (int i = 0; i < kSeats; ++i) {
    const float others = (scores[(i + 1) % kSeats] + scores[(i + 2) % kSeats]) / 2;
    values[i] = std::tanh((scores[i] - others) / w.scale);
  }
  return values;
}

inline auto evaluations(const State&) {
  constexpr auto kSquashed = [](const State& s) { return squashed(s); };
  return std::tuple{NamedEvaluation{"hand", Rounded<decltype(kSquashed)>{kSquashed}, "chexers"}};
}

// Steps that a piece gains towards the hexagons from which it can leave; leaving is the goal.
inline int progress(const State& s, Action a) {
  if (a == kPass) return 0;
  if (is_exit(a)) return kWidth;
  const auto steps = [&](Hex h) { return steps_to_leave(s.to_move(), h); };
  return steps(origin(a)) - steps(*target(a));
}

// The action after which the mover's score is highest; the state must not be over.
inline Action favourite(const State& s, const Weights& w = {}) {
  ActionList actions;
  s.actions(actions);
  Action best = actions.front();
  float most = -std::numeric_limits<float>::infinity();
  for (const Action a : actions) {
    const State next = after(s, a);
    const float value = score(next, s.to_move(), objective(next, s.to_move(), w), w);
    if (value > most) {
      most = value;
      best = a;
    }
  }
  return best;
}

// The legal actions that a search on behalf of `root` looks at. No seat leaves before it has
// enough pieces to win, unless it can do nothing else. Of the others only pieces within two steps
// of one of root's act, or leave; if there are none, that seat's favourite action stands for all,
// because a seat that can act may not pass.
inline void relevant(const State& s, Seat root, ActionList& out, const Weights& w = {}) {
  s.actions(out);
  if (out.size() <= 1) return;
  const bool too_early = !has_enough_pieces(s, s.to_move());
  const Bits near = s.to_move() == root ? kBoard : spread(spread(s.pieces(root)));
  const auto kept = std::remove_if(out.begin(), out.end(), [&](Action a) {
    return is_exit(a) ? too_early : (bit(origin(a)) & near) == 0;
  });
  if (kept == out.begin()) {
    out.assign(1, favourite(s, w));
  } else {
    out.erase(kept, out.end());
  }
}

// The part of the game, as far as thinking time goes.
enum class Stage { early, middle, end, won };

inline Stage stage(const State& s, Seat seat) {
  bool rival_can_win = false;
  bool untouched = true;  // nobody has captured or left, and nobody is half way
  bool near_the_end = false;
  for (int i = 0; i < kSeats; ++i) {
    const auto steps = steps_to_win(s, Seat(i));
    if (steps && Seat(i) != seat) rival_can_win = true;
    near_the_end = near_the_end || (steps && *steps <= 10);
    untouched = untouched && count(s.pieces(Seat(i))) == 4 && s.exits(Seat(i)) == 0 && *steps > 18;
  }
  if (has_enough_pieces(s, seat) && !rival_can_win) return Stage::won;
  if (near_the_end) return Stage::end;
  return untouched ? Stage::early : Stage::middle;
}

// Seconds for the next action: an equal share for each of the turns that may still come, times
// what the stage deserves. Few games last 256 turns, so the middle may take several shares; no
// sequence of stages uses up the clock.
inline double thinking_time(const State& s, double seconds_left) {
  constexpr std::array<double, 4> kShares = {1.0, 4.0, 2.0, 0.5};  // by Stage
  const int turns_left = (kTurnLimit - s.turns() + kSeats - 1) / kSeats;
  const double shares = kShares[static_cast<int>(stage(s, s.to_move()))];
  return seconds_left * std::min(0.5, shares / std::max(1, turns_left));
}

}  // namespace bz::chexers
