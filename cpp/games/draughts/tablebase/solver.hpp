// Solves a slice and the same slice seen by the opponent, by retrograde passes.
//
// Whoever can capture must, and whatever a capture or a crowning leads to is solved already. So the
// first pass gives every position with a capture its value, and every other the number of its moves
// that may still be good. From then on values travel backwards: who can move to a lost position has
// won; whose last good move is refuted has lost. What is left at the end is drawn.
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <thread>

#include "games/draughts/movegen.hpp"
#include "games/draughts/tablebase/packed.hpp"
#include "games/draughts/tablebase/slice.hpp"

namespace bz::draughts {

// Slices that are solved, unpacked, for whoever solves further ones.
template <const Rules& R>
class SolvedSlices {
 public:
  struct Entry {
    Slice<R> slice;
    WdlArray values;
  };

  void add(const Slice<R>& slice, WdlArray values) {
    entries_[slice.balance().code()] = std::make_unique<Entry>(slice, std::move(values));
  }
  bool has(MaterialBalance balance) const { return entries_[balance.code()] != nullptr; }
  const WdlArray& values(MaterialBalance balance) const { return entries_[balance.code()]->values; }

  Wdl operator()(const Position<R>& p) const {
    if (p.own() == 0) return Wdl::loss;
    const auto placement = Placement<R>::of(p);
    const Entry& entry = *entries_[placement.balance().code()];
    return entry.values[entry.slice.number(placement)];
  }

 private:
  std::array<std::unique_ptr<Entry>, kBalances> entries_;
};

template <const Rules& R>
class Solver {
 public:
  using Stop = std::function<bool()>;

  // `stop` ends the work early; then is_complete() is false and nothing else means anything.
  Solver(const SolvedSlices<R>& solved, MaterialBalance balance, int threads, Stop stop)
      : solved_(solved), threads_(std::max(1, threads)), stop_(std::move(stop)) {
    halves_.push_back(std::make_unique<Half>(balance));
    if (!(balance == balance.turned())) {
      halves_.push_back(std::make_unique<Half>(balance.turned()));
    }
    for (const auto& half : halves_) {
      if (half->slice.size() > std::numeric_limits<Number>::max()) fail("the slice is too large");
    }
    Frontier frontier = look_ahead();
    for (; !frontier.empty() && complete_; ++longest_) frontier = go_back(frontier);
  }

  bool is_complete() const { return complete_; }
  int halves() const { return static_cast<int>(halves_.size()); }
  const Slice<R>& slice(int half) const { return halves_[static_cast<std::size_t>(half)]->slice; }

  // The most plies that a decided position of either half stays within them, the move that leaves
  // them included.
  int longest() const { return longest_; }

  WdlArray values(int half) const {
    const Half& h = *halves_[static_cast<std::size_t>(half)];
    WdlArray values(h.codes.size());
    for (std::uint64_t i = 0; i < h.codes.size(); ++i) values.set(i, wdl(h.codes[i]));
    return values;
  }

 private:
  using Number = std::uint32_t;  // of a position in its half
  using Code = std::uint8_t;

  // A code is the number of moves that are not refuted yet, or one of these.
  static constexpr Code kMostMoves = 250;
  static constexpr Code kLoss = 251;
  static constexpr Code kDraw = 252;
  static constexpr Code kWin = 253;

  struct Half {
    explicit Half(MaterialBalance balance) : slice(balance), codes(slice.size()) {}
    Slice<R> slice;
    std::vector<Code> codes;
  };

  // Positions just decided, by half, as each thread found them.
  struct Found {
    std::size_t half;
    std::vector<Number> numbers;
  };
  using Frontier = std::vector<Found>;

  static Wdl wdl(Code code) {
    return code == kLoss ? Wdl::loss : code == kWin ? Wdl::win : Wdl::draw;
  }
  static Code code(Wdl v) { return v == Wdl::loss ? kLoss : v == Wdl::win ? kWin : kDraw; }

  // Calls work(list, from, to, found) for parts of the lists, whose sizes are given, in all
  // threads; gives what they found together.
  template <class F>
  Frontier in_parallel(const std::vector<std::uint64_t>& sizes, F&& work) {
    constexpr std::uint64_t kChunk = 1 << 14;
    std::vector<Frontier> found(static_cast<std::size_t>(threads_));
    std::atomic<bool> stopped = false;
    std::vector<std::atomic<std::uint64_t>> next(sizes.size());
    const auto run = [&](std::size_t thread) {
      for (std::size_t half = 0; half < halves_.size(); ++half) {
        found[thread].push_back({half, {}});
      }
      for (std::size_t list = 0; list < sizes.size(); ++list) {
        while (!stopped) {
          const std::uint64_t from = next[list].fetch_add(kChunk);
          if (from >= sizes[list]) break;
          work(list, from, std::min(from + kChunk, sizes[list]), found[thread]);
          if (thread == 0 && stop_ && stop_()) stopped = true;
        }
      }
    };
    std::vector<std::thread> helpers;
    for (int t = 1; t < threads_; ++t) helpers.emplace_back(run, static_cast<std::size_t>(t));
    run(0);
    for (std::thread& helper : helpers) helper.join();
    if (stopped) complete_ = false;
    Frontier all;
    for (Frontier& one : found) {
      for (Found& f : one) {
        if (!f.numbers.empty()) all.push_back(std::move(f));
      }
    }
    return all;
  }

