// Fits a sparse net to played games: floats, Adam, one gradient per thread.
//
// The float net has the same clipped activations as the one of whole numbers, and its weights stay
// within what those can hold, so that rounding is all that lies between them.
#pragma once

#include <barrier>
#include <span>
#include <thread>

#include "core/rng.hpp"
#include "nets/sparse/float_net.hpp"
#include "nets/sparse/inputs.hpp"
#include "nets/sparse/policy_learning.hpp"
#include "nets/sparse/quantise.hpp"

namespace bz::sparse {

// A position to learn from, as the mover sees it.
template <Inputs I>
struct Sample {
  typename I::View view;
  std::int8_t result = 0;  // the output that came true: 0 the mover won, 1 the next seat, ...
  bool has_value = false;
  float value = 0;               // what the search thought, for the mover in [-1, 1]
  bool quiet = true;             // or else only its policy is learned
  std::uint32_t first_move = 0;  // among the policy targets
  std::uint32_t moves = 0;       // of which there are none where only the value is learned
};

struct TrainerOptions {
  int batch = 8192;
  float rate = 0.001F;
  float result_share = 0.5F;   // of the target; the rest is the search's value where there is one
  float decay = 0.0F;          // pulls linear weights towards 0, per step and unit of rate
  float policy_weight = 1.0F;  // of the policy's loss beside that of the value
  int threads = 1;
};

// What a sample costs, and the gradient of the logits: cross-entropy to the result, and to the
// points that the search expects.
struct Loss {
  float result = 0;
  float value = 0;
  float policy = 0;  // cross-entropy to the moves that the search liked
};

template <Inputs I>
class Trainer {
 public:
  Trainer(std::string name, const Shape& shape, std::uint64_t seed)
      : name_(std::move(name)), shape_(shape), layout_(shape), parameters_(layout_.total) {
    if (!detail::is_sensible(shape)) fail("a sparse net cannot have this shape");
    moments_[0].assign(layout_.total, 0);
    moments_[1].assign(layout_.total, 0);
    initialise(seed);
  }

  const Shape& shape() const { return shape_; }

  // One pass over the samples in the order given, batch by batch; returns the mean losses.
  Loss train(std::span<const Sample<I>> samples, const PolicyTargets& moves,
             std::span<const std::uint32_t> order, const TrainerOptions& options) {
    options_ = options;
    const int threads = std::max(1, options.threads);
    std::vector<Worker> workers;
    for (int t = 0; t < threads; ++t) workers.emplace_back(layout_);
    std::barrier sync(threads);
    const auto size = static_cast<std::size_t>(options_.batch);
    const auto work = [&](std::size_t t) {
      for (std::size_t begin = 0; begin < order.size(); begin += size) {
        const auto batch = order.subspan(begin, std::min(size, order.size() - begin));
        const std::size_t from = batch.size() * t / workers.size();
        const std::size_t to = batch.size() * (t + 1) / workers.size();
        for (const std::uint32_t i : batch.subspan(from, to - from)) {
          learn(samples[i], moves, workers[t]);
        }
        sync.arrive_and_wait();
        const float scale = 1.0F / static_cast<float>(batch.size());
        step(workers, scale, layout_.total * t / workers.size() / 16 * 16,
             t + 1 == workers.size() ? layout_.total
                                     : layout_.total * (t + 1) / workers.size() / 16 * 16);
        sync.arrive_and_wait();
        if (t == 0) ++steps_;
        sync.arrive_and_wait();
      }
    };
    std::vector<std::jthread> others;
    for (std::size_t t = 1; t < workers.size(); ++t) others.emplace_back(work, t);
    work(0);
    others.clear();
    return mean_loss(workers);
  }

  // The net of whole numbers that is nearest.
  std::shared_ptr<Weights> quantised() const {
    return Quantiser(shape_, layout_, parameters_.data()).net(name_);
  }

