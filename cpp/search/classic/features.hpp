// The parts of alpha-beta that can be switched on and off.
#pragma once

namespace bz {

// How much the engine leaves out.
struct Pruning {
  // A late move is searched less deeply by base + slope * ln(depth) * ln(number), in hundredths.
  int late_first = 0;  // moves before this one are not late
  int late_base = 0;
  int late_slope = 0;
  // A quiet position that is ahead by base + slope * depth is not searched; in quarters of a tenth
  // of a win.
  int futility_depth = 0;
  int futility_base = 0;
  int futility_slope = 0;
  // Nor one that a search of a share of the depth (in sixteenths) finds ahead by base + slope *
  // depth; in sixteenths of a tenth of a win.
  int probcut_depth = 0;
  int probcut_share = 0;
  int probcut_base = 0;
  int probcut_slope = 0;
};

struct Features {
  bool table = false;        // remembers positions, and uses what has the same depth
  bool scout = false;        // principal variation search, aspiration and mate-distance windows
  bool ties = false;         // finds every root move that is as good as the best
  bool all_moves = false;    // finds the value of every root move
  bool deeper = false;       // uses what the table knows from deeper searches too
  bool quiescence = false;   // follows captures before it evaluates
  bool extensions = false;   // a forced reply costs no depth
  bool reductions = false;   // looks less deeply at moves that come late in the order
  bool repetition = false;   // takes the first repetition for the draw that it may become
  bool move_filter = false;  // leaves out moves that the evaluation calls hopeless
  bool replies = false;      // orders moves by what they were worth after the same move, too
  bool probcut = false;      // cuts what a shallow search finds far better than needed
  bool futility = false;     // cuts near the leaves what is far better than needed as it stands
  Pruning pruning{};

  static constexpr Features plain() { return {.ties = true}; }
  static Features engine();  // in erased/engine.cpp, so that tuning it compiles nothing else
};

}  // namespace bz
