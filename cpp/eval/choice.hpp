// Chooses an evaluation of a game: one of its own, by name, or a sparse net.
#pragma once

#include "eval/learned.hpp"

namespace bz {

// What a search evaluates positions by.
struct EvaluationChoice {
  std::string name;  // one of the game's evaluations; a net comes before it
  std::shared_ptr<const sparse::Weights> net{};
};

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
  if (choice.net) return f(Learned<G>(game, choice.net));
  const auto all = evaluations(game);
  if constexpr (std::tuple_size_v<std::remove_const_t<decltype(all)>> == 0) {
    return f(Rounded<NoEvaluation>{});
  } else {
    return std::apply(
        [&](const auto&... each) { return detail::with_named(choice.name, f, each...); }, all);
  }
}

}  // namespace bz
