// The arithmetic of a sparse net: plain C++, and AVX2 where the processor has it. Both compute the
// same whole numbers, to the last bit.
#pragma once

#include <span>

#include "nets/sparse/weights.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#define BOARDZERO_AVX2 __attribute__((target("avx2")))
#endif

namespace bz::sparse {

using Row = std::uint16_t;

// Activations of the last layer, and the logits before linear rows.
struct Activations {
  alignas(32) std::array<std::uint8_t, kLayer> last;
  std::array<std::int32_t, kMostOutputs> sums;  // in units of 1 << kOutputShift
};

struct Kernels {
  // Adds rows to the sums and takes others off.
  void (*update)(const Weights& w, std::int16_t* sums, std::span<const Row> added,
                 std::span<const Row> removed);
  void (*propagate)(const Weights& w, const Layers& layers, const std::int16_t* sums,
                    Activations& out);
  // Of a policy: the activations of its layer, and what each row of a move comes to with them, in
  // units of 1 << kOutputShift.
  void (*contextualise)(const Weights& w, const Context& context, const std::int16_t* sums,
                        std::uint8_t* out);
  void (*rate)(const Weights& w, const std::uint8_t* context, std::span<const Row> rows,
               std::int32_t* out);
};

namespace portable {

inline void update(const Weights& w, std::int16_t* sums, std::span<const Row> added,
                   std::span<const Row> removed) {
  const int hidden = w.shape.hidden;
  for (const Row r : added) {
    const std::int16_t* row = &w.deep[static_cast<std::size_t>(r) * hidden];
    for (int i = 0; i < hidden; ++i) sums[i] = static_cast<std::int16_t>(sums[i] + row[i]);
  }
  for (const Row r : removed) {
    const std::int16_t* row = &w.deep[static_cast<std::size_t>(r) * hidden];
    for (int i = 0; i < hidden; ++i) sums[i] = static_cast<std::int16_t>(sums[i] - row[i]);
  }
}

inline void layer(const std::uint8_t* in, int inputs, const std::int8_t* weights,
                  const std::int32_t* bias, std::uint8_t* out) {
  std::array<std::int32_t, kLayer> sums;
  std::copy_n(bias, kLayer, sums.begin());
  for (int i = 0; i < inputs; ++i) {
    if (in[i] == 0) continue;
    for (int o = 0; o < kLayer; ++o)
      sums[static_cast<std::size_t>(o)] += in[i] * weights[place(i, o)];
  }
  for (int o = 0; o < kLayer; ++o) {
    const int activation = sums[static_cast<std::size_t>(o)] >> kLayerShift;
    out[o] = static_cast<std::uint8_t>(std::clamp(activation, 0, kOne));
  }
}

inline void activate(const Shape& shape, const std::int16_t* sums, std::uint8_t* out) {
  for (int i = 0; i < shape.hidden; ++i) {
    const int activation = sums[i] >> shape.accumulator_shift;
    out[i] = static_cast<std::uint8_t>(std::clamp(activation, 0, kOne));
  }
}

inline void contextualise(const Weights& w, const Context& context, const std::int16_t* sums,
                          std::uint8_t* out) {
  std::array<std::uint8_t, kMostHidden> accumulator;
  activate(w.shape, sums, accumulator.data());
  layer(accumulator.data(), w.shape.hidden, context.weights.data(), context.bias.data(), out);
}

inline void rate(const Weights& w, const std::uint8_t* context, std::span<const Row> rows,
                 std::int32_t* out) {
  for (const Row r : rows) {
    const std::int16_t* row = &w.moves[static_cast<std::size_t>(r) * kLayer];
    std::int32_t sum = w.move_bias[r] * (1 << (kOutputShift - kLinearShift));
    for (int i = 0; i < kLayer; ++i) sum += context[i] * row[i];
    *out++ = sum;
  }
}

inline void propagate(const Weights& w, const Layers& layers, const std::int16_t* sums,
                      Activations& out) {
  std::array<std::uint8_t, kMostHidden> accumulator;
  activate(w.shape, sums, accumulator.data());
  std::array<std::uint8_t, kLayer> between;
  layer(accumulator.data(), w.shape.hidden, layers.first.data(), layers.first_bias.data(),
        between.data());
  layer(between.data(), kLayer, layers.second.data(), layers.second_bias.data(), out.last.data());
  for (std::size_t o = 0; o < static_cast<std::size_t>(w.shape.outputs()); ++o) {
    std::int32_t sum = layers.output_bias[o];
    for (std::size_t i = 0; i < kLayer; ++i) sum += out.last[i] * layers.output[o][i];
    out.sums[o] = sum;
  }
}

}  // namespace portable

#if defined(__x86_64__)
namespace avx2 {

template <int Vectors>
BOARDZERO_AVX2 inline void update_part(const std::int16_t* rows, std::size_t stride,
                                       std::int16_t* sums, std::span<const Row> added,
                                       std::span<const Row> removed) {
  auto* to = reinterpret_cast<__m256i*>(sums);
  __m256i s[Vectors];
  for (int v = 0; v < Vectors; ++v) s[v] = _mm256_load_si256(to + v);
  for (const Row r : added) {
    const auto* row = reinterpret_cast<const __m256i*>(rows + r * stride);
    for (int v = 0; v < Vectors; ++v) s[v] = _mm256_add_epi16(s[v], _mm256_load_si256(row + v));
  }
  for (const Row r : removed) {
    const auto* row = reinterpret_cast<const __m256i*>(rows + r * stride);
    for (int v = 0; v < Vectors; ++v) s[v] = _mm256_sub_epi16(s[v], _mm256_load_si256(row + v));
  }
  for (int v = 0; v < Vectors; ++v) _mm256_store_si256(to + v, s[v]);
}

// In parts that stay in registers while all rows pass by.
BOARDZERO_AVX2 inline void update(const Weights& w, std::int16_t* sums, std::span<const Row> added,
                                  std::span<const Row> removed) {
  const auto stride = static_cast<std::size_t>(w.shape.hidden);
  std::size_t at = 0;
  for (; at + 128 <= stride; at += 128) {
    update_part<8>(w.deep.data() + at, stride, sums + at, added, removed);
  }
  if (stride - at >= 64) {
    update_part<4>(w.deep.data() + at, stride, sums + at, added, removed);
    at += 64;
  }
  if (stride - at >= 32) {
    update_part<2>(w.deep.data() + at, stride, sums + at, added, removed);
  }
}

// Four inputs at a time for all outputs; a group of four that is all zero adds nothing.
BOARDZERO_AVX2 inline void layer(const std::uint8_t* in, int inputs, const std::int8_t* weights,
                                 const std::int32_t* bias, std::uint8_t* out) {
  constexpr int kVectors = kLayer / 8;
  const auto* from = reinterpret_cast<const __m256i*>(bias);
  __m256i sums[kVectors];
  for (int v = 0; v < kVectors; ++v) sums[v] = _mm256_load_si256(from + v);
  const __m256i ones = _mm256_set1_epi16(1);
  for (int group = 0; group < inputs / 4; ++group) {
    std::int32_t four;
    std::memcpy(&four, in + 4 * group, sizeof four);
    if (four == 0) continue;
    const __m256i activations = _mm256_set1_epi32(four);
    const auto* row = reinterpret_cast<const __m256i*>(weights + group * 4 * kLayer);
    for (int v = 0; v < kVectors; ++v) {
      const __m256i pairs = _mm256_maddubs_epi16(activations, _mm256_load_si256(row + v));
      sums[v] = _mm256_add_epi32(sums[v], _mm256_madd_epi16(pairs, ones));
    }
  }
  for (int v = 0; v < kVectors; ++v) sums[v] = _mm256_srai_epi32(sums[v], kLayerShift);
  // Packing interleaves the halves of registers; the permutation puts outputs in order again.
  const __m256i words0 = _mm256_packs_epi32(sums[0], sums[1]);
  const __m256i words1 = _mm256_packs_epi32(sums[2], sums[3]);
  const __m256i bytes = _mm256_max_epi8(_mm256_packs_epi16(words0, words1), _mm256_setzero_si256());
  const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
  _mm256_store_si256(reinterpret_cast<__m256i*>(out), _mm256_permutevar8x32_epi32(bytes, order));
}

BOARDZERO_AVX2 inline std::int32_t sum_of(__m256i x) {
  __m128i s = _mm_add_epi32(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
  s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0x4E));
  s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0xB1));
  return _mm_cvtsi128_si32(s);
}

