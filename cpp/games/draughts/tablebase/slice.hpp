// The positions of one material balance, numbered without gaps.
//
// A position is always seen by the side to move, which is white and goes up; with black to move the
// board is turned. Squares are counted without the unused bits of Geometry. The number of a
// position is built from the places of the mover's men (first those on its own back row, where the
// opponent's men cannot stand), the opponent's men on what is left, and the kings of both.
#pragma once

#include <array>
#include <cstdint>

#include "games/draughts/position.hpp"

namespace bz::draughts {

// How many men and kings the mover and the opponent have.
struct MaterialBalance {
  std::array<std::int8_t, 2> men{};  // of the mover, of the opponent
  std::array<std::int8_t, 2> kings{};

  constexpr int pieces() const { return men[0] + men[1] + kings[0] + kings[1]; }
  constexpr int of(int who) const { return men[who] + kings[who]; }
  // As the opponent sees it.
  constexpr MaterialBalance turned() const { return {{men[1], men[0]}, {kings[1], kings[0]}}; }
  constexpr unsigned code() const {
    return static_cast<unsigned>(men[0] | kings[0] << 3 | men[1] << 6 | kings[1] << 9);
  }
  friend constexpr bool operator==(const MaterialBalance&, const MaterialBalance&) = default;
};
inline constexpr unsigned kBalances = 1U << 12;  // more than there are codes
inline constexpr int kMostTablePieces = 6;

// Calls f with every balance of so many pieces in which both sides have some, in an order in which
// crowning leads back.
template <class F>
void each_balance(int pieces, F&& f) {
  const auto small = [](int n) { return static_cast<std::int8_t>(n); };
  for (int men = 0; men <= pieces; ++men) {
    for (int own = pieces - 1; own >= 1; --own) {
      for (int own_men = 0; own_men <= std::min(own, men); ++own_men) {
        const int other_men = men - own_men;
        if (other_men > pieces - own) continue;
        f(MaterialBalance{{small(own_men), small(other_men)},
                          {small(own - own_men), small(pieces - own - other_men)}});
      }
    }
  }
}

namespace detail {
inline constexpr int kMostSquares = 50;
using Binomials = std::array<std::array<std::uint32_t, kMostTablePieces + 2>, kMostSquares + 1>;
inline constexpr Binomials kBinomials = [] {
  Binomials table{};
  for (std::size_t n = 0; n < table.size(); ++n) {
    table[n][0] = 1;
    for (std::size_t k = 1; k < table[n].size(); ++k) {
      table[n][k] = n == 0 ? 0 : table[n - 1][k - 1] + table[n - 1][k];
    }
  }
  return table;
}();
}  // namespace detail

constexpr std::uint64_t choose(int n, int k) {
  return detail::kBinomials[static_cast<std::size_t>(n)][static_cast<std::size_t>(k)];
}

// The number of a set among the sets of the same size, and the set of a number.
constexpr std::uint64_t rank_of(Bits set) {
  std::uint64_t rank = 0;
  for (int k = 1; set != 0; ++k) rank += choose(pop(set), k);
  return rank;
}
constexpr Bits set_of(std::uint64_t rank, int size, int squares) {
  Bits set = 0;
  for (int at = squares - 1; size > 0; --at) {
    if (choose(at, size) > rank) continue;
    rank -= choose(at, size--);
    set |= bit(at);
  }
  return set;
}

// A position seen by its mover, on squares without gaps.
template <const Rules& R>
struct Placement {
  using Board = Geometry<R.width>;
  static constexpr int kSquares = Board::kSquares;
  static constexpr Bits kAll = (Bits{1} << kSquares) - 1;

  std::array<Bits, 2> men{};  // the mover's, which go up, and the opponent's
  std::array<Bits, 2> kings{};

  static Placement of(const Position<R>& p) {
    const Bits first = extract(p.pieces[index(p.side)], Board::kBoard);
    const Bits second = extract(p.pieces[index(other(p.side))], Board::kBoard);
    const Bits kings = extract(p.kings, Board::kBoard);
    const Placement seen{{first & ~kings, second & ~kings}, {first & kings, second & kings}};
    if (p.side == Side::white) return seen;
    return {{turned(seen.men[0]), turned(seen.men[1])},
            {turned(seen.kings[0]), turned(seen.kings[1])}};
  }

  Position<R> position() const {
    Position<R> p;
    p.side = Side::white;
    for (std::size_t who = 0; who < 2; ++who) {
      p.pieces[who] = deposit(men[who] | kings[who], Board::kBoard);
    }
    p.kings = deposit(kings[0] | kings[1], Board::kBoard);
    return p;
  }

  // As the opponent sees it.
  Placement turned() const {
    return {{turned(men[1]), turned(men[0])}, {turned(kings[1]), turned(kings[0])}};
  }

