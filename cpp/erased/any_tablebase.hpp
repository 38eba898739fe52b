// Endgame tables of any game, and how they are made.
#pragma once

#include <functional>

#include "erased/any_state.hpp"

namespace bz {

// The positions of one material balance in a table.
struct SliceInfo {
  std::string balance;  // of the mover against the other: "KKM-KM"
  int pieces = 0;
  std::uint64_t positions = 0;
  std::uint64_t losses = 0;
  std::uint64_t draws = 0;
  std::uint64_t wins = 0;
  int longest = 0;  // plies within the slice, the move that leaves it included
  std::uint64_t bytes = 0;
};

// Tables that are in memory.
class AnyTablebase {
 public:
  virtual ~AnyTablebase() = default;
  virtual void add(const std::string& path) = 0;  // a file; fails if it is damaged or foreign
  virtual int pieces() const = 0;                 // the most
  // 1, 0 or -1 for the mover, whatever the counters of draws say; nothing in the middle of a
  // capture and in what is not here.
  virtual std::optional<int> probe(const AnyState& state) const = 0;
  // The result for each seat, where it is certain that no draw by counting comes before it.
  virtual std::optional<Values> certain(const AnyState& state) const = 0;
  virtual std::vector<SliceInfo> slices() const = 0;
  // How many of so many random positions with so many pieces do not follow from what their moves
  // lead to.
  virtual std::uint64_t inconsistent(int pieces, std::uint64_t samples,
                                     std::uint64_t seed) const = 0;
};

// Solves the positions with one number of pieces, a few slices at a time.
class AnyTablebaseMaker {
 public:
  virtual ~AnyTablebaseMaker() = default;
  virtual std::string header() const = 0;              // what a file begins with
  virtual std::size_t add(std::string_view file) = 0;  // bytes of a file that are whole
  virtual std::string solve(int threads, const std::function<bool()>& stop) = 0;
  virtual std::uint64_t total() const = 0;  // positions
  virtual std::uint64_t done() const = 0;
};

}  // namespace bz
