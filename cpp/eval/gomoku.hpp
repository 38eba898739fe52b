// Five in a row by the lines that each side can still fill.
//
// A window is a place for a line. It is live for a side while it holds none of the other's stones,
// and worth more the fewer stones it lacks. All windows of a direction are counted at once: shifted
// copies of the stones are added up bit by bit, so that each point holds the count of the window
// that begins there.
#pragma once

#include <array>

#include "eval/evaluation.hpp"
#include "games/gomoku/state.hpp"

namespace bz::gomoku {

// One word of the points moved by some places, towards lower points or towards higher ones.
inline Bits moved_down(const Points& p, int word, int by) {
  constexpr int kWords = static_cast<int>(std::tuple_size_v<decltype(p.words)>);
  const int from = word + by / 64;
  const int rest = by % 64;
  if (from >= kWords) return 0;
  const Bits low = p.words[from] >> rest;
  return rest == 0 || from + 1 == kWords ? low : low | p.words[from + 1] << (64 - rest);
}
inline Bits moved_up(const Points& p, int word, int by) {
  const int from = word - by / 64;
  const int rest = by % 64;
  if (from < 0) return 0;
  const Bits high = p.words[from] << rest;
  return rest == 0 || from == 0 ? high : high | p.words[from - 1] >> (64 - rest);
}

inline int size(const Points& p) {
  int total = 0;
  for (const Bits word : p.words) total += count(word);
  return total;
}

template <class F>
void each_point(const Points& p, F&& f) {
  for (int i = 0; i < std::ssize(p.words); ++i) {
    for (Bits rest = p.words[i]; rest != 0;) f(64 * i + pop(rest));
  }
}

// What one side can still fill. Windows that lack more stones than `Nearest` are only counted.
template <int Nearest>
struct Prospects {
  std::array<int, kMaxLine + 1> lacking{};    // live windows by the stones that they lack
  std::array<Points, Nearest + 1> filling{};  // the points that windows lack, by how many they lack
};

namespace detail {

// The windows along one step, by their lowest point.
struct Windows {
  Points live;                  // on the board, and without a stone of the other side
  std::array<Points, 3> own{};  // the number of own stones in binary
};

inline Windows windows(const Grid& grid, const Points& own, const Points& other, int step,
                       int line) {
  Windows result;
  for (int w = 0; w < grid.words; ++w) {
    Bits live = ~Bits{0};
    std::array<Bits, 3> digits{};
    for (int i = 0; i < line; ++i) {
      live &= moved_down(grid.inside, w, i * step) & ~moved_down(other, w, i * step);
      Bits carry = moved_down(own, w, i * step);
      for (Bits& digit : digits) {
        const Bits sum = digit ^ carry;
        carry &= digit;
        digit = sum;
      }
    }
    result.live.words[w] = live;
    for (std::size_t d = 0; d < digits.size(); ++d) result.own[d].words[w] = digits[d];
  }
  return result;
}

// Those that hold exactly so many own stones.
inline Points holding(const Windows& windows, int stones, int words) {
  Points result;
  for (int w = 0; w < words; ++w) {
    Bits found = windows.live.words[w];
    for (int d = 0; d < 3; ++d) {
      const Bits digit = windows.own[static_cast<std::size_t>(d)].words[w];
      found &= (stones >> d & 1) != 0 ? digit : ~digit;
    }
    result.words[w] = found;
  }
  return result;
}

}  // namespace detail

template <int Nearest>
Prospects<Nearest> prospects(const State& s, Seat seat) {
  const Grid& board = grid(s.options().size);
  const int line = s.options().line;
  const Points& own = s.stones(seat);
  const Points& other = s.stones(bz::other(seat));
  Prospects<Nearest> result;
  for (const int step : board.steps) {
    const detail::Windows all = detail::windows(board, own, other, step, line);
    for (int lacks = 1; lacks < line; ++lacks) {
      const Points found = detail::holding(all, line - lacks, board.words);
      const int windows = size(found);
      result.lacking[static_cast<std::size_t>(lacks)] += windows;
      if (lacks > Nearest || windows == 0) continue;
      Points& filling = result.filling[static_cast<std::size_t>(lacks)];
      for (int w = 0; w < board.words; ++w) {
        for (int i = 0; i < line; ++i) {
          filling.words[w] |= moved_up(found, w, i * step) & ~own.words[w];
        }
      }
    }
  }
  return result;
}

// The points where a stone of the seat wins.
template <int Nearest>
Points winning_points(const State& s, Seat seat, const Prospects<Nearest>& p) {
  Points result;
  each_point(p.filling[1], [&](int point) {
    if (s.has_line_at(seat, point)) result.add(point);
  });
  return result;
}

// What follows from the rules alone, whatever positions are worth.
struct Knowledge {
  bool may_repeat(const State&) const { return false; }

