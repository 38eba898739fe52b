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

// The one way to fail. A build for browsers has no exceptions: what the page gives it throws one of
// JavaScript through all frames, so nothing is unwound and nobody in the core can catch it.
#if defined(__wasm__)
extern "C" [[noreturn]]
__attribute__((import_module("boardzero"),
               import_name("fail"))) void boardzero_fail(const char* sentence, std::size_t size);

[[noreturn]] inline void fail(const std::string& sentence) {
  boardzero_fail(sentence.data(), sentence.size());
}
#else
[[noreturn]] inline void fail(const std::string& sentence) { throw Error(sentence); }
#endif

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
