// What the policy of a sparse net learns from one position: to like the moves that a search liked.
#pragma once

#include <span>
#include <vector>

#include "nets/sparse/float_net.hpp"
#include "nets/sparse/kernels.hpp"

namespace bz::sparse {

// The moves of many positions, one after the other.
struct PolicyTargets {
  std::vector<Row> rows;      // the same number for each move
  std::vector<float> shares;  // of a position sum to 1

  void clear() {
    rows.clear();
    shares.clear();
  }
};

// The moves of one position.
struct PolicyTarget {
  std::span<const Row> rows;
  std::span<const float> shares;
};

// What a thread needs for it.
class PolicyLearner {
 public:
  double loss() const { return loss_; }  // cross-entropy, summed up
  std::int64_t samples() const { return samples_; }

  // Adds to the gradient; the slopes of the accumulator are added to those that are there.
  void learn(const float* parameters, float* gradient, const Layout& layout, int bucket,
             const PolicyTarget& target, float weight, const float* accumulator,
             float* accumulator_slopes) {
    const std::size_t own = layout.contexts + static_cast<std::size_t>(bucket) * layout.context;
    const float* layer = parameters + own;
    const auto hidden = static_cast<int>(layout.hidden);
    detail::forward(accumulator, hidden, layer, layer + layout.context_bias, context_.data());
    detail::clip(context_.data(), kLayer);
    score(parameters, layout, target);

    detail::Lanes slopes[detail::kLayerLanes] = {};
    const detail::Lanes* x = detail::lanes(context_.data());
    const std::size_t each = target.rows.size() / target.shares.size();
    for (std::size_t m = 0; m < target.shares.size(); ++m) {
      const float slope = weight * (logits_[m] - target.shares[m]);
      for (const Row r : target.rows.subspan(m * each, each)) {
        const std::size_t at = layout.moves + static_cast<std::size_t>(r) * kLayer;
        const detail::Lanes* row = detail::lanes(parameters + at);
        detail::Lanes* change = detail::lanes(gradient + at);
        for (int v = 0; v < detail::kLayerLanes; ++v) {
          change[v] += x[v] * slope;
          slopes[v] += row[v] * slope;
        }
        gradient[layout.move_bias + r] += slope;
      }
    }
    for (int v = 0; v < detail::kLayerLanes; ++v) detail::lanes(slopes_.data())[v] = slopes[v];
    for (std::size_t i = 0; i < kLayer; ++i) {
      if (context_[i] == 0 || context_[i] == 1) slopes_[i] = 0;
      gradient[own + layout.context_bias + i] += slopes_[i];
    }
    detail::backward(accumulator, hidden, layer, slopes_.data(), gradient + own,
                     accumulator_slopes_.data());
    for (std::size_t i = 0; i < layout.hidden; ++i) accumulator_slopes[i] += accumulator_slopes_[i];
  }

 private:
  // Leaves the probabilities of the moves in logits_.
  void score(const float* parameters, const Layout& layout, const PolicyTarget& target) {
    const std::size_t moves = target.shares.size();
    const std::size_t each = target.rows.size() / moves;
    const detail::Lanes* x = detail::lanes(context_.data());
    logits_.clear();
    for (std::size_t m = 0; m < moves; ++m) {
      float logit = 0;
      for (const Row r : target.rows.subspan(m * each, each)) {
        const detail::Lanes* row =
            detail::lanes(parameters + layout.moves + static_cast<std::size_t>(r) * kLayer);
        detail::Lanes sum = row[0] * x[0];
        for (int v = 1; v < detail::kLayerLanes; ++v) sum += row[v] * x[v];
        logit += parameters[layout.move_bias + r] + detail::total(sum);
      }
      logits_.push_back(logit);
    }
    const float top = *std::max_element(logits_.begin(), logits_.end());
    float total = 0;
    for (float& p : logits_) total += p = std::exp(p - top);
    for (std::size_t m = 0; m < moves; ++m) {
      logits_[m] /= total;
      if (target.shares[m] > 0) {
        loss_ -= target.shares[m] * std::log(std::max(logits_[m], 1e-9F));
      }
    }
    ++samples_;
  }

  alignas(32) std::array<float, kLayer> context_;
  alignas(32) std::array<float, kLayer> slopes_;
  alignas(32) std::array<float, kMostHidden> accumulator_slopes_;
  std::vector<float> logits_;
  double loss_ = 0;
  std::int64_t samples_ = 0;
};

}  // namespace bz::sparse