  std::string bytes() const {
    const std::string head = header();
    std::string out = head;
    const auto put = [&out](const AlignedVector<float>& v) {
      out.append(reinterpret_cast<const char*>(v.data()), v.size() * sizeof(float));
    };
    put(parameters_);
    for (const auto& m : moments_) put(m);
    out.append(reinterpret_cast<const char*>(&steps_), sizeof steps_);
    return out;
  }
  void restore(std::string_view bytes) {
    const std::string head = header();
    const std::size_t block = layout_.total * sizeof(float);
    if (!bytes.starts_with(head) || bytes.size() != head.size() + 3 * block + sizeof steps_) {
      fail("this is no trainer's state of a net of this game and shape");
    }
    const char* from = bytes.data() + head.size();
    std::memcpy(parameters_.data(), from, block);
    std::memcpy(moments_[0].data(), from + block, block);
    std::memcpy(moments_[1].data(), from + 2 * block, block);
    std::memcpy(&steps_, from + 3 * block, sizeof steps_);
  }

  // The logits of the float net; for tests and for measuring what rounding costs.
  std::array<float, kMostOutputs> logits(const typename I::View& view) {
    Worker w(layout_);
    forward(view, w);
    return w.logits;
  }

 private:
  // What a thread needs: its gradient, and the activations of the sample it looks at.
  struct Worker {
    explicit Worker(const Layout& l) : gradient(l.total) {}

    AlignedVector<float> gradient;
    double result_loss = 0;
    double value_loss = 0;
    std::int64_t quiet = 0;
    PolicyLearner policy;
    Rows rows;
    std::vector<int> linear;
    int phase = 0;
    int bucket = 0;
    alignas(32) std::array<float, kMostHidden> accumulator;
    alignas(32) std::array<float, kMostHidden> accumulator_slopes;
    alignas(32) std::array<float, kLayer> first;
    alignas(32) std::array<float, kLayer> first_slopes;
    alignas(32) std::array<float, kLayer> second;
    alignas(32) std::array<float, kLayer> second_slopes;
    std::array<float, kMostOutputs> logits;
  };

  std::string header() const {
    const std::uint32_t format = shape_.has_policy() ? detail::kPolicyFormat : detail::kFormat;
    std::string out = "BoardZero sparse trainer " + std::to_string(format) + "\n" + name_ + "\n";
    out.append(reinterpret_cast<const char*>(&shape_), detail::shape_bytes(format));
    return out;
  }

  static Loss mean_loss(const std::vector<Worker>& workers) {
    double result = 0;
    double value = 0;
    double policy = 0;
    std::int64_t quiet = 0;
    std::int64_t policies = 0;
    for (const Worker& w : workers) {
      result += w.result_loss;
      value += w.value_loss;
      quiet += w.quiet;
      policy += w.policy.loss();
      policies += w.policy.samples();
    }
    const auto mean = [](double sum, std::int64_t n) {
      return n == 0 ? 0.0F : static_cast<float>(sum / static_cast<double>(n));
    };
    return {mean(result, quiet), mean(value, quiet), mean(policy, policies)};
  }

  void initialise(std::uint64_t seed) {
    Rng rng(seed);
    const auto spread = [&](std::size_t from, std::size_t n, float bound) {
      for (std::size_t i = 0; i < n; ++i) {
        parameters_[from + i] = bound * static_cast<float>(2 * rng.uniform() - 1);
      }
    };
    spread(layout_.deep, layout_.linear - layout_.deep, 0.15F * deep_scale());
    std::fill_n(parameters_.begin() + static_cast<std::ptrdiff_t>(layout_.bias), layout_.hidden,
                0.25F);
    // All buckets begin alike.
    const std::size_t b = layout_.layers;
    spread(b, layout_.hidden * kLayer, std::sqrt(3.0F / static_cast<float>(layout_.hidden)));
    std::fill_n(&parameters_[b + layout_.first_bias], kLayer, 0.2F);
    spread(b + layout_.second, kLayer * kLayer, std::sqrt(3.0F / kLayer));
    std::fill_n(&parameters_[b + layout_.second_bias], kLayer, 0.2F);
    spread(b + layout_.output, kMostOutputs * kLayer, 0.02F);
    for (int i = 1; i < shape_.buckets; ++i) {
      std::copy_n(&parameters_[b], layout_.bucket,
                  &parameters_[b + static_cast<std::size_t>(i) * layout_.bucket]);
    }
    if (!shape_.has_policy()) return;
    const std::size_t c = layout_.contexts;
    spread(c, layout_.hidden * kLayer, std::sqrt(3.0F / static_cast<float>(layout_.hidden)));
    std::fill_n(&parameters_[c + layout_.context_bias], kLayer, 0.2F);
    spread(layout_.moves, layout_.move_bias - layout_.moves, 0.02F);
    for (int i = 1; i < shape_.buckets; ++i) {
      std::copy_n(&parameters_[c], layout_.context,
                  &parameters_[c + static_cast<std::size_t>(i) * layout_.context]);
    }
  }

