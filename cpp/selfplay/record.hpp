// A finished game of self-play as bytes: what was played, and what the search said on the way.
//
// Positions are not stored; they are played through again when a sample is drawn, which costs
// microseconds and makes a position some fifty bytes.
//
// There are four formats. The first writes each choice with an action and a share of two bytes
// each; the second begins a choice with flags, and knows surprises and policies in brief. A game
// that needs neither is written in the first. The third is for games without policies, as
// alpha-beta plays them: a choice is a few bytes. The fourth is the third with policies in brief,
// as PUCT with a sparse net plays.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "core/types.hpp"

namespace bz {

// One choice that the search made.
struct Decision {
  std::uint16_t ply = 0;  // index into the game's actions
  bool full = true;       // searched with the whole budget: its policy is a target
  bool quiet = false;     // may be evaluated as it stands; told where alpha-beta has played
  Values values;          // what the search thought, one per seat
  std::vector<std::pair<Action, float>> policy;  // sums to 1
  bool brief = false;  // the policy gives many actions something, and is stored in half the bytes
  std::optional<float> surprise;  // of its policy to the net that knew no search: KL, in nats

  // Whether something can be learned from it: its policy, or the value of a quiet position.
  bool teaches() const { return quiet || (full && !policy.empty()); }
};

struct GameRecord {
  std::string fen;  // where the game began; empty for the usual start
  std::vector<Action> actions;
  std::vector<Decision> decisions;
  Values outcome;
  std::int8_t winner = -1;
  std::uint32_t version = 0;  // of the net that played
  std::uint32_t number = 0;   // of the game in its run

  int samples() const {
    return static_cast<int>(std::ranges::count_if(decisions, &Decision::teaches));
  }
  // Fails on numbers that would spoil a net; every full choice may have to have a policy.
  void check_targets(bool needs_policies) const;

  std::string bytes() const;
  static GameRecord parse(std::string_view bytes);  // fails on anything malformed
};

namespace detail {

class ByteWriter {
 public:
  template <class T>
    requires std::is_arithmetic_v<T>
  void put(T value) {
    out.append(reinterpret_cast<const char*>(&value), sizeof(T));
  }
  // Seven bits at a time, the lowest first: below 128 it is a byte.
  void put_small(std::uint32_t value) {
    for (; value >= 0x80; value >>= 7) put(static_cast<std::uint8_t>(value | 0x80));
    put(static_cast<std::uint8_t>(value));
  }
  std::string out;
};

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  template <class T>
    requires std::is_arithmetic_v<T>
  T get() {
    T value;
    std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
    return value;
  }
  std::uint32_t get_small() {
    std::uint32_t value = 0;
    for (int shift = 0; shift < 28; shift += 7) {
      const auto byte = get<std::uint8_t>();
      value |= (byte & 0x7FU) << shift;
      if (byte < 0x80) return value;
    }
    fail("a stored game has a number without an end");
  }
  std::string_view take(std::size_t length) {
    if (length > bytes_.size()) fail("a stored game is cut short");
    const std::string_view part = bytes_.substr(0, length);
    bytes_.remove_prefix(length);
    return part;
  }
  bool at_end() const { return bytes_.empty(); }

