// Rules written in Python as a model of the Game concept.
//
// A state is an immutable Python value; `rules` is a boardzero.PythonGame, whose checked methods
// turn every breach of the contract into a sentence. All calls need the GIL, copies too.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "core/hash.hpp"
#include "games/game.hpp"
#include "games/notation.hpp"

namespace bz {

namespace nb = nanobind;

class PythonGame {
 public:
  using Move = Action;
  using HoldsPython = void;

  static PythonGame start(nb::object rules, Shape shape) {
    auto common =
        std::make_shared<Common>(Common{rules, shape, nb::cast<int>(rules.attr("_symmetries"))});
    return PythonGame(common, rules.attr("_checked_initial")());
  }

  const Shape& shape() const { return common_->shape; }
  Seat to_move() const { return Seat{static_cast<std::int8_t>(call<int>("_checked_to_move"))}; }

  std::optional<Outcome> outcome() const {
    const auto result = call<std::optional<std::vector<float>>>("_checked_outcome");
    if (!result) return std::nullopt;
    Outcome outcome = Outcome::draw(shape().players, "the rules of the game");
    int best = 0;
    bool shared = false;
    for (int seat = 0; seat < shape().players; ++seat) {
      outcome.values[seat] = (*result)[static_cast<std::size_t>(seat)];
      if (seat == 0) continue;
      shared = outcome.values[seat] == outcome.values[best] ||
               (shared && outcome.values[seat] < outcome.values[best]);
      if (outcome.values[seat] > outcome.values[best]) best = seat;
    }
    if (!shared) outcome.winner = Seat{static_cast<std::int8_t>(best)};
    return outcome;
  }

  Key key() const { return mix(call<std::uint64_t>("_checked_key")); }
  friend bool operator==(const PythonGame& a, const PythonGame& b) {
    return a.value_.equal(b.value_);
  }

  void actions(ActionList& out) const {
    out.clear();
    for (const int a : call<std::vector<int>>("_checked_actions")) out.push_back(Action{a});
  }
  void play(Action a) { value_ = rules().attr("_checked_play")(value_, index(a)); }
  void encode(float* planes) const {
    const auto array = nb::cast<nb::ndarray<const float, nb::c_contig, nb::device::cpu>>(
        rules().attr("_checked_encode")(value_));
    std::copy_n(array.data(), shape().inputs(), planes);
  }
  Action relative(Action a) const { return a; }

  void moves(std::vector<Move>& out) const { actions(out); }
  std::vector<Action> steps(Move m) const { return {m}; }
  MoveText text(Move m) const {
    MoveText result;
    result.text = nb::cast<std::string>(rules().attr("_checked_text")(value_, index(m)));
    result.path = nb::cast<std::vector<int>>(rules().attr("_checked_cells_of")(value_, index(m)));
    return result;
  }
  Move parse(std::string_view text) const { return find_by_text(*this, text); }
  std::vector<Piece> pieces() const {
    std::vector<Piece> result;
    for (const auto& [cell, owner] : call<std::vector<std::pair<int, int>>>("_checked_pieces")) {
      result.push_back({cell, Seat{static_cast<std::int8_t>(owner)}, "stone"});
    }
    return result;
  }

  std::string fen() const { return call<std::string>("_checked_fen"); }
  PythonGame with_fen(std::string_view text) const {
    return PythonGame(common_,
                      rules().attr("_checked_parse_fen")(nb::str(text.data(), text.size())));
  }

  int symmetries() const { return common_->symmetries; }
  PythonGame transformed(int symmetry) const {
    return PythonGame(common_, rules().attr("_checked_transform")(value_, symmetry));
  }
  Action transformed(int symmetry, Action a) const {
    return Action{nb::cast<int>(rules().attr("_checked_transform_action")(index(a), symmetry))};
  }
  Seat transformed(int, Seat s) const { return s; }

 private:
  struct Common {
    nb::object rules;
    Shape shape;
    int symmetries;
  };

  PythonGame(std::shared_ptr<const Common> common, nb::object value)
      : common_(std::move(common)), value_(std::move(value)) {}

  const nb::object& rules() const { return common_->rules; }

  template <class T>
  T call(const char* method) const {
    return nb::cast<T>(rules().attr(method)(value_));
  }

  std::shared_ptr<const Common> common_;
  nb::object value_;
};

}  // namespace bz