  void forward(const typename I::View& view, Worker& w) const {
    accumulate(view, w);
    propagate(w);
  }

  void accumulate(const typename I::View& view, Worker& w) const {
    const float* p = parameters_.data();
    w.rows.clear();
    I::rows(view, w.rows);
    w.bucket = I::bucket(view);
    w.phase = I::phase(view);
    w.linear.clear();
    I::each_linear(view, [&](int row) { w.linear.push_back(row); });

    const int hidden_lanes = shape_.hidden / detail::kLanes;
    detail::Lanes* sums = detail::lanes(w.accumulator.data());
    const detail::Lanes* bias = detail::lanes(p + layout_.bias);
    for (int v = 0; v < hidden_lanes; ++v) sums[v] = bias[v];
    for (const Row active : w.rows.span()) {
      const detail::Lanes* row = detail::lanes(p + deep_at(active));
      for (int v = 0; v < hidden_lanes; ++v) sums[v] += row[v];
    }
    detail::clip(w.accumulator.data(), shape_.hidden);
  }

  void propagate(Worker& w) const {
    const float* p = parameters_.data();
    const float* b = p + bucket_at(w.bucket);
    detail::forward(w.accumulator.data(), shape_.hidden, b, b + layout_.first_bias, w.first.data());
    detail::clip(w.first.data(), kLayer);
    detail::forward(w.first.data(), kLayer, b + layout_.second, b + layout_.second_bias,
                    w.second.data());
    detail::clip(w.second.data(), kLayer);
    float begins = 0;
    float ends = 0;
    for (const int row : w.linear) {
      begins += p[layout_.linear + 2 * static_cast<std::size_t>(row)];
      ends += p[layout_.linear + 2 * static_cast<std::size_t>(row) + 1];
    }
    const float share = static_cast<float>(w.phase) / kFullPhase;
    const float advantage = begins * share + ends * (1 - share);
    for (int o = 0; o < shape_.outputs(); ++o) {
      const detail::Lanes* row = detail::lanes(b + layout_.output + o * kLayer);
      const detail::Lanes* x = detail::lanes(w.second.data());
      detail::Lanes sum = row[0] * x[0];
      for (int v = 1; v < detail::kLayerLanes; ++v) sum += row[v] * x[v];
      const float linear = o == 0 ? advantage : o < shape_.players ? -advantage : 0.0F;
      w.logits[static_cast<std::size_t>(o)] =
          b[layout_.output_bias + static_cast<std::size_t>(o)] + detail::total(sum) + linear;
    }
  }

