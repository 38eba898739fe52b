// Rounds a float net to the whole numbers that play uses.
#pragma once

#include "nets/sparse/float_net.hpp"

namespace bz::sparse {

class Quantiser {
 public:
  Quantiser(const Shape& shape, const Layout& layout, const float* parameters)
      : shape_(shape), layout_(layout), parameters_(parameters) {}

  std::shared_ptr<Weights> net(const std::string& name) const {
    auto w = std::make_shared<Weights>(name, shape_);
    const float* p = parameters_;
    const int limit = deep_limit(shape_.most_active);
    const auto deep = [&](float x) {
      return static_cast<std::int16_t>(
          std::clamp(rounded(x, shape_.accumulator_one()), -limit, limit));
    };
    for (std::size_t i = 0; i < w->deep.size(); ++i) w->deep[i] = deep(p[layout_.deep + i]);
    for (std::size_t i = 0; i < w->bias.size(); ++i) w->bias[i] = deep(p[layout_.bias + i]);
    for (std::size_t i = 0; i < w->linear.size(); ++i) {
      w->linear[i] = in_16_bits(p[layout_.linear + i], 1 << kLinearShift);
    }
    for (std::size_t b = 0; b < w->layers.size(); ++b) {
      const float* from = p + layout_.layers + b * layout_.bucket;
      Layers& to = w->layers[b];
      for (int i = 0; i < shape_.hidden; ++i) {
        for (int o = 0; o < kLayer; ++o) to.first[place(i, o)] = layer_weight(from[i * kLayer + o]);
      }
      for (int i = 0; i < kLayer; ++i) {
        for (int o = 0; o < kLayer; ++o) {
          to.second[place(i, o)] = layer_weight(from[layout_.second + i * kLayer + o]);
        }
      }
      for (std::size_t o = 0; o < kLayer; ++o) {
        to.first_bias[o] = layer_bias(from[layout_.first_bias + o]);
        to.second_bias[o] = layer_bias(from[layout_.second_bias + o]);
      }
      for (std::size_t o = 0; o < static_cast<std::size_t>(shape_.outputs()); ++o) {
        for (std::size_t i = 0; i < kLayer; ++i) {
          to.output[o][i] = in_16_bits(from[layout_.output + o * kLayer + i], kOutputScale);
        }
        to.output_bias[o] = rounded(from[layout_.output_bias + o], 1 << kOutputShift);
      }
    }
    quantise_policy(*w);
    return w;
  }

 private:
  static constexpr float kOutputScale = static_cast<float>(1 << kOutputShift) / kOne;

  static std::int32_t rounded(float x, float scale) {
    return static_cast<std::int32_t>(std::lround(x * scale));
  }
  static std::int16_t in_16_bits(float x, float scale) {
    return static_cast<std::int16_t>(std::clamp(rounded(x, scale), -32767, 32767));
  }
  static std::int8_t layer_weight(float x) {
    return static_cast<std::int8_t>(std::clamp(rounded(x, 1 << kLayerShift), -127, 127));
  }
  // Sums are shifted, which rounds down: half a unit in the bias makes it round to the nearest.
  static std::int32_t layer_bias(float x) {
    return rounded(x, kOne << kLayerShift) + (1 << (kLayerShift - 1));
  }

  void quantise_policy(Weights& w) const {
    const float* p = parameters_;
    for (std::size_t b = 0; b < w.contexts.size(); ++b) {
      const float* from = p + layout_.contexts + b * layout_.context;
      for (int i = 0; i < shape_.hidden; ++i) {
        for (int o = 0; o < kLayer; ++o) {
          w.contexts[b].weights[static_cast<std::size_t>(place(i, o))] =
              layer_weight(from[i * kLayer + o]);
        }
      }
      for (std::size_t o = 0; o < kLayer; ++o) {
        w.contexts[b].bias[o] = layer_bias(from[layout_.context_bias + o]);
      }
    }
    for (std::size_t i = 0; i < w.moves.size(); ++i) {
      w.moves[i] = in_16_bits(p[layout_.moves + i], kOutputScale);
    }
    for (std::size_t i = 0; i < w.move_bias.size(); ++i) {
      w.move_bias[i] = in_16_bits(p[layout_.move_bias + i], 1 << kLinearShift);
    }
  }

  const Shape& shape_;
  const Layout& layout_;
  const float* parameters_;
};

}  // namespace bz::sparse
