// The move generators of all games, by counting.
#include "games/draughts/perft.hpp"

#include "games/chexers/state.hpp"
#include "games/gomoku/state.hpp"
#include "tests/check.hpp"

namespace bz::tests {
namespace {

using namespace draughts;

template <Game G>
void check_counts(const G& state, std::initializer_list<std::uint64_t> counts,
                  std::source_location at = std::source_location::current()) {
  int depth = 0;
  for (const std::uint64_t expected : counts) check_equal(perft(state, ++depth), expected, at);
}

template <const Rules& R>
State<R> start() {
  return State<R>::start({});
}

const Tests kTests{
    {"the start positions of draughts have the known numbers of lines",
     [] {
       check_counts(start<kInternational>(), {9, 81, 658, 4265, 27117, 167140});
       check_counts(start<kEnglish>(), {7, 49, 302, 1469, 7361, 36768, 179740});
       check_counts(start<kRussian>(), {7, 49, 302, 1469, 7482, 37986, 190146});
       check_counts(start<kBrazilian>(), {7, 49, 302, 1469, 7473, 37628, 187302});
     }},
    {"flying kings take the most they can and may not jump a piece twice",
     [] {
       check_counts(start<kInternational>().with_fen(
                        "B:W6,9,10,11,20,21,22,23,30,K31,33,37,41,42,43,44,46:BK17,K24"),
                    {14, 55, 1168, 5432, 87195});
       check_counts(start<kInternational>().with_fen("W:WK26,35,48:B9,12,18,23,24,33,39,K3"),
                    {1, 12, 113, 1158, 8524, 83782});
     }},
    {"a man that passes the back row in a capture stays a man",
     [] {
       check_counts(
           start<kInternational>().with_fen("W:W13,22,24,32,37,K49:B9,10,17,18,19,20,29,30,40,K2"),
           {3, 3, 17, 46, 471, 4202, 44408});
     }},
    {"every empty point of gomoku is a move until the game is over",
     [] { check_counts(gomoku::State::start({.size = 5, .line = 5}), {25, 600, 13800, 303600}); }},
    {"a piece of Chexers moves, jumps or leaves",
     [] { check_counts(chexers::State{}, {8, 64, 512, 6784}); }},
};

}  // namespace
}  // namespace bz::tests
