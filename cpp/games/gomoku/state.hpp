// Five in a row on a square board: freestyle, standard and renju.
//
// Seat 0 is the first player (x, black), seat 1 the second (o, white). An action is the cell that
// gets a stone, cells being numbered row by row from the top left.
#pragma once

#include <algorithm>

#include "core/hash.hpp"
#include "games/game.hpp"
#include "games/gomoku/lines.hpp"
#include "games/gomoku/notation.hpp"
#include "games/gomoku/renju.hpp"

namespace bz::gomoku {

class State {
 public:
  using Move = Action;

  static State start(const Options& options = {}) {
    validate(options);
    return State(options);
  }

  const Options& options() const { return options_; }
  const Shape& shape() const { return geometry().shape; }
  Seat to_move() const { return mover_; }
  const Points& stones(Seat seat) const { return stones_[index(seat)]; }
  // Whether a stone of the seat on this point wins, or would.
  bool has_line_at(Seat seat, int point) const {
    const bool overlines =
        options_.rule == Rule::freestyle || (options_.rule == Rule::renju && seat == Seat{1});
    return completes_line(geometry(), stones_[index(seat)], point, options_.line, overlines);
  }
  Key key() const { return key_; }
  bool operator==(const State&) const = default;

  std::optional<Outcome> outcome() const {
    switch (status_) {
      case Status::open:
        return std::nullopt;
      case Status::first_won:
        return Outcome::win(Seat{0}, 2, "line");
      case Status::second_won:
        return Outcome::win(Seat{1}, 2, "line");
      case Status::stuck:
        return Outcome::draw(2, "only forbidden points");
      case Status::full:
        break;
    }
    return Outcome::draw(2, "full board");
  }

  void actions(ActionList& out) const {
    out.clear();
    if (status_ != Status::open) return;
    each_empty([&](int point) {
      if (is_allowed(point)) out.push_back(Action{geometry().cell_of[point]});
    });
  }

  // Guessing cells finds an empty one at once until the board fills up; then counting is faster.
  std::optional<Action> random_action(Rng& rng) const {
    if (status_ != Status::open) return std::nullopt;
    constexpr int kGuesses = 4;
    for (int i = 0; i < kGuesses; ++i) {
      const int cell = static_cast<int>(rng.below(shape().cells()));
      const int point = geometry().point_of[cell];
      if (!is_occupied(point) && is_allowed(point)) return Action{cell};
    }
    if (is_restrained()) {
      ActionList all;
      actions(all);
      return all[rng.below(static_cast<std::uint32_t>(all.size()))];
    }
    return Action{geometry().cell_of[nth_empty(static_cast<int>(rng.below(empty_)))]};
  }

  // The values at the end of a random game from here. Drawing from a list of the free points needs
  // no guesses, and the key is not kept up to date.
  Values random_outcome(Rng& rng) const {
    State game = *this;
    if (options_.rule == Rule::renju) {
      while (const auto action = game.random_action(rng)) game.play(*action);
      return game.outcome()->values;
    }
    std::array<std::int16_t, kMaxCells> free;
    int left = 0;
    each_empty([&](int point) { free[left++] = static_cast<std::int16_t>(point); });
    while (game.status_ == Status::open) {
      const std::uint32_t drawn = rng.below(static_cast<std::uint32_t>(left));
      const int point = free[drawn];
      free[drawn] = free[--left];
      game.stones_[index(game.mover_)].add(point);
      if (game.has_line_at(game.mover_, point)) {
        game.status_ = won_by(game.mover_);
      } else if (left == 0) {
        game.status_ = Status::full;
      }
      game.mover_ = other(game.mover_);
    }
    return game.outcome()->values;
  }

  void play(Action action) {
    const int point = geometry().point_of[index(action)];
    put(mover_, point);
    const bool won = has_line_at(mover_, point);
    if (won) status_ = won_by(mover_);
    pass();
    if (!won) settle();
  }

  void encode(float* planes) const { encode(planes, mover_); }
  void encode(float* planes, Seat viewer) const {
    const int cells = shape().cells();
    const Points& own = stones_[index(viewer)];
    const Points& theirs = stones_[index(other(viewer))];
    for (int cell = 0; cell < cells; ++cell) {
      const int point = geometry().point_of[cell];
      planes[cell] = own.has(point);
      planes[cells + cell] = theirs.has(point);
    }
    std::fill_n(planes + 2 * cells, cells, viewer == Seat{0} ? 1.0F : 0.0F);
  }
  Action relative(Action action) const { return action; }

