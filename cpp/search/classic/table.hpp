// The transposition table: what a search knows of positions that it has met, however reached.
//
// Several threads may use one table without locks. An entry is two words, and the first is the key
// mixed with the second: where two threads wrote halves of one entry, no key fits it.
#pragma once

#include <atomic>
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
    for (const Slot& slot : buckets_[key & mask_].slots) {
      const std::uint64_t data = load(slot.data);
      if ((load(slot.check) ^ data) != key) continue;
      Entry found = std::bit_cast<Entry>(data);
      if (found.bound == Bound::none) continue;
      found.score = from_here(found.score, index(ply));
      return found;
    }
    return {};
  }

  void store(Key key, Score score, Bound bound, MoveIndex move, Depth depth, Ply ply) {
    Slot* place = nullptr;
    int least = 0;
    for (Slot& slot : buckets_[key & mask_].slots) {
      const std::uint64_t data = load(slot.data);
      if ((load(slot.check) ^ data) == key) {
        place = &slot;
        break;
      }
      const int here = worth(std::bit_cast<Entry>(data));
      if (place == nullptr || here < least) {
        place = &slot;
        least = here;
      }
    }
    Entry entry{};
    entry.score = from_here(score, -index(ply));
    entry.move = move;
    entry.depth = static_cast<std::int8_t>(std::min(depth, kMaxPly - 1));
    entry.bound = bound;
    entry.age = age_;
    const auto data = std::bit_cast<std::uint64_t>(entry);
    save(place->check, key ^ data);
    save(place->data, data);
  }

 private:
  // Of plain words, so that the table can be cleared as memory; read and written as atomic ones.
  struct Slot {
    std::uint64_t check;
    std::uint64_t data;
  };
  struct alignas(64) Bucket {
    Slot slots[4];
  };
  static_assert(sizeof(Bucket) == 64 && sizeof(Entry) == 8);

  static std::uint64_t load(const std::uint64_t& word) {
    return __atomic_load_n(&word, __ATOMIC_RELAXED);
  }
  static void save(std::uint64_t& word, std::uint64_t value) {
    __atomic_store_n(&word, value, __ATOMIC_RELAXED);
  }

  // Wins are kept as distances from the position itself, not from the root.
  static constexpr Score from_here(Score s, int plies) {
    if (is_known(s)) return s - plies;
    return is_known(-s) ? s + plies : s;
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
