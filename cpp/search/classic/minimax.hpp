// Minimax: every line of play to a fixed depth; what alpha-beta must agree with.
#pragma once

#include "search/classic/root_moves.hpp"
#include "search/classic/score.hpp"

namespace bz {

template <Game G, class E>
  requires ScoreEvaluation<E, G>
class Minimax {
 public:
  using Move = typename G::Move;

  explicit Minimax(E evaluation) : evaluation_(std::move(evaluation)) {}

  RootMoves<Move> operator()(const G& root, const Limits& limits, const Interrupt& interrupt) {
    Budget budget(limits.seconds, limits.nodes, interrupt);
    budget_ = &budget;
    return deepen(root, limits, budget, [&](RootMove<Move>& m, const G& child, Depth depth) {
      horizon_ = false;
      const Score score = child_score(root.to_move(), child, depth, kRootPly + 1);
      m.score = score;
      m.value = value_of(evaluation_, score);
      set_line(m.line, m.move, frame(kRootPly + 1).line);
      return horizon_;
    });
  }

 private:
  struct Frame {
    std::vector<Move> moves;
    std::vector<Move> line;
  };

  Frame& frame(Ply ply) { return frames_[static_cast<std::size_t>(index(ply))]; }

  // The child's score for the seat that moved there.
  Score child_score(Seat mover, const G& child, Depth depth, Ply ply) {
    if (child.to_move() == mover) return search(child, depth, ply);
    return -search(child, depth - 1, ply);
  }

  Score search(const G& g, Depth depth, Ply ply) {
    Frame& here = frame(ply);
    here.line.clear();
    if (!budget_->spend()) return 0;
    if (depth == 0 || index(ply) == kMaxPly) {
      horizon_ |= index(ply) < kMaxPly;
      return static_score(evaluation_, g, ply);
    }
    g.moves(here.moves);
    if (here.moves.empty()) return static_score(evaluation_, g, ply);
    Score best = -kInfinity;
    for (const Move& move : here.moves) {
      const Score score = child_score(g.to_move(), after(g, move), depth, ply + 1);
      if (budget_->exhausted()) return 0;
      if (score <= best) continue;
      best = score;
      set_line(here.line, move, frame(ply + 1).line);
    }
    return best;
  }

  E evaluation_;
  Budget* budget_ = nullptr;
  bool horizon_ = false;  // whether a line ended for want of depth, the horizon
  std::vector<Frame> frames_ = std::vector<Frame>(kMaxPly + 1);
};

}  // namespace bz
