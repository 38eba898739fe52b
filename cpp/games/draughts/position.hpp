// The pieces and whose turn it is; nothing that depends on how the position arose.
#pragma once

#include <compare>

#include "core/hash.hpp"
#include "core/types.hpp"
#include "games/draughts/rules.hpp"

namespace bz::draughts {

// A whole move. Two captures with the same squares but other pieces taken are different moves;
// two routes that take the same pieces are the same one.
struct Move {
  Bits captured = 0;
  std::uint8_t from = 0;  // bit indices, see Geometry
  std::uint8_t to = 0;
  bool crowns = false;  // a man that ends the move as a king

  bool is_capture() const { return captured != 0; }
  friend constexpr auto operator<=>(const Move&, const Move&) = default;
};

template <const Rules& R>
struct Position {
  using Board = Geometry<R.width>;

  Bits pieces[2] = {0, 0};  // by Side
  Bits kings = 0;           // of both sides
  Side side = R.first;

  static Position start() {
    Position p;
    p.pieces[index(Side::white)] = Board::rows(R.width - R.start_rows, R.width - 1);
    p.pieces[index(Side::black)] = Board::rows(0, R.start_rows - 1);
    return p;
  }

  Bits own() const { return pieces[index(side)]; }
  Bits opponent() const { return pieces[index(other(side))]; }
  Bits men(Side s) const { return pieces[index(s)] & ~kings; }
  Bits kings_of(Side s) const { return pieces[index(s)] & kings; }

  void play(const Move& m) {
    const Bits from = bit(m.from);
    const Bits to = bit(m.to);
    const bool king = m.crowns || (kings & from) != 0;
    Bits& own = pieces[index(side)];
    own = (own & ~from) | to;
    pieces[index(other(side))] &= ~m.captured;
    kings &= ~(from | m.captured);
    if (king) kings |= to;
    side = other(side);
  }

  Key key() const { return fold(fold(pieces[0], pieces[1]), kings ^ mix(index(side) + 1)); }

  // The same position with colours and sides of the board exchanged.
  Position rotated() const {
    Position p;
    p.pieces[0] = Board::rotated(pieces[1]);
    p.pieces[1] = Board::rotated(pieces[0]);
    p.kings = Board::rotated(kings);
    p.side = other(side);
    return p;
  }

  friend bool operator==(const Position&, const Position&) = default;
};

}  // namespace bz::draughts
