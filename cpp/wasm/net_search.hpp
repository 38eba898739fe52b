// Searches with a net or several, as the page asks for them, and what it reads of them.
#pragma once

#include "erased/any_state.hpp"
#include "search/mcts/net_search.hpp"
#include "wasm/settings.hpp"
#include "wasm/views.hpp"

namespace bz::wasm {

inline Formula formula_named(std::string_view name) {
  return name == "meng" ? Formula::meng : Formula::alphazero;
}
inline FirstPlay first_play_named(std::string_view name) {
  return name == "zero" ? FirstPlay::zero : FirstPlay::parent;
}
inline Forced forced_named(std::string_view name) {
  if (name == "heuristic") return Forced::heuristic;
  return name == "evaluate" ? Forced::evaluate : Forced::skip;
}

// The i-th of several things of one name: nets.0, nets.1
inline std::string numbered(std::string_view name, int i) {
  return std::string(name) + "." + std::to_string(i);
}

inline TreePlan tree_plan(const Settings& s, int i) {
  TreePlan tree;
  tree.nets = s.numbers(numbered("tree_nets", i));
  if (const int leader = s.number<int>(numbered("tree_follows", i)); leader >= 0) {
    tree.follows = leader;
  }
  tree.value_share = s.real(numbered("tree_value_share", i));
  tree.prior_share = s.real(numbered("tree_prior_share", i));
  return tree;
}

inline SearchOptions search_options(const Settings& s) {
  constexpr std::size_t kMegabyte = 1 << 20;
  SearchOptions o;
  o.simulations = s.number<int>("simulations");
  o.puct = {.formula = formula_named(s.text("formula")),
            .c_puct = s.real("c_puct"),
            .c_base = s.real("c_base"),
            .first_play = first_play_named(s.text("first_play")),
            .first_play_reduction = s.real("first_play_reduction")};
  o.root = s.text("root") == "gumbel" ? RootRule::gumbel : RootRule::puct;
  o.gumbel = {.considered = s.number<int>("considered"),
              .c_visit = s.real("c_visit"),
              .c_scale = s.real("c_scale")};
  o.forced = forced_named(s.text("forced"));
  o.depth_limit = s.number<int>("depth_limit");
  o.proven = s.flag("proven");
  o.transpositions = s.flag("transpositions");
  o.child_values = s.flag("child_values");
  o.random_ties = s.flag("random_ties");
  o.noise_weight = s.real("noise_weight");
  o.noise_alpha = s.real("noise_alpha");
  o.memory = static_cast<std::size_t>(s.number<int>("memory")) * kMegabyte;
  o.trees.clear();
  for (int i = 0; i < s.number<int>("trees"); ++i) o.trees.push_back(tree_plan(s, i));
  o.turns = s.numbers("turns");
  return o;
}

inline std::vector<FormatNames> net_formats(const Settings& s) {
  std::vector<FormatNames> nets;
  for (int i = 0; i < s.number<int>("nets"); ++i) {
    nets.emplace_back(s.text(numbered("net_encoding", i)), s.text(numbered("net_policy", i)),
                      s.number<int>(numbered("net_history", i)));
  }
  return nets;
}

// The first move of a line; if that breaks off before, the first of those that go on so.
inline MoveInfo move_of(const AnyState& state, const std::vector<Action>& line) {
  for (std::size_t end = 1; end <= line.size(); ++end) {
    auto made = state.moves_of({line.begin(), line.begin() + static_cast<std::ptrdiff_t>(end)});
    if (!made.empty()) return made.front();
  }
  const auto rest = state.clone();
  for (const Action a : line) rest->play(a);
  std::vector<Action> whole = line;
  const auto onward = rest->moves().front().actions;
  whole.insert(whole.end(), onward.begin(), onward.end());
  return state.moves_of(whole).front();
}

// The candidates at the root of a search as actions, the one to play first.
inline void write_actions(Json& json, AnyNetSearch& search) {
  json.list(search.candidates(0), [&](const RootAction& c) {
    json.object([&] {
      json.name("action").value(index(c.action));
      json.name("visits").value(c.visits);
      json.name("value").value(c.value);
      json.name("prior").value(c.prior);
      json.name("proven").value(c.proven);
    });
  });
}

// The same as moves of the state where the search began, as every search reports them.
inline void write_report(Json& json, AnyNetSearch& search, const AnyState& state) {
  const auto found = search.candidates(0);
  std::vector<std::string> line;
  if (!found.empty()) {
    for (const MoveInfo& move : state.moves_of(found.front().line)) line.push_back(move.text);
  }
  json.object([&] {
    json.name("moves").list(found, [&](const RootAction& c) {
      json.object([&] {
        json.name("move");
        write(json, move_of(state, c.line));
        json.name("value").value(c.value);
        json.name("exact").value(true);
        json.name("visits").value(c.visits);
        json.name("prior").value(c.prior);
      });
    });
    json.name("pv").list(line);
    json.name("nodes").value(search.simulations());
    json.name("depth").value(line.size());
    json.name("values").list(search.values());
    json.name("seconds").value(0.0);  // only the caller knows
  });
}

}  // namespace bz::wasm
