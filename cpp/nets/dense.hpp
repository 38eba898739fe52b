// Small nets of fully connected layers that learn on one core, without a framework's overhead.
//
// A batch of 32 through a net of twenty thousand weights is four million multiplications, some
// fifty microseconds of work; a framework needs several times that to say what is to be done. All
// memory is the caller's: parameters are one array, for each layer its weights [inputs][outputs]
// and then its biases, and the mean squares of RMSprop are another of the same layout.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#ifdef __SSE__
#include <xmmintrin.h>
#endif

namespace bz::dense {

// While it lives, numbers too small to matter are zero. The mean squares of weights that are no
// longer used fade into such numbers, and arithmetic with them is a hundred times slower.
class TinyIsZero {
 public:
#ifdef __SSE__
  TinyIsZero() : before_(_mm_getcsr()) { _mm_setcsr(before_ | 0x8040); }  // results and operands
  ~TinyIsZero() { _mm_setcsr(before_); }

 private:
  unsigned before_;
#else
  TinyIsZero() {}
#endif
 public:
  TinyIsZero(const TinyIsZero&) = delete;
  TinyIsZero& operator=(const TinyIsZero&) = delete;
};

enum class Output { softmax, linear };
enum class Loss { squares, cross_entropy };  // the latter goes with softmax

// Hidden layers have ReLU.
struct Shape {
  std::vector<std::size_t> sizes;  // input, hidden layers, output
  Output output = Output::softmax;
  std::size_t heads = 1;  // the output is so many distributions side by side

  std::size_t head() const { return sizes.back() / heads; }
  std::size_t layers() const { return sizes.size() - 1; }
  std::size_t parameters() const {
    std::size_t sum = 0;
    for (std::size_t l = 0; l < layers(); ++l) sum += (sizes[l] + 1) * sizes[l + 1];
    return sum;
  }
};

// RMSprop as Keras has it.
struct Rate {
  float lr = 0.001F;
  float decay = 0.9F;
  float epsilon = 1e-7F;
};

struct Targets {
  const float* values;
  const float* weights;  // of the single errors; null: all count alike
};

namespace detail {

constexpr std::size_t kRows = 8;  // of a tile, which is kept in registers
constexpr std::size_t kColumns = 32;

// A tile of c = a * w + (what is in c), where `along` and `across` are the strides of a.
template <std::size_t R, std::size_t C>
void tile(const float* a, std::size_t across, std::size_t along, const float* w, std::size_t width,
          float* c, std::size_t depth) {
  float sum[R][C];
  for (std::size_t r = 0; r < R; ++r) {
    for (std::size_t j = 0; j < C; ++j) sum[r][j] = c[r * width + j];
  }
  for (std::size_t k = 0; k < depth; ++k) {
    for (std::size_t r = 0; r < R; ++r) {
      const float x = a[r * across + k * along];
      for (std::size_t j = 0; j < C; ++j) sum[r][j] += x * w[k * width + j];
    }
  }
  for (std::size_t r = 0; r < R; ++r) {
    for (std::size_t j = 0; j < C; ++j) c[r * width + j] = sum[r][j];
  }
}

// c[rows][width] += a * w[depth][width]
inline void multiply(const float* a, std::size_t across, std::size_t along, const float* w,
                     std::size_t width, float* c, std::size_t rows, std::size_t depth) {
  std::size_t j = 0;
  for (; j + kColumns <= width; j += kColumns) {
    std::size_t i = 0;
    for (; i + kRows <= rows; i += kRows) {
      tile<kRows, kColumns>(a + i * across, across, along, w + j, width, c + i * width + j, depth);
    }
    for (; i < rows; ++i) {
      tile<1, kColumns>(a + i * across, across, along, w + j, width, c + i * width + j, depth);
    }
  }
  for (; j < width; ++j) {
    for (std::size_t i = 0; i < rows; ++i) {
      tile<1, 1>(a + i * across, across, along, w + j, width, c + i * width + j, depth);
    }
  }
}

inline void softmax(float* row, std::size_t width) {
  const float top = *std::max_element(row, row + width);
  float sum = 0;
  for (std::size_t j = 0; j < width; ++j) sum += row[j] = std::exp(row[j] - top);
  for (std::size_t j = 0; j < width; ++j) row[j] /= sum;
}

}  // namespace detail

// A net on the caller's parameters, with room for batches.
class Net {
 public:
  Net(const Shape& shape, float* parameters, std::size_t batch)
      : shape_(shape), parameters_(parameters) {
    for (const std::size_t size : shape_.sizes) {
      activations_.emplace_back(batch * size);
      errors_.emplace_back(batch * size);
    }
    const std::size_t widest = *std::max_element(shape_.sizes.begin(), shape_.sizes.end());
    turned_.resize(widest * widest);
  }

