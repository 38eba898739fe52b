// Finds nets' encodings and policies by name, and fits a search's plan to them.
#pragma once

#include "erased/any_state.hpp"
#include "search/mcts/net_format.hpp"

namespace bz {

template <class T>
const T& named(const std::vector<T>& all, const std::string& name, const char* what) {
  std::string known;
  for (const T& one : all) {
    if (one.name == name) return one;
    known += (known.empty() ? "" : ", ") + std::string(one.name);
  }
  fail("unknown " + std::string(what) + " '" + name + "'; this game has " + known);
}

template <Game G>
NetFormat<G> format_of(const G& game, const FormatNames& names) {
  const auto& [encoding, policy, history] = names;
  NetFormat<G> format{named(encodings(game), encoding, "encoding"),
                      named(policies(game), policy, "policy"), history};
  if (history < 0 || history > 16) fail("a history is from 0 to 16 states");
  if (history > 0 && !format.encoding.any_viewer) {
    fail("the encoding '" + encoding + "' of this game has no history");
  }
  return format;
}

template <Game G>
std::vector<NetFormat<G>> formats_of(const G& game, const std::vector<FormatNames>& nets) {
  std::vector<NetFormat<G>> formats;
  for (const FormatNames& names : nets) formats.push_back(format_of(game, names));
  return formats;
}

// Checks that a search's trees fit the game and the nets from `first_net` on, and lets them see as
// many earlier states as any net wants.
template <Game G>
void prepare(SearchOptions& search, const G& game, const std::vector<NetFormat<G>>& nets,
             int first_net) {
  const auto among = [](int i, auto count) { return i >= 0 && i < static_cast<int>(count); };
  if (search.trees.empty() || search.turns.empty()) fail("a search needs a tree");
  for (const int turn : search.turns) {
    if (!among(turn, search.trees.size())) fail("a simulation belongs to no tree");
  }
  for (const TreePlan& tree : search.trees) {
    const auto stages = static_cast<int>(tree.nets.size());
    if (stages != 1 && stages != stages_of(game)) {
      fail("this method divides a game into " + std::to_string(stages) + " stages; this one has " +
           std::to_string(stages_of(game)));
    }
    for (const int net : tree.nets) {
      if (net < 0 || !among(first_net + net, nets.size())) fail("a tree has no net");
    }
    if (tree.follows && !among(*tree.follows, search.trees.size())) {
      fail("a tree follows one that is not there");
    }
  }
  for (const NetFormat<G>& net : nets) search.history = std::max(search.history, net.history);
}

}  // namespace bz
