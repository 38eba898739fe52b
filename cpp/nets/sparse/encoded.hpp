// The inputs of a game that declares none: the planes of its encoding.
//
// A plane of only 0 and 1 has a row for each cell that is 1. Any other plane, and one that is the
// same everywhere, counts by its mean, as one of a few levels. Nothing is updated from state to
// state: an encoding does not tell what a move changes.
#pragma once

#include "nets/sparse/inputs.hpp"

namespace bz::sparse {

template <Game G>
struct Encoded : MovesByAction<G> {
  using Game = G;
  using View = Rows;
  static constexpr bool kSeesSymmetries = true;

  static constexpr int kLevels = 17;
  static constexpr int kMostRows = 1 << 16;

  static std::string name(const G& g) {
    const bz::Shape& s = g.shape();
    return "encoded-" + std::to_string(s.planes) + "x" + std::to_string(s.rows) + "x" +
           std::to_string(s.columns);
  }
  static Shape shape(const G& g, int hidden) {
    const bz::Shape& s = g.shape();
    const int rows = s.inputs() + s.planes * kLevels;
    if (rows > kMostRows) {
      fail("the planes of this game make " + std::to_string(rows) +
           " inputs, but a sparse net has at most " + std::to_string(kMostRows));
    }
    return {.deep_rows = rows,
            .most_active = s.inputs(),
            .linear_rows = 0,
            .buckets = 1,
            .players = s.players,
            .hidden = hidden,
            .accumulator_shift = 0};
  }

  static View view(const G& g) {
    const bz::Shape& s = g.shape();
    std::vector<float> planes(static_cast<std::size_t>(s.inputs()));
    g.encode(planes.data());
    View rows;
    for (int p = 0; p < s.planes; ++p) {
      const float* plane = planes.data() + static_cast<std::ptrdiff_t>(p) * s.cells();
      const std::span<const float> cells(plane, static_cast<std::size_t>(s.cells()));
      const bool flat = std::ranges::all_of(cells, [&](float x) { return x == cells[0]; });
      const bool binary = std::ranges::all_of(cells, [](float x) { return x == 0 || x == 1; });
      if (binary && !flat) {
        for (int c = 0; c < s.cells(); ++c) {
          if (plane[c] == 1) rows.push(p * s.cells() + c);
        }
      } else {
        rows.push(s.inputs() + p * kLevels + level(cells));
      }
    }
    return rows;
  }

  static void rows(const View& v, Rows& out) {
    for (const Row row : v.span()) out.push(row);
  }
  struct Tracker {
    bool follow(const View&, Changes&) { return false; }
  };

  static int bucket(const View&) { return 0; }
  static int phase(const View&) { return 0; }
  template <class F>
  static void each_linear(const View&, F&&) {}

 private:
  // Of the mean, from 0 to 1.
  static int level(std::span<const float> cells) {
    double sum = 0;
    for (const float x : cells) sum += x;
    const double mean = std::clamp(sum / static_cast<double>(cells.size()), 0.0, 1.0);
    return static_cast<int>(std::lround(mean * (kLevels - 1)));
  }
};

namespace detail {
template <bz::Game G>
auto inputs_of(const G& g) {
  if constexpr (requires { sparse_inputs(g); }) {
    return decltype(sparse_inputs(g)){};
  } else {
    return Encoded<G>{};
  }
}
}  // namespace detail

// The inputs of a game's sparse nets: its own, or its planes.
template <bz::Game G>
using InputsOf = decltype(detail::inputs_of(std::declval<const G&>()));

}  // namespace bz::sparse
