// Draughts as a Game: position, unfinished capture, and the clock of the endings.
#pragma once

#include "games/draughts/endings.hpp"
#include "games/draughts/movegen.hpp"
#include "games/draughts/notation.hpp"
#include "games/game.hpp"

namespace bz::draughts {

template <const Rules& R>
class State {
 public:
  using Move = draughts::Move;
  using Board = Geometry<R.width>;

  static constexpr int kPlanes = 7;

  static State start(Options options) { return State(Position<R>::start(), options); }

  const Shape& shape() const {
    static constexpr Shape kShape{2, Board::kSquares * Board::kSquares + 1, kPlanes, R.width,
                                  Board::kRowLength};
    return kShape;
  }

  Seat to_move() const { return seat(position_.side); }
  const Position<R>& position() const { return position_; }
  bool in_capture() const { return taken_ != 0; }
  Bits jumped() const { return taken_; }
  const Clock<R>& clock() const { return clock_; }
  const Options& options() const { return options_; }
  int plies_without_draw() const { return clock_.plies_without_draw(options_.endings); }

  Key key() const {
    return in_capture() ? combine(combine(position_.key(), taken_), bit(at_)) : position_.key();
  }

  friend bool operator==(const State& a, const State& b) {
    return a.position_ == b.position_ && a.taken_ == b.taken_ && (a.taken_ == 0 || a.at_ == b.at_);
  }

  std::optional<Outcome> outcome() const {
    if (in_capture()) return std::nullopt;
    const std::string_view drawn = clock_.draw(options_.endings);
    // OpenSpiel looks at its count first: who is blocked by the fortieth quiet ply has drawn.
    const bool counts_first = options_.endings == Endings::openspiel && !drawn.empty();
    if (!counts_first && !any_move()) {
      return Outcome::win(seat(other(position_.side)), 2, "no move left");
    }
    if (drawn.empty()) return std::nullopt;
    Outcome result = Outcome::draw(2, drawn);
    if (options_.endings == Endings::meng) result.values = heuristic();
    return result;
  }

  // Meng 2020, eq. 6.1, in [-1, 1], seen by the side to move: men count 1, kings 2 or 3, pieces
  // jumped but not yet removed 1 for the one who jumps, over the number of pieces at the start.
  float material_balance() const {
    const Side own = position_.side;
    const int balance = worth(own) - worth(other(own)) + count(taken_);
    return static_cast<float>(balance) / static_cast<float>(2 * R.start_rows * Board::kRowLength);
  }

  // The balance as one value per seat.
  Values heuristic() const {
    Values values(2, material_balance());
    values[1 - index(to_move())] *= -1.0F;
    return values;
  }

  // The three stages of Meng 2020: more than 31 of 40 pieces and no king; more than 8 and no king;
  // the rest. Pieces jumped stand on the board until the capture is over. Other boards have the
  // same shares of their pieces.
  int stages() const { return 3; }
  int stage() const {
    const int all = 2 * R.start_rows * Board::kRowLength;
    const int left = count(position_.pieces[0] | position_.pieces[1]);
    if (position_.kings != 0 || 40 * left <= 8 * all) return 2;
    return 40 * left > 31 * all ? 0 : 1;
  }

  void actions(ActionList& out) const {
    out.clear();
    if (is_drawn()) return;
    thread_local std::vector<Step> steps;
    legal_steps(steps);
    for (const Step& s : steps) out.push_back(action(s));
  }

  // Plays a random step, each equally likely; false, and nothing done, when the game is over. It is
  // all that a roll-out does: to inline everything in it makes them half as fast again.
  [[gnu::flatten]] bool play_random(Rng& rng) {
    if (is_drawn()) return false;
    const auto step = with_generator(position_, [&](const auto& generator) -> std::optional<Step> {
      if (in_capture()) return generator.random_further_step(at_, taken_, rng);
      return generator.random_step(rng);
    });
    if (step) play(*step);
    return step.has_value();
  }

  void play(Action a) {
    const int from = Board::bit_index(Square(index(a) / Board::kSquares));
    const int to = Board::bit_index(Square(index(a) % Board::kSquares));
    const Bits victim = between(from, to) & position_.opponent() & ~taken_;
    play(Step(from, to, victim));
  }

  void moves(std::vector<Move>& out) const {
    out.clear();
    if (is_drawn()) return;
    with_generator(position_, [&](const auto& generator) {
      if (in_capture()) {
        generator.further_captures(at_, taken_, out);
      } else {
        generator.moves(out);
      }
    });
  }

