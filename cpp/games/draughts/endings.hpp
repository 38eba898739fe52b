// When a game of draughts that nobody has won is over.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "core/error.hpp"
#include "core/inline_vector.hpp"
#include "games/draughts/position.hpp"

namespace bz::draughts {

enum class Endings : std::uint8_t {
  official,  // the federation's rules of each variant
  meng,      // 150 steps in all, or more than 20 without a capture; material decides the values
  // Ocheretian 2022 ends a game after 15 moves "without a jump". Her 60 positions a game say that
  // these are plies; two other readings of the sentence are options.
  ocheretian,       // 15 plies without a capture
  ocheretian_each,  // 15 moves of each player without a capture
  ocheretian_own,   // 15 moves of one player in a row that do not capture, whatever the other does
  openspiel,        // 40 plies without a capture
};

inline Endings endings_named(std::string_view name) {
  if (name == "official") return Endings::official;
  if (name == "meng") return Endings::meng;
  if (name == "ocheretian") return Endings::ocheretian;
  if (name == "ocheretian-each") return Endings::ocheretian_each;
  if (name == "ocheretian-own") return Endings::ocheretian_own;
  if (name == "openspiel") return Endings::openspiel;
  fail("draughts has no endings " + quoted(name));
}

// How many steps without a capture make a draw, where the endings are not the official ones. All
// steps count, but for `ocheretian_own`, which counts those of either player.
struct CaptureLimit {
  int steps;
  std::string_view reason;
};
constexpr CaptureLimit capture_limit(Endings endings) {
  if (endings == Endings::meng) return {21, "20 steps without capture"};
  if (endings == Endings::ocheretian) return {15, "15 plies without capture"};
  if (endings == Endings::ocheretian_each) return {30, "15 moves each without capture"};
  if (endings == Endings::ocheretian_own) return {15, "15 own moves without capture"};
  return {40, "40 plies without capture"};
}

struct Options {
  Endings endings = Endings::official;
  int king_value = 2;  // in the material balance of a game cut short
};

// What the endings count. Steps are single jumps, plies whole moves; a jump resets the counters of
// both kinds at once, so that one counter serves all rules on captures.
template <const Rules& R>
class Clock {
 public:
  // The position that a game starts from.
  void start(const Position<R>& p) {
    *this = Clock();
    remember(p);
    class_ = ending_class(p);
  }

  // To be called after each quiet move and after each jump.
  void step(bool jump) {
    ++steps_;
    no_capture_ = jump ? 0 : static_cast<std::uint16_t>(no_capture_ + 1);
  }

  // To be called when the turn has passed; `p` is the position reached.
  void turn(Endings endings, const Position<R>& p, bool irreversible) {
    if (endings == Endings::ocheretian_own) {
      std::uint16_t& own = own_[index(other(p.side))];
      own = no_capture_ == 0 ? 0 : static_cast<std::uint16_t>(own + 1);
    }
    if (endings != Endings::official) return;
    if (irreversible) {
      quiet_ = 0;
      seen_.clear();
      const EndingClass now = ending_class(p);
      in_class_ = now == class_ ? static_cast<std::uint16_t>(in_class_ + 1) : 0;
      class_ = now;
    } else {
      ++quiet_;
      ++in_class_;
    }
    remember(p);
  }

  // Why the game is drawn, or empty.
  std::string_view draw(Endings endings) const {
    if (endings != Endings::official) {
      if (endings == Endings::meng && steps_ >= kMengSteps) return "150 steps";
      const auto [steps, reason] = capture_limit(endings);
      return without_capture(endings) >= steps ? reason : "";
    }
    if (quiet_ >= 2 * R.quiet_moves) return "move limit without capture or man move";
    if (class_ != EndingClass::none && in_class_ >= class_limit())
      return "move limit of the ending";
    return third_time_ ? "threefold repetition" : "";
  }

  // How near the game is to a draw by counting, from 0 to 1; a plane of the encoding.
  float progress(Endings endings) const {
    if (endings != Endings::official) {
      const int limit = endings == Endings::meng ? 20 : capture_limit(endings).steps;
      return static_cast<float>(without_capture(endings)) / static_cast<float>(limit);
    }
    const float quiet = static_cast<float>(quiet_) / static_cast<float>(2 * R.quiet_moves);
    if (class_ == EndingClass::none) return quiet;
    return std::max(quiet, static_cast<float>(in_class_) / static_cast<float>(class_limit()));
  }

