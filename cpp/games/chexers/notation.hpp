// Actions as text, exactly as the course's referee writes them:
//   ("MOVE", ((-3,0),(-2,0)))  ("JUMP", ((-3,0),(-1,0)))  ("EXIT", (3,-1))  ("PASS", None)
//
// They are read with any spaces, quotes and case, and also in a short form for typing:
//   -3,0>-2,0  3,-1 exit  pass
#pragma once

#include <charconv>
#include <string>
#include <string_view>

#include "core/error.hpp"
#include "games/chexers/action.hpp"

namespace bz::chexers {

inline std::string to_text(Axial a) {
  return "(" + std::to_string(a.q) + "," + std::to_string(a.r) + ")";
}

// Where a move or jump ends, if that is on the board.
constexpr std::optional<Hex> target(Action a) {
  const Axial way = kStep[direction(a)];
  const Axial next = axial(origin(a)) + way;
  return hex(is_jump(a) ? next + way : next);
}

inline std::string to_text(Action a) {
  if (a == kPass) return R"(("PASS", None))";
  const Axial from = axial(origin(a));
  if (is_exit(a)) return R"(("EXIT", )" + to_text(from) + ")";
  const Axial way = kStep[direction(a)];
  const Axial to = is_jump(a) ? from + way + way : from + way;
  return std::string(is_jump(a) ? R"(("JUMP", ()" : R"(("MOVE", ()") + to_text(from) + "," +
         to_text(to) + "))";
}

// Reads a text from the left; what is read is gone.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  bool done() const { return rest_.empty(); }
  bool eat(std::string_view literal) {
    if (!rest_.starts_with(literal)) return false;
    rest_.remove_prefix(literal.size());
    return true;
  }
  bool eat(int& number) {
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
    if (error != std::errc{}) return false;
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return true;
  }
  bool eat(Axial& a) { return eat(a.q) && eat(",") && eat(a.r); }
  bool eat_pair(Axial& a) { return eat("(") && eat(a) && eat(")"); }

 private:
  std::string_view rest_;
};

// The move or jump between two hexagons, whichever spans their distance.
inline std::optional<Action> between(Axial from, Axial to) {
  const auto start = hex(from);
  if (!start) return std::nullopt;
  for (int plane = 0; plane < kExitPlane; ++plane) {
    const auto end = target(action(plane, *start));
    if (end && axial(*end) == to) return action(plane, *start);
  }
  return std::nullopt;
}

// Nothing when the text is no action at all.
inline std::optional<Action> scan_action(std::string_view text) {
  std::string plain;
  for (const char c : text) {
    if (c >= 'A' && c <= 'Z') {
      plain += static_cast<char>(c - 'A' + 'a');
    } else if (std::string_view(" \t\r\n'\"").find(c) == std::string_view::npos) {
      plain += c;
    }
  }
  if (plain == "pass" || plain == "(pass,none)") return kPass;

  Axial from;
  Axial to;
  for (const std::string_view word : {"move", "jump"}) {
    Scanner scan(plain);
    if (scan.eat("(") && scan.eat(word) && scan.eat(",(") && scan.eat_pair(from) && scan.eat(",") &&
        scan.eat_pair(to) && scan.eat("))") && scan.done()) {
      const auto found = between(from, to);
      return found && is_jump(*found) == (word == "jump") ? found : std::nullopt;
    }
  }
  if (Scanner scan(plain); scan.eat(from) && scan.eat(">") && scan.eat(to) && scan.done()) {
    return between(from, to);
  }
  Scanner full(plain);
  Scanner brief(plain);
  if ((full.eat("(exit,") && full.eat_pair(from) && full.eat(")") && full.done()) ||
      (brief.eat(from) && brief.eat("exit") && brief.done())) {
    if (const auto start = hex(from)) return action(kExitPlane, *start);
  }
  return std::nullopt;
}

inline Action parse_action(std::string_view text) {
  if (const auto found = scan_action(text)) return *found;
  fail(quoted(text) +
       " is not a Chexers action; write one as -3,0>-2,0 or 3,-1 exit or pass, or as "
       R"(("MOVE", ((-3,0),(-2,0))))");
}

}  // namespace bz::chexers
