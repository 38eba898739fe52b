// Finds a net's encoding and policy by name.
#pragma once

#include <string>
#include <tuple>

#include "core/error.hpp"
#include "search/net_slot.hpp"

namespace bz {

// (encoding, policy, history)
using FormatNames = std::tuple<std::string, std::string, int>;

template <class T>
const T& named(const std::vector<T>& all, const std::string& name, const char* what) {
  std::string known;
  for (const T& one : all) {
    if (one.name == name) return one;
    known += (known.empty() ? "" : ", ") + std::string(one.name);
  }
  throw Error("unknown " + std::string(what) + " '" + name + "'; this game has " + known);
}

template <Game G>
NetFormat<G> format_of(const G& game, const FormatNames& names) {
  const auto& [encoding, policy, history] = names;
  NetFormat<G> format{named(encodings(game), encoding, "encoding"),
                      named(policies(game), policy, "policy"), history};
  if (history < 0 || history > 16) throw Error("a history is from 0 to 16 states");
  if (history > 0 && !format.encoding.any_viewer) {
    throw Error("the encoding '" + encoding + "' of this game has no history");
  }
  return format;
}

}  // namespace bz
