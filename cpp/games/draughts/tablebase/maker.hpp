// Makes the tables of one number of pieces, slice by slice.
#pragma once

#include "games/draughts/tablebase/frame.hpp"
#include "games/draughts/tablebase/solver.hpp"

namespace bz::draughts {

template <const Rules& R>
class Maker {
 public:
  // Of so many pieces. The tables with fewer must be added before anything is solved.
  explicit Maker(int pieces) : pieces_(checked(pieces)) {
    each_balance(pieces, [&](MaterialBalance balance) {
      balances_.push_back(balance);
      total_ += Slice<R>(balance).size();
    });
  }

  std::uint64_t total() const { return total_; }  // positions
  std::uint64_t done() const { return done_; }

  // Adds the frames of a file, of these or of fewer pieces, as far as they are whole; gives the
  // number of bytes that are.
  std::size_t add(std::string_view bytes) {
    const std::size_t size = bytes.size();
    const std::string header = bytes.size() < 64 ? "" : std::string(bytes.substr(0, 64));
    bool known = false;
    for (int pieces = 2; pieces <= pieces_; ++pieces) known |= header == file_header<R>(pieces);
    if (!known) return 0;
    bytes.remove_prefix(header.size());
    while (auto frame = take_frame<R>(bytes)) add(*frame);
    return size - bytes.size();
  }

  // Solves the next slice, and the same one seen by the opponent, as frames for the file; empty if
  // all are solved or `stop` said so.
  std::string solve(int threads, const typename Solver<R>::Stop& stop) {
    const auto next = std::ranges::find_if(
        balances_, [&](MaterialBalance balance) { return !solved_.has(balance); });
    if (next == balances_.end()) return {};
    check_needed(*next);
    const Solver<R> solver(solved_, *next, threads, stop);
    if (!solver.is_complete()) return {};
    std::string frames;
    for (int half = 0; half < solver.halves(); ++half) {
      if (solved_.has(solver.slice(half).balance())) continue;  // of work that was interrupted
      WdlArray values = solver.values(half);
      FrameHeader header{.balance = solver.slice(half).balance().code(),
                         .positions = values.size(),
                         .longest = static_cast<std::uint64_t>(solver.longest())};
      for (std::uint64_t i = 0; i < values.size(); ++i) ++header.counts[index(values[i])];
      frames += frame_bytes(header, Packed::pack(values));
      keep(solver.slice(half), std::move(values));
    }
    return frames;
  }

 private:
  static int checked(int pieces) {
    if (pieces >= 2 && pieces <= kMostTablePieces) return pieces;
    fail("endgame tables have 2 to " + std::to_string(kMostTablePieces) + " pieces");
  }

  void add(const Frame& frame) {
    for (int pieces = 2; pieces <= pieces_; ++pieces) {
      each_balance(pieces, [&](MaterialBalance balance) {
        if (balance.code() != frame.header.balance || solved_.has(balance)) return;
        const Slice<R> slice(balance);
        if (slice.size() == frame.header.positions) keep(slice, frame.values.unpacked());
      });
    }
  }

  void keep(const Slice<R>& slice, WdlArray values) {
    if (slice.balance().pieces() == pieces_) done_ += slice.size();
    solved_.add(slice, std::move(values));
  }

  void check_needed(MaterialBalance) const {
    for (int pieces = 2; pieces < pieces_; ++pieces) {
      each_balance(pieces, [&](MaterialBalance balance) {
        if (!solved_.has(balance)) fail("the tables with fewer pieces must be added first");
      });
    }
  }

  int pieces_;
  std::vector<MaterialBalance> balances_;
  SolvedSlices<R> solved_;
  std::uint64_t total_ = 0;
  std::uint64_t done_ = 0;
};

}  // namespace bz::draughts
