// Rules written in Python as a model of the Game concept.
//
// A state is an immutable Python value; `rules` is a boardzero.games.checked.Checked, which turns
// every breach of the contract into a sentence. Calls need the GIL, and so does destruction.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <set>

#include "core/hash.hpp"
#include "games/game.hpp"
#include "games/notation.hpp"

namespace bz {

namespace nb = nanobind;

// Outcome and Piece hold views of literals, so the few words that Python rules use are kept for
// good; rules that make up new ones without end get a common one.
inline std::string_view interned(std::string text) {
  static auto& kept = *new std::set<std::string>;
  if (kept.size() >= 10'000 && !kept.contains(text)) return "other";
  return *kept.insert(std::move(text)).first;
}

// The same in every process, unlike Python's own hash.
inline Key hash_text(std::string_view text) {
  Key key = mix(text.size());
  for (std::size_t at = 0; at < text.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + at, std::min(sizeof word, text.size() - at));
    key = combine(key, word);
  }
  return key;
}

class PythonGame {
 public:
  using Move = Action;
  using HoldsPython = void;

  static PythonGame start(const nb::object& rules) {
    auto shared = std::make_shared<const Rules>(rules);
    nb::object value = shared->initial();
    return PythonGame(std::move(shared), std::move(value), 0);
  }

  const Shape& shape() const { return rules_->shape; }
  Seat to_move() const { return facts().mover; }
  std::optional<Outcome> outcome() const { return facts().outcome; }

  Key key() const {
    if (!node_->key) node_->key = hash_text(ask<std::string>(rules_->identity));
    return *node_->key;
  }
  friend bool operator==(const PythonGame& a, const PythonGame& b) {
    return a.node_ == b.node_ || a.node_->value.equal(b.node_->value);
  }

  void actions(ActionList& out) const { out = facts().actions; }
  void play(Action a) {
    node_ = std::make_shared<Node>(rules_->play(node_->value, index(a)), node_->plies + 1);
  }
  void encode(float* planes) const {
    const auto array = nb::cast<nb::ndarray<const float, nb::c_contig, nb::device::cpu>>(
        rules_->encode(node_->value));
    std::copy_n(array.data(), shape().inputs(), planes);
  }
  Action relative(Action a) const {
    return rules_->turns_actions ? Action{ask<int>(rules_->relative, index(a))} : a;
  }

  void moves(std::vector<Move>& out) const { actions(out); }
  std::vector<Action> steps(Move m) const { return {m}; }
  MoveText text(Move m) const {
    return {ask<std::string>(rules_->text, index(m)),
            ask<std::vector<int>>(rules_->path, index(m)),
            {}};
  }
  Move parse(std::string_view text) const { return find_by_text(*this, text); }
  std::vector<Piece> pieces() const {
    std::vector<Piece> result;
    for (auto& [cell, piece] : ask<std::vector<std::pair<int, OwnedKind>>>(rules_->pieces)) {
      result.push_back({cell, Seat(piece.first), interned(std::move(piece.second))});
    }
    return result;
  }

  std::string picture() const { return ask<std::string>(rules_->picture); }

  std::string fen() const { return ask<std::string>(rules_->fen); }
  PythonGame with_fen(std::string_view text) const {
    return PythonGame(rules_, rules_->parse_fen(nb::str(text.data(), text.size())), 0);
  }

  int stages() const { return rules_->stages; }
  int stage() const { return stages() == 1 ? 0 : ask<int>(rules_->stage); }

  int symmetries() const { return rules_->symmetries; }
  PythonGame transformed(int symmetry) const {
    if (symmetry == 0) return *this;
    return PythonGame(rules_, rules_->transform(node_->value, symmetry), node_->plies);
  }
  Action transformed(int symmetry, Action a) const {
    if (symmetry == 0) return a;
    return Action{nb::cast<int>(rules_->transform_action(index(a), symmetry))};
  }
  Seat transformed(int, Seat s) const { return s; }

 private:
  using OwnedKind = std::pair<int, std::string>;

  // The methods, looked up once, and the numbers that never change.
  struct Rules {
    explicit Rules(const nb::object& checked) : self(checked) {}

    nb::object self;
    nb::object initial = self.attr("initial");
    nb::object look = self.attr("look");
    nb::object play = self.attr("play");
    nb::object encode = self.attr("encode");
    nb::object relative = self.attr("relative");
    nb::object identity = self.attr("identity");
    nb::object text = self.attr("text");
    nb::object path = self.attr("path");
    nb::object pieces = self.attr("pieces");
    nb::object picture = self.attr("picture");
    nb::object fen = self.attr("fen");
    nb::object parse_fen = self.attr("parse_fen");
    nb::object stage = self.attr("stage");
    nb::object transform = self.attr("transform");
    nb::object transform_action = self.attr("transform_action");
    Shape shape{number("players"), number("action_count"), number("planes"), number("rows"),
                number("columns")};
    int stages = number("stages");
    int symmetries = number("symmetries");
    int max_length = number("max_length");
    bool turns_actions = nb::cast<bool>(self.attr("turns_actions"));

    int number(const char* name) const { return nb::cast<int>(self.attr(name)); }
  };

  struct Facts {
    Seat mover;
    ActionList actions;
    std::optional<Outcome> outcome;
  };

  // A value with what the rules said about it: each value is asked about once, however often the
  // state is copied.
  struct Node {
    Node(nb::object v, int p) : value(std::move(v)), plies(p) {}

    nb::object value;
    int plies;
    std::optional<Facts> facts;
    std::optional<Key> key;
  };

  PythonGame(std::shared_ptr<const Rules> rules, nb::object value, int plies)
      : rules_(std::move(rules)), node_(std::make_shared<Node>(std::move(value), plies)) {}

  template <class T, class... Args>
  T ask(const nb::object& method, Args... args) const {
    return nb::cast<T>(method(node_->value, args...));
  }

  const Facts& facts() const {
    if (!node_->facts) node_->facts = look();
    return *node_->facts;
  }

  // The answer is (mover, actions, values or None, reason).
  Facts look() const {
    const auto answer = nb::cast<nb::tuple>(rules_->look(node_->value));
    Facts facts{Seat(nb::cast<int>(answer[0])), {}, std::nullopt};
    if (!answer[2].is_none()) {
      facts.outcome =
          ending(nb::cast<nb::tuple>(answer[2]), interned(nb::cast<std::string>(answer[3])));
    } else if (node_->plies >= rules_->max_length) {
      facts.outcome = Outcome::draw(shape().players, "length limit");
    } else {
      for (const nb::handle a : nb::cast<nb::list>(answer[1])) {
        facts.actions.push_back(Action{nb::cast<int>(a)});
      }
    }
    return facts;
  }

  // Who alone has the highest value has won.
  Outcome ending(const nb::tuple& values, std::string_view reason) const {
    Outcome outcome = Outcome::draw(shape().players, reason);
    for (int s = 0; s < shape().players; ++s) outcome.values[s] = nb::cast<float>(values[s]);
    const auto [begin, end] = std::pair(outcome.values.begin(), outcome.values.end());
    const auto best = std::max_element(begin, end);
    if (std::count(begin, end, *best) == 1) outcome.winner = Seat(static_cast<int>(best - begin));
    return outcome;
  }

  std::shared_ptr<const Rules> rules_;
  std::shared_ptr<Node> node_;
};

}  // namespace bz
