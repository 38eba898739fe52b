// Writes JSON, which a page reads without further ado.
#pragma once

#include <charconv>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace bz::wasm {

class Json {
 public:
  template <class F>
  Json& object(F&& members) {
    return nested('{', '}', members);
  }
  template <class F>
  Json& array(F&& elements) {
    return nested('[', ']', elements);
  }
  template <class Range, class F>
  Json& list(const Range& range, F&& write_element) {
    return array([&] {
      for (const auto& element : range) write_element(element);
    });
  }
  template <class Range>
  Json& list(const Range& range) {
    return list(range, [this](const auto& element) { this->value(element); });
  }

  // The name of the value that comes next.
  Json& name(std::string_view text) {
    string(text);
    out_ += ':';
    needs_comma_ = false;
    return *this;
  }

  Json& value(std::string_view text) { return string(text); }
  Json& value(const char* text) { return string(text); }
  Json& value(bool b) { return word(b ? "true" : "false"); }
  Json& null() { return word("null"); }
  template <class T>
    requires std::integral<T> || std::floating_point<T>
  Json& value(T number) {
    if constexpr (std::floating_point<T>) {
      if (!std::isfinite(number)) return null();
    }
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    return word({digits, static_cast<std::size_t>(end - digits)});
  }

  const std::string& text() const { return out_; }

 private:
  template <class F>
  Json& nested(char open, char close, F&& content) {
    separate();
    out_ += open;
    needs_comma_ = false;
    content();
    out_ += close;
    needs_comma_ = true;
    return *this;
  }
  Json& word(std::string_view text) {
    separate();
    out_ += text;
    needs_comma_ = true;
    return *this;
  }
  Json& string(std::string_view text) {
    separate();
    out_ += '"';
    for (const char c : text) {
      if (c == '"' || c == '\\') out_ += '\\';
      out_ += c >= 0 && c < ' ' ? ' ' : c;
    }
    out_ += '"';
    needs_comma_ = true;
    return *this;
  }
  void separate() {
    if (needs_comma_) out_ += ',';
  }

  std::string out_;
  bool needs_comma_ = false;
};

}  // namespace bz::wasm