  // How many plies can be played without a draw by counting, whatever they are: what a capture
  // makes of the position may have a limit of its own.
  int plies_without_draw(Endings endings) const {
    if (endings != Endings::official) {
      const int left = capture_limit(endings).steps - without_capture(endings);
      if (endings == Endings::ocheretian_own) return 2 * left - 1;  // if that player is to move
      return endings == Endings::meng ? std::min(kMengSteps - steps_, left) : left;
    }
    constexpr int kShortest = R.two_against_one > 0 ? R.two_against_one : R.three_against_one;
    return kShortest > 0 ? std::min(plies_in_ending(), 2 * kShortest) : plies_in_ending();
  }

  // By official rules: how many plies this ending may last before a draw, if nothing is captured
  // and no man moves.
  int plies_in_ending() const {
    const int quiet = 2 * R.quiet_moves - quiet_;
    return class_ == EndingClass::none ? quiet : std::min(quiet, class_limit() - in_class_);
  }
  // Plies that the official rules give an ending with so many pieces and kings of both sides, apart
  // from those without capture or man move; 0 if they say nothing of it.
  static int ending_limit(std::array<int, 2> pieces, std::array<int, 2> kings) {
    return limit(ending_class(pieces, kings));
  }

  int steps() const { return steps_; }
  int without_capture() const { return no_capture_; }

 private:
  // The count that a draw goes by.
  int without_capture(Endings endings) const {
    return endings == Endings::ocheretian_own ? std::max(own_[0], own_[1]) : no_capture_;
  }

  static constexpr int kMengSteps = 150;
  enum class EndingClass : std::uint8_t { none, three_against_one, two_against_one };

  // Only kings go back, so a position where a side has none never comes again. The counter rules
  // end the game before the list can fill up; guard all the same, because play may go on past an
  // end that another choice of endings does not know.
  void remember(const Position<R>& p) {
    third_time_ = false;
    if ((p.pieces[0] & p.kings) == 0 || (p.pieces[1] & p.kings) == 0) return;
    const Key key = p.key();
    if (!seen_.full()) seen_.push_back(key);
    third_time_ = is_third_time(key);
  }

  int class_limit() const { return limit(class_); }
  static int limit(EndingClass c) {
    if (c == EndingClass::none) return 0;
    return 2 * (c == EndingClass::three_against_one ? R.three_against_one : R.two_against_one);
  }

  bool is_third_time(Key key) const {
    if (seen_.size() < 9) return false;  // two returns to a position take four plies each
    return std::count(seen_.begin(), seen_.end(), key) >= 3;
  }

  static EndingClass ending_class(const Position<R>& p) {
    if constexpr (R.three_against_one == 0 && R.two_against_one == 0) return EndingClass::none;
    return ending_class({count(p.pieces[0]), count(p.pieces[1])},
                        {count(p.pieces[0] & p.kings), count(p.pieces[1] & p.kings)});
  }
  // By the number of pieces and of kings of both sides.
  static EndingClass ending_class(std::array<int, 2> pieces, std::array<int, 2> kings) {
    const std::size_t strong = pieces[0] >= pieces[1] ? 0 : 1;
    const bool lone_king = pieces[1 - strong] == 1 && kings[1 - strong] == 1;
    if (!lone_king || kings[strong] == 0) return EndingClass::none;
    if (R.counts_kings_only && kings[strong] < pieces[strong]) return EndingClass::none;
    if (pieces[strong] == 3 && R.three_against_one > 0) return EndingClass::three_against_one;
    if (pieces[strong] < 3 && R.two_against_one > 0) return EndingClass::two_against_one;
    return EndingClass::none;
  }

  std::uint16_t steps_ = 0;
  std::uint16_t no_capture_ = 0;
  std::uint16_t own_[2] = {};   // moves without a capture of each side, if the endings ask for it
  std::uint16_t quiet_ = 0;     // plies without capture or man move
  std::uint16_t in_class_ = 0;  // plies since the ending class arose
  EndingClass class_ = EndingClass::none;
  bool third_time_ = false;  // the position on the board was there twice before
  InlineVector<Key, 2 * R.quiet_moves + 2> seen_;  // positions since the last irreversible move
};

}  // namespace bz::draughts
