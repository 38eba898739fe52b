// The moves of one turn, recognised while they are made action by action.
#pragma once

#include "games/game.hpp"

namespace bz {

template <Game G>
class Turn {
 public:
  using Move = typename G::Move;

  explicit Turn(const G& start) {
    start.moves(moves_);
    if constexpr (kByResult) {
      for (const Move& move : moves_) results_.push_back(after(start, move));
    }
  }

  const std::vector<Move>& moves() const { return moves_; }

  // The move that the turn's actions up to `last`, which led to `state`, make up; nothing while it
  // is unfinished. Different actions may make up the same move, so that it is known by its result.
  std::optional<Move> move(Action last, const G& state) const {
    if constexpr (kByResult) {
      for (std::size_t i = 0; i < moves_.size(); ++i) {
        if (results_[i] == state) return moves_[i];
      }
      return std::nullopt;
    } else {
      return last;
    }
  }

 private:
  static constexpr bool kByResult = !std::same_as<Move, Action>;

  std::vector<Move> moves_;
  std::vector<G> results_;
};

}  // namespace bz
