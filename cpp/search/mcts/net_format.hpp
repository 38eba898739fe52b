// A net as the search sees it: rows of inputs to fill, and answers to read.
#pragma once

#include <algorithm>
#include <cmath>

#include "games/encoding.hpp"
#include "search/mcts/search.hpp"

namespace bz {

// How one net wants its states and gives its answers.
template <Game G>
struct NetFormat {
  Encoding<G> encoding;
  Policy<G> policy;
  int history = 0;  // earlier states shown besides the present one

  int planes() const { return encoding.planes * (history + 1); }
  int inputs() const { return encoding.inputs() * (history + 1); }

  // Writes the present state and then the earlier ones, latest first, all seen by the mover;
  // zeros stand for what was before the start.
  void write(const Leaf<G>& leaf, float* row) const { write(leaf.state, leaf.before, row); }
  void write(const G& state, const std::vector<G>& before, float* row) const {
    const Seat viewer = state.to_move();
    encoding.write(state, viewer, row);
    for (int i = 1; i <= history; ++i) {
      float* planes = row + i * encoding.inputs();
      const auto age = static_cast<std::size_t>(i);
      if (age <= before.size()) {
        encoding.write(before[before.size() - age], viewer, planes);
      } else {
        std::fill_n(planes, encoding.inputs(), 0.0F);
      }
    }
  }

  // Softmax over the legal actions only, in their order.
  void read_priors(const G& state, const ActionList& actions, const float* logits,
                   std::vector<float>& priors) const {
    priors.clear();
    for (const Action a : actions) priors.push_back(logits[policy.index(state, a)]);
    const float top = *std::max_element(priors.begin(), priors.end());
    float total = 0;
    for (float& p : priors) total += p = std::exp(p - top);
    for (float& p : priors) p /= total;
  }
};

// A net's values come in the order of play from the mover; ours are by seat.
inline Values by_seat(const float* from_mover, Seat mover, int players) {
  Values values(players, 0.0F);
  for (int i = 0; i < players; ++i) {
    values[(index(mover) + i) % players] = std::clamp(from_mover[i], -1.0F, 1.0F);
  }
  return values;
}

}  // namespace bz
