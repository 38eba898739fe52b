// Failures that a user can cause: the text is a sentence for a person.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace bz {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The one way to fail, so that a build without exceptions has one place to change.
[[noreturn]] inline void fail(const std::string& sentence) { throw Error(sentence); }

// A user's text as a message shows it: in quotes, on one line, of readable length, and never cut
// within a UTF-8 character, which Python could not decode.
inline std::string quoted(std::string_view text) {
  std::string shown(text.substr(0, 200));
  if (shown.size() < text.size()) {
    while (!shown.empty() && (text[shown.size()] & 0xC0) == 0x80) shown.pop_back();
    shown += "...";
  }
  for (char& c : shown) {
    if (c >= 0 && c < ' ') c = ' ';
  }
  return "'" + shown + "'";
}

}  // namespace bz