  // Outputs of up to a batch of rows.
  std::span<const float> forward(const float* inputs, std::size_t rows) {
    std::copy_n(inputs, rows * shape_.sizes.front(), activations_.front().begin());
    float* weights = parameters_;
    for (std::size_t l = 0; l < shape_.layers(); ++l) {
      const std::size_t depth = shape_.sizes[l];
      const std::size_t width = shape_.sizes[l + 1];
      const float* biases = weights + depth * width;
      float* out = activations_[l + 1].data();
      for (std::size_t i = 0; i < rows; ++i) std::copy_n(biases, width, out + i * width);
      detail::multiply(activations_[l].data(), depth, 1, weights, width, out, rows, depth);
      if (l + 1 < shape_.layers()) {
        for (std::size_t i = 0; i < rows * width; ++i) out[i] = out[i] > 0 ? out[i] : 0;
      } else if (shape_.output == Output::softmax) {
        const std::size_t head = shape_.head();
        for (std::size_t i = 0; i < rows * shape_.heads; ++i) detail::softmax(out + i * head, head);
      }
      weights += (depth + 1) * width;
    }
    return {activations_.back().data(), rows * shape_.sizes.back()};
  }

  // One step down the gradient of the mean loss over the rows; that loss before the step.
  float learn(const float* inputs, const Targets& targets, Loss loss, std::size_t rows, Rate rate,
              float* squares) {
    forward(inputs, rows);
    const float mean = output_errors(targets, loss, rows);
    gradient_.assign(shape_.parameters(), 0.0F);
    std::size_t end = shape_.parameters();
    for (std::size_t l = shape_.layers(); l-- > 0;) {
      const std::size_t depth = shape_.sizes[l];
      const std::size_t width = shape_.sizes[l + 1];
      const std::size_t begin = end - (depth + 1) * width;
      const float* error = errors_[l + 1].data();
      float* gradient = gradient_.data() + begin;
      detail::multiply(activations_[l].data(), 1, depth, error, width, gradient, depth, rows);
      for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < width; ++j) gradient[depth * width + j] += error[i * width + j];
      }
      if (l > 0) pass_back(l, parameters_ + begin, rows);
      end = begin;
    }
    for (std::size_t i = 0; i < gradient_.size(); ++i) {
      const float g = gradient_[i];
      squares[i] = rate.decay * squares[i] + (1 - rate.decay) * g * g;
      parameters_[i] -= rate.lr * g / (std::sqrt(squares[i]) + rate.epsilon);
    }
    return mean;
  }

 private:
  // Fills the errors of the last layer, before its activation; the mean loss.
  float output_errors(const Targets& targets, Loss loss, std::size_t rows) {
    const std::size_t width = shape_.sizes.back();
    const std::size_t head = shape_.head();
    const float* out = activations_.back().data();
    float* error = errors_.back().data();
    float sum = 0;
    if (loss == Loss::cross_entropy) {
      for (std::size_t i = 0; i < rows * width; ++i) {
        const float wanted = targets.values[i];
        if (wanted > 0) sum -= wanted * std::log(std::max(out[i], 1e-30F));
        error[i] = (out[i] - wanted) / static_cast<float>(rows);
      }
      return sum / static_cast<float>(rows);
    }
    const float share = 1.0F / static_cast<float>(rows * head);
    for (std::size_t i = 0; i < rows * width; ++i) {
      const float weight = targets.weights != nullptr ? targets.weights[i] : 1.0F;
      const float off = out[i] - targets.values[i];
      sum += weight * off * off;
      error[i] = 2 * weight * off * share;
    }
    if (shape_.output == Output::softmax) {
      for (std::size_t i = 0; i < rows * shape_.heads; ++i) {
        const float* p = out + i * head;
        float* e = error + i * head;
        float dot = 0;
        for (std::size_t j = 0; j < head; ++j) dot += e[j] * p[j];
        for (std::size_t j = 0; j < head; ++j) e[j] = p[j] * (e[j] - dot);
      }
    }
    return sum * share;
  }

  // From the errors behind layer l to those before it, through its weights and the ReLU.
  void pass_back(std::size_t l, const float* weights, std::size_t rows) {
    const std::size_t depth = shape_.sizes[l];
    const std::size_t width = shape_.sizes[l + 1];
    for (std::size_t k = 0; k < depth; ++k) {
      for (std::size_t j = 0; j < width; ++j) turned_[j * depth + k] = weights[k * width + j];
    }
    float* before = errors_[l].data();
    std::fill_n(before, rows * depth, 0.0F);
    detail::multiply(errors_[l + 1].data(), width, 1, turned_.data(), depth, before, rows, width);
    const float* active = activations_[l].data();
    for (std::size_t i = 0; i < rows * depth; ++i) before[i] = active[i] > 0 ? before[i] : 0;
  }

  const Shape& shape_;
  float* parameters_;
  std::vector<std::vector<float>> activations_;
  std::vector<std::vector<float>> errors_;
  std::vector<float> gradient_;
  std::vector<float> turned_;  // weights of one layer with rows and columns exchanged
};

}  // namespace bz::dense
