// The ids of actions: 13 planes of 37 hexagons, and one id more for PASS.
//
//   id = 37 * plane + hexagon, the hexagon being where the piece stands
//   planes 0 to 5   MOVE in directions 0 to 5
//   planes 6 to 11  JUMP in directions 0 to 5
//   plane 12        EXIT
//   id 481          PASS
//
// An id means the same in every state, so a list of ids is a game.
#pragma once

#include "games/chexers/hexes.hpp"

namespace bz::chexers {

inline constexpr int kExitPlane = 2 * kDirections;
inline constexpr int kPlanes = kExitPlane + 1;
inline constexpr Action kPass{kPlanes * kHexes};
inline constexpr int kActions = kPlanes * kHexes + 1;

constexpr Action action(int plane, Hex from) { return Action(plane * kHexes + index(from)); }
constexpr int plane(Action a) { return index(a) / kHexes; }
constexpr Hex origin(Action a) { return Hex(index(a) % kHexes); }
constexpr bool is_jump(Action a) { return plane(a) >= kDirections && plane(a) < kExitPlane; }
constexpr bool is_exit(Action a) { return plane(a) == kExitPlane; }

// Of a move or jump.
constexpr int direction(Action a) { return plane(a) % kDirections; }

// The same action on a board that has made some turns.
constexpr Action turned(Action a, int turns) {
  if (a == kPass) return a;
  const int first = plane(a) - plane(a) % kDirections;  // of the move, jump or exit planes
  const int way = first == kExitPlane ? 0 : (direction(a) + 2 * turns) % kDirections;
  return action(first + way, kTurned[turns][index(origin(a))]);
}

}  // namespace bz::chexers
