// Chooses an evaluation of a game: one of its own, by name, or a sparse net.
#pragma once

#include "eval/learned.hpp"

namespace bz {

namespace detail {
template <class F, class First, class... Rest>
auto with_named(std::string_view name, F&& f, const First& first, const Rest&... rest) {
  if (first.is(name)) return f(first.evaluation);
  if constexpr (sizeof...(Rest) > 0) {
    return with_named(name, f, rest...);
  } else {
    fail("there is no evaluation " + quoted(name));
  }
}
}  // namespace detail

// Calls f with the evaluation chosen. A game that has none by name is searched without, whatever
// the name.
template <Game G, class F>
auto with_evaluation(const G& game, const EvaluationChoice& choice, F&& f) {
  if (const auto* net = std::get_if<sparse::Net>(&choice)) {
    return f(Learned<G>(game, *net));
  }
  const auto all = evaluations(game);
  if constexpr (std::tuple_size_v<std::remove_const_t<decltype(all)>> == 0) {
    return f(Rounded<NoEvaluation>{});
  } else {
    return std::apply(
        [&](const auto&... each) {
          return detail::with_named(std::get<std::string>(choice), f, each...);
        },
        all);
  }
}

}  // namespace bz
