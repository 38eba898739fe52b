// A finished game of self-play as bytes: what was played, and what the search said on the way.
//
// Positions are not stored; they are played through again when a sample is drawn, which costs
// microseconds and makes a position some fifty bytes.
#pragma once

#include <cstring>
#include <string>

#include "core/error.hpp"
#include "core/types.hpp"

namespace bz {

// One choice that the search made.
struct Decision {
  std::uint16_t ply = 0;  // index into the game's actions
  bool full = true;       // searched with the whole budget: its policy is a target
  Values values;          // what the search thought, one per seat
  std::vector<std::pair<Action, float>> policy;  // sums to 1
};

struct GameRecord {
  std::string fen;  // where the game began; empty for the usual start
  std::vector<Action> actions;
  std::vector<Decision> decisions;
  Values outcome;
  std::int8_t winner = -1;
  std::uint32_t version = 0;  // of the net that played
  std::uint32_t number = 0;   // of the game in its run

  std::string bytes() const;
  static GameRecord parse(std::string_view bytes);  // throws Error on anything malformed
};

namespace detail {

class ByteWriter {
 public:
  template <class T>
    requires std::is_arithmetic_v<T>
  void put(T value) {
    char raw[sizeof(T)];
    std::memcpy(raw, &value, sizeof(T));
    out.append(raw, sizeof(T));
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
  std::string_view take(std::size_t length) {
    if (length > bytes_.size()) throw Error("a stored game is cut short");
    const std::string_view part = bytes_.substr(0, length);
    bytes_.remove_prefix(length);
    return part;
  }
  bool at_end() const { return bytes_.empty(); }

 private:
  std::string_view bytes_;
};

}  // namespace detail

inline std::string GameRecord::bytes() const {
  detail::ByteWriter w;
  w.put<std::uint8_t>(1);  // format
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
  for (const Decision& d : decisions) {
    w.put(d.ply);
    w.put(static_cast<std::uint8_t>(d.full));
    for (const float v : d.values) w.put(v);
    w.put(static_cast<std::uint16_t>(d.policy.size()));
    for (const auto& [action, share] : d.policy) {
      w.put(static_cast<std::uint16_t>(index(action)));
      w.put(static_cast<std::uint16_t>(share * 65535.0F + 0.5F));
    }
  }
  return std::move(w.out);
}

inline GameRecord GameRecord::parse(std::string_view bytes) {
  detail::ByteReader r(bytes);
  GameRecord game;
  if (r.get<std::uint8_t>() != 1) throw Error("a stored game has an unknown format");
  const int players = r.get<std::uint8_t>();
  if (players < 1 || players > kMaxPlayers) throw Error("a stored game has no sensible players");
  game.winner = r.get<std::int8_t>();
  game.version = r.get<std::uint32_t>();
  game.number = r.get<std::uint32_t>();
  game.fen = r.take(r.get<std::uint16_t>());
  for (int i = 0; i < players; ++i) game.outcome.push_back(r.get<float>());
  game.actions.resize(r.get<std::uint16_t>());
  for (Action& a : game.actions) a = Action{r.get<std::uint16_t>()};
  game.decisions.resize(r.get<std::uint16_t>());
  for (Decision& d : game.decisions) {
    d.ply = r.get<std::uint16_t>();
    if (d.ply >= game.actions.size()) throw Error("a stored game has a choice after its end");
    d.full = r.get<std::uint8_t>() != 0;
    for (int i = 0; i < players; ++i) d.values.push_back(r.get<float>());
    d.policy.resize(r.get<std::uint16_t>());
    for (auto& [action, share] : d.policy) {
      action = Action{r.get<std::uint16_t>()};
      share = static_cast<float>(r.get<std::uint16_t>()) / 65535.0F;
    }
  }
  if (!r.at_end()) throw Error("a stored game is followed by other bytes");
  return game;
}

}  // namespace bz
