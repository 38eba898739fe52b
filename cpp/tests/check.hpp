// The smallest test framework that says what failed and where. A test is a sentence and what makes
// it true.
#pragma once

#include <initializer_list>
#include <iostream>
#include <source_location>
#include <vector>

namespace bz::tests {

struct Test {
  const char* sentence;
  void (*run)();
};

inline std::vector<Test>& all_tests() {
  static std::vector<Test> tests;
  return tests;
}

inline int& failures() {
  static int count = 0;
  return count;
}

// A file of tests holds one of these, as a constant of the namespace.
struct Tests {
  Tests(std::initializer_list<Test> tests) {
    all_tests().insert(all_tests().end(), tests.begin(), tests.end());
  }
};

inline void check(bool is_true, std::source_location at = std::source_location::current()) {
  if (is_true) return;
  ++failures();
  std::cerr << at.file_name() << ":" << at.line() << ": not true\n";
}

template <class A, class B>
void check_equal(const A& found, const B& expected,
                 std::source_location at = std::source_location::current()) {
  if (found == expected) return;
  ++failures();
  std::cerr << at.file_name() << ":" << at.line() << ": " << found << " instead of " << expected
            << "\n";
}

}  // namespace bz::tests
