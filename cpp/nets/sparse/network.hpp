// A sparse net at work: accumulators that follow from state to state, and what comes out.
#pragma once

#include <memory>
#include <variant>

#include "nets/sparse/inputs.hpp"

namespace bz::sparse {

// What a net says of a state, seen by the seat to move.
struct Output {
  std::array<std::int32_t, kMostOutputs> logits;  // in units of 1 / kLogitOne
};

// The sums of the active deep rows, together with the view that they belong to: the next view is
// reached by the rows in which it differs. A search needs to undo nothing, and may jump anywhere.
template <Inputs I>
class Accumulator {
 public:
  explicit Accumulator(const Weights& w) { reset(w); }

  const std::int16_t* follow(const Weights& w, const Kernels& kernels,
                             const typename I::View& view) {
    changes_.clear();
    if (!tracker_.follow(view, changes_)) {
      reset(w);
      I::rows(view, changes_.added);
    }
    kernels.update(w, sums_.data(), changes_.added.span(), changes_.removed.span());
    return sums_.data();
  }
  const typename I::Tracker& tracker() const { return tracker_; }

 private:
  void reset(const Weights& w) { std::copy(w.bias.begin(), w.bias.end(), sums_.begin()); }

  alignas(64) std::array<std::int16_t, kMostHidden> sums_;
  typename I::Tracker tracker_;
  Changes changes_;
};

template <Inputs I>
class Network {
 public:
  explicit Network(std::shared_ptr<const Weights> weights, const Kernels& chosen = kernels())
      : weights_(std::move(weights)),
        kernels_(&chosen),
        accumulators_(static_cast<std::size_t>(weights_->shape.players),
                      Accumulator<I>(*weights_)) {}

  // Of what `mover` sees. States with the same mover are near each other in a search, so each seat
  // has its accumulator; the output does not depend on it.
  Output operator()(const typename I::View& view, Seat mover) {
    return output(view, accumulator(mover).follow(*weights_, *kernels_, view));
  }

  // The same, or 1 where the rules say that the mover wins, -1 where it loses.
  std::variant<Output, int> output_or_end(const typename I::View& view, Seat mover) {
    const std::int16_t* sums = accumulator(mover).follow(*weights_, *kernels_, view);
    if constexpr (KnowsEnd<I>) {
      if (const int end = accumulator(mover).tracker().decided(); end != 0) return end;
    }
    return output(view, sums);
  }

  // The logit of each move, in units of 1 / kLogitOne; every move has I::kMoveRows of the rows.
  // Only for nets with a policy.
  void policy(const typename I::View& view, Seat mover, std::span<const Row> rows,
              std::vector<std::int32_t>& out) {
    const Weights& w = *weights_;
    const std::int16_t* sums =
        accumulators_[static_cast<std::size_t>(index(mover))].follow(w, *kernels_, view);
    const Context& context = w.contexts[static_cast<std::size_t>(I::bucket(view))];
    alignas(32) std::array<std::uint8_t, kLayer> activations;
    kernels_->contextualise(w, context, sums, activations.data());
    ratings_.resize(rows.size());
    kernels_->rate(w, activations.data(), rows, ratings_.data());
    out.clear();
    for (std::size_t i = 0; i < rows.size(); i += I::kMoveRows) {
      std::int32_t sum = 0;
      for (std::size_t k = 0; k < I::kMoveRows; ++k) sum += ratings_[i + k];
      out.push_back(sum >> (kOutputShift - kLogitShift));
    }
  }

  // One value per seat: a win is 1, a loss -1, a draw an equal share of the win.
  Values values(const typename I::View& view, Seat mover) {
    const Output out = (*this)(view, mover);
    const int players = weights_->shape.players;
    std::array<float, kMostOutputs> p{};
    float total = 0;
    for (int o = 0; o <= players; ++o) {
      const auto at = static_cast<std::size_t>(o);
      total += p[at] = std::exp(static_cast<float>(out.logits[at] - out.logits[0]) / kLogitOne);
    }
    const float drawn = p[static_cast<std::size_t>(players)] / static_cast<float>(players);
    Values values(players, 0.0F);
    for (int o = 0; o < players; ++o) {
      values[(index(mover) + o) % players] =
          2 * (p[static_cast<std::size_t>(o)] + drawn) / total - 1;
    }
    return values;
  }

  const Weights& weights() const { return *weights_; }

 private:
  Accumulator<I>& accumulator(Seat mover) {
    return accumulators_[static_cast<std::size_t>(index(mover))];
  }

  Output output(const typename I::View& view, const std::int16_t* sums) {
    const Weights& w = *weights_;
    const Layers& layers = w.layers[static_cast<std::size_t>(I::bucket(view))];
    kernels_->propagate(w, layers, sums, activations_);
    Output out;
    for (std::size_t o = 0; o < static_cast<std::size_t>(w.shape.outputs()); ++o) {
      out.logits[o] = activations_.sums[o] >> (kOutputShift - kLogitShift);
    }
    const std::int32_t advantage = linear(view);
    out.logits[0] += advantage;
    for (int o = 1; o < w.shape.players; ++o) out.logits[static_cast<std::size_t>(o)] -= advantage;
    return out;
  }

  // Both numbers of each active row, blended by the phase.
  std::int32_t linear(const typename I::View& view) const {
    std::int32_t begins = 0;
    std::int32_t ends = 0;
    const std::int16_t* table = weights_->linear.data();
    I::each_linear(view, [&](int row) {
      begins += table[2 * row];
      ends += table[2 * row + 1];
    });
    const int phase = I::phase(view);
    return (begins * phase + ends * (kFullPhase - phase)) >>
           (kLinearShift + kPhaseShift - kLogitShift);
  }

  std::shared_ptr<const Weights> weights_;
  const Kernels* kernels_;
  std::vector<Accumulator<I>> accumulators_;
  Activations activations_;
  std::vector<std::int32_t> ratings_;  // of the rows of moves
};

// For two players: the log-odds of the points to be expected, a draw being half a point:
// ln((2 W + D) / (2 L + D)), in units of 1 / kLogitOne.
inline int log_odds(const Output& out) {
  constexpr int kLn2 = 177;  // of kLogitOne
  const auto& softplus = softplus_table();
  const auto either = [&](int a, int b) {
    const int apart = a < b ? b - a : a - b;
    return std::max(a, b) +
           (apart < kSoftplusEntries ? softplus[static_cast<std::size_t>(apart)] : 0);
  };
  return either(out.logits[0] + kLn2, out.logits[2]) - either(out.logits[1] + kLn2, out.logits[2]);
}

}  // namespace bz::sparse