BOARDZERO_AVX2 inline void activate(const Shape& shape, const std::int16_t* sums,
                                    std::uint8_t* out) {
  const __m128i shift = _mm_cvtsi32_si128(shape.accumulator_shift);
  for (int i = 0; i < shape.hidden; i += 32) {
    const auto* from = reinterpret_cast<const __m256i*>(sums + i);
    const __m256i low = _mm256_sra_epi16(_mm256_load_si256(from), shift);
    const __m256i high = _mm256_sra_epi16(_mm256_load_si256(from + 1), shift);
    __m256i bytes = _mm256_max_epi8(_mm256_packs_epi16(low, high), _mm256_setzero_si256());
    bytes = _mm256_permute4x64_epi64(bytes, 0xD8);
    _mm256_store_si256(reinterpret_cast<__m256i*>(out + i), bytes);
  }
}

BOARDZERO_AVX2 inline void contextualise(const Weights& w, const Context& context,
                                         const std::int16_t* sums, std::uint8_t* out) {
  alignas(32) std::array<std::uint8_t, kMostHidden> accumulator;
  activate(w.shape, sums, accumulator.data());
  layer(accumulator.data(), w.shape.hidden, context.weights.data(), context.bias.data(), out);
}

BOARDZERO_AVX2 inline void rate(const Weights& w, const std::uint8_t* context,
                                std::span<const Row> rows, std::int32_t* out) {
  const auto* from = reinterpret_cast<const __m128i*>(context);
  const __m256i low = _mm256_cvtepu8_epi16(_mm_load_si128(from));
  const __m256i high = _mm256_cvtepu8_epi16(_mm_load_si128(from + 1));
  for (const Row r : rows) {
    const auto* row =
        reinterpret_cast<const __m256i*>(&w.moves[static_cast<std::size_t>(r) * kLayer]);
    const __m256i products = _mm256_add_epi32(_mm256_madd_epi16(low, _mm256_load_si256(row)),
                                              _mm256_madd_epi16(high, _mm256_load_si256(row + 1)));
    *out++ = w.move_bias[r] * (1 << (kOutputShift - kLinearShift)) + sum_of(products);
  }
}

