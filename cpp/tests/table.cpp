// The transposition table: what it keeps, and what a score in it says.
#include "search/classic/table.hpp"

#include "tests/check.hpp"

namespace bz::tests {
namespace {

// Of the smallest table, with room for four positions.
constexpr Megabytes kSmallest{0};

void store(Table& table, Key key, Depth depth) {
  table.store(key, Score{7}, Bound::exact, MoveIndex{3}, depth, kRootPly);
}
bool has(const Table& table, Key key) { return table.find(key, kRootPly).bound != Bound::none; }

const Tests kTests{
    {"what was stored is found, with its score, bound, move and depth",
     [] {
       Table table(Megabytes{1});
       table.store(42, Score{-5}, Bound::upper, MoveIndex{9}, 6, kRootPly);
       const Entry found = table.find(42, kRootPly);
       check_equal(found.score, -5);
       check(found.bound == Bound::upper);
       check(found.move == MoveIndex{9});
       check_equal(static_cast<int>(found.depth), 6);
       check(!has(table, 43));
     }},
    {"of a full bucket the shallowest search is replaced",
     [] {
       Table table(kSmallest);
       for (Key key = 1; key <= 4; ++key) store(table, key, key == 3 ? 1 : 8);
       store(table, 5, 2);
       check(!has(table, 3));
       for (const Key key : {1, 2, 4, 5}) check(has(table, key));
     }},
    {"what an earlier search left is replaced before anything of this one",
     [] {
       Table table(kSmallest);
       store(table, 1, 20);
       table.new_search();
       for (Key key = 2; key <= 5; ++key) store(table, key, 1);
       check(!has(table, 1));
       for (Key key = 2; key <= 5; ++key) check(has(table, key));
     }},
    {"a position is stored once",
     [] {
       Table table(kSmallest);
       for (int i = 0; i < 8; ++i) store(table, 1, 3);
       for (Key key = 2; key <= 4; ++key) store(table, key, 1);
       for (Key key = 1; key <= 4; ++key) check(has(table, key));
     }},
    {"a bound settles a window only from its own side",
     [] {
       Entry entry{};
       entry.score = 10;
       entry.bound = Bound::lower;
       check(entry.settles({0, 10}) && !entry.settles({0, 11}));
       entry.bound = Bound::upper;
       check(entry.settles({10, 20}) && !entry.settles({9, 20}));
       entry.bound = Bound::exact;
       check(entry.settles({-100, 100}));
       entry.bound = Bound::none;
       check(!entry.settles({-100, 100}));
     }},
    {"a win is as far from the position as it was, wherever the position is met again",
     [] {
       Table table(Megabytes{1});
       table.store(1, win_in(7), Bound::exact, MoveIndex{0}, 4,
                   Ply{3});  // four plies from the position
       check_equal(table.find(1, Ply{3}).score, win_in(7));
       check_equal(table.find(1, Ply{10}).score, win_in(14));
       table.store(2, -win_in(7), Bound::exact, MoveIndex{0}, 4, Ply{3});
       check_equal(table.find(2, kRootPly).score, -win_in(4));
     }},
};

}  // namespace
}  // namespace bz::tests
