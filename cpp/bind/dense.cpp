// Small dense nets for Python. Compiled with relaxed arithmetic: learning has no need of the last
// bit.
#include "nets/dense.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind/module.hpp"
#include "core/error.hpp"

using namespace nanobind::literals;

namespace bz {
namespace {

using Vector = nb::ndarray<float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Rows = nb::ndarray<float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using ConstRows = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

constexpr std::size_t kPredictRows = 64;  // at a time: what they need fits the second cache

dense::Shape shape_of(const std::vector<std::size_t>& sizes, const std::string& output,
                      std::size_t heads) {
  if (sizes.size() < 2 || *std::min_element(sizes.begin(), sizes.end()) == 0) {
    fail("a net needs an input and an output");
  }
  if (heads == 0 || sizes.back() % heads != 0) fail("the output is not made of such heads");
  return {sizes, output == "linear" ? dense::Output::linear : dense::Output::softmax, heads};
}

void require(bool fits) {
  if (!fits) fail("the arrays do not fit the net");
}

void predict(const std::vector<std::size_t>& sizes, const std::string& output, std::size_t heads,
             const Vector& parameters, const ConstRows& inputs, const Rows& outputs) {
  const dense::Shape shape = shape_of(sizes, output, heads);
  require(parameters.size() == shape.parameters() && inputs.shape(1) == sizes.front() &&
          outputs.shape(1) == sizes.back() && outputs.shape(0) == inputs.shape(0));
  const nb::gil_scoped_release released;
  const dense::TinyIsZero flushed;
  dense::Net net(shape, parameters.data(), kPredictRows);
  for (std::size_t i = 0; i < inputs.shape(0); i += kPredictRows) {
    const std::size_t rows = std::min(kPredictRows, inputs.shape(0) - i);
    const auto found = net.forward(inputs.data() + i * sizes.front(), rows);
    std::copy(found.begin(), found.end(), outputs.data() + i * sizes.back());
  }
}

float fit(const std::vector<std::size_t>& sizes, const std::string& output, std::size_t heads,
          const std::string& loss, const Vector& parameters, const Vector& squares,
          const ConstRows& inputs, const ConstRows& targets,
          const std::optional<ConstRows>& weights, std::size_t batch, float lr, float decay,
          float epsilon) {
  const dense::Shape shape = shape_of(sizes, output, heads);
  const std::size_t rows = inputs.shape(0);
  require(parameters.size() == shape.parameters() && squares.size() == parameters.size() &&
          inputs.shape(1) == sizes.front() && targets.shape(1) == sizes.back() &&
          targets.shape(0) == rows && rows > 0 && batch > 0);
  require(!weights || (weights->shape(0) == rows && weights->shape(1) == sizes.back()));
  const dense::Loss kind =
      loss == "cross-entropy" ? dense::Loss::cross_entropy : dense::Loss::squares;
  const nb::gil_scoped_release released;
  const dense::TinyIsZero flushed;
  dense::Net net(shape, parameters.data(), batch);
  double sum = 0;
  for (std::size_t i = 0; i < rows; i += batch) {
    const std::size_t size = std::min(batch, rows - i);
    const std::size_t at = i * sizes.back();
    const dense::Targets wanted{targets.data() + at, weights ? weights->data() + at : nullptr};
    sum += static_cast<double>(size) * net.learn(inputs.data() + i * sizes.front(), wanted, kind,
                                                 size, {lr, decay, epsilon}, squares.data());
  }
  return static_cast<float>(sum / static_cast<double>(rows));
}

}  // namespace

void bind_dense(nb::module_& m) {
  m.def("dense_predict", &predict, "sizes"_a, "output"_a, "heads"_a, "parameters"_a, "inputs"_a,
        "outputs"_a, "Writes the outputs of a dense net for rows of inputs.");
  m.def("dense_fit", &fit, "sizes"_a, "output"_a, "heads"_a, "loss"_a, "parameters"_a, "squares"_a,
        "inputs"_a, "targets"_a, "weights"_a.none(), "batch"_a, "lr"_a, "decay"_a, "epsilon"_a,
        "Learns rows in their order, batch by batch, by RMSprop; the mean loss.");
}

}  // namespace bz
