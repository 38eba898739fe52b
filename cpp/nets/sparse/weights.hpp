// The whole-number weights of a sparse net, as play uses them, and as a file.
#pragma once

#include <bit>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/hash.hpp"
#include "nets/sparse/shape.hpp"

namespace bz::sparse {

static_assert(std::endian::native == std::endian::little, "files hold little-endian numbers");

// Vectors of weights start where a register of 32 bytes can load them at once.
template <class T>
struct Aligned {
  using value_type = T;
  Aligned() = default;
  template <class U>
  Aligned(const Aligned<U>&) {}
  T* allocate(std::size_t n) {
    return static_cast<T*>(::operator new(n * sizeof(T), std::align_val_t{64}));
  }
  void deallocate(T* p, std::size_t) { ::operator delete(p, std::align_val_t{64}); }
  friend bool operator==(Aligned, Aligned) { return true; }
};
template <class T>
using AlignedVector = std::vector<T, Aligned<T>>;

// The layers of one bucket. A layer's weights are stored four inputs at a time: for each group of
// four, those of output 0, then of output 1, ...; so one broadcast of four activations meets all
// outputs.
struct Layers {
  AlignedVector<std::int8_t> first;                         // hidden x kLayer
  alignas(32) std::array<std::int32_t, kLayer> first_bias;  // in units of kOne << kLayerShift
  alignas(32) std::array<std::int8_t, kLayer * kLayer> second;
  alignas(32) std::array<std::int32_t, kLayer> second_bias;
  alignas(32) std::array<std::array<std::int16_t, kLayer>, kMostOutputs> output;  // by output
  std::array<std::int32_t, kMostOutputs> output_bias;  // in units of 1 << kOutputShift
};

// The layer of the policy for one bucket: what it makes of the accumulator.
struct Context {
  AlignedVector<std::int8_t> weights;                 // hidden x kLayer, stored as in Layers
  alignas(32) std::array<std::int32_t, kLayer> bias;  // in units of kOne << kLayerShift
};

// Where the weight from an input to an output stands in a layer.
constexpr int place(int input, int output) { return (input / 4 * kLayer + output) * 4 + input % 4; }

struct Weights {
  std::string inputs;  // the name of the inputs that the rows mean
  Shape shape;
  AlignedVector<std::int16_t> deep;       // deep_rows x hidden
  AlignedVector<std::int16_t> bias;       // hidden
  AlignedVector<std::int16_t> linear;     // linear_rows x 2: at the beginning, at the end
  std::vector<Layers> layers;             // by bucket
  std::vector<Context> contexts;          // by bucket; none without a policy
  AlignedVector<std::int16_t> moves;      // policy_rows x kLayer
  AlignedVector<std::int16_t> move_bias;  // policy_rows, in units of 1 << kLinearShift

  Weights() = default;
  Weights(std::string name, const Shape& s)
      : inputs(std::move(name)),
        shape(s),
        deep(static_cast<std::size_t>(s.deep_rows) * s.hidden),
        bias(static_cast<std::size_t>(s.hidden)),
        linear(static_cast<std::size_t>(s.linear_rows) * 2),
        layers(static_cast<std::size_t>(s.buckets)),
        contexts(static_cast<std::size_t>(s.has_policy() ? s.buckets : 0)),
        moves(static_cast<std::size_t>(s.policy_rows) * kLayer),
        move_bias(static_cast<std::size_t>(s.policy_rows)) {
    for (Layers& l : layers) {
      l.first.assign(static_cast<std::size_t>(s.hidden) * kLayer, 0);
      l.first_bias.fill(0);
      l.second.fill(0);
      l.second_bias.fill(0);
      for (auto& row : l.output) row.fill(0);
      l.output_bias.fill(0);
    }
    for (Context& c : contexts) {
      c.weights.assign(static_cast<std::size_t>(s.hidden) * kLayer, 0);
      c.bias.fill(0);
    }
  }