  // A whole move, or the rest of one when a capture is under way.
  void play(const Move& m) {
    const bool irreversible = m.is_capture() || is_man(m.from);
    Move whole = m;
    whole.captured |= taken_;
    position_.play(whole);
    if (m.is_capture()) {
      for (int jumps = count(m.captured); jumps > 0; --jumps) clock_.step(true);
    } else {
      clock_.step(false);
    }
    taken_ = 0;
    clock_.turn(options_.endings, position_, irreversible);
  }

  std::vector<Action> steps(const Move& m) const {
    std::vector<Action> result;
    const std::vector<int> squares = route(m);
    for (std::size_t i = 1; i < squares.size(); ++i) {
      result.push_back(action(Step(squares[i - 1], squares[i])));
    }
    return result;
  }

  MoveText text(const Move& m) const {
    std::vector<Move> all;
    moves(all);
    const auto twins = std::count_if(all.begin(), all.end(), [&](const Move& other) {
      return other.from == m.from && other.to == m.to;
    });
    MoveText result;
    for (const int square : route(m)) result.path.push_back(cell(square));
    for (Bits rest = m.captured; rest != 0;) result.captured.push_back(cell(pop(rest)));
    result.text = Notation<R>::move(result.path, m.is_capture(), twins > 1);
    return result;
  }

  Move parse(std::string_view text) const;

  std::vector<Piece> pieces() const {
    std::vector<Piece> result;
    for (Bits rest = position_.pieces[0] | position_.pieces[1]; rest != 0;) {
      const int square = pop(rest);
      const Side side = (position_.pieces[0] & bit(square)) != 0 ? Side::white : Side::black;
      const bool king = (position_.kings & bit(square)) != 0;
      const bool jumped = (taken_ & bit(square)) != 0;
      result.push_back({cell(square), seat(side), jumped ? "jumped" : king ? "king" : "man"});
    }
    return result;
  }

  std::string fen() const { return Notation<R>::fen(position_, in_capture() ? at_ : -1, taken_); }

  State with_fen(std::string_view text) const {
    const FenPosition<R> parsed = Notation<R>::parse_fen(text);
    State result(parsed.position, options_);
    result.at_ = parsed.at;
    result.taken_ = parsed.taken;
    return result;
  }

  // Planes of own men, own kings, the opponent's men and kings, pieces jumped, the piece that must
  // go on, and how near a draw by counting is; the board turned so that the viewer goes up.
  void encode(float* planes) const { encode(planes, to_move()); }
  void encode(float* planes, Seat viewer) const {
    std::fill_n(planes, shape().inputs(), 0.0F);
    const Side own = side(viewer);
    const Bits left = ~taken_;
    paint(planes, 0, own, position_.men(own) & left);
    paint(planes, 1, own, position_.kings_of(own) & left);
    paint(planes, 2, own, position_.men(other(own)) & left);
    paint(planes, 3, own, position_.kings_of(other(own)) & left);
    paint(planes, 4, own, taken_);
    if (in_capture()) paint(planes, 5, own, bit(at_));
    std::fill_n(planes + 6 * Board::kSquares, Board::kSquares, clock_.progress(options_.endings));
  }

  Action relative(Action a) const { return position_.side == Side::white ? a : rotated(a); }

  // Besides the identity only one: exchange the colours and turn the board.
  int symmetries() const { return 2; }
  State transformed(int symmetry) const {
    State result = *this;
    if (symmetry == 0) return result;
    result.position_ = position_.rotated();
    result.taken_ = Board::rotated(taken_);
    result.at_ = in_capture() ? lowest(Board::rotated(bit(at_))) : at_;
    return result;
  }
  Action transformed(int symmetry, Action a) const { return symmetry == 0 ? a : rotated(a); }
  Seat transformed(int symmetry, Seat s) const { return symmetry == 0 ? s : other(s); }

 private:
  State(const Position<R>& position, Options options) : position_(position), options_(options) {
    clock_.start(position_);
  }

  static constexpr Seat seat(Side s) { return Seat(s == R.first ? 0 : 1); }
  static constexpr Side side(Seat s) { return index(s) == 0 ? R.first : other(R.first); }
  static int cell(int bit_index) { return static_cast<int>(Board::square(bit_index)); }

  static Action action(const Step& s) {
    return Action{cell(s.from) * Board::kSquares + cell(s.to)};
  }
  static Action rotated(Action a) {
    return Action{Board::kSquares * Board::kSquares - 1 - index(a)};
  }