 private:
  std::string_view bytes_;
};

using Shares = std::vector<std::pair<Action, float>>;

// Flags of a choice in the second format.
constexpr std::uint8_t kFull = 1;
constexpr std::uint8_t kBrief = 2;
constexpr std::uint8_t kSurprise = 4;
constexpr std::uint8_t kQuiet = 8;          // in the third and fourth format only
constexpr float kValueUnit = 1.0F / 32767;  // there, too
constexpr float kSurpriseUnit = 1e-3F;

// In brief a share is one byte on a logarithmic scale from 1 down to 2^-12, each step 3.3 %: that
// moves less than a hundredth of the whole. An action is told by its distance from the one before.
constexpr float kSteps = 255.0F / 12.0F;  // per halving

inline std::uint8_t brief_share(float share) {
  const float steps = std::round(-std::log2(share) * kSteps);
  return static_cast<std::uint8_t>(255.0F - std::clamp(steps, 0.0F, 255.0F));
}

inline float share_in_full(std::uint8_t brief) {
  static const auto table = [] {
    std::array<float, 256> shares{};
    for (int i = 0; i < 256; ++i) {
      shares[static_cast<std::size_t>(i)] = std::exp2(static_cast<float>(i - 255) / kSteps);
    }
    return shares;
  }();
  return table[brief];
}

inline void put_brief(ByteWriter& w, Shares policy) {
  std::sort(policy.begin(), policy.end());
  int next = 0;
  for (const auto& [action, share] : policy) {
    w.put_small(static_cast<std::uint32_t>(index(action) - next));
    w.put(brief_share(share));
    next = index(action) + 1;
  }
}

inline void get_brief(ByteReader& r, Shares& policy) {
  std::uint32_t next = 0;
  float total = 0;
  for (auto& [action, share] : policy) {
    next += r.get_small();
    if (next > 0xFFFF) fail("a stored game has an action that no game has");
    action = Action{static_cast<int>(next++)};
    total += share = share_in_full(r.get<std::uint8_t>());
  }
  for (auto& [action, share] : policy) share /= total;
}

inline void put_exact(ByteWriter& w, const Shares& policy) {
  for (const auto& [action, share] : policy) {
    w.put(static_cast<std::uint16_t>(index(action)));
    w.put(static_cast<std::uint16_t>(share * 65535.0F + 0.5F));
  }
}

inline void get_exact(ByteReader& r, Shares& policy) {
  for (auto& [action, share] : policy) {
    action = Action{r.get<std::uint16_t>()};
    share = static_cast<float>(r.get<std::uint16_t>()) / 65535.0F;
  }
}

inline std::uint8_t flags_of(const Decision& d) {
  return static_cast<std::uint8_t>((d.full ? kFull : 0) | (d.brief ? kBrief : 0) |
                                   (d.surprise ? kSurprise : 0) | (d.quiet ? kQuiet : 0));
}

inline void put_decision(ByteWriter& w, const Decision& d) {
  w.put(d.ply);
  w.put(flags_of(d));
  for (const float v : d.values) w.put(v);
  if (d.surprise) {
    const float units = std::round(*d.surprise / kSurpriseUnit);
    w.put(static_cast<std::uint16_t>(std::clamp(units, 0.0F, 65535.0F)));
  }
  w.put(static_cast<std::uint16_t>(d.policy.size()));
  d.brief ? put_brief(w, d.policy) : put_exact(w, d.policy);
}

// Reads flags, of which a format knows some.
inline std::uint8_t get_flags(ByteReader& r, int known, Decision& d) {
  const auto flags = r.get<std::uint8_t>();
  if ((flags & ~known) != 0) fail("a stored game has a choice of an unknown kind");
  d.full = (flags & kFull) != 0;
  d.brief = (flags & kBrief) != 0;
  d.quiet = (flags & kQuiet) != 0;
  return flags;
}

inline void get_decision(ByteReader& r, int format, int players, Decision& d) {
  d.ply = r.get<std::uint16_t>();
  const auto flags = get_flags(r, format == 1 ? kFull : kFull | kBrief | kSurprise, d);
  for (int i = 0; i < players; ++i) d.values.push_back(r.get<float>());
  if ((flags & kSurprise) != 0) {
    d.surprise = static_cast<float>(r.get<std::uint16_t>()) * kSurpriseUnit;
  }
  d.policy.resize(r.get<std::uint16_t>());
  d.brief ? get_brief(r, d.policy) : get_exact(r, d.policy);
}

// A choice after the one before, with a policy or without; of two players the second loses what the
// first gains.
inline void put_score(ByteWriter& w, const Decision& d, int previous, bool policies) {
  w.put_small(static_cast<std::uint32_t>(d.ply - previous));
  w.put(flags_of(d));
  const int told = d.values.size() == 2 ? 1 : d.values.size();
  for (int i = 0; i < told; ++i) {
    w.put(static_cast<std::int16_t>(std::lround(d.values[i] / kValueUnit)));
  }
  if (!policies) return;
  w.put_small(static_cast<std::uint32_t>(d.policy.size()));
  put_brief(w, d.policy);
}

inline void get_score(ByteReader& r, int players, int previous, bool policies, Decision& d) {
  const std::uint32_t ply = static_cast<std::uint32_t>(previous) + r.get_small();
  if (ply > 0xFFFF) fail("a stored game has a choice after its end");
  d.ply = static_cast<std::uint16_t>(ply);
  get_flags(r, kFull | kQuiet | (policies ? kBrief : 0), d);
  for (int i = 0; i < (players == 2 ? 1 : players); ++i) {
    d.values.push_back(static_cast<float>(r.get<std::int16_t>()) * kValueUnit);
  }
  if (players == 2) d.values.push_back(-d.values[0]);
  if (!policies) return;
  const std::uint32_t actions = r.get_small();
  if (actions > 0xFFFF) fail("a stored game has a policy of more actions than a game has");
  d.policy.resize(actions);
  get_brief(r, d.policy);
}

}  // namespace detail

