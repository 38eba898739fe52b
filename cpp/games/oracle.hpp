// Positions whose results are known for certain, such as those of endgame tables, as searches and
// self-play see them.
#pragma once

#include "games/game.hpp"

namespace bz {

template <Game G>
class Oracle {
 public:
  virtual ~Oracle() = default;

  // A number for what kind of ending this is; 0 if it is none that the oracle knows. Play within
  // one kind may go round in circles, and never comes back to one that was left.
  virtual std::uint32_t ending(const G& g) const = 0;

  // 1, 0 or -1 for the mover with best play on an endless clock.
  virtual std::optional<int> result(const G& g) const = 0;

  // The result for each seat under the rules of this game, draws by counting included; nothing
  // where that is not certain.
  virtual std::optional<Values> certain(const G& g) const = 0;
};

// An oracle as a search from one root asks it. Within the ending of the root it says only whether
// the result was spoiled: that every move there wins does not bring the win nearer.
template <Game G>
class RootedOracle {
 public:
  void begin(const Oracle<G>* oracle, const G& root) {
    oracle_ = oracle;
    ending_ = oracle == nullptr ? 0 : oracle->ending(root);
    result_ = ending_ == 0 ? 0 : oracle->result(root).value_or(0);
    mover_ = root.to_move();
  }

  bool knows_root() const { return ending_ != 0; }

  // Whether a move of the root to this state keeps the root's result.
  bool keeps_result(const G& child) const {
    const std::optional<int> result = oracle_->result(child);
    return result && seen(child, *result) == result_;
  }

  std::optional<Values> certain(const G& g) const {
    if (oracle_ == nullptr) return std::nullopt;
    const std::uint32_t ending = oracle_->ending(g);
    if (ending == 0) return std::nullopt;
    if (ending == ending_ && seen(g, oracle_->result(g).value_or(0)) == result_) {
      return std::nullopt;
    }
    return oracle_->certain(g);
  }

 private:
  // A result for the mover of `g`, seen by that of the root.
  int seen(const G& g, int result) const { return g.to_move() == mover_ ? result : -result; }

  const Oracle<G>* oracle_ = nullptr;
  std::uint32_t ending_ = 0;
  int result_ = 0;
  Seat mover_{};
};

}  // namespace bz