  void learn(const Sample<I>& sample, const PolicyTargets& moves, Worker& w) const {
    accumulate(sample.view, w);
    if (sample.quiet) {
      learn_value(sample, w);
    } else {
      std::fill_n(w.accumulator_slopes.begin(), shape_.hidden, 0.0F);
    }
    float* g = w.gradient.data();
    if (sample.moves > 0) {
      const PolicyTarget target{
          std::span(moves.rows)
              .subspan(sample.first_move * I::kMoveRows, sample.moves * I::kMoveRows),
          std::span(moves.shares).subspan(sample.first_move, sample.moves)};
      w.policy.learn(parameters_.data(), g, layout_, w.bucket, target, options_.policy_weight,
                     w.accumulator.data(), w.accumulator_slopes.data());
    }
    const int hidden_lanes = shape_.hidden / detail::kLanes;
    const detail::Lanes* slope = detail::lanes(w.accumulator_slopes.data());
    const auto add = [&](std::size_t at) {
      detail::Lanes* row = detail::lanes(g + at);
      for (int v = 0; v < hidden_lanes; ++v) row[v] += slope[v];
    };
    add(layout_.bias);
    for (const Row active : w.rows.span()) add(deep_at(active));
  }

  // Leaves the slopes of the accumulator.
  void learn_value(const Sample<I>& sample, Worker& w) const {
    propagate(w);
    ++w.quiet;
    std::array<float, kMostOutputs> slopes = logit_slopes(sample, w);
    const float* b = parameters_.data() + bucket_at(w.bucket);
    float* g = w.gradient.data();
    float* gb = g + bucket_at(w.bucket);

    detail::Lanes* second_slopes = detail::lanes(w.second_slopes.data());
    for (int v = 0; v < detail::kLayerLanes; ++v) second_slopes[v] = detail::Lanes{};
    float advantage = 0;
    for (int o = 0; o < shape_.outputs(); ++o) {
      const float slope = slopes[static_cast<std::size_t>(o)];
      if (o < shape_.players) advantage += o == 0 ? slope : -slope;
      gb[layout_.output_bias + static_cast<std::size_t>(o)] += slope;
      const detail::Lanes* row = detail::lanes(b + layout_.output + o * kLayer);
      detail::Lanes* change = detail::lanes(gb + layout_.output + o * kLayer);
      const detail::Lanes* x = detail::lanes(w.second.data());
      for (int v = 0; v < detail::kLayerLanes; ++v) {
        change[v] += x[v] * slope;
        second_slopes[v] += row[v] * slope;
      }
    }
    const float share = static_cast<float>(w.phase) / kFullPhase;
    for (const int row : w.linear) {
      g[layout_.linear + 2 * static_cast<std::size_t>(row)] += advantage * share;
      g[layout_.linear + 2 * static_cast<std::size_t>(row) + 1] += advantage * (1 - share);
    }
    for (std::size_t i = 0; i < kLayer; ++i) {
      if (w.second[i] == 0 || w.second[i] == 1) w.second_slopes[i] = 0;
    }
    add_bias(w.second_slopes.data(), gb + layout_.second_bias);
    detail::backward(w.first.data(), kLayer, b + layout_.second, w.second_slopes.data(),
                     gb + layout_.second, w.first_slopes.data());
    add_bias(w.first_slopes.data(), gb + layout_.first_bias);
    detail::backward(w.accumulator.data(), shape_.hidden, b, w.first_slopes.data(), gb,
                     w.accumulator_slopes.data());
  }

  static void add_bias(const float* slopes, float* to) {
    for (int v = 0; v < detail::kLayerLanes; ++v) detail::lanes(to)[v] += detail::lanes(slopes)[v];
  }

  std::array<float, kMostOutputs> logit_slopes(const Sample<I>& sample, Worker& w) const {
    const auto n = static_cast<std::size_t>(shape_.outputs());
    const float most = *std::max_element(w.logits.begin(), w.logits.begin() + shape_.outputs());
    std::array<float, kMostOutputs> p{};
    float total = 0;
    for (std::size_t o = 0; o < n; ++o) total += p[o] = std::exp(w.logits[o] - most);
    // A draw is an equal share of the win.
    float points = 0;
    const auto worth = [&](std::size_t o) {
      return o == 0 ? 1.0F : o + 1 == n ? 1.0F / static_cast<float>(shape_.players) : 0.0F;
    };
    for (std::size_t o = 0; o < n; ++o) points += worth(o) * (p[o] /= total);
    const float share = sample.has_value ? options_.result_share : 1.0F;
    const auto came = static_cast<std::size_t>(sample.result);
    w.result_loss -= std::log(std::max(p[came], 1e-9F));
    points = std::clamp(points, 1e-5F, 1 - 1e-5F);
    const float target = (1 + sample.value) / 2;
    if (sample.has_value) {
      w.value_loss -= target * std::log(points) + (1 - target) * std::log(1 - points);
    }
    const float pull = (1 - share) * (points - target) / (points * (1 - points));
    std::array<float, kMostOutputs> slopes{};
    for (std::size_t o = 0; o < n; ++o) {
      slopes[o] = share * (p[o] - (o == came ? 1.0F : 0.0F)) + pull * p[o] * (worth(o) - points);
    }
    return slopes;
  }

