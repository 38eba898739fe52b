// Positions that a search has met, in a fixed amount of memory.
#pragma once

#include <bit>

#include "core/large_array.hpp"
#include "search/classic/score.hpp"

namespace bz {

enum class Bound : std::uint8_t { none, upper, lower, exact };

struct Entry {
  Key key = 0;
  Score score = 0;
  std::uint16_t move = 0;  // its place among the legal moves
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
  explicit Table(int megabytes) : buckets_(bucket_count(megabytes)), mask_(buckets_.size() - 1) {}

  // What earlier searches left is replaced first.
  void new_search() { age_ = (age_ + 1) & 63; }
  void clear() { buckets_.clear(); }

  void prefetch(Key key) const { __builtin_prefetch(&buckets_[key & mask_]); }

  // The entry of this position, with its score seen from `ply`; without a bound if there is none.
  Entry find(Key key, int ply) const {
    for (const Entry& e : buckets_[key & mask_].entries) {
      if (e.key != key || e.bound == Bound::none) continue;
      Entry found = e;
      found.score = from_here(e.score, ply);
      return found;
    }
    return {};
  }

  void store(Key key, Score score, Bound bound, int move, Depth depth, int ply) {
    Entry* place = nullptr;
    for (Entry& e : buckets_[key & mask_].entries) {
      if (e.key == key) {
        place = &e;
        break;
      }
      if (place == nullptr || worth(e) < worth(*place)) place = &e;
    }
    place->key = key;
    place->score = from_here(score, -ply);
    place->move = static_cast<std::uint16_t>(move);
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
  static constexpr Score from_here(Score s, int ply) {
    if (is_win(s)) return s - ply;
    return is_win(-s) ? s + ply : s;
  }

  int worth(const Entry& e) const {
    if (e.bound == Bound::none) return -1000;
    return e.depth - (e.age == age_ ? 0 : 500);
  }

  static std::size_t bucket_count(int megabytes) {
    const std::size_t bytes = static_cast<std::size_t>(megabytes) << 20;
    return std::bit_floor(std::max<std::size_t>(1, bytes / sizeof(Bucket)));
  }

  LargeArray<Bucket> buckets_;
  std::size_t mask_;
  std::uint8_t age_ = 0;
};

}  // namespace bz
