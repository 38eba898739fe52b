// Runs every test; fails if one does.
#include <exception>

#include "tests/check.hpp"

int main() {
  using namespace bz::tests;
  int failed = 0;
  for (const Test& test : all_tests()) {
    const int before = failures();
    try {
      test.run();
    } catch (const std::exception& error) {
      ++failures();
      std::cerr << "failed: " << error.what() << "\n";
    }
    if (failures() == before) continue;
    ++failed;
    std::cerr << "  so it is not the case that " << test.sentence << "\n";
  }
  std::cout << all_tests().size() - static_cast<std::size_t>(failed) << " of " << all_tests().size()
            << " native tests passed\n";
  return failed == 0 ? 0 : 1;
}
