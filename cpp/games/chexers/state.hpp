// The rules of Chexers: three players, 37 hexagons, four exits to win.
#pragma once

#include <algorithm>

#include "core/hash.hpp"
#include "games/chexers/action.hpp"
#include "games/chexers/notation.hpp"
#include "games/chexers/setup.hpp"
#include "games/game.hpp"
#include "games/notation.hpp"

namespace bz::chexers {

inline constexpr int kRepetitions = 4;

class State {
 public:
  using Move = Action;

  State() : State(Setup{.pieces = kStart}) {}

  static const Shape& shape() {
    static constexpr Shape kShape{.players = kSeats,
                                  .actions = kActions,
                                  .planes = 2 * kSeats,
                                  .rows = kWidth,
                                  .columns = kWidth};
    return kShape;
  }

  Seat to_move() const { return mover_; }
  Bits pieces(Seat s) const { return pieces_[index(s)]; }
  Bits occupied() const { return pieces_[0] | pieces_[1] | pieces_[2]; }
  int exits(Seat s) const { return exits_[index(s)]; }
  int turns() const { return turns_; }  // actions of all seats since the start

  std::optional<Outcome> outcome() const {
    switch (ending_) {
      case Ending::none:
        return std::nullopt;
      case Ending::repetition:
        return Outcome::draw(kSeats, "repetition");
      case Ending::turn_limit:
        return Outcome::draw(kSeats, "turn limit");
      case Ending::four_exits:
        break;
    }
    const auto winner = std::ranges::find(exits_, kExitsToWin) - exits_.begin();
    return Outcome::win(Seat(winner), kSeats, "four exits");
  }

  // Neither the number of turns nor earlier positions count.
  Key key() const { return combine(index(mover_), views_[0]); }

  // Where the mover's pieces stand that have an action of this plane.
  Bits origins(int plane) const {
    const Bits own = pieces(mover_);
    if (plane == kExitPlane) return own & kLeaving[index(mover_)];
    const Bits taken = occupied();
    const int back = opposite(plane % kDirections);
    Bits targets = kBoard & ~taken;
    if (plane >= kDirections) targets = taken & step(targets, back);
    return own & step(targets, back);
  }

  // In ascending order.
  void actions(ActionList& out) const {
    out.clear();
    if (ending_ != Ending::none) return;
    for (int plane = 0; plane < kPlanes; ++plane) {
      for (Bits from = origins(plane); from != 0;) out.push_back(action(plane, hex(pop(from))));
    }
    if (out.empty()) out.push_back(kPass);
  }

  bool is_legal(Action a) const {
    if (ending_ != Ending::none || index(a) < 0 || index(a) >= kActions) return false;
    if (a != kPass) return (origins(plane(a)) & bit(origin(a))) != 0;
    for (int plane = 0; plane < kPlanes; ++plane) {
      if (origins(plane) != 0) return false;
    }
    return true;
  }

  // Uniform. A piece has at most one action in each direction, so seven sets hold them all.
  std::optional<Action> random_action(Rng& rng) const {
    if (ending_ != Ending::none) return std::nullopt;
    constexpr int kExit = kDirections;
    std::array<Bits, kDirections + 1> from;
    std::array<int, kDirections + 1> end;  // of each set's part of the numbers drawn from
    int total = 0;
    for (int way = 0; way <= kExit; ++way) {
      from[way] = way == kExit ? origins(kExitPlane) : origins(way) | origins(kDirections + way);
      end[way] = total += count(from[way]);
    }
    if (total == 0) return kPass;
    const auto drawn = static_cast<int>(rng.below(static_cast<std::uint32_t>(total)));
    int way = 0;
    for (int i = 0; i < kExit; ++i) way += drawn >= end[i];
    const Hex piece = hex(nth(from[way], end[way] - drawn - 1));
    if (way == kExit) return action(kExitPlane, piece);
    const bool jumps = (step(bit(piece), way) & occupied()) != 0;
    return action(jumps ? kDirections + way : way, piece);
  }