  bool any_move() const {
    return with_generator(position_, [](const auto& generator) { return generator.any_move(); });
  }
  // No counter cuts a capture short, so that steps and whole moves end games at the same positions.
  bool is_drawn() const { return !in_capture() && !clock_.draw(options_.endings).empty(); }
  bool is_man(int square) const { return (position_.kings & bit(square)) == 0; }
  bool crowns_at(int square) const {
    return (bit(square) & Board::kCrownRow[index(position_.side)]) != 0;
  }

  int worth(Side s) const {
    return count(position_.men(s) & ~taken_) +
           options_.king_value * count(position_.kings_of(s) & ~taken_);
  }

  void legal_steps(std::vector<Step>& out) const {
    out.clear();
    with_generator(position_, [&](const auto& generator) {
      if (in_capture()) {
        generator.further_steps(at_, taken_, out);
      } else {
        generator.steps(out);
      }
    });
  }

  // The squares strictly between two on one diagonal.
  static Bits between(int from, int to) {
    static constexpr int kDirections[] = {Board::kUpLeft, Board::kUpRight, Board::kDownLeft,
                                          Board::kDownRight};
    for (const int d : kDirections) {
      Bits path = 0;
      for (int at = from + d; at >= 0 && at < 64 && (bit(at) & Board::kBoard) != 0; at += d) {
        if (at == to) return path;
        path |= bit(at);
      }
    }
    return 0;
  }

  void play(const Step& s) {
    if (s.victim == 0) {
      play(Move{0, s.from, s.to, is_man(s.from) && crowns_at(s.to)});
    } else {
      jump(s.from, s.to, s.victim);
    }
  }

  void jump(int from, int to, Bits victim) {
    const bool crowned = is_man(from) && crowns_at(to);
    Bits& own = position_.pieces[index(position_.side)];
    own = (own & ~bit(from)) | bit(to);
    if (!is_man(from) || (crowned && R.crowning != Crowning::at_rest)) position_.kings |= bit(to);
    position_.kings &= ~bit(from);
    taken_ |= victim;
    at_ = to;
    clock_.step(true);
    const bool stops = crowned && R.crowning == Crowning::stops;
    const bool on = !stops && with_generator(position_, [&](const auto& generator) {
      return generator.can_jump(at_, !is_man(at_), taken_);
    });
    if (on) return;
    position_.play(Move(taken_, to, to, crowned));
    taken_ = 0;
    clock_.turn(options_.endings, position_, true);
  }

  // The squares of a move, by the first route found where there are several.
  std::vector<int> route(const Move& m) const {
    if (!m.is_capture()) return {m.from, m.to};
    std::vector<int> found;
    with_generator(position_, [&](const auto& generator) {
      generator.routes(m, taken_, [&](const std::vector<int>& squares) {
        found = squares;
        return true;
      });
    });
    return found;
  }

  static void paint(float* planes, int plane, Side viewer, Bits set) {
    if (viewer == Side::black) set = Board::rotated(set);
    while (set != 0) planes[plane * Board::kSquares + cell(pop(set))] = 1.0F;
  }

  Position<R> position_;
  Bits taken_ = 0;  // jumped in the capture under way, not yet removed
  int at_ = 0;      // the piece that must go on, where taken_ is not empty
  Options options_;
  Clock<R> clock_;
};

// Accepts "32-28", "32x23", "32x19x23" with any of the squares between, and "32 - 28" or "32:23".
// Where the squares fit two captures it asks for the path instead of guessing.
template <const Rules& R>
Move State<R>::parse(std::string_view text) const {
  const ParsedMove wanted = Notation<R>::parse_move(text);
  std::vector<Move> all;
  moves(all);
  std::vector<Move> exact;
  std::vector<Move> loose;
  for (const Move& m : all) {
    if (cell(m.from) != wanted.squares.front() || cell(m.to) != wanted.squares.back()) continue;
    if (m.is_capture() != wanted.capture) continue;
    bool fits = !m.is_capture();
    bool fits_exactly = fits;
    with_generator(position_, [&](const auto& generator) {
      generator.routes(m, taken_, [&](const std::vector<int>& squares) {
        std::vector<int> cells;
        for (const int s : squares) cells.push_back(cell(s));
        fits_exactly |= cells == wanted.squares;
        fits |= is_subsequence(wanted.squares, cells);
        return fits_exactly;
      });
    });
    if (fits_exactly) exact.push_back(m);
    if (fits) loose.push_back(m);
  }
  const std::vector<Move>& found = exact.empty() ? loose : exact;
  if (found.size() == 1) return found.front();
  if (found.empty()) fail(why_illegal(*this, wanted, text));
  fail(quoted(text) + " fits several captures; write the whole path: " + legal_moves_text(*this));
}

}  // namespace bz::draughts
