#include "erased/games.hpp"

namespace bz {

namespace draughts {
template <const Rules& R>
std::unique_ptr<AnyState> start(const Options& options);  // compiled in erased/games
}

namespace {

struct Variant {
  const draughts::Rules& rules;
  std::unique_ptr<AnyState> (*start)(const draughts::Options&);
};

template <const draughts::Rules& R>
constexpr Variant kVariant{R, &draughts::start<R>};

// Every kind of draughts, one a line. Each has a file in erased/games, too.
// clang-format off
constexpr Variant kVariants[] = {
    kVariant<draughts::kInternational>, kVariant<draughts::kEnglish>, kVariant<draughts::kRussian>,
    kVariant<draughts::kBrazilian>,     kVariant<draughts::kPool>,
};
// clang-format on

const Variant& variant_named(std::string_view name) {
  for (const Variant& variant : kVariants) {
    if (variant.rules.name == name) return variant;
  }
  fail("there is no draughts variant " + quoted(name));
}

}  // namespace

const draughts::Rules& draughts_rules(std::string_view variant) {
  return variant_named(variant).rules;
}

std::unique_ptr<AnyState> draughts_start(std::string_view variant,
                                         const draughts::Options& options) {
  return variant_named(variant).start(options);
}

}  // namespace bz
