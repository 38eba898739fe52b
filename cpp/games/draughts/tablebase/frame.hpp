// How tables lie in a file: a header, then one frame for each slice, each with its own checksum.
#pragma once

#include <optional>

#include "core/error.hpp"
#include "games/draughts/tablebase/packed.hpp"
#include "games/draughts/tablebase/slice.hpp"

namespace bz::draughts {

// What stands before the values of a slice.
struct FrameHeader {
  std::uint64_t balance = 0;  // MaterialBalance::code
  std::uint64_t positions = 0;
  std::uint64_t counts[3] = {0, 0, 0};  // of losses, draws and wins
  std::uint64_t longest = 0;   // plies within the slice before a decided position is converted
  std::uint64_t bytes = 0;     // of the packed values
  std::uint64_t checksum = 0;  // of all of the above and of the values
};
static_assert(sizeof(FrameHeader) == 64);
inline constexpr std::uint64_t kMostPlies = 1
                                            << 20;  // in a slice; so that no sum of them overflows

struct Frame {
  FrameHeader header;
  Packed values;
};

inline std::uint64_t frame_checksum(FrameHeader header, std::string_view values) {
  header.checksum = 0;
  const std::string_view bytes(reinterpret_cast<const char*>(&header), sizeof header);
  return fold(bz::draughts::checksum(bytes), bz::draughts::checksum(values));
}

inline std::string frame_bytes(FrameHeader header, const std::string& values) {
  header.bytes = values.size();
  header.checksum = frame_checksum(header, values);
  return std::string(reinterpret_cast<const char*>(&header), sizeof header) + values;
}

// The frame that the bytes begin with, which are cut off then; nothing if it is incomplete, damaged
// or of other rules.
template <const Rules& R>
std::optional<Frame> take_frame(std::string_view& bytes) {
  Frame frame;
  if (bytes.size() < sizeof(FrameHeader)) return std::nullopt;
  std::memcpy(&frame.header, bytes.data(), sizeof(FrameHeader));
  const FrameHeader& h = frame.header;
  if (h.bytes % 8 != 0 || h.bytes > bytes.size() - sizeof(FrameHeader)) return std::nullopt;
  const std::string_view values = bytes.substr(sizeof(FrameHeader), h.bytes);
  if (h.balance >= kBalances || frame_checksum(h, values) != h.checksum) return std::nullopt;
  if (h.longest > kMostPlies || !Packed::is_within(values, h.positions)) return std::nullopt;
  frame.values = Packed(values, h.positions);
  bytes.remove_prefix(sizeof(FrameHeader) + h.bytes);
  return frame;
}

// The first bytes of a file of tables of these rules with so many pieces.
template <const Rules& R>
std::string file_header(int pieces) {
  std::string header =
      "BoardZero endgame tables 1 " + std::string(R.name) + " " + std::to_string(pieces);
  header.resize(63, ' ');
  return header + "\n";
}

}  // namespace bz::draughts