  // Keeps the winning points, or else the points where the opponent would win, or else those that
  // touch a stone or a window worth filling.
  void filter_moves(const State& s, std::vector<Action>& moves, std::vector<int>& order) const {
    const Seat own = s.to_move();
    const auto ours = prospects<kNearest>(s, own);
    const auto theirs = prospects<kNearest>(s, other(own));
    const Points won = winning_points(s, own, ours);
    const Points lost = winning_points(s, other(own), theirs);
    if (size(won) > 0) {
      keep(s, won, moves);
    } else if (size(lost) > 0) {
      keep(s, lost, moves);
    } else {
      keep(s, worth_a_look(s, ours, theirs), moves);
    }
    order.assign(moves.size(), 0);
    const Grid& board = grid(s.options().size);
    for (std::size_t i = 0; i < moves.size(); ++i) {
      const int point = board.point_of[index(moves[i])];
      for (std::size_t lacks = 2; lacks <= kNearest; ++lacks) {
        const int weight = kNearestWeight >> (4 * (lacks - 2));
        if (ours.filling[lacks].has(point)) order[i] += 3 * weight;
        if (theirs.filling[lacks].has(point)) order[i] += 2 * weight;
      }
    }
  }

 private:
  static constexpr int kNearest = 3;
  static constexpr int kNearestWeight = 1 << 15;

  // Drops the others, unless nothing would be left.
  static void keep(const State& s, const Points& points, std::vector<Action>& moves) {
    const Grid& board = grid(s.options().size);
    const auto kept = std::stable_partition(
        moves.begin(), moves.end(), [&](Action a) { return points.has(board.point_of[index(a)]); });
    if (kept != moves.begin()) moves.erase(kept, moves.end());
  }

  static Points worth_a_look(const State& s, const Prospects<kNearest>& ours,
                             const Prospects<kNearest>& theirs) {
    const Grid& board = grid(s.options().size);
    Points result;
    for (int w = 0; w < board.words; ++w) {
      Bits& word = result.words[w];
      for (const Seat seat : {Seat{0}, Seat{1}}) {
        for (const int step : board.steps) {
          word |= moved_up(s.stones(seat), w, step) | moved_down(s.stones(seat), w, step);
        }
      }
      for (std::size_t lacks = 2; lacks <= kNearest; ++lacks) {
        word |= ours.filling[lacks].words[w] | theirs.filling[lacks].words[w];
      }
    }
    if (size(result) == 0) result.add(board.point_of[centre(board)]);
    return result;
  }

  static int centre(const Grid& board) {
    return (board.shape.rows / 2) * board.shape.columns + board.shape.columns / 2;
  }
};

// The unit of the score is a hundredth of a window that lacks two stones.
struct Lines : Knowledge, Unbounded<1000> {
  Values operator()(const State& s) const { return zero_sum(s, value(score(s))); }

  Score score(const State& s) const {
    const Seat own = s.to_move();
    const Seat opponent = other(own);
    const auto ours = prospects<1>(s, own);
    if (size(winning_points(s, own, ours)) > 0) return kAlmostWon;
    const auto theirs = prospects<1>(s, opponent);
    const int threats = size(winning_points(s, opponent, theirs));
    if (threats > 1) return -kAlmostWon;
    const bool must_answer = threats == 1;
    return worth(ours, !must_answer) - worth(theirs, must_answer);
  }

 private:
  static constexpr Score kAlmostWon = 100'000;
  static constexpr std::array<int, 5> kWorth = {0, 0, 100, 20, 4};  // by stones lacking

  // For the side that has the move, windows that lack two stones are threats. Those that lack one
  // stone count nothing: they have won, or are about to be stopped.
  template <int Nearest>
  static Score worth(const Prospects<Nearest>& p, bool moves) {
    Score total = 0;
    for (std::size_t lacks = 2; lacks < kWorth.size(); ++lacks) {
      total += p.lacking[lacks] * kWorth[lacks];
    }
    return moves ? total + p.lacking[2] * kWorth[2] / 2 : total;
  }
};

inline Knowledge rule_knowledge(const State&) { return {}; }

inline auto evaluations(const State&) {
  return std::tuple{NamedEvaluation{"hand", Lines{}, "lines"}};
}

// The longest row through the stone; among equal ones, the nearest to the centre.
inline int progress(const State& s, Action a) {
  const Grid& board = grid(s.options().size);
  int longest = 0;
  for (const int step : board.steps) {
    const int point = board.point_of[index(a)];
    longest = std::max(longest, row_through(s.stones(s.to_move()), point, step).length);
  }
  const int last = s.options().size - 1;
  const int row = index(a) / s.options().size;
  const int column = index(a) % s.options().size;
  const int from_centre = std::max(std::abs(2 * row - last), std::abs(2 * column - last));
  return longest * 2 * kMaxSize - from_centre;
}

}  // namespace bz::gomoku