BOARDZERO_AVX2 inline void propagate(const Weights& w, const Layers& layers,
                                     const std::int16_t* sums, Activations& out) {
  alignas(32) std::array<std::uint8_t, kMostHidden> accumulator;
  alignas(32) std::array<std::uint8_t, kLayer> between;
  activate(w.shape, sums, accumulator.data());
  layer(accumulator.data(), w.shape.hidden, layers.first.data(), layers.first_bias.data(),
        between.data());
  layer(between.data(), kLayer, layers.second.data(), layers.second_bias.data(), out.last.data());
  const auto* last = reinterpret_cast<const __m128i*>(out.last.data());
  const __m256i low = _mm256_cvtepu8_epi16(_mm_load_si128(last));
  const __m256i high = _mm256_cvtepu8_epi16(_mm_load_si128(last + 1));
  for (std::size_t o = 0; o < static_cast<std::size_t>(w.shape.outputs()); ++o) {
    const auto* row = reinterpret_cast<const __m256i*>(layers.output[o].data());
    const __m256i products = _mm256_add_epi32(_mm256_madd_epi16(low, _mm256_load_si256(row)),
                                              _mm256_madd_epi16(high, _mm256_load_si256(row + 1)));
    out.sums[o] = layers.output_bias[o] + sum_of(products);
  }
}

}  // namespace avx2
#endif

inline constexpr Kernels kPortable{portable::update, portable::propagate, portable::contextualise,
                                   portable::rate};

// The fastest that this processor has.
inline const Kernels& kernels() {
#if defined(__x86_64__)
  static constexpr Kernels kAvx2{avx2::update, avx2::propagate, avx2::contextualise, avx2::rate};
  static const Kernels& best = __builtin_cpu_supports("avx2") ? kAvx2 : kPortable;
  return best;
#else
  return kPortable;
#endif
}

}  // namespace bz::sparse
