// The float net that is trained: where its weights lie, and its layers forwards and backwards.
#pragma once

#include "nets/sparse/weights.hpp"

namespace bz::sparse {

// Where the parts of a float net begin in one array.
struct Layout {
  explicit Layout(const Shape& s)
      : hidden(static_cast<std::size_t>(s.hidden)),
        bias(0),
        deep(hidden),
        linear(deep + static_cast<std::size_t>(s.deep_rows) * hidden),
        layers(padded(linear + 2 * static_cast<std::size_t>(s.linear_rows))),
        first_bias(hidden * kLayer),
        second(first_bias + kLayer),
        second_bias(second + kLayer * kLayer),
        output(second_bias + kLayer),
        output_bias(output + kMostOutputs * kLayer),
        bucket(padded(output_bias + kMostOutputs)),
        moves(layers + static_cast<std::size_t>(s.buckets) * bucket),
        move_bias(moves + static_cast<std::size_t>(s.policy_rows) * kLayer),
        contexts(padded(move_bias + static_cast<std::size_t>(s.policy_rows))),
        context_bias(hidden * kLayer),
        context(context_bias + kLayer),
        total(contexts + (s.has_policy() ? static_cast<std::size_t>(s.buckets) * context : 0)) {}

  static constexpr std::size_t padded(std::size_t n) { return (n + 15) / 16 * 16; }

  std::size_t hidden, bias, deep, linear, layers;
  std::size_t first_bias, second, second_bias, output, output_bias;  // within a bucket
  std::size_t bucket, moves, move_bias, contexts;
  std::size_t context_bias;  // within a bucket's layer of the policy
  std::size_t context, total;
};

namespace detail {

// Eight floats that the compiler keeps in one or two registers.
typedef float Lanes __attribute__((vector_size(32), aligned(32)));
inline constexpr int kLanes = 8;
inline constexpr int kLayerLanes = kLayer / kLanes;

inline Lanes* lanes(float* p) { return reinterpret_cast<Lanes*>(p); }
inline const Lanes* lanes(const float* p) { return reinterpret_cast<const Lanes*>(p); }
inline float total(const Lanes& x) {
  return ((x[0] + x[4]) + (x[1] + x[5])) + ((x[2] + x[6]) + (x[3] + x[7]));
}

// A layer for one sample, and back. Inputs that are zero cost nothing.
inline void forward(const float* in, int inputs, const float* weights, const float* bias,
                    float* out) {
  Lanes sums[kLayerLanes];
  for (int v = 0; v < kLayerLanes; ++v) sums[v] = lanes(bias)[v];
  for (int i = 0; i < inputs; ++i) {
    if (in[i] == 0) continue;
    const Lanes* row = lanes(weights + i * kLayer);
    for (int v = 0; v < kLayerLanes; ++v) sums[v] += row[v] * in[i];
  }
  for (int v = 0; v < kLayerLanes; ++v) lanes(out)[v] = sums[v];
}

// `slope` is the gradient of the layer's sums; that of its inputs goes where they are strictly
// between 0 and 1, since a clipped input moves nothing.
inline void backward(const float* in, int inputs, const float* weights, const float* slope,
                     float* weight_slopes, float* in_slopes) {
  Lanes s[kLayerLanes];
  for (int v = 0; v < kLayerLanes; ++v) s[v] = lanes(slope)[v];
  for (int i = 0; i < inputs; ++i) {
    in_slopes[i] = 0;
    if (in[i] == 0) continue;
    Lanes* change = lanes(weight_slopes + i * kLayer);
    for (int v = 0; v < kLayerLanes; ++v) change[v] += s[v] * in[i];
    if (in[i] == 1) continue;
    const Lanes* row = lanes(weights + i * kLayer);
    Lanes sum = row[0] * s[0];
    for (int v = 1; v < kLayerLanes; ++v) sum += row[v] * s[v];
    in_slopes[i] = total(sum);
  }
}

inline void clip(float* x, int n) {
  for (int i = 0; i < n; ++i) x[i] = std::min(std::max(x[i], 0.0F), 1.0F);
}

}  // namespace detail

}  // namespace bz::sparse
