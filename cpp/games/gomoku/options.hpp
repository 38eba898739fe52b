// What can be chosen about five in a row: the board, the length of a line, and who is restrained.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/error.hpp"

namespace bz::gomoku {

inline constexpr int kMinSize = 5;
inline constexpr int kMaxSize = 20;
inline constexpr int kMinLine = 3;
inline constexpr int kMaxLine = 6;

enum class Rule : std::uint8_t {
  freestyle,  // a line or more wins
  standard,   // exactly a line wins
  renju,      // exactly five wins for the first player, who also has forbidden points
};

inline constexpr std::array<std::string_view, 3> kRuleNames{"freestyle", "standard", "renju"};

inline Rule rule_named(std::string_view name) {
  for (std::size_t i = 0; i < kRuleNames.size(); ++i) {
    if (kRuleNames[i] == name) return static_cast<Rule>(i);
  }
  fail("gomoku has the rules freestyle, standard and renju, but not '" + std::string(name) + "'");
}

struct Options {
  int size = 8;
  int line = 5;
  Rule rule = Rule::freestyle;

  bool operator==(const Options&) const = default;
};

inline void validate(const Options& options) {
  const auto refuse_outside = [](std::string_view what, int low, int high, int value) {
    if (low <= value && value <= high) return;
    fail("gomoku needs a " + std::string(what) + " from " + std::to_string(low) + " to " +
         std::to_string(high) + ", not " + std::to_string(value));
  };
  refuse_outside("size", kMinSize, kMaxSize, options.size);
  refuse_outside("line", kMinLine, kMaxLine, options.line);
  if (options.line > options.size) {
    fail("gomoku needs a line that fits on the board, and " + std::to_string(options.line) +
         " is longer than size " + std::to_string(options.size));
  }
  if (options.rule == Rule::renju && options.line != 5) {
    fail("renju is played with line 5, not " + std::to_string(options.line));
  }
}

}  // namespace bz::gomoku
