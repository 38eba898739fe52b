// What a game offers to sparse nets, and the lists that it fills.
#pragma once

#include "games/game.hpp"
#include "nets/sparse/kernels.hpp"

namespace bz::sparse {

// Active deep rows; a row may occur several times.
class Rows {
 public:
  void clear() { rows_.clear(); }
  void push(int row) { rows_.push_back(static_cast<Row>(row)); }
  std::span<const Row> span() const { return rows_; }

 private:
  std::vector<Row> rows_;
};

struct Changes {
  Rows added;
  Rows removed;

  void clear() {
    added.clear();
    removed.clear();
  }
};

// The rows of moves in a game that says no more of them: each action, as the mover sees it, has one
// of its own.
template <bz::Game G>
struct MovesByAction {
  static constexpr int kMoveRows = 1;

  static int policy_rows(const G& g) {
    constexpr int kMost = 1 << 16;
    if (g.shape().actions <= kMost) return g.shape().actions;
    fail("this game has " + std::to_string(g.shape().actions) +
         " actions, but the policy of a sparse net at most " + std::to_string(kMost));
  }
  static void move_rows(const G& g, const ActionList& actions, Rows& out) {
    for (const Action a : actions) out.push(index(g.relative(a)));
  }
};

// A model describes the states of one game as rows. A game with inputs of its own declares a
// function sparse_inputs(state) that returns them beside its state. A view is what the seat to move
// sees, as a small value; View{} has no active rows. A tracker remembers a view, at first View{},
// and can tell what changes when it goes on to another.
template <class I>
concept Inputs =
    requires(const typename I::Game& g, const typename I::View& v, typename I::Tracker& tracker,
             Rows& rows, Changes& changes, const ActionList& actions) {
      requires bz::Game<typename I::Game>;
      { I::kSeesSymmetries } -> std::convertible_to<bool>;  // states and their images differ
      { I::name(g) } -> std::same_as<std::string>;          // tells nets of different games apart
      { I::shape(g, 64) } -> std::same_as<Shape>;
      { I::view(g) } -> std::same_as<typename I::View>;
      { I::rows(v, rows) } -> std::same_as<void>;  // appends the active deep rows
      // Appends what changes; false, and nothing appended, where starting afresh is quicker.
      { tracker.follow(v, changes) } -> std::same_as<bool>;
      { I::bucket(v) } -> std::same_as<int>;
      { I::phase(v) } -> std::same_as<int>;  // from kFullPhase at the beginning down to 0
      I::each_linear(v, [](int) {});         // the active linear rows
      // Of moves: how many rows there are, and kMoveRows for each of the legal actions.
      { I::kMoveRows } -> std::convertible_to<int>;
      { I::policy_rows(g) } -> std::same_as<int>;
      { I::move_rows(g, actions, rows) } -> std::same_as<void>;
    };

// Of some views the rules tell the end without a search: a tracker that knows says 1 where the
// mover of its view wins, -1 where it loses, and else 0. No net is asked about those, nor learns
// from them.
template <class I>
concept KnowsEnd = Inputs<I> && requires(const typename I::Tracker& tracker) {
  { tracker.decided() } -> std::same_as<int>;
};

template <Inputs I>
int decided(const typename I::View& view) {
  if constexpr (KnowsEnd<I>) {
    typename I::Tracker tracker;
    Changes changes;
    tracker.follow(view, changes);
    return tracker.decided();
  }
  return 0;
}

// What a net sees of one state, for whoever wants to compute the rest.
struct ActiveRows {
  std::vector<int> deep;
  std::vector<int> linear;
  int bucket = 0;
  int phase = 0;
};

template <Inputs I>
ActiveRows active_rows(const typename I::Game& g) {
  const typename I::View view = I::view(g);
  Rows deep;
  I::rows(view, deep);
  ActiveRows result{{deep.span().begin(), deep.span().end()}, {}, I::bucket(view), I::phase(view)};
  I::each_linear(view, [&](int row) { result.linear.push_back(row); });
  return result;
}

// The rows of the actions that a search looks at.
struct MoveRows {
  ActionList actions;
  std::vector<std::vector<int>> rows;
};

template <Inputs I>
MoveRows move_rows(const typename I::Game& g, const ActionList& actions) {
  Rows rows;
  I::move_rows(g, actions, rows);
  MoveRows result{actions, {}};
  for (auto at = rows.span().begin(); at != rows.span().end(); at += I::kMoveRows) {
    result.rows.emplace_back(at, at + I::kMoveRows);
  }
  return result;
}

}  // namespace bz::sparse
