// Games and states for Python.
#include "erased/games.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "bind/gil.hpp"
#include "bind/module.hpp"

using namespace nanobind::literals;

namespace bz {
namespace {

std::uint64_t perft(const AnyState& state, int depth) {
  if (depth < 0 || depth > 60) fail("perft needs a depth from 0 to 60");
  const ReleaseGil released(state);
  return state.perft(depth);
}

std::uint64_t playouts(const AnyState& state, int games, std::uint64_t seed) {
  const ReleaseGil released(state);
  return state.playouts(games, seed);
}

using Planes = nb::ndarray<nb::numpy, float, nb::ndim<3>, nb::c_contig>;

Planes encode(const AnyState& state) {
  const Shape& shape = state.shape();
  auto data = std::make_unique<float[]>(static_cast<std::size_t>(shape.inputs()));
  state.encode(data.get());
  nb::capsule owner(data.get(), [](void* p) noexcept { delete[] static_cast<float*>(p); });
  const auto size = [](int n) { return static_cast<std::size_t>(n); };
  return Planes(data.release(), {size(shape.planes), size(shape.rows), size(shape.columns)}, owner);
}

// Plays all of them or, if one is illegal, none.
void play_all(AnyState& state, const ActionList& actions) {
  const auto check = actions.size() > 1 ? state.clone() : nullptr;
  if (check) {
    for (const Action a : actions) check->play(a);
  }
  for (const Action a : actions) state.play(a);
}

}  // namespace

void bind_games(nb::module_& m) {
  nb::class_<Shape>(m, "Shape", "Sizes that a search or a net must know.")
      .def_ro("players", &Shape::players)
      .def_ro("actions", &Shape::actions)
      .def_ro("planes", &Shape::planes)
      .def_ro("rows", &Shape::rows)
      .def_ro("columns", &Shape::columns);

  nb::class_<Outcome>(m, "Outcome", "How a game ended.")
      .def_ro("values", &Outcome::values, "One value per seat, each in [-1, 1].")
      .def_ro("winner", &Outcome::winner, "The seat that won, or None for a draw.")
      .def_ro("reason", &Outcome::reason)
      .def("__repr__", [](const Outcome& o) {
        const std::string who =
            o.winner ? "seat " + std::to_string(index(*o.winner)) + " won" : "drawn";
        return "<Outcome " + who + ": " + std::string(o.reason) + ">";
      });

  nb::class_<Piece>(m, "Piece", "A piece on the board, for drawing.")
      .def_ro("cell", &Piece::cell)
      .def_ro("owner", &Piece::owner)
      .def_ro("kind", &Piece::kind);

  nb::class_<MoveInfo>(m, "Move", "A move as a person sees it.")
      .def_ro("text", &MoveInfo::text)
      .def_ro("path", &MoveInfo::path, "The cells visited, first to last.")
      .def_ro("captured", &MoveInfo::captured, "The cells of pieces taken.")
      .def_ro("actions", &MoveInfo::actions, "The learning steps that make up the move.")
      .def("__str__", [](const MoveInfo& move) { return move.text; })
      .def("__repr__", [](const MoveInfo& move) { return "Move('" + move.text + "')"; })
      .def("__eq__",
           [](const MoveInfo& a, nb::object other) {
             if (!nb::isinstance<MoveInfo>(other)) return false;
             const auto& b = nb::cast<const MoveInfo&>(other);
             return a.text == b.text && a.actions == b.actions;
           })
      .def("__hash__", [](const MoveInfo& move) { return std::hash<std::string>{}(move.text); });

  nb::class_<AnyState>(m, "NativeState", "A state of any game; boardzero.State wraps it.")
      .def("clone", &AnyState::clone)
      .def("equals", &AnyState::equals, "other"_a)
      .def_prop_ro("needs_gil", &AnyState::needs_gil, "Whether its rules are written in Python.")
      .def_prop_ro("shape", &AnyState::shape, nb::rv_policy::copy)
      .def_prop_ro("to_move", &AnyState::to_move)
      .def("outcome", &AnyState::outcome)
      .def("key", &AnyState::key)
      .def("stages", &AnyState::stages, "How many stages the game's course has; mostly 1.")
      .def("stage", &AnyState::stage, "Which of them this state is in, from 0.")
      .def("actions", &AnyState::actions)
      .def("play", &AnyState::play, "action"_a)
      .def("play_all", &play_all, "actions"_a)
      .def("play_random", &AnyState::play_random, "seed"_a,
           "Plays a legal action, each with equal chance; False when the game is over.")
      .def("encode", &encode)
      .def("relative", &AnyState::relative, "action"_a)
      .def("moves", &AnyState::moves)
      .def("moves_of", &AnyState::moves_of, "actions"_a)
      .def("parse", &AnyState::parse, "text"_a)
      .def("pieces", &AnyState::pieces)
      .def("picture", &AnyState::picture,
           "The board as text, if the rules draw it themselves; else empty.")
      .def("fen", &AnyState::fen)
      .def("with_fen", &AnyState::with_fen, "text"_a)
      .def("symmetries", &AnyState::symmetries)
      .def("transformed", nb::overload_cast<int>(&AnyState::transformed, nb::const_), "symmetry"_a)
      .def("transformed_action", nb::overload_cast<int, Action>(&AnyState::transformed, nb::const_),
           "symmetry"_a, "action"_a)
      .def("transformed_seat", nb::overload_cast<int, Seat>(&AnyState::transformed, nb::const_),
           "symmetry"_a, "seat"_a)
      .def("perft", &perft, "depth"_a, "Number of move sequences of exactly this length.")
      .def("playouts", &playouts, "games"_a, "seed"_a,
           "Plays random games to their end in one thread; the number of actions played.");

  using draughts::Pdn;
  nb::class_<Pdn>(m, "DraughtsPdn", "What PDN, the format of game files, prescribes.")
      .def_ro("type", &Pdn::type, "The GameType tag.")
      .def_ro("capture", &Pdn::capture, "Between the squares of a capture.")
      .def_ro("win", &Pdn::win, "Points for a win: 1-0 or 2-0.")
      .def_ro("tag_only", &Pdn::tag_only, "A file without the tag is never of this variant.");
  using draughts::Rules;
  nb::class_<Rules>(m, "DraughtsRules", "What makes one kind of draughts differ from another.")
      .def_ro("name", &Rules::name)
      .def_ro("width", &Rules::width, "Rows and columns of the board.")
      .def_prop_ro("white_begins", [](const Rules& r) { return r.first == draughts::Side::white; })
      .def_ro("largest_capture", &Rules::largest_capture, "The largest capture is mandatory.")
      .def_ro("algebraic", &Rules::algebraic, "Squares are written a1 instead of 1.")
      .def_ro("pdn", &Rules::pdn);
  m.def("draughts_rules", &draughts_rules, "variant"_a, nb::rv_policy::reference);
  m.def(
      "draughts_start",
      [](std::string_view variant, std::string_view endings, int king_value) {
        return draughts_start(variant, {draughts::endings_named(endings), king_value});
      },
      "variant"_a, "endings"_a, "king_value"_a);
  m.def(
      "gomoku_start",
      [](int size, int line, std::string_view rule) {
        return gomoku_start({size, line, gomoku::rule_named(rule)});
      },
      "size"_a, "line"_a, "rule"_a);
  m.def(
      "gomoku_lines", [](int size, int line) { return gomoku_lines({size, line}); }, "size"_a,
      "line"_a);
  m.def("chexers_start", &chexers_start);
}

}  // namespace bz