  std::string bytes() const;
  static std::shared_ptr<const Weights> parse(std::string_view bytes);  // throws Error
};

namespace detail {

inline constexpr std::string_view kMagic = "BoardZero sparse net\n";
inline constexpr std::uint32_t kFormat = 1;
inline constexpr std::uint32_t kPolicyFormat = 2;  // of nets with a policy
inline constexpr std::size_t kLongestName = 64;

inline std::uint64_t digest(std::string_view bytes) {
  std::uint64_t d = bytes.size();
  for (std::size_t i = 0; i < bytes.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + i, std::min<std::size_t>(8, bytes.size() - i));
    d = combine(d, word);
  }
  return d;
}

// Calls f(pointer, count) for every array of weights, in the order of the file.
template <class W, class F>
void each_array(W& w, F&& f) {
  const auto whole = [&](auto& v) { f(v.data(), v.size()); };
  whole(w.deep);
  whole(w.bias);
  whole(w.linear);
  for (auto& l : w.layers) {
    whole(l.first);
    whole(l.first_bias);
    whole(l.second);
    whole(l.second_bias);
    for (int o = 0; o < w.shape.outputs(); ++o) whole(l.output[static_cast<std::size_t>(o)]);
    f(l.output_bias.data(), static_cast<std::size_t>(w.shape.outputs()));
  }
  for (auto& c : w.contexts) {
    whole(c.weights);
    whole(c.bias);
  }
  whole(w.moves);
  whole(w.move_bias);
}

// How much of a shape a file of that format holds.
constexpr std::size_t shape_bytes(std::uint32_t format) {
  return format == kFormat ? offsetof(Shape, policy_rows) : sizeof(Shape);
}

// Files come from anywhere: sizes are bounded before memory is taken for them.
inline bool is_sensible(const Shape& s) {
  const auto within = [](int low, int value, int high) { return low <= value && value <= high; };
  return within(1, s.deep_rows, 1 << 16) && within(1, s.most_active, 1 << 12) &&
         within(0, s.linear_rows, 1 << 23) && within(1, s.buckets, 64) &&
         within(1, s.players, kMaxPlayers) && within(kHiddenStep, s.hidden, kMostHidden) &&
         within(0, s.accumulator_shift, 6) && s.hidden % kHiddenStep == 0 &&
         within(0, s.policy_rows, 1 << 16);
}

// No sum of active rows may leave 16 bits, and two products of a layer must fit into 16 bits too.
inline bool is_bounded(const Weights& w) {
  const int limit = deep_limit(w.shape.most_active);
  const auto fits = [&](int x) { return -limit <= x && x <= limit; };
  if (!std::all_of(w.deep.begin(), w.deep.end(), fits)) return false;
  if (!std::all_of(w.bias.begin(), w.bias.end(), fits)) return false;
  const auto is_layer_weight = [](int x) { return -127 <= x; };
  return std::all_of(w.layers.begin(), w.layers.end(),
                     [&](const Layers& l) {
                       return std::all_of(l.first.begin(), l.first.end(), is_layer_weight) &&
                              std::all_of(l.second.begin(), l.second.end(), is_layer_weight);
                     }) &&
         std::all_of(w.contexts.begin(), w.contexts.end(), [&](const Context& c) {
           return std::all_of(c.weights.begin(), c.weights.end(), is_layer_weight);
         });
}

}  // namespace detail

inline std::string Weights::bytes() const {
  std::string out(detail::kMagic);
  const auto put = [&out](const void* data, std::size_t size) {
    out.append(static_cast<const char*>(data), size);
  };
  const auto length = static_cast<std::uint32_t>(inputs.size());
  const std::uint32_t format = shape.has_policy() ? detail::kPolicyFormat : detail::kFormat;
  put(&format, sizeof format);
  put(&length, sizeof length);
  out += inputs;
  put(&shape, detail::shape_bytes(format));
  detail::each_array(*this, [&](const auto* data, std::size_t n) { put(data, n * sizeof *data); });
  const std::uint64_t sum = detail::digest(out);
  put(&sum, sizeof sum);
  return out;
}

inline std::shared_ptr<const Weights> Weights::parse(std::string_view bytes) {
  const std::string_view all = bytes;
  const auto take = [&bytes](void* to, std::size_t size) {
    if (size > bytes.size()) fail("the weights of the net are cut short");
    std::memcpy(to, bytes.data(), size);
    bytes.remove_prefix(size);
  };
  if (!bytes.starts_with(detail::kMagic)) fail("this is no file of a sparse net");
  bytes.remove_prefix(detail::kMagic.size());
  std::uint32_t format = 0;
  take(&format, sizeof format);
  if (format != detail::kFormat && format != detail::kPolicyFormat) {
    fail("this sparse net has format " + std::to_string(format) +
         ", which this version of BoardZero does not read");
  }
  std::uint32_t length = 0;
  take(&length, sizeof length);
  if (length > detail::kLongestName) fail("the weights of the net are damaged");
  std::string name(length, ' ');
  take(name.data(), length);
  Shape shape;
  take(&shape, detail::shape_bytes(format));
  if (!detail::is_sensible(shape)) fail("the weights of the net are damaged");
  auto weights = std::make_shared<Weights>(std::move(name), shape);
  detail::each_array(*weights, [&](auto* data, std::size_t n) { take(data, n * sizeof *data); });
  std::uint64_t sum = 0;
  take(&sum, sizeof sum);
  if (!bytes.empty() || sum != detail::digest(all.substr(0, all.size() - sizeof sum)) ||
      !detail::is_bounded(*weights)) {
    fail("the weights of the net are damaged");
  }
  return weights;
}

}  // namespace bz::sparse