inline std::string GameRecord::bytes() const {
  detail::ByteWriter w;
  const auto any = [this](auto&& has) {
    return std::any_of(decisions.begin(), decisions.end(), has);
  };
  const bool scores = any([](const Decision& d) { return d.quiet; }) &&
                      !any([](const Decision& d) { return d.surprise.has_value(); });
  const bool policies = any([](const Decision& d) { return !d.policy.empty(); });
  const bool flags = any([](const Decision& d) { return d.brief || d.surprise; });
  w.put<std::uint8_t>(scores ? (policies ? 4 : 3) : flags ? 2 : 1);  // format
  w.put(static_cast<std::uint8_t>(outcome.size()));
  w.put(winner);
  w.put(version);
  w.put(number);
  w.put(static_cast<std::uint16_t>(fen.size()));
  w.out += fen;
  for (const float v : outcome) w.put(v);
  w.put(static_cast<std::uint16_t>(actions.size()));
  for (const Action a : actions) w.put(static_cast<std::uint16_t>(index(a)));
  w.put(static_cast<std::uint16_t>(decisions.size()));
  int previous = 0;
  for (const Decision& d : decisions) {
    if (scores) {
      detail::put_score(w, d, std::exchange(previous, d.ply), policies);
    } else {
      detail::put_decision(w, d);
    }
  }
  return std::move(w.out);
}

inline GameRecord GameRecord::parse(std::string_view bytes) {
  detail::ByteReader r(bytes);
  GameRecord game;
  const int format = r.get<std::uint8_t>();
  if (format < 1 || format > 4) fail("a stored game has an unknown format");
  const int players = r.get<std::uint8_t>();
  if (players < 1 || players > kMaxPlayers) fail("a stored game has no sensible players");
  game.winner = r.get<std::int8_t>();
  game.version = r.get<std::uint32_t>();
  game.number = r.get<std::uint32_t>();
  game.fen = r.take(r.get<std::uint16_t>());
  for (int i = 0; i < players; ++i) game.outcome.push_back(r.get<float>());
  game.actions.resize(r.get<std::uint16_t>());
  for (Action& a : game.actions) a = Action{r.get<std::uint16_t>()};
  game.decisions.resize(r.get<std::uint16_t>());
  int previous = 0;
  for (Decision& d : game.decisions) {
    if (format >= 3) {
      detail::get_score(r, players, previous, format == 4, d);
      previous = d.ply;
    } else {
      detail::get_decision(r, format, players, d);
    }
    if (d.ply >= game.actions.size()) fail("a stored game has a choice after its end");
  }
  if (!r.at_end()) fail("a stored game is followed by other bytes");
  return game;
}

inline void GameRecord::check_targets(bool needs_policies) const {
  const auto check_values = [](const Values& values) {
    for (const float v : values) {
      if (!(-1 <= v && v <= 1)) fail("a value is not between -1 and 1");
    }
  };
  check_values(outcome);
  for (const Decision& d : decisions) {
    check_values(d.values);
    if (!d.full || (d.policy.empty() && !needs_policies)) continue;
    float total = 0;
    for (const auto& [_, share] : d.policy) total += share;
    if (!(std::abs(total - 1) <= 0.01F)) {
      fail("the shares of the choice at step " + std::to_string(d.ply) + " are not 1 in all");
    }
  }
}

}  // namespace bz
