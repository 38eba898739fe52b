#include "bind/module.hpp"

#include "core/error.hpp"

namespace nb = nanobind;

namespace {

// What the compiler was allowed to use; only the preprocessor knows.
const char* instruction_set() {
#if defined(__AVX512F__) && defined(__AVX512BW__)
  return "x86-64-v4 (AVX-512)";
#elif defined(__AVX2__) && defined(__BMI2__)
  return "x86-64-v3 (AVX2)";
#elif defined(__SSE4_2__)
  return "x86-64-v2 (SSE4.2)";
#elif defined(__x86_64__)
  return "x86-64";
#elif defined(__aarch64__)
  return "AArch64";
#else
  return "an unnamed processor";
#endif
}

}  // namespace

NB_MODULE(_core, m) {
  // A script with rules of its own and a state in a global holds both to the end of the process,
  // because neither can go before the other. That is no reason to alarm its author.
  nb::set_leak_warnings(false);
  m.doc() =
      "The compiled core of BoardZero: rules and searches. Private: use the boardzero package.";
  nb::exception<bz::Error>(m, "BoardZeroError", PyExc_ValueError);
  m.def("instruction_set", &instruction_set, "The processor that the core was compiled for.");
  bz::bind_games(m);
  bz::bind_python_game(m);
  bz::bind_sparse(m);
  bz::bind_classic(m);
  bz::bind_tablebase(m);
  bz::bind_selfplay(m);
  bz::bind_net_search(m);
  bz::bind_uct(m);
  bz::bind_chexers(m);
  bz::bind_dense(m);
}