  Bits occupied() const { return men[0] | men[1] | kings[0] | kings[1]; }

  MaterialBalance balance() const {
    const auto few = [](Bits b) { return static_cast<std::int8_t>(count(b)); };
    return {{few(men[0]), few(men[1])}, {few(kings[0]), few(kings[1])}};
  }

 private:
  static constexpr Bits turned(Bits b) {
    constexpr Bits kOdd = 0x5555555555555555ULL;
    constexpr Bits kPairs = 0x3333333333333333ULL;
    constexpr Bits kNibbles = 0x0f0f0f0f0f0f0f0fULL;
    b = (b >> 1 & kOdd) | (b & kOdd) << 1;
    b = (b >> 2 & kPairs) | (b & kPairs) << 2;
    b = (b >> 4 & kNibbles) | (b & kNibbles) << 4;
    return __builtin_bswap64(b) >> (64 - kSquares);
  }
};

template <const Rules& R>
class Slice {
 public:
  explicit Slice(MaterialBalance balance) : balance_(balance) {
    const int men = balance.men[0] + balance.men[1];
    own_kings_ = choose(kSquares - men, balance.kings[0]);
    other_kings_ = choose(kSquares - men - balance.kings[0], balance.kings[1]);
    for (int home = 0; home <= std::min<int>(balance.men[0], kRow); ++home) {
      first_[static_cast<std::size_t>(home)] = men_placements_;
      men_placements_ += choose(kRow, home) * choose(kMiddle, balance.men[0] - home) *
                         choose(kSquares - kRow - (balance.men[0] - home), balance.men[1]);
    }
  }

  const MaterialBalance& balance() const { return balance_; }
  std::uint64_t size() const { return men_placements_ * own_kings_ * other_kings_; }

  std::uint64_t number(const Placement<R>& p) const {
    const Bits at_home = p.men[0] >> (kSquares - kRow);
    const Bits in_front = p.men[0] & kFront;
    const int front = count(in_front);
    std::uint64_t number = rank_of(at_home) * choose(kMiddle, front) + rank_of(in_front >> kRow);
    number = first_[static_cast<std::size_t>(count(at_home))] +
             number * choose(kSquares - kRow - front, balance_.men[1]) +
             rank_of(extract(p.men[1], kOpponentMen & ~in_front));
    const Bits free = Placement<R>::kAll & ~(p.men[0] | p.men[1]);
    number = number * own_kings_ + rank_of(extract(p.kings[0], free));
    return number * other_kings_ + rank_of(extract(p.kings[1], free & ~p.kings[0]));
  }

  Placement<R> placement(std::uint64_t number) const {
    const std::uint64_t other_kings = number % other_kings_;
    number /= other_kings_;
    const std::uint64_t own_kings = number % own_kings_;
    number /= own_kings_;
    std::size_t home = 0;
    while (home < std::min<std::size_t>(static_cast<std::size_t>(balance_.men[0]), kRow) &&
           first_[home + 1] <= number) {
      ++home;
    }
    number -= first_[home];
    const int front = balance_.men[0] - static_cast<int>(home);
    const std::uint64_t opponents = choose(kSquares - kRow - front, balance_.men[1]);
    const std::uint64_t own = number / opponents;
    Placement<R> p;
    const Bits in_front = set_of(own % choose(kMiddle, front), front, kMiddle) << kRow;
    const Bits at_home = set_of(own / choose(kMiddle, front), static_cast<int>(home), kRow);
    p.men[0] = in_front | at_home << (kSquares - kRow);
    p.men[1] = deposit(set_of(number % opponents, balance_.men[1], kSquares - kRow - front),
                       kOpponentMen & ~in_front);
    Bits free = Placement<R>::kAll & ~(p.men[0] | p.men[1]);
    p.kings[0] = deposit(set_of(own_kings, balance_.kings[0], count(free)), free);
    free &= ~p.kings[0];
    p.kings[1] = deposit(set_of(other_kings, balance_.kings[1], count(free)), free);
    return p;
  }

 private:
  static constexpr int kSquares = Placement<R>::kSquares;
  static constexpr int kRow = Geometry<R.width>::kRowLength;
  static constexpr int kMiddle = kSquares - 2 * kRow;  // where men of both sides can stand
  static constexpr Bits kOpponentMen = (Bits{1} << (kSquares - kRow)) - 1;
  static constexpr Bits kFront = kOpponentMen & ~((Bits{1} << kRow) - 1);

  MaterialBalance balance_;
  std::uint64_t own_kings_ = 0;  // placements of the kings once the men are placed
  std::uint64_t other_kings_ = 0;
  std::uint64_t men_placements_ = 0;
  // The first placement of men with so many of the mover's on its back row.
  std::array<std::uint64_t, kMostTablePieces + 1> first_{};
};

}  // namespace bz::draughts
