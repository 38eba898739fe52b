// Chexers as rows of a sparse net: whose piece stands on each hexagon, and how many have left.
//
// Everything is seen by the seat to move, on a board turned so that it starts at red's hexagons.
#pragma once

#include "games/chexers/state.hpp"
#include "nets/sparse/inputs.hpp"

namespace bz::chexers {

struct Inputs : sparse::MovesByAction<State> {
  using Game = State;
  static constexpr bool kSeesSymmetries = false;  // they have the same rows

  // By seat: the mover, the next, the one after.
  struct View {
    std::array<Bits, kSeats> pieces{};
    std::array<int, kSeats> exits{-1, -1, -1};
  };

  static constexpr int kSquares = 64;
  static constexpr int kExitRows = kExitsToWin + 1;

  static std::string name(const Game&) { return "chexers"; }
  static sparse::Shape shape(const Game&, int hidden) {
    return {.deep_rows = kSeats * (kSquares + kExitRows),
            .most_active = kHexes + kSeats,
            .linear_rows = 0,
            .buckets = 1,
            .players = kSeats,
            .hidden = hidden};
  }

  static View view(const Game& g) {
    const Seat viewer = g.to_move();
    const int turns = (kSeats - index(viewer)) % kSeats;
    View v;
    for (int i = 0; i < kSeats; ++i) {
      const Seat seat = next(viewer, i);
      v.pieces[static_cast<std::size_t>(i)] = turned(g.pieces(seat), turns);
      v.exits[static_cast<std::size_t>(i)] = g.exits(seat);
    }
    return v;
  }

  static void rows(const View& v, sparse::Rows& out) {
    for (int i = 0; i < kSeats; ++i) {
      const auto seat = static_cast<std::size_t>(i);
      for (Bits b = v.pieces[seat]; b != 0;) out.push(piece_row(i, pop(b)));
      if (v.exits[seat] >= 0) out.push(exit_row(i, v.exits[seat]));
    }
  }

  class Tracker {
   public:
    bool follow(const View& to, sparse::Changes& out) {
      for (int i = 0; i < kSeats; ++i) {
        const auto seat = static_cast<std::size_t>(i);
        for (Bits b = view_.pieces[seat] & ~to.pieces[seat]; b != 0;) {
          out.removed.push(piece_row(i, pop(b)));
        }
        for (Bits b = to.pieces[seat] & ~view_.pieces[seat]; b != 0;) {
          out.added.push(piece_row(i, pop(b)));
        }
        if (view_.exits[seat] == to.exits[seat]) continue;
        if (view_.exits[seat] >= 0) out.removed.push(exit_row(i, view_.exits[seat]));
        if (to.exits[seat] >= 0) out.added.push(exit_row(i, to.exits[seat]));
      }
      view_ = to;
      return true;
    }

   private:
    View view_;
  };

  static int bucket(const View&) { return 0; }
  static int phase(const View&) { return 0; }
  template <class F>
  static void each_linear(const View&, F&&) {}

 private:
  static int piece_row(int seat, int square) { return seat * kSquares + square; }
  static int exit_row(int seat, int exits) { return kSeats * kSquares + seat * kExitRows + exits; }
};

Inputs sparse_inputs(const State&);

}  // namespace bz::chexers
