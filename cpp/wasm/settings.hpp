// What the page chooses of a game or a search, by name: lines of name=value.
#pragma once

#include <charconv>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"

namespace bz::wasm {

class Settings {
 public:
  explicit Settings(std::string_view lines) : lines_(lines) {}

  std::string_view text(std::string_view name) const {
    for (std::string_view rest = lines_; !rest.empty();) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(rest.size(), line.size() + 1));
      if (line.starts_with(name) && line.substr(name.size()).starts_with('=')) {
        return line.substr(name.size() + 1);
      }
    }
    fail("the setting " + quoted(name) + " is missing");
  }

  template <class T>
  T number(std::string_view name) const {
    const std::string_view digits = text(name);
    T value{};
    const auto end = digits.data() + digits.size();
    if (std::from_chars(digits.data(), end, value).ptr != end || digits.empty()) {
      fail(quoted(name) + " must be a whole number, not " + quoted(digits));
    }
    return value;
  }
  double real(std::string_view name) const {
    return std::strtod(std::string(text(name)).c_str(), nullptr);
  }
  bool flag(std::string_view name) const { return text(name) == "true"; }
  // Whole numbers with commas between them.
  std::vector<int> numbers(std::string_view name) const {
    std::vector<int> values;
    for (std::string_view rest = text(name); !rest.empty();) {
      int value = 0;
      const auto end = rest.data() + rest.size();
      const auto [stop, error] = std::from_chars(rest.data(), end, value);
      if (error != std::errc{} || (stop != end && *stop != ',')) {
        fail(quoted(name) + " must be whole numbers, not " + quoted(text(name)));
      }
      values.push_back(value);
      rest.remove_prefix(std::min(rest.size(), static_cast<std::size_t>(stop - rest.data()) + 1));
    }
    return values;
  }

 private:
  std::string_view lines_;
};

}  // namespace bz::wasm
