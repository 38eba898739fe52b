// The transposition table: what a search knows of positions that it has met, however reached.
#pragma once

#include <bit>

#include "core/large_array.hpp"
#include "search/classic/score.hpp"

namespace bz {

enum class Bound : std::uint8_t { none, upper, lower, exact };

// The size of a table; one of 0 holds a few positions.
enum class Megabytes : int {};

// A move by its place among the legal ones.
enum class MoveIndex : std::uint16_t {};

struct Entry {
  Key key = 0;
  Score score = 0;
  MoveIndex move{};  // the best one found
  std::int8_t depth = 0;
  Bound bound : 2;  // none in Entry{}; GCC 12 rejects initialisers here
  std::uint8_t age : 6;

  // Whether the score settles a search with this window.
  bool settles(Window w) const {
    return bound == Bound::exact || (bound == Bound::lower && score >= w.beta) ||
           (bound == Bound::upper && score <= w.alpha);
  }
};

class Table {
 public:
  explicit Table(Megabytes size) : buckets_(bucket_count(size)), mask_(buckets_.size() - 1) {}

  // What earlier searches left is replaced first.
  void new_search() { age_ = (age_ + 1) & 63; }
  void clear() { buckets_.clear(); }

  void prefetch(Key key) const { __builtin_prefetch(&buckets_[key & mask_]); }

  // The entry of this position, with its score seen from `ply`; without a bound if there is none.
  Entry find(Key key, Ply ply) const {
    for (const Entry& e : buckets_[key & mask_].entries) {
      if (e.key != key || e.bound == Bound::none) continue;
      Entry found = e;
      found.score = from_here(e.score, index(ply));
      return found;
    }
    return {};
  }

  void store(Key key, Score score, Bound bound, MoveIndex move, Depth depth, Ply ply) {
    Entry* place = nullptr;
    for (Entry& e : buckets_[key & mask_].entries) {
      if (e.key == key) {
        place = &e;
        break;
      }
      if (place == nullptr || worth(e) < worth(*place)) place = &e;
    }
    place->key = key;
    place->score = from_here(score, -index(ply));
    place->move = move;
    place->depth = static_cast<std::int8_t>(std::min(depth, kMaxPly - 1));
    place->bound = bound;
    place->age = age_;
  }

 private:
  struct alignas(64) Bucket {
    Entry entries[4];
  };
  static_assert(sizeof(Bucket) == 64);

  // Wins are kept as distances from the position itself, not from the root.
  static constexpr Score from_here(Score s, int plies) {
    if (is_win(s)) return s - plies;
    return is_win(-s) ? s + plies : s;
  }

  int worth(const Entry& e) const {
    if (e.bound == Bound::none) return -1000;
    return e.depth - (e.age == age_ ? 0 : 500);
  }

  static std::size_t bucket_count(Megabytes size) {
    const std::size_t bytes = static_cast<std::size_t>(index(size)) << 20;
    return std::bit_floor(std::max<std::size_t>(1, bytes / sizeof(Bucket)));
  }

  LargeArray<Bucket> buckets_;
  std::size_t mask_;
  std::uint8_t age_ = 0;
};

}  // namespace bz
