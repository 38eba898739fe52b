// Endgame tables as bytes. An input is the frames of a file with two pieces, whose checksums are
// put right: whoever forges a file does that too, and nothing behind them would be tried otherwise.
#include "fuzz/border.hpp"
#include "games/draughts/tablebase/maker.hpp"
#include "games/draughts/tablebase/tables.hpp"

namespace bz::fuzz {
namespace {

constexpr const draughts::Rules& kRules = draughts::kEnglish;

// Frames with the lengths and checksums that they should have, as far as there are bytes.
std::string mended(std::string_view bytes) {
  std::string all = draughts::file_header<kRules>(2);
  while (bytes.size() >= sizeof(draughts::FrameHeader)) {
    draughts::FrameHeader header;
    std::memcpy(&header, bytes.data(), sizeof header);
    bytes.remove_prefix(sizeof header);
    const std::size_t length = std::min<std::size_t>(header.bytes % 4096, bytes.size()) / 8 * 8;
    all += draughts::frame_bytes(header, std::string(bytes.substr(0, length)));
    bytes.remove_prefix(length);
  }
  return all;
}

void use(std::string_view bytes) {
  const std::string file = mended(bytes);
  draughts::Maker<kRules>(3).add(file);
  draughts::Tables<kRules> tables;
  tables.add("the file", file);
  draughts::each_balance(2, [&](draughts::MaterialBalance balance) {
    const draughts::Slice<kRules>& slice = tables.entry(balance)->slice;
    for (std::uint64_t i = 0; i < slice.size(); ++i) {
      expect(tables.probe(slice.placement(i).position()).has_value(), "a table knows its slices");
    }
  });
  static const auto kings = draughts::State<kRules>::start({}).with_fen("W:WK1:BK32");
  tables.certain(kings);
}

}  // namespace
}  // namespace bz::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  bz::fuzz::read_or_refuse([&] { bz::fuzz::use(bytes); });
  return 0;
}
