// The one exception for what a user can get wrong; its text is a sentence for a person.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace bz {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

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
