// What a fuzzer of one border does with an input: read it or refuse it in one sentence. Anything
// else ends the program, and libFuzzer keeps the input that did it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string_view>

#include "core/error.hpp"

namespace bz::fuzz {

inline void expect(bool is_true, const char* what) {
  if (is_true) return;
  std::cerr << what << "\n";
  std::abort();
}

template <class F>
void read_or_refuse(F&& read) {
  try {
    read();
  } catch (const Error& error) {
    const std::string_view sentence = error.what();
    expect(!sentence.empty() && sentence.find('\n') == sentence.npos, "a refusal is one sentence");
    expect(sentence.size() < 1000, "a refusal is short");
  }
}

}  // namespace bz::fuzz

// The function that libFuzzer calls.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
