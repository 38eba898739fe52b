// The values of a slice: two bits each while they are computed, packed in blocks when they are
// kept.
//
// A packed byte is five values, written as digits to the base of three, or a run of one value.
// Every block begins at a byte of its own, found by its offset, so that any value is a short walk
// away.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/hash.hpp"

namespace bz::draughts {

// How a position ends with best play of both sides, for the side to move.
enum class Wdl : std::uint8_t { loss, draw, win };
constexpr Wdl turned(Wdl v) { return static_cast<Wdl>(2 - static_cast<int>(v)); }

// Two bits a position.
class WdlArray {
 public:
  explicit WdlArray(std::uint64_t size) : words_((size + 31) / 32), size_(size) {}

  std::uint64_t size() const { return size_; }
  Wdl operator[](std::uint64_t i) const {
    return static_cast<Wdl>(words_[i / 32] >> (2 * (i % 32)) & 3);
  }
  // Of a position that has none yet.
  void set(std::uint64_t i, Wdl v) {
    words_[i / 32] |= static_cast<std::uint64_t>(v) << (2 * (i % 32));
  }

 private:
  std::vector<std::uint64_t> words_;
  std::uint64_t size_;
};

class Packed {
 public:
  static constexpr std::uint64_t kBlock = 1024;

  // As bytes: the offset of each block, then the blocks; a multiple of eight.
  static std::string pack(const WdlArray& values) {
    std::string blocks;
    std::vector<std::uint32_t> offsets;
    for (std::uint64_t begin = 0; begin < values.size(); begin += kBlock) {
      offsets.push_back(static_cast<std::uint32_t>(blocks.size()));
      pack_block(values, begin, std::min(begin + kBlock, values.size()), blocks);
    }
    std::string bytes(offsets.size() * sizeof(std::uint32_t), '\0');
    std::memcpy(bytes.data(), offsets.data(), bytes.size());
    bytes += blocks;
    bytes.resize((bytes.size() + 7) / 8 * 8);
    return bytes;
  }

  // Whether every value of so many lies within the bytes. A checksum tells damage, but whoever
  // forges a file writes a right one.
  static bool is_within(std::string_view bytes, std::uint64_t size) {
    const std::uint64_t number = blocks(size);
    if (bytes.size() / sizeof(std::uint32_t) < number) return false;
    const Packed packed(bytes, size);
    const std::uint64_t left = bytes.size() - number * sizeof(std::uint32_t);
    for (std::uint64_t i = 0; i < number; ++i) {
      const auto offset = static_cast<std::uint64_t>(packed.block(i) - packed.blocks_);
      // No block is longer than one without a run, so only the last ones must be walked through.
      if (offset + kLongest <= left) continue;
      std::uint64_t values = 0;
      for (std::uint64_t at = offset; values < std::min(kBlock, size - i * kBlock); ++at) {
        if (at >= left) return false;
        values += kLengths[packed.blocks_[at]];
      }
    }
    return true;
  }

  // Of so many positions, which must be within the bytes.
  Packed() = default;
  Packed(std::string_view bytes, std::uint64_t size)
      : offsets_(bytes.data()),
        blocks_(reinterpret_cast<const std::uint8_t*>(bytes.data()) +
                blocks(size) * sizeof(std::uint32_t)),
        size_(size) {}

  std::uint64_t size() const { return size_; }

  Wdl operator[](std::uint64_t i) const {
    const std::uint8_t* byte = block(i / kBlock);
    auto left = static_cast<unsigned>(i % kBlock);
    for (; left >= kLengths[*byte]; ++byte) left -= kLengths[*byte];
    return value(*byte, left);
  }

  WdlArray unpacked() const {
    WdlArray values(size_);
    for (std::uint64_t begin = 0; begin < size_; begin += kBlock) {
      const std::uint64_t end = std::min(begin + kBlock, size_);
      const std::uint8_t* byte = block(begin / kBlock);
      for (std::uint64_t i = begin; i < end; ++byte) {
        for (unsigned n = 0; n < kLengths[*byte] && i < end; ++n) values.set(i++, value(*byte, n));
      }
    }
    return values;
  }

 private:
  static constexpr unsigned kDigits = 5;  // in a byte that is no run
  static constexpr std::uint64_t kLongest = (kBlock + kDigits - 1) / kDigits;  // bytes of a block
  static constexpr unsigned kFirstRun = 243;  // three to the power of five
  static constexpr std::array<unsigned, 4> kRuns = {8, 24, 96, kBlock};
  static constexpr std::array<std::uint8_t, kDigits> kPowers = {1, 3, 9, 27, 81};

  // The values that each byte stands for.
  static constexpr std::array<std::uint16_t, 256> kLengths = [] {
    std::array<std::uint16_t, 256> lengths{};
    for (unsigned b = 0; b < 256; ++b) {
      const bool is_run = b >= kFirstRun && b < kFirstRun + 3 * kRuns.size();
      lengths[b] = static_cast<std::uint16_t>(is_run ? kRuns[(b - kFirstRun) / 3] : kDigits);
    }
    return lengths;
  }();

  static constexpr std::uint64_t blocks(std::uint64_t size) {
    return size / kBlock + (size % kBlock != 0 ? 1 : 0);
  }

  static Wdl value(std::uint8_t byte, unsigned place) {
    if (byte >= kFirstRun) return static_cast<Wdl>((byte - kFirstRun) % 3);
    return static_cast<Wdl>(byte / kPowers[place] % 3);
  }

  const std::uint8_t* block(std::uint64_t number) const {
    std::uint32_t offset = 0;
    std::memcpy(&offset, offsets_ + number * sizeof offset, sizeof offset);
    return blocks_ + offset;
  }

  static void pack_block(const WdlArray& values, std::uint64_t at, std::uint64_t end,
                         std::string& out) {
    while (at < end) {
      std::uint64_t run = 1;
      while (at + run < end && values[at + run] == values[at]) ++run;
      if (at + run == end) run = kBlock;  // nothing in this block comes after it
      if (run >= kRuns[0]) {
        std::size_t longest = kRuns.size() - 1;
        while (kRuns[longest] > run) --longest;
        out += static_cast<char>(kFirstRun + 3 * longest + static_cast<unsigned>(values[at]));
        at += kRuns[longest];
        continue;
      }
      unsigned digits = 0;
      for (unsigned n = 0; n < kDigits && at + n < end; ++n) {
        digits += kPowers[n] * static_cast<unsigned>(values[at + n]);
      }
      out += static_cast<char>(digits);
      at += kDigits;
    }
  }

  const char* offsets_ = nullptr;
  const std::uint8_t* blocks_ = nullptr;
  std::uint64_t size_ = 0;
};

// Of a multiple of eight bytes.
inline std::uint64_t checksum(std::string_view bytes) {
  std::uint64_t sum = bytes.size();
  for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, sizeof word);
    sum = fold(sum + 0x9e3779b97f4a7c15ULL, word);
  }
  return sum;
}

}  // namespace bz::draughts