  // The first pass: captures, crownings, and the number of moves that stay.
  Frontier look_ahead() {
    std::vector<std::uint64_t> sizes;
    for (const auto& half : halves_) sizes.push_back(half->slice.size());
    return in_parallel(
        sizes, [&](std::size_t half, std::uint64_t from, std::uint64_t to, Frontier& found) {
          MoveList moves;
          Half& h = *halves_[half];
          for (std::uint64_t i = from; i < to; ++i) {
            h.codes[i] = first_code(h.slice.placement(i).position(), moves);
            if (h.codes[i] == kLoss || h.codes[i] == kWin) {
              found[half].numbers.push_back(static_cast<Number>(i));
            }
          }
        });
  }

  Code first_code(const Position<R>& p, MoveList& moves) const {
    moves.clear();
    const Generator<R, Side::white> generator(p);
    if (generator.captures(moves)) {
      Wdl best = Wdl::loss;
      for (const Move& m : moves) best = std::max(best, after(p, m));
      return code(best);
    }
    generator.quiet(moves);
    Code open = 0;
    for (const Move& m : moves) {
      const Wdl v = m.crowns ? after(p, m) : Wdl::draw;
      if (v == Wdl::win) return kWin;
      open = static_cast<Code>(open + (v == Wdl::draw));
    }
    return open == 0 ? kLoss : open;
  }

  Wdl after(Position<R> p, const Move& m) const {
    p.play(m);
    return turned(solved_(p));
  }

  // One ply back from everything that was just decided.
  Frontier go_back(const Frontier& decided) {
    std::vector<std::uint64_t> sizes;
    for (const Found& f : decided) sizes.push_back(f.numbers.size());
    return in_parallel(
        sizes, [&](std::size_t list, std::uint64_t from, std::uint64_t to, Frontier& found) {
          const std::size_t half = decided[list].half;
          const std::size_t before = halves_.size() - 1 - half;
          const Half& h = *halves_[half];
          for (std::uint64_t i = from; i < to; ++i) {
            const Number n = decided[list].numbers[i];
            const bool lost = h.codes[n] == kLoss;
            each_predecessor(h.slice.placement(n).turned(), [&](const Placement<R>& p) {
              const std::uint64_t number = halves_[before]->slice.number(p);
              if (decide(halves_[before]->codes[number], lost)) {
                found[before].numbers.push_back(static_cast<Number>(number));
              }
            });
          }
        });
  }

  // What it means for a position that one of its moves leads to one that is decided; true if it is
  // decided thereby. Threads may meet here.
  static bool decide(Code& code, bool lost_after) {
    std::atomic_ref<Code> shared(code);
    Code now = shared.load(std::memory_order_relaxed);
    for (;;) {
      if (now > kMostMoves) return false;
      const Code next = lost_after ? kWin : now == 1 ? kLoss : static_cast<Code>(now - 1);
      if (shared.compare_exchange_weak(now, next, std::memory_order_relaxed)) {
        return next > kMostMoves;
      }
    }
  }

  // The squares next to each in the four directions, up first; -1 off the board.
  using Neighbours = std::array<std::array<std::int8_t, Placement<R>::kSquares>, 4>;
  static constexpr Neighbours kNeighbours = [] {
    using Board = Geometry<R.width>;
    Neighbours neighbours{};
    constexpr int kOffsets[] = {Board::kUpLeft, Board::kUpRight, Board::kDownLeft,
                                Board::kDownRight};
    for (std::size_t d = 0; d < 4; ++d) {
      for (int s = 0; s < Board::kSquares; ++s) {
        const int to = Board::bit_index(Square(s)) + kOffsets[d];
        const bool on_board = to >= 0 && to < 64 && (bit(to) & Board::kBoard) != 0;
        neighbours[d][static_cast<std::size_t>(s)] =
            static_cast<std::int8_t>(on_board ? static_cast<int>(Board::square(to)) : -1);
      }
    }
    return neighbours;
  }();

  // Calls f with each position from which a quiet move that does not crown leads to `p`, seen by
  // the one who moved. Some may be positions where a capture was mandatory.
  template <class F>
  static void each_predecessor(const Placement<R>& p, F&& f) {
    const Bits occupied = p.occupied();
    for (Bits rest = p.men[0]; rest != 0;) {
      const int at = pop(rest);
      for (const std::size_t down : {2, 3}) {
        const int from = kNeighbours[down][static_cast<std::size_t>(at)];
        if (from < 0 || (occupied & bit(from)) != 0) continue;
        Placement<R> before = p;
        before.men[0] ^= bit(at) | bit(from);
        f(before);
      }
    }
    for (Bits rest = p.kings[0]; rest != 0;) {
      const int at = pop(rest);
      for (const auto& neighbour : kNeighbours) {
        for (int from = neighbour[static_cast<std::size_t>(at)];
             from >= 0 && (occupied & bit(from)) == 0;
             from = neighbour[static_cast<std::size_t>(from)]) {
          Placement<R> before = p;
          before.kings[0] ^= bit(at) | bit(from);
          f(before);
          if constexpr (!R.flying_kings) break;
        }
      }
    }
  }

  const SolvedSlices<R>& solved_;
  int threads_;
  Stop stop_;
  bool complete_ = true;
  int longest_ = 0;
  std::vector<std::unique_ptr<Half>> halves_;
};

}  // namespace bz::draughts