  void moves(std::vector<Move>& out) const { actions(out); }
  std::vector<Action> steps(Move move) const { return {move}; }
  MoveText text(Move move) const {
    return {point_name(options_.size, index(move)), {index(move)}, {}};
  }
  Move parse(std::string_view text) const {
    const int cell = parse_point(options_.size, text);
    const int point = geometry().point_of[cell];
    const std::string name = point_name(options_.size, cell);
    if (status_ != Status::open) fail("the game is over, so " + name + " cannot be played");
    if (is_occupied(point)) fail("there is a stone on " + name + " already");
    if (!is_allowed(point)) {
      fail(name + " is forbidden to x: " +
           std::string(renju::kVerdictNames[static_cast<int>(verdict(point))]));
    }
    return Action{cell};
  }

  std::vector<Piece> pieces() const {
    std::vector<Piece> pieces;
    for (int cell = 0; cell < shape().cells(); ++cell) {
      const int point = geometry().point_of[cell];
      if (is_occupied(point)) {
        pieces.push_back({cell, stones_[0].has(point) ? Seat{0} : Seat{1}, "stone"});
      }
    }
    return pieces;
  }

  std::string fen() const { return write_fen(options_.size, {pieces(), mover_}); }
  State with_fen(std::string_view text) const {
    const Diagram diagram = parse_fen(options_.size, text);
    State state(options_);
    for (const Piece& stone : diagram.stones) {
      state.put(stone.owner, geometry().point_of[stone.cell]);
    }
    if (diagram.mover != state.mover_) state.pass();
    state.settle();
    for (const Piece& stone : diagram.stones) {
      if (!state.has_line_at(stone.owner, geometry().point_of[stone.cell])) continue;
      if (state.status_ == won_by(other(stone.owner))) {
        fail("both sides have a line in the position");
      }
      state.status_ = won_by(stone.owner);
    }
    return state;
  }

  // Bit 0 mirrors left and right, bit 1 top and bottom, bit 2 swaps rows and columns afterwards.
  int symmetries() const { return 8; }
  Action transformed(int symmetry, Action action) const {
    const int last = options_.size - 1;
    int row = index(action) / options_.size;
    int column = index(action) % options_.size;
    if (symmetry & 1) column = last - column;
    if (symmetry & 2) row = last - row;
    if (symmetry & 4) std::swap(row, column);
    return Action{row * options_.size + column};
  }
  Seat transformed(int, Seat seat) const { return seat; }
  State transformed(int symmetry) const {
    State image(options_);
    for (const Piece& piece : pieces()) {
      const Action cell = transformed(symmetry, Action{piece.cell});
      image.put(piece.owner, geometry().point_of[index(cell)]);
    }
    if (mover_ != image.mover_) image.pass();
    image.status_ = status_;
    return image;
  }

 private:
  enum class Status : std::uint8_t { open, first_won, second_won, full, stuck };

  explicit State(const Options& options)
      : key_(combine(combine(options.size, options.line), static_cast<Key>(options.rule))),
        options_(options),
        empty_(static_cast<std::uint16_t>(options.size * options.size)) {}

  const Grid& geometry() const { return grid(options_.size); }
  bool is_occupied(int point) const { return stones_[0].has(point) || stones_[1].has(point); }
  Bits empty_word(int i) const {
    return geometry().inside.words[i] & ~(stones_[0].words[i] | stones_[1].words[i]);
  }
  template <class F>
  void each_empty(F&& f) const {
    for (int i = 0; i < geometry().words; ++i) {
      for (Bits free = empty_word(i); free != 0;) f(i * 64 + pop(free));
    }
  }
  Points empty_points() const {
    Points empty;
    for (int i = 0; i < geometry().words; ++i) empty.words[i] = empty_word(i);
    return empty;
  }
  int nth_empty(int n) const {
    int i = 0;
    Bits free = empty_word(0);
    for (; n >= count(free); free = empty_word(++i)) n -= count(free);
    return i * 64 + nth(free, n);
  }

  void put(Seat seat, int point) {
    stones_[index(seat)].add(point);
    key_ ^= combine(point, index(seat));
    --empty_;
  }
  void pass() {
    mover_ = other(mover_);
    key_ = ~key_;
  }

  static Status won_by(Seat seat) {
    return seat == Seat{0} ? Status::first_won : Status::second_won;
  }
  // Ends a game that nobody has won but that cannot go on.
  void settle() {
    if (empty_ == 0) {
      status_ = Status::full;
    } else if (is_restrained() && !can_move()) {
      status_ = Status::stuck;
    }
  }

  bool is_restrained() const { return options_.rule == Rule::renju && mover_ == Seat{0}; }
  renju::Verdict verdict(int point) const {
    return renju::verdict_on({geometry(), stones_[0], empty_points()}, point);
  }
  bool is_allowed(int point) const { return !is_restrained() || is_legal(verdict(point)); }
  bool can_move() const {
    bool found = false;
    each_empty([&](int point) { found = found || is_allowed(point); });
    return found;
  }

  std::array<Points, 2> stones_;
  Key key_;
  Options options_;
  std::uint16_t empty_;
  Seat mover_{0};
  Status status_ = Status::open;
};

static_assert(RandomlyPlayable<State>);

}  // namespace bz::gomoku