  void play(Action a) {
    if (is_exit(a)) {
      leave(origin(a));
    } else if (a != kPass) {
      go(a);
    }
    ++turns_;
    mover_ = next(mover_);
    settle();
  }

  // Six planes of 7 by 7 on a board turned so that the mover starts at red's hexagons, the bottom
  // left: pieces of the mover, of the next and of the previous player, then the three players'
  // exits, each as a constant plane in quarters.
  void encode(float* planes) const { encode(planes, mover_); }
  void encode(float* planes, Seat viewer) const {
    constexpr int kCells = kWidth * kWidth;
    std::fill_n(planes, kSeats * kCells, 0.0F);
    for (int i = 0; i < kSeats; ++i) {
      const Seat seat = next(viewer, i);
      for (Bits b = pieces(seat); b != 0;) {
        planes[i * kCells + cell(kTurned[turns_to(viewer)][index(hex(pop(b)))])] = 1.0F;
      }
      std::fill_n(planes + (kSeats + i) * kCells, kCells,
                  static_cast<float>(exits(seat)) / kExitsToWin);
    }
  }

  Action relative(Action a) const { return turned(a, turns_to(mover_)); }

  void moves(std::vector<Move>& out) const { actions(out); }
  std::vector<Action> steps(Move m) const { return {m}; }

  MoveText text(Move m) const {
    MoveText result{.text = to_text(m), .path = {}, .captured = {}};
    if (m == kPass) return result;
    result.path.push_back(cell(origin(m)));
    if (is_exit(m)) return result;
    result.path.push_back(cell(*target(m)));
    if (is_jump(m)) {
      const Hex over = *hex(axial(origin(m)) + kStep[direction(m)]);
      if ((bit(over) & occupied() & ~pieces(mover_)) != 0) result.captured.push_back(cell(over));
    }
    return result;
  }

  Move parse(std::string_view text) const {
    const Action a = parse_action(text);
    if (is_legal(a)) return a;
    fail(quoted(text) + " is not a legal move here; " + legal_moves_text(*this));
  }

  std::vector<Piece> pieces() const {
    std::vector<Piece> result;
    for (int i = 0; i < kSeats; ++i) {
      for (Bits b = pieces_[i]; b != 0;) result.push_back({cell(hex(pop(b))), Seat(i), "piece"});
    }
    return result;
  }

  // See setup.hpp. Earlier positions are not part of it: repetitions count afresh.
  std::string fen() const {
    return to_fen({.pieces = pieces_, .exits = exits_, .mover = mover_, .turns = turns_});
  }
  State with_fen(std::string_view text) const { return State(parse_fen(text)); }

  // The three turns of the board. Seats turn with it, so another seat is to move.
  int symmetries() const { return kSeats; }
  State transformed(int turns) const {
    State result = *this;
    for (int i = 0; i < kSeats; ++i) {
      const int to = (i + turns) % kSeats;
      result.pieces_[to] = turned(pieces_[i], turns);
      result.exits_[to] = exits_[i];
      result.views_[to] = views_[i];
    }
    result.mover_ = next(mover_, turns);
    return result;
  }
  Action transformed(int turns, Action a) const { return turned(a, turns); }
  Seat transformed(int turns, Seat s) const { return next(s, turns); }

  // The number of turns and earlier positions do not count, as for the key.
  friend bool operator==(const State& a, const State& b) {
    return a.pieces_ == b.pieces_ && a.exits_ == b.exits_ && a.mover_ == b.mover_;
  }

 private:
  enum class Ending : std::uint8_t { none, four_exits, repetition, turn_limit };

  explicit State(const Setup& setup)
      : pieces_(setup.pieces), exits_(setup.exits), mover_(setup.mover), turns_(setup.turns) {
    for (int i = 0; i < kSeats; ++i) {
      for (Bits b = pieces_[i]; b != 0;) toggle(Seat(i), hex(pop(b)));
      for (int n = 0; n < exits_[i]; ++n) toggle_exit(Seat(i), n);
      if (exits_[i] == kExitsToWin) ending_ = Ending::four_exits;
    }
    settle();
  }

