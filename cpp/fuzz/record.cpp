// Finished games as bytes. One that is read is written again, checked, played through, and learned
// from if it is legal.
#include "selfplay/record.hpp"

#include "erased/net_formats.hpp"
#include "fuzz/border.hpp"
#include "games/draughts/encodings.hpp"
#include "games/draughts/state.hpp"
#include "selfplay/sampler.hpp"

namespace bz::fuzz {
namespace {

using G = draughts::State<draughts::kEnglish>;

void use(std::string_view bytes) {
  static const G start = G::start({});
  static const Sampler<G> sampler(start, format_of(start, {"mover", "flat", 0}));
  const GameRecord game = GameRecord::parse(bytes);
  expect(GameRecord::parse(game.bytes()).actions == game.actions, "a game reads back");
  game.check_targets(true);
  sampler.verify(game);
  std::vector<float> inputs(static_cast<std::size_t>(start.shape().inputs()));
  std::vector<float> policy(static_cast<std::size_t>(sampler.policy_size()));
  float outcome[2];
  float search[2];
  for (int d = 0; d < static_cast<int>(game.decisions.size()); ++d) {
    sampler.draw(game, d, 0, {inputs.data(), policy.data(), outcome, search});
  }
}

}  // namespace
}  // namespace bz::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  bz::fuzz::read_or_refuse([&] { bz::fuzz::use(bytes); });
  return 0;
}
