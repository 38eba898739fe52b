// Draughts as rows of a sparse net: each piece on its square, and blocks of squares with their men.
// A move is the step of a man or of a king, and what stands around the squares at its ends.
//
// Everything is seen by the side to move, on a board turned so that it goes up.
#pragma once

#include "games/draughts/state.hpp"
#include "nets/sparse/inputs.hpp"

namespace bz::draughts {

template <const Rules& R>
struct Inputs {
  using Game = State<R>;
  static constexpr bool kSeesSymmetries = false;  // they have the same rows
  using Board = Geometry<R.width>;

  // Own men, own kings, the opponent's men and kings.
  using View = std::array<Bits, 4>;

  static constexpr int kBits = Board::bit_index(Square(Board::kSquares - 1)) + 1;
  static constexpr int kMostActive = Board::kSquares;
  static constexpr int kBuckets = 4;

  // Blocks of `kBlockRows` rows and `kBlockColumns` dark squares in each.
  static constexpr int kBlockRows = 4;
  static constexpr int kBlockColumns = 2;
  static constexpr int kBlockSquares = kBlockRows * kBlockColumns;
  static constexpr int kBlockStates = 6561;  // empty, own man, other man: 3^8
  static constexpr int kAcross = Board::kRowLength - kBlockColumns + 1;
  static constexpr int kDown = (R.width - kBlockRows) / 2 + 1;
  static constexpr int kBlocks = kAcross * kDown;

  static std::string name(const Game&) { return "draughts-" + std::string(R.name); }
  static sparse::Shape shape(const Game&, int hidden) {
    return {.deep_rows = 4 * kBits,
            .most_active = kMostActive,
            .linear_rows = kBlocks * kBlockStates,
            .buckets = kBuckets,
            .players = 2,
            .hidden = hidden};
  }

  static View view(const Game& s) {
    const Position<R>& p = s.position();
    const Side own = p.side;
    const Bits left = ~s.jumped();
    View v{p.men(own), p.kings_of(own), p.men(other(own)) & left, p.kings_of(other(own)) & left};
    if (own == Side::black) {
      for (Bits& b : v) b = turned(b);
    }
    return v;
  }

  static void rows(const View& v, sparse::Rows& out) {
    for (int kind = 0; kind < 4; ++kind) {
      for (Bits b = v[static_cast<std::size_t>(kind)]; b != 0;) out.push(kind * kBits + pop(b));
    }
  }

  class Tracker {
   public:
    bool follow(const View& to, sparse::Changes& out) {
      int changed = 0;
      for (std::size_t k = 0; k < 4; ++k) changed += count(view_[k] ^ to[k]);
      const bool near = changed < pieces(to);
      for (int kind = 0; near && kind < 4; ++kind) {
        const auto k = static_cast<std::size_t>(kind);
        for (Bits b = view_[k] & ~to[k]; b != 0;) out.removed.push(kind * kBits + pop(b));
        for (Bits b = to[k] & ~view_[k]; b != 0;) out.added.push(kind * kBits + pop(b));
      }
      view_ = to;
      return near;
    }

   private:
    View view_{};
  };

  static int bucket(const View& v) {
    constexpr int kPieces = 2 * R.start_rows * Board::kRowLength;
    return std::min((pieces(v) - 1) * kBuckets / kPieces, kBuckets - 1);
  }

  static int phase(const View& v) {
    constexpr int kPieces = 2 * R.start_rows * Board::kRowLength;
    return std::min(pieces(v), kPieces) * sparse::kFullPhase / kPieces;
  }

  template <class F>
  static void each_linear(const View& v, F&& f) {
    for (int i = 0; i < kBlocks; ++i) {
      const Bits block = kBlockBits[static_cast<std::size_t>(i)];
      const auto own = extract(v[0], block);
      const auto other = extract(v[2], block);
      f(i * kBlockStates + kTernary[own] + 2 * kTernary[other]);
    }
  }

  static constexpr int kMoveRows = 3;
  static constexpr int kSteps = Board::kSquares * Board::kSquares;
  static constexpr int kAround = 81;  // empty, own, other: on four sides

  static int policy_rows(const Game&) { return 2 * kSteps + 2 * Board::kSquares * kAround; }
  static void move_rows(const Game& g, const ActionList& actions, sparse::Rows& out) {
    const View v = view(g);
    for (const Action a : actions) {
      const int step = index(g.relative(a));
      const int from = step / Board::kSquares;
      const int to = step % Board::kSquares;
      const bool king = (v[1] & bit(bit_index(from))) != 0;
      out.push((king ? kSteps : 0) + step);
      out.push(2 * kSteps + from * kAround + around(v, from));
      out.push(2 * kSteps + (Board::kSquares + to) * kAround + around(v, to));
    }
  }

 private:
  static constexpr int bit_index(int square) { return Board::bit_index(Square(square)); }

  // The four neighbours of a square as digits in base 3; off the board there is nothing.
  static int around(const View& v, int square) {
    const Bits own = v[0] | v[1];
    const Bits other = v[2] | v[3];
    int digits = 0;
    for (const int step : {Board::kUpLeft, Board::kUpRight, Board::kDownLeft, Board::kDownRight}) {
      const int at = bit_index(square) + step;
      digits *= 3;
      if (at < 0 || at >= kBits) continue;
      digits += static_cast<int>(own >> at & 1) + 2 * static_cast<int>(other >> at & 1);
    }
    return digits;
  }

  static int pieces(const View& v) { return count(v[0] | v[1] | v[2] | v[3]); }

  // Turning the board reverses the order of the bits.
  static Bits turned(Bits b) {
    b = (b >> 1 & 0x5555555555555555) | (b & 0x5555555555555555) << 1;
    b = (b >> 2 & 0x3333333333333333) | (b & 0x3333333333333333) << 2;
    b = (b >> 4 & 0x0F0F0F0F0F0F0F0F) | (b & 0x0F0F0F0F0F0F0F0F) << 4;
    return __builtin_bswap64(b) >> (64 - kBits);
  }

  static constexpr auto kBlockBits = [] {
    std::array<Bits, kBlocks> blocks{};
    for (int i = 0; i < kBlocks; ++i) {
      for (int r = 0; r < kBlockRows; ++r) {
        for (int c = 0; c < kBlockColumns; ++c) {
          const int square = (i / kAcross * 2 + r) * Board::kRowLength + i % kAcross + c;
          blocks[static_cast<std::size_t>(i)] |= bit(Board::bit_index(Square(square)));
        }
      }
    }
    return blocks;
  }();

  // A set of squares of a block as digits 0 and 1 in base 3.
  static constexpr auto kTernary = [] {
    std::array<std::uint16_t, 1 << kBlockSquares> table{};
    for (unsigned set = 0; set < table.size(); ++set) {
      unsigned value = 0;
      for (int digit = kBlockSquares - 1; digit >= 0; --digit)
        value = 3 * value + (set >> digit & 1);
      table[set] = static_cast<std::uint16_t>(value);
    }
    return table;
  }();
};

// The inputs of this game's nets.
template <const Rules& R>
Inputs<R> sparse_inputs(const State<R>&);

}  // namespace bz::draughts
