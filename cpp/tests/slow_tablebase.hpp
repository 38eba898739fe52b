// Endings of draughts with up to three pieces, solved the slow way: every successor of every
// position is stored, and all positions are looked at again for each ply. It has nothing in common
// with the tables in games/draughts/tablebase but the rules, and so is their reference.
//
// A position is always looked at with white to move; with black to move it is turned.
#pragma once

#include <array>
#include <numeric>

#include "games/draughts/state.hpp"

namespace bz::tests {

using namespace draughts;

template <const Rules& R>
class SlowTablebase {
 public:
  static constexpr int kMostPieces = 3;

  // Solves all positions with up to so many pieces, in seconds.
  explicit SlowTablebase(int pieces) : pieces_(checked(pieces)), codes_(size(), kImpossible) {
    solve(list_positions());
  }

  bool knows(const Position<R>& p) const { return code(p) != kImpossible; }
  // In how many moves of both sides together the position is decided, if it is here and not a draw.
  // The mover has won if the number is odd.
  std::optional<int> plies(const Position<R>& p) const {
    const int found = code(p);
    return found == kDraw || found == kImpossible ? std::nullopt : std::optional<int>(found - 1);
  }

 private:
  using Board = Geometry<R.width>;
  using Id = std::uint32_t;

  // Otherwise a code is the number of plies and 1.
  static constexpr std::uint8_t kDraw = 0;
  static constexpr std::uint8_t kImpossible = 255;
  static constexpr Id kNobodyLeft = 0;  // the mover has no pieces

  // Positions that can be, each with the positions that its moves lead to.
  struct Graph {
    std::vector<Id> ids;
    std::vector<std::size_t> ends;  // of each one's successors
    std::vector<Id> successors;
  };

  static int checked(int pieces) {
    if (pieces >= 2 && pieces <= kMostPieces) return pieces;
    fail("a tablebase has 2 or " + std::to_string(kMostPieces) + " pieces");
  }

  static constexpr Id choose(Id n, Id k) {
    return k == 1 ? n : k == 2 ? n * (n - 1) / 2 : n * (n - 1) * (n - 2) / 6;
  }
  // Where the positions with so many pieces begin: each has four kinds on its square.
  static constexpr Id first(int pieces) {
    Id begin = 1;
    if (pieces > 2) begin += choose(Board::kSquares, 2) * 16;
    if (pieces > 3) begin += choose(Board::kSquares, 3) * 64;
    return begin;
  }
  std::size_t size() const { return first(pieces_ + 1); }

  // Of a position with white to move.
  static Id id(const Position<R>& p) {
    if (p.pieces[0] == 0) return kNobodyLeft;
    Id rank = 0;
    Id kinds = 0;
    Id placed = 0;
    for (Bits rest = p.pieces[0] | p.pieces[1]; rest != 0;) {
      const int at = pop(rest);
      const bool black = (p.pieces[1] & bit(at)) != 0;
      const bool king = (p.kings & bit(at)) != 0;
      rank += choose(static_cast<Id>(Board::square(at)), ++placed);
      kinds = 4 * kinds + 2 * black + king;
    }
    return first(static_cast<int>(placed)) + (rank << (2 * placed)) + kinds;
  }

  std::uint8_t code(const Position<R>& p) const {
    if (p.pieces[0] == 0 || p.pieces[1] == 0) return kImpossible;
    if (count(p.pieces[0] | p.pieces[1]) > pieces_) return kImpossible;
    return codes_[id(p.side == Side::white ? p : p.rotated())];
  }

  Graph list_positions() {
    Graph graph;
    codes_[kNobodyLeft] = 1;
    for (int pieces = 2; pieces <= pieces_; ++pieces) {
      std::array<int, kMostPieces> cells{};
      std::iota(cells.begin(), cells.end(), 0);
      do {
        for (unsigned kinds = 0; kinds < 1U << (2 * pieces); ++kinds) {
          add(position(cells, pieces, kinds), graph);
        }
      } while (advance(cells, pieces));
    }
    return graph;
  }

  // The next choice of ascending squares; false after the last.
  static bool advance(std::array<int, kMostPieces>& cells, int pieces) {
    for (int i = pieces - 1; i >= 0; --i) {
      const auto at = static_cast<std::size_t>(i);
      if (++cells[at] > Board::kSquares - pieces + i) continue;
      for (int j = i + 1; j < pieces; ++j) cells[static_cast<std::size_t>(j)] = cells[at] + j - i;
      return true;
    }
    return false;
  }

  static Position<R> position(const std::array<int, kMostPieces>& cells, int pieces,
                              unsigned kinds) {
    Position<R> p;
    p.side = Side::white;
    for (int i = 0; i < pieces; ++i, kinds >>= 2) {
      const int cell = cells[static_cast<std::size_t>(i)];
      const Bits at = bit(Board::bit_index(Square(cell)));
      p.pieces[(kinds & 2) != 0 ? 1 : 0] |= at;
      if ((kinds & 1) != 0) p.kings |= at;
    }
    return p;
  }

  static bool is_possible(const Position<R>& p) {
    return p.pieces[0] != 0 && p.pieces[1] != 0 &&
           (p.men(Side::white) & Board::kCrownRow[index(Side::white)]) == 0 &&
           (p.men(Side::black) & Board::kCrownRow[index(Side::black)]) == 0;
  }

  void add(const Position<R>& p, Graph& graph) {
    if (!is_possible(p)) return;
    codes_[id(p)] = kDraw;  // until something else is found
    graph.ids.push_back(id(p));
    legal_moves(p, moves_);
    for (const Move& m : moves_) {
      Position<R> after = p;
      after.play(m);
      graph.successors.push_back(id(after.rotated()));
    }
    graph.ends.push_back(graph.successors.size());
  }

  // Ply by ply: who has no move has lost; who can move to a position that is lost for the other
  // has won; who can only move to positions that the other wins has lost.
  void solve(const Graph& graph) {
    std::vector<std::size_t> open(graph.ids.size());
    std::iota(open.begin(), open.end(), std::size_t{0});
    int unchanged = 0;
    for (int plies = 0; unchanged < 2 && plies < kImpossible - 1; ++plies) {
      const bool won = plies % 2 == 1;
      const auto is_decided = [&](std::size_t i) {
        const auto begin = graph.successors.begin();
        const auto from = begin + static_cast<std::ptrdiff_t>(i == 0 ? 0 : graph.ends[i - 1]);
        const auto to = begin + static_cast<std::ptrdiff_t>(graph.ends[i]);
        const auto is_lost = [&](Id s) { return codes_[s] % 2 == 1; };
        const auto is_won = [&](Id s) { return codes_[s] != kDraw && codes_[s] % 2 == 0; };
        const bool decided = won ? std::any_of(from, to, is_lost) : std::all_of(from, to, is_won);
        if (decided) codes_[graph.ids[i]] = static_cast<std::uint8_t>(plies + 1);
        return decided;
      };
      unchanged = std::erase_if(open, is_decided) == 0 ? unchanged + 1 : 0;
    }
  }

  int pieces_;
  std::vector<std::uint8_t> codes_;  // by id
  MoveList moves_;
};

}  // namespace bz::tests
