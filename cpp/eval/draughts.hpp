// Draughts by material and position. The unit of the score is a hundredth of a man.
//
// Each term is counted for both sides and weighed twice, for a full board and for an empty one; a
// position in between is weighed in proportion to its pieces. The weights stand in
// draughts_weights.hpp.
#pragma once

#include <array>

#include "eval/draughts_weights.hpp"
#include "eval/material.hpp"

namespace bz::draughts {

// Adds up a small number per square over sets of squares: one set per binary digit, so that the
// sum takes a count for each digit and not a step for each member.
template <int Digits>
struct SquareTable {
  std::array<Bits, Digits> digits{};
  int offset = 0;  // the smallest entry, taken off all so that none is negative

  constexpr int sum(Bits set) const {
    int total = offset * count(set);
    for (int d = 0; d < Digits; ++d) total += count(set & digits[d]) << d;
    return total;
  }
};

// `values` by square, seen by white; `side` is whose pieces will be summed.
template <const Rules& R, int Digits, std::size_t N>
constexpr SquareTable<Digits> square_table(const std::array<int, N>& values, Side side) {
  using Board = Geometry<R.width>;
  SquareTable<Digits> table;
  table.offset = *std::min_element(values.begin(), values.end());
  for (int s = 0; s < Board::kSquares; ++s) {
    const Square seen = Square(s);
    const int at = Board::bit_index(side == Side::white ? seen : Board::rotated(seen));
    const int value = values[static_cast<std::size_t>(s)] - table.offset;
    for (int d = 0; d < Digits; ++d) {
      if ((value >> d & 1) != 0) table.digits[static_cast<std::size_t>(d)] |= bit(at);
    }
  }
  return table;
}

// Terms other than the places of the men, counted for one side.
template <const Rules& R, Side S>
struct Terms {
  using Board = Geometry<R.width>;
  static constexpr int kLeft = S == Side::white ? Board::kUpLeft : Board::kDownRight;
  static constexpr int kRight = S == Side::white ? Board::kUpRight : Board::kDownLeft;

  static constexpr Bits forward(Bits b) {
    return (shift<kLeft>(b) | shift<kRight>(b)) & Board::kBoard;
  }
  static constexpr Bits backward(Bits b) {
    return (shift<-kLeft>(b) | shift<-kRight>(b)) & Board::kBoard;
  }

  // Everything that these pieces can reach or guard by going the other way.
  static constexpr Bits shadow(Bits b) {
    for (int row = 1; row < Board::kWidth; ++row) b |= backward(b);
    return b;
  }

  static constexpr std::array<int, kTerms> count_all(const Position<R>& p) {
    const Bits own = p.pieces[index(S)];
    const Bits opponent = p.pieces[index(other(S))];
    const Bits men = own & ~p.kings;
    const Bits kings = own & p.kings;
    const Bits empty = Board::kBoard & ~(own | opponent);
    const Bits passed = men & ~shadow(opponent);
    std::array<int, kTerms> t{};
    t[kMen] = count(men);
    t[kKings] = count(kings);
    t[kFirstKing] = kings != 0;
    t[kGuarded] = count(men & shift<kLeft>(own)) + count(men & shift<kRight>(own));
    t[kBlocked] = count(men & ~backward(empty));
    t[kPassed] = count(passed);
    t[kEdgeKings] = count(kings & kEdge);
    t[kDiagonal] = (kings & kMainDiagonal) != 0;
    const int lean = count(men & kLeftHalf) - count(men & ~kLeftHalf);
    t[kLean] = lean < 0 ? -lean : lean;
    return t;
  }

 private:
  template <class F>
  static constexpr Bits squares_where(F&& f) {
    Bits b = 0;
    for (int s = 0; s < Board::kSquares; ++s) {
      const Square square = Square(s);
      if (f(Board::row(square), Board::column(square))) b |= bit(Board::bit_index(square));
    }
    return b;
  }
  static constexpr int kLast = R.width - 1;
  static constexpr Bits kEdge = squares_where([](int row, int column) {
    return row == 0 || row == kLast || column == 0 || column == kLast;
  });
  static constexpr Bits kMainDiagonal =
      squares_where([](int row, int column) { return row + column == kLast; });
  static constexpr Bits kLeftHalf =
      squares_where([](int, int column) { return column <= kLast / 2; });
};

// A man ahead is worth a third, three men almost the game.
template <const Rules& R>
struct Positional : Knowledge, Unbounded<200> {
  Values operator()(const State<R>& s) const { return zero_sum(s, value(score(s))); }

  Score score(const State<R>& s) const {
    const Position<R>& p = s.position();
    const Score white = phased(p);
    return (p.side == Side::white ? white : -white) + kWeights<R>.tempo;
  }

 private:
  static constexpr int kPieces = Material<R>::kPieces;
  static constexpr int kDigits = 7;
  using Tables = std::array<std::array<SquareTable<kDigits>, 2>, 2>;  // by phase, then side
  static constexpr Tables kPlaces = [] {
    Tables tables;
    for (std::size_t phase = 0; phase < 2; ++phase) {
      for (const Side side : {Side::white, Side::black}) {
        tables[phase][index(side)] = square_table<R, kDigits>(kWeights<R>.places[phase], side);
      }
    }
    return tables;
  }();

  // White's advantage.
  static Score phased(const Position<R>& p) {
    const auto white = Terms<R, Side::white>::count_all(p);
    const auto black = Terms<R, Side::black>::count_all(p);
    std::array<Score, 2> sums{};
    for (std::size_t phase = 0; phase < 2; ++phase) {
      for (std::size_t t = 0; t < kTerms; ++t) {
        sums[phase] += kWeights<R>.terms[phase][t] * (white[t] - black[t]);
      }
      sums[phase] +=
          kPlaces[phase][0].sum(p.men(Side::white)) - kPlaces[phase][1].sum(p.men(Side::black));
    }
    const int pieces = count(p.pieces[0] | p.pieces[1]);
    return (sums[0] * pieces + sums[1] * (kPieces - pieces)) / kPieces;
  }
};

template <const Rules& R>
Knowledge rule_knowledge(const State<R>&) {
  return {};
}

template <const Rules& R>
auto evaluations(const State<R>&) {
  return std::tuple{NamedEvaluation{"hand", Positional<R>{}, "strong"},
                    NamedEvaluation{"material", Material<R>{}}};
}

// Rows that a man gains towards the crowning row.
template <const Rules& R>
int progress(const State<R>& s, const Move& m) {
  using Board = Geometry<R.width>;
  if ((s.position().kings & bit(m.from)) != 0) return 0;
  const int down = Board::row(Board::square(m.to)) - Board::row(Board::square(m.from));
  return s.position().side == Side::white ? -down : down;
}

}  // namespace bz::draughts
