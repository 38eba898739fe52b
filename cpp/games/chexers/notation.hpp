// Actions as text, exactly as the course's referee writes them:
//   ("MOVE", ((-3,0),(-2,0)))  ("JUMP", ((-3,0),(-1,0)))  ("EXIT", (3,-1))  ("PASS", None)
//
// They are read with any spaces, quotes and case, and also in a short form for typing:
//   -3,0>-2,0  3,-1 exit  pass
#pragma once

#include "games/chexers/action.hpp"
#include "games/notation.hpp"

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

inline bool eat(TextCursor& scan, Axial& a) {
  return scan.eat(a.q) && scan.eat(",") && scan.eat(a.r);
}
inline bool eat_pair(TextCursor& scan, Axial& a) {
  return scan.eat("(") && eat(scan, a) && scan.eat(")");
}

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
    TextCursor scan(plain);
    if (scan.eat("(") && scan.eat(word) && scan.eat(",(") && eat_pair(scan, from) &&
        scan.eat(",") && eat_pair(scan, to) && scan.eat("))") && scan.at_end()) {
      const auto found = between(from, to);
      return found && is_jump(*found) == (word == "jump") ? found : std::nullopt;
    }
  }
  if (TextCursor scan(plain); eat(scan, from) && scan.eat(">") && eat(scan, to) && scan.at_end()) {
    return between(from, to);
  }
  TextCursor full(plain);
  TextCursor brief(plain);
  if ((full.eat("(exit,") && eat_pair(full, from) && full.eat(")") && full.at_end()) ||
      (eat(brief, from) && brief.eat("exit") && brief.at_end())) {
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
