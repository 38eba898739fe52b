// Searches for any number of seats, which differ in what they think the others want.
//
//   max^n       each seat wants the most for itself
//   paranoid    all others want the least for the root's seat, so that alpha-beta applies
//   best reply  of the others only one opposes the root's seat each round, the one who can do the
//               most harm; the rest make the move that looks best to them (turns cannot be skipped)
//
// Depth counts changes of the player to move; in best-reply search a round of the others once.
#pragma once

#include "search/classic/root_moves.hpp"
#include "search/classic/score.hpp"

namespace bz {

enum class Others { selfish, hostile, best_reply };

template <Game G, class E>
  requires Evaluation<E, G>
class MaxN {
 public:
  using Move = typename G::Move;

  MaxN(E evaluation, Others others) : evaluation_(std::move(evaluation)), others_(others) {}

  RootMoves<Move> operator()(const G& root, const Limits& limits, const Interrupt& interrupt) {
    Budget budget(limits.seconds, limits.nodes, interrupt);
    budget_ = &budget;
    seat_ = root.to_move();
    return deepen(root, limits, budget, [&](RootMove<Move>& m, const G& child, Depth depth) {
      horizon_ = false;
      const float value = of_child(root, child, depth);
      m.score = value;
      m.value = std::clamp(value, -1.0F, 1.0F);
      set_line(m.line, m.move, line(kRootPly + 1));
      return horizon_;
    });
  }

 private:
  static constexpr int kMaxPly = 64;
  static constexpr float kBest = 2.0F;  // wins lie beyond every evaluation, the nearer the further

  struct Frame {
    std::vector<Move> moves;
    std::vector<Move> line;
  };
  struct Range {
    float alpha = -kBest;
    float beta = kBest;
  };
  Frame& frame(Ply ply) { return frames_[static_cast<std::size_t>(index(ply))]; }
  std::vector<Move>& line(Ply ply) { return frame(ply).line; }

  // What a root move is worth to the one who makes it.
  float of_child(const G& root, const G& child, Depth depth) {
    switch (others_) {
      case Others::selfish:
        return selfish(child, less(depth, root, child), kRootPly + 1)[index(seat_)];
      case Others::hostile:
        return hostile(child, less(depth, root, child), {}, kRootPly + 1);
      case Others::best_reply:
        break;
    }
    return best_reply(child, less_by_side(depth, root, child), {}, false, kRootPly + 1);
  }

  static int less(Depth depth, const G& g, const G& child) {
    return g.to_move() == child.to_move() ? depth : depth - 1;
  }
  int less_by_side(Depth depth, const G& g, const G& child) const {
    return (g.to_move() == seat_) == (child.to_move() == seat_) ? depth : depth - 1;
  }

  Values selfish(const G& g, Depth depth, Ply ply) {
    if (is_leaf(g, depth, ply)) return static_values(g, ply);
    const auto mover = index(g.to_move());
    Values best(g.shape().players, -kBest - 1);
    for (const Move& move : frame(ply).moves) {
      const G child = after(g, move);
      const Values values = selfish(child, less(depth, g, child), ply + 1);
      if (budget_->exhausted()) break;
      if (values[mover] <= best[mover]) continue;
      best = values;
      set_line(line(ply), move, line(ply + 1));
      if (best[mover] >= beyond(1.0F, ply + 1)) break;  // no win is quicker
    }
    return best;
  }

  float hostile(const G& g, Depth depth, Range range, Ply ply) {
    if (is_leaf(g, depth, ply)) return static_values(g, ply)[index(seat_)];
    Fold fold(*this, g, range, ply);
    for (const Move& move : frame(ply).moves) {
      const G child = after(g, move);
      const float value = hostile(child, less(depth, g, child), fold.range, ply + 1);
      if (fold.cuts_off(move, value)) break;
    }
    return fold.best;
  }

  // `opposed`: one of the others has made its best reply in this round.
  float best_reply(const G& g, Depth depth, Range range, bool opposed, Ply ply) {
    if (is_leaf(g, depth, ply)) return static_values(g, ply)[index(seat_)];
    Fold fold(*this, g, range, ply);
    const auto cuts_off = [&](const Move& move, bool opposed_now) {
      const G child = after(g, move);
      const bool same_round = child.to_move() != seat_;
      const float value = best_reply(child, less_by_side(depth, g, child), fold.range,
                                     same_round && opposed_now, ply + 1);
      return fold.cuts_off(move, value);
    };
    if (g.to_move() != seat_ && cuts_off(best_unsearched(g, frame(ply).moves), opposed)) {
      return fold.best;
    }
    if (opposed) return fold.best;
    for (const Move& move : frame(ply).moves) {
      if (cuts_off(move, g.to_move() != seat_)) break;
    }
    return fold.best;
  }

  // The best of several values to the mover: highest for the root's seat, lowest for the others.
  struct Fold {
    Fold(MaxN& owner, const G& g, Range window, Ply at)
        : search(owner), range(window), ply(at), highest(g.to_move() == owner.seat_) {
      best = highest ? -kBest - 1 : kBest + 1;
    }

    // Takes in one more value; true if no further one can matter.
    bool cuts_off(const Move& move, float value) {
      if (search.budget_->exhausted()) return true;
      if (highest ? value > best : value < best) {
        best = value;
        set_line(search.line(ply), move, search.line(ply + 1));
      }
      float& bound = highest ? range.alpha : range.beta;
      bound = highest ? std::max(bound, best) : std::min(bound, best);
      return range.alpha >= range.beta;
    }

    MaxN& search;
    Range range;
    Ply ply;
    bool highest;
    float best;
  };

  // Lists the moves of a state that is not a leaf.
  bool is_leaf(const G& g, Depth depth, Ply ply) {
    line(ply).clear();
    if (!budget_->spend() || index(ply) == kMaxPly) return true;
    if (depth <= 0) {
      horizon_ = true;
      return true;
    }
    g.moves(frame(ply).moves);
    return frame(ply).moves.empty();
  }

  static float beyond(float value, Ply ply) {
    const float distance = static_cast<float>(ply) / (2 * kMaxPly);
    if (value >= 1.0F) return kBest - distance;
    return value <= -1.0F ? distance - kBest : value;
  }

  Values static_values(const G& g, Ply ply) const {
    const auto outcome = g.outcome();
    Values values = outcome ? outcome->values : evaluation_(g);
    for (float& v : values) v = outcome ? beyond(v, ply) : std::clamp(v, -1.0F, 1.0F);
    return values;
  }

  // The move that looks best to the mover without search.
  Move best_unsearched(const G& g, const std::vector<Move>& moves) const {
    const auto worth = [&](const Move& m) {
      return static_values(after(g, m), kRootPly)[index(g.to_move())];
    };
    return *std::ranges::max_element(moves, {}, worth);
  }

  E evaluation_;
  Others others_;
  Seat seat_{};
  Budget* budget_ = nullptr;
  bool horizon_ = false;  // whether a line ended for want of depth, the horizon
  std::vector<Frame> frames_ = std::vector<Frame>(kMaxPly + 2);
};

}  // namespace bz
