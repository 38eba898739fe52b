// The inputs and outputs of the earlier systems' nets, as those systems describe them, and a policy
// by direction and distance for nets that answer with planes.
#pragma once

#include <cstdlib>

#include "games/draughts/state.hpp"
#include "games/encoding.hpp"

namespace bz::draughts {

// A step split into direction (up-left, up-right, down-left, down-right) and distance.
template <const Rules& R>
struct Heading {
  int from;
  int direction;
  int distance;

  using Board = Geometry<R.width>;

  static Heading of(Action a) {
    const int from = index(a) / Board::kSquares;
    const int to = index(a) % Board::kSquares;
    const int rows = to / Board::kRowLength - from / Board::kRowLength;
    const bool right = Board::column(Square(to)) > Board::column(Square(from));
    return {from, (rows > 0 ? 2 : 0) + (right ? 1 : 0), std::abs(rows)};
  }
};

// Eight planes with absolute colours: white men, white kings, black men, black kings, pieces
// jumped, white to move, steps played, steps without a capture. The last two are plain counts.
template <const Rules& R>
void write_meng(const State<R>& state, Seat, float* planes) {
  constexpr int kSquares = Geometry<R.width>::kSquares;
  std::fill_n(planes, 8 * kSquares, 0.0F);
  const Position<R>& p = state.position();
  const Bits left = ~state.jumped();
  const Bits sets[] = {p.men(Side::white) & left, p.kings_of(Side::white) & left,
                       p.men(Side::black) & left, p.kings_of(Side::black) & left, state.jumped()};
  for (int plane = 0; plane < 5; ++plane) {
    for (Bits rest = sets[plane]; rest != 0;) {
      planes[plane * kSquares + static_cast<int>(Geometry<R.width>::square(pop(rest)))] = 1.0F;
    }
  }
  std::fill_n(planes + 5 * kSquares, kSquares, p.side == Side::white ? 1.0F : 0.0F);
  std::fill_n(planes + 6 * kSquares, kSquares, static_cast<float>(state.clock().steps()));
  std::fill_n(planes + 7 * kSquares, kSquares, static_cast<float>(state.clock().without_capture()));
}

// Three planes of the whole 8x8 board: pieces (1 white, -1 black; kings look like men), pieces that
// can move, and the player (1 white, -1 black).
template <const Rules& R>
void write_sun_zhao(const State<R>& state, Seat, float* planes) {
  constexpr int kCells = R.width * R.width;
  const auto cell = [](int square) {
    return square / Geometry<R.width>::kRowLength * R.width +
           Geometry<R.width>::column(Square(square));
  };
  std::fill_n(planes, 2 * kCells, 0.0F);
  const Position<R>& p = state.position();
  for (const Side side : {Side::white, Side::black}) {
    for (Bits rest = p.pieces[index(side)] & ~state.jumped(); rest != 0;) {
      const int square = static_cast<int>(Geometry<R.width>::square(pop(rest)));
      planes[cell(square)] = side == Side::white ? 1.0F : -1.0F;
    }
  }
  ActionList actions;
  state.actions(actions);
  for (const Action a : actions) planes[kCells + cell(Heading<R>::of(a).from)] = 1.0F;
  std::fill_n(planes + 2 * kCells, kCells, p.side == Side::white ? 1.0F : -1.0F);
}

template <const Rules& R>
std::vector<Encoding<State<R>>> encodings(const State<R>& state) {
  std::vector<Encoding<State<R>>> all{mover_encoding(state)};
  all.push_back({"meng", 8, R.width, R.width / 2, true, &write_meng<R>});
  all.push_back({"sun-zhao", 3, R.width, R.width, true, &write_sun_zhao<R>});
  return all;
}

template <const Rules& R>
std::vector<Policy<State<R>>> policies(const State<R>& state) {
  constexpr int kSquares = Geometry<R.width>::kSquares;
  constexpr int kReach = R.flying_kings ? R.width - 1 : 2;
  std::vector<Policy<State<R>>> all = common_policies(state);
  // One plane of squares per direction and distance, seen by the mover.
  all.push_back({"planes", 4 * kReach * kSquares, [](const State<R>& s, Action a) {
                   const auto h = Heading<R>::of(s.relative(a));
                   return (h.direction * kReach + h.distance - 1) * kSquares + h.from;
                 }});
  // Square and direction, which say enough while there are only men; one entry for no action.
  all.push_back({"directions", 4 * kSquares + 1, [](const State<R>&, Action a) {
                   const auto h = Heading<R>::of(a);
                   return 4 * h.from + h.direction;
                 }});
  // The same as planes, seen by the mover.
  all.push_back({"direction-planes", 4 * kSquares, [](const State<R>& s, Action a) {
                   const auto h = Heading<R>::of(s.relative(a));
                   return h.direction * kSquares + h.from;
                 }});
  // The same on the whole board, plane by plane.
  all.push_back({"sun-zhao", 4 * R.width * R.width, [](const State<R>&, Action a) {
                   const auto h = Heading<R>::of(a);
                   const int row = h.from / Geometry<R.width>::kRowLength;
                   return (h.direction * R.width + row) * R.width +
                          Geometry<R.width>::column(Square(h.from));
                 }});
  return all;
}

}  // namespace bz::draughts