  static int turns_to(Seat viewer) { return (kSeats - index(viewer)) % kSeats; }

  void go(Action a) {
    const int way = direction(a);
    const Bits from = bit(origin(a));
    Bits to = step(from, way);
    if (is_jump(a)) {
      convert(to);
      to = step(to, way);
    }
    pieces_[index(mover_)] ^= from | to;
    toggle(mover_, origin(a));
    toggle(mover_, hex(lowest(to)));
  }

  void convert(Bits jumped) {
    if ((pieces_[index(mover_)] & jumped) != 0) return;
    const Seat victim = next(mover_, (pieces_[index(next(mover_))] & jumped) != 0 ? 1 : 2);
    pieces_[index(victim)] ^= jumped;
    pieces_[index(mover_)] ^= jumped;
    toggle(victim, hex(lowest(jumped)));
    toggle(mover_, hex(lowest(jumped)));
  }

  // The board has one piece less from now on: no earlier position can occur again.
  void leave(Hex from) {
    pieces_[index(mover_)] ^= bit(from);
    toggle(mover_, from);
    toggle_exit(mover_, exits_[index(mover_)]);
    if (++exits_[index(mover_)] == kExitsToWin) ending_ = Ending::four_exits;
    history_.clear();
  }

  // Ends the game if no exit has. Seats take turns strictly, so the same seat moved in every third
  // position before this one.
  void settle() {
    if (ending_ != Ending::none) return;
    if (turns_ >= kTurnLimit) {
      ending_ = Ending::turn_limit;
      return;
    }
    const Key now = views_[index(mover_)];
    history_.push_back(now);
    int occurrences = 0;
    for (int i = history_.size() - 1; i >= 0; i -= kSeats) occurrences += history_[i] == now;
    if (occurrences >= kRepetitions) ending_ = Ending::repetition;
  }

  using Words = std::array<Key, kSeats>;  // by viewing seat

  void toggle(Seat s, Hex h) { toggle(kPieceWords[index(s)][index(h)]); }
  void toggle_exit(Seat s, int nth) { toggle(kExitWords[index(s)][nth]); }
  void toggle(const Words& words) {
    for (int i = 0; i < kSeats; ++i) views_[i] ^= words[i];
  }

  // What a piece of a seat adds to each of the views: the word of its hexagon and seat as that
  // viewer sees them.
  static constexpr auto kPieceWords = [] {
    std::array<std::array<Words, kHexes>, kSeats> table{};
    for (int seat = 0; seat < kSeats; ++seat) {
      for (int h = 0; h < kHexes; ++h) {
        for (int viewer = 0; viewer < kSeats; ++viewer) {
          const int turns = (kSeats - viewer) % kSeats;
          table[seat][h][viewer] = combine((seat + turns) % kSeats, index(kTurned[turns][h]));
        }
      }
    }
    return table;
  }();
  static constexpr auto kExitWords = [] {
    std::array<std::array<Words, kExitsToWin>, kSeats> table{};
    for (int seat = 0; seat < kSeats; ++seat) {
      for (int n = 0; n < kExitsToWin; ++n) {
        for (int viewer = 0; viewer < kSeats; ++viewer) {
          table[seat][n][viewer] = combine(kSeats + (seat + kSeats - viewer) % kSeats, n);
        }
      }
    }
    return table;
  }();

  std::array<Bits, kSeats> pieces_;
  std::array<int, kSeats> exits_;
  Seat mover_;
  Ending ending_ = Ending::none;
  int turns_;
  // Hashes of the board and exits as each seat sees them, turned to red's place. Turning the board
  // only turns their order, which keeps a history of them valid.
  Words views_{};
  // Each position since the last exit, as its mover saw it. Nothing else is irreversible (a
  // converted piece can be converted back), so a game may fill it; a copy costs what is in it.
  InlineVector<Key, kTurnLimit> history_;
};

static_assert(RandomlyPlayable<State>);

}  // namespace bz::chexers