  // Adam on a part of the parameters; takes the gradients of all threads and leaves zeros.
  void step(std::vector<Worker>& workers, float scale, std::size_t from, std::size_t to) {
    constexpr float kFirst = 0.9F;
    constexpr float kSecond = 0.999F;
    const auto n = static_cast<float>(steps_ + 1);
    const float rate =
        options_.rate * std::sqrt(1 - std::pow(kSecond, n)) / (1 - std::pow(kFirst, n));
    const float deep_rate = rate * deep_scale();
    float* g = workers[0].gradient.data();
    for (std::size_t t = 1; t < workers.size(); ++t) {
      float* other = workers[t].gradient.data();
      for (std::size_t i = from; i < to; ++i) {
        g[i] += other[i];
        other[i] = 0;
      }
    }
    float* x = parameters_.data();
    float* m = moments_[0].data();
    float* v = moments_[1].data();
    for (std::size_t i = from; i < to; ++i) {
      const float slope = g[i] * scale;
      g[i] = 0;
      m[i] = kFirst * m[i] + (1 - kFirst) * slope;
      v[i] = kSecond * v[i] + (1 - kSecond) * slope * slope;
      const bool deep = layout_.deep <= i && i < layout_.linear;
      x[i] -= (deep ? deep_rate : rate) * m[i] / (std::sqrt(v[i]) + 1e-8F);
    }
    const auto bound = [&](std::size_t begin, std::size_t end, float limit) {
      for (std::size_t i = std::max(begin, from); i < std::min(end, to); ++i) {
        x[i] = std::clamp(x[i], -limit, limit);
      }
    };
    bound(layout_.bias, layout_.linear,
          static_cast<float>(deep_limit(shape_.most_active)) / shape_.accumulator_one());
    const float keep = 1 - options_.decay * options_.rate;
    for (std::size_t i = std::max(layout_.linear, from); i < std::min(layout_.layers, to); ++i) {
      x[i] *= keep;
    }
    constexpr float kLimit = 127.0F / (1 << kLayerShift);
    for (std::size_t b = 0; b < static_cast<std::size_t>(shape_.buckets); ++b) {
      const std::size_t at = layout_.layers + b * layout_.bucket;
      bound(at, at + layout_.first_bias, kLimit);
      bound(at + layout_.second, at + layout_.second_bias, kLimit);
      if (!shape_.has_policy()) continue;
      const std::size_t own = layout_.contexts + b * layout_.context;
      bound(own, own + layout_.context_bias, kLimit);
    }
  }

  // The more rows are active at once, the less each of them may start with and move.
  float deep_scale() const {
    constexpr float kFew = 50;
    return std::min(1.0F, kFew / static_cast<float>(shape_.most_active));
  }
  std::size_t deep_at(Row row) const { return layout_.deep + row * layout_.hidden; }
  std::size_t bucket_at(int b) const {
    return layout_.layers + static_cast<std::size_t>(b) * layout_.bucket;
  }

  std::string name_;
  Shape shape_;
  Layout layout_;
  TrainerOptions options_;
  AlignedVector<float> parameters_;
  std::array<AlignedVector<float>, 2> moments_;
  std::uint64_t steps_ = 0;
};

}  // namespace bz::sparse
