// Bytes of the core as those of Python, and the other way round.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <string_view>
#include <vector>

#include "selfplay/record.hpp"

namespace bz {

inline nanobind::bytes to_bytes(const std::string& text) {
  return nanobind::bytes(text.data(), text.size());
}
inline std::vector<nanobind::bytes> to_bytes(const std::vector<GameRecord>& games) {
  std::vector<nanobind::bytes> all;
  for (const GameRecord& game : games) all.push_back(to_bytes(game.bytes()));
  return all;
}

inline std::string_view view(const nanobind::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }

}  // namespace bz
