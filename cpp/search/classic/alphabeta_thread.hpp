// What one thread of alpha-beta does: iterative deepening over the moves of a root.
#pragma once

#include <cmath>
#include <memory>

#include "games/oracle.hpp"
#include "search/classic/features.hpp"
#include "search/classic/ordering.hpp"
#include "search/classic/root_moves.hpp"
#include "search/classic/table.hpp"

namespace bz {

// What the threads of a search share.
template <Game G>
struct SearchContext {
  Table* table;
  const Oracle<G>* oracle;  // or none
};

template <Game G, class E>
class AlphaBetaThread {
 public:
  using Move = typename G::Move;
  using OnDepth = std::function<void(const RootMoves<Move>&)>;

  AlphaBetaThread(E evaluation, Features features)
      : evaluation_(std::move(evaluation)),
        features_(features),
        late_(late_table(features.pruning)) {}

  // `number` sets helpers apart from the first thread, so that they do not all do the same.
  RootMoves<Move> run(const G& root, const Limits& limits, const Interrupt& interrupt,
                      SearchContext<G> context, const OnDepth& on_depth, std::size_t number) {
    Budget budget(limits.seconds, limits.nodes, interrupt);
    budget_ = &budget;
    table_ = context.table;
    oracle_.begin(context.oracle, root);
    const std::uint64_t evaluated_before = evaluated();
    history_.clear();
    for (Frame& f : frames_) f.killers = {};
    path_[0] = root.key();
    RootMoves<Move> found = candidates(root);
    const Depth deepest = std::min(limits.depth, kMaxPly - 1);
    const Depth ahead = static_cast<Depth>(number % 2);
    for (Depth depth = 1; depth <= deepest && iterate(root, found, depth + ahead); ++depth) {
      found.depth = depth;
      found.nodes = budget.used();
      found.seconds = budget.elapsed();
      if (on_depth) on_depth(found);
      const bool forced = features_.scout && found.moves.size() == 1 && depth >= kForcedDepth;
      if (!horizon_ || forced || is_final(found, depth)) break;
    }
    found.nodes = budget.used();
    found.seconds = budget.elapsed();
    found.evaluations = evaluated() - evaluated_before;
    return found;
  }

 private:
  static constexpr Depth kForcedDepth = 8;      // enough to give the value of an only move
  static constexpr Depth kAspirationDepth = 4;  // from here on a score is near the one before
  static constexpr std::int64_t kHashed = 1 << 30;
  static constexpr std::int64_t kKiller = 1 << 20;
  static constexpr std::int64_t kPlaces = 1 << 16;  // more than there are moves

  // Scores that were computed so far, where the evaluation counts them.
  std::uint64_t evaluated() const {
    if constexpr (requires { evaluation_.evaluated(); }) return evaluation_.evaluated();
    return 0;
  }

  struct Frame {
    std::vector<Move> moves;
    std::vector<int> filtered;        // the evaluation's number for the order of each move
    std::vector<std::int64_t> order;  // ordering score and place of each move, sorted
    std::vector<Move> line;           // the best found from here
    std::array<std::optional<Move>, 2> killers;
    std::size_t last = kNoMove;  // the slot of the move that led here
  };
  Frame& frame(Ply ply) { return frames_[static_cast<std::size_t>(index(ply))]; }

  // The moves of the root, in the order of search. Where the oracle knows the root, only those that
  // keep its result.
  RootMoves<Move> candidates(const G& root) {
    Frame& here = frame(kRootPly);
    here.last = kNoMove;
    root.moves(here.moves);
    if (oracle_.knows_root() && !features_.all_moves) keep_result(root, here.moves);
    filter(root, here);
    sort_moves(root.to_move(), here, Entry{});
    RootMoves<Move> found;
    for (const std::int64_t ranked : here.order) {
      const Move& move = here.moves[place(ranked)];
      found.moves.push_back({.move = move, .line = {move}});
    }
    return found;
  }

  void keep_result(const G& root, std::vector<Move>& moves) const {
    std::vector<Move> kept;
    std::ranges::copy_if(moves, std::back_inserter(kept),
                         [&](const Move& move) { return oracle_.keeps_result(after(root, move)); });
    if (!kept.empty()) moves = std::move(kept);
  }

  // A win or loss that ends within the depth searched is final. Who asks for the value of every
  // move is not content with that of the best.
  bool is_final(const RootMoves<Move>& found, Depth depth) const {
    const auto is_final_move = [depth](const RootMove<Move>& m) {
      const auto score = static_cast<Score>(m.score);
      return m.exact && is_decided(score) && plies_to_end(score) <= depth;
    };
    return features_.all_moves ? std::ranges::all_of(found.moves, is_final_move)
                               : is_final_move(found.best());
  }

  // One search of a given depth; false if the budget did not last. Then the moves that were
  // searched count only if the best of the search before was among them, which comes first.
  bool iterate(const G& root, RootMoves<Move>& found, Depth depth) {
    Window window;
    Score delta = std::max(1, evaluation_.score_of(0.1F));
    const auto last = static_cast<Score>(found.best().score);
    if (features_.scout && !features_.all_moves && depth >= kAspirationDepth && !is_decided(last)) {
      window = {last - delta, last + delta};
    }
    while (true) {
      horizon_ = false;
      RootMoves<Move> next = found;
      const Score score = search_root(root, next, depth, window);
      // Below the window nothing is known but that no move is good enough: not which is the best.
      const bool failed_low = !budget_->exhausted() && score <= window.alpha;
      if (!failed_low && (!budget_->exhausted() || next.best().exact)) found = std::move(next);
      if (budget_->exhausted()) return false;
      delta *= 4;
      if (failed_low) {
        window.alpha = std::max(score - delta, -kInfinity);
      } else if (score >= window.beta) {
        window.beta = std::min(score + delta, kInfinity);
      } else {
        return true;
      }
    }
  }

  Score search_root(const G& root, RootMoves<Move>& found, Depth depth, Window window) {
    const Seat mover = root.to_move();
    Score best = -kInfinity;
    for (auto& m : found.moves) m.exact = false;
    for (std::size_t i = 0; i < found.moves.size(); ++i) {
      RootMove<Move>& m = found.moves[i];
      Window w = window;
      if (!features_.all_moves) w.alpha = std::max(w.alpha, best - (features_.ties ? 1 : 0));
      const bool lead = i == 0 || features_.all_moves;
      frame(kRootPly + 1).last = slot(m.move);
      const Score score = search_child(mover, after(root, m.move), depth, w, lead, 0, kRootPly + 1);
      if (budget_->exhausted()) return best;
      m.exact = score > w.alpha && score < w.beta;
      m.score = score;
      m.value = value_of(evaluation_, score);
      if (score > w.alpha) set_line(m.line, m.move, frame(kRootPly + 1).line);
      if (score <= best) continue;
      best = score;
      const auto at = found.moves.begin() + static_cast<std::ptrdiff_t>(i);
      std::rotate(found.moves.begin(), at, at + 1);
      if (score >= window.beta) break;
    }
    if (features_.ties || features_.all_moves) found.sort();
    return best;
  }

  // A child for the seat that moved there: with the whole window if it leads the list, else first
  // whether it is better at all, and first less deeply by `reduction`.
  Score search_child(Seat mover, const G& child, Depth depth, Window w, bool lead, Depth reduction,
                     Ply ply) {
    if (lead || !features_.scout || w.is_null()) {
      if (reduction > 0) {
        const Score score = child_score(mover, child, depth - reduction, w, ply);
        if (score <= w.alpha) return score;
      }
      return child_score(mover, child, depth, w, ply);
    }
    Score score = child_score(mover, child, depth - reduction, above(w.alpha), ply);
    if (score > w.alpha && reduction > 0) {
      score = child_score(mover, child, depth, above(w.alpha), ply);
    }
    if (score > w.alpha && score < w.beta) score = child_score(mover, child, depth, w, ply);
    return score;
  }

  Score child_score(Seat mover, const G& child, Depth depth, Window w, Ply ply) {
    if (child.to_move() == mover) return search(child, depth, w, ply);
    return -search(child, depth - 1, -w, ply);
  }

  Score search(const G& g, Depth depth, Window w, Ply ply) {
    Frame& here = frame(ply);
    here.line.clear();
    if (!budget_->spend()) return 0;
    if (const auto values = oracle_.certain(g)) {
      return certain_score(evaluation_, g, *values, won_ending_in(index(ply)));
    }
    if (index(ply) == kMaxPly || (depth <= 0 && is_quiet(g))) {
      horizon_ |= index(ply) < kMaxPly;
      return static_score(evaluation_, g, ply);
    }
    if (features_.scout) {  // nothing beats a win here and now, nor is worse than a loss
      w = {std::max(w.alpha, -win_in(index(ply))), std::min(w.beta, win_in(index(ply) + 1))};
      if (w.alpha >= w.beta) return w.alpha;
    }
    Key key = 0;
    if (features_.table || features_.repetition) {
      key = g.key();
      path_[static_cast<std::size_t>(index(ply))] = key;
    }
    if (features_.repetition && repeats(g, key, ply)) return evaluation_.score_of(0.0F);

    const bool remember = features_.table && depth > 0;
    if (remember) table_->prefetch(key);  // listing the moves takes as long as the memory
    g.moves(here.moves);
    if (here.moves.empty()) return static_score(evaluation_, g, ply);

    Entry known{};
    if (remember) {
      known = table_->find(key, ply);
      const bool deep_enough = features_.deeper ? known.depth >= depth : known.depth == depth;
      const bool wants_line = features_.scout && !w.is_null();
      if (deep_enough && !wants_line && known.settles(w)) {
        horizon_ = true;
        return known.score;
      }
    }
    const bool calm = depth > 0 && is_calm(g, here.moves.front());
    const bool may_cut = features_.futility || features_.probcut;
    if (may_cut && calm && w.is_null() && here.moves.size() > 1) {
      if (const auto cut = forward_cut(g, depth, w, ply)) return *cut;
      if (budget_->exhausted()) return 0;
    }
    filter(g, here);
    // A forced reply is searched one ply deeper, and filed as what was asked for.
    const Depth asked = depth;
    if (features_.extensions && here.moves.size() == 1 && depth > 0) ++depth;

    const Seat mover = g.to_move();
    const bool may_reduce = features_.reductions && depth >= 3 && calm;
    const bool keeps_line = !features_.scout || !w.is_null();
    const Score floor = w.alpha;
    Score best = -kInfinity;
    std::size_t best_move = 0;
    for (std::size_t i = 0; i < here.moves.size(); ++i) {
      const std::size_t chosen = pick(mover, here, known, i);
      const Move& move = here.moves[chosen];
      const Depth reduction = may_reduce ? late(depth, i, w.is_null()) : 0;
      frame(ply + 1).last = slot(move);
      const Score score = search_child(mover, after(g, move), depth, w, i == 0, reduction, ply + 1);
      if (budget_->exhausted()) return 0;
      if (score <= best) continue;
      best = score;
      best_move = chosen;
      if (score <= w.alpha) continue;
      w.alpha = score;
      if (keeps_line) set_line(here.line, move, frame(ply + 1).line);
      if (score >= w.beta) {
        record_cutoff(mover, here, known, i, chosen, depth);
        break;
      }
    }
    if (remember) {
      const Bound bound = best >= w.beta ? Bound::lower
                          : best > floor ? Bound::exact
                                         : Bound::upper;
      table_->store(key, best, bound, MoveIndex(best_move), asked, ply);
    }
    return best;
  }

  // Cuts a quiet position without searching it in full: near the leaves by its evaluation alone,
  // further away by a shallow search. Passing the move, as in chess, would not do: in draughts it
  // is often a burden to have to move.
  std::optional<Score> forward_cut(const G& g, Depth depth, Window w, Ply ply) {
    if constexpr (KnowsQuiet<E, G>) {
      if (is_known(w.beta) || is_known(-w.beta)) return std::nullopt;
      const Pruning& p = features_.pruning;
      const Score unit = std::max(1, evaluation_.score_of(0.1F));
      const bool is_shallow = features_.futility && depth <= p.futility_depth;
      const bool is_deep = features_.probcut && depth >= p.probcut_depth;
      if (!is_shallow && !is_deep) return std::nullopt;
      const Score now = static_score(evaluation_, g, ply);
      if (is_shallow) {
        if (now - (p.futility_base + p.futility_slope * depth) * unit / 4 >= w.beta) return now;
      }
      if (is_deep && now >= w.beta) {
        const Score margin = (p.probcut_base + p.probcut_slope * depth) * unit / 16;
        const Score wanted = w.beta + margin;
        const Score score = search(g, depth * p.probcut_share / 16, above(wanted - 1), ply);
        g.moves(frame(ply).moves);  // which the shallow search may have filtered
        if (!budget_->exhausted() && score >= wanted) return score - margin;
      }
    }
    return std::nullopt;
  }

  // By how much less deeply the move of this number is searched; on the principal variation one
  // ply more.
  Depth late(Depth depth, std::size_t number, bool is_null) const {
    if (static_cast<int>(number) < features_.pruning.late_first) return 0;
    const auto d = static_cast<std::size_t>(std::min(depth, kLateTable - 1));
    const Depth reduction = late_[d][std::min<std::size_t>(number, kLateTable - 1)];
    return std::max(0, is_null ? reduction : reduction - 1);
  }

  static constexpr int kLateTable = 64;
  using LateTable = std::array<std::array<std::int8_t, kLateTable>, kLateTable>;
  static LateTable late_table(const Pruning& p) {
    LateTable table{};
    for (std::size_t depth = 1; depth < kLateTable; ++depth) {
      for (std::size_t number = 1; number < kLateTable; ++number) {
        const double product =
            std::log(static_cast<double>(depth)) * std::log(static_cast<double>(number));
        const int hundredths = p.late_base + static_cast<int>(p.late_slope * product);
        table[depth][number] = static_cast<std::int8_t>(hundredths / 100);
      }
    }
    return table;
  }

  bool is_calm(const G& g) const {
    if constexpr (KnowsQuiet<E, G>) return evaluation_.quiet(g);
    return true;
  }
  // The same, where one of its moves is known.
  bool is_calm(const G& g, [[maybe_unused]] const Move& any) const {
    // Who can capture must.
    if constexpr (requires { any.is_capture(); }) return !any.is_capture();
    return is_calm(g);
  }
  bool is_quiet(const G& g) const { return !features_.quiescence || is_calm(g); }

  bool repeats(const G& g, Key key, Ply ply) const {
    if constexpr (KnowsRepetition<E, G>) {
      if (!evaluation_.may_repeat(g)) return false;
    }
    return std::find(path_.begin(), path_.begin() + index(ply), key) != path_.begin() + index(ply);
  }

  // Lets the evaluation have its say about the moves.
  void filter([[maybe_unused]] const G& g, [[maybe_unused]] Frame& here) const {
    if constexpr (FiltersMoves<E, G>) {
      here.filtered.assign(here.moves.size(), 0);
      if (features_.move_filter && here.moves.size() > 1) {
        evaluation_.filter_moves(g, here.moves, here.filtered);
      }
    }
  }

  // The place of the move to be searched as number i: first the one that the table knows, which
  // often spares sorting the others.
  std::size_t pick(Seat mover, Frame& here, const Entry& known, std::size_t i) const {
    const bool knows = knows_move(here, known);
    if (knows && i == 0) return index(known.move);
    if (i == (knows ? 1 : 0)) sort_moves(mover, here, known);
    return place(here.order[i]);
  }
  static bool knows_move(const Frame& here, const Entry& known) {
    return known.bound != Bound::none && index(known.move) < here.moves.size();
  }

  // Orders the moves: first the one from the table, then what caused cutoffs elsewhere.
  void sort_moves(Seat mover, Frame& here, const Entry& known) const {
    here.order.clear();
    for (std::size_t i = 0; i < here.moves.size(); ++i) {
      const Move& move = here.moves[i];
      std::int64_t score = history_(mover, move, features_.replies ? here.last : kNoMove);
      if constexpr (FiltersMoves<E, G>) score += here.filtered[i];
      for (const auto& killer : here.killers) score += killer == move ? kKiller : 0;
      if (known.bound != Bound::none && index(known.move) == i) score = kHashed;
      here.order.push_back(score * kPlaces + static_cast<std::int64_t>(kPlaces - 1 - i));
    }
    std::ranges::sort(here.order, std::greater{});
  }
  static std::size_t place(std::int64_t ranked) {
    return kPlaces - 1 - static_cast<std::uint64_t>(ranked) % kPlaces;
  }

  // The move that was searched as number i was good enough; those before it were not.
  void record_cutoff(Seat mover, Frame& here, const Entry& known, std::size_t i, std::size_t chosen,
                     Depth depth) {
    const Move move = here.moves[chosen];
    const int amount = std::min(depth * depth, 256);
    const std::size_t last = features_.replies ? here.last : kNoMove;
    history_.reward(mover, move, last, amount);
    if (features_.replies && i > 0) {
      const bool knows = knows_move(here, known);
      for (std::size_t j = 0; j < i; ++j) {
        const std::size_t before = knows && j == 0 ? index(known.move) : place(here.order[j]);
        history_.reward(mover, here.moves[before], last, -amount);
      }
    }
    if (here.killers[0] == move) return;
    here.killers[1] = here.killers[0];
    here.killers[0] = move;
  }

  E evaluation_;
  Features features_;
  LateTable late_;
  Table* table_ = nullptr;
  RootedOracle<G> oracle_;
  Budget* budget_ = nullptr;
  bool horizon_ = false;  // whether a line ended for want of depth, the horizon
  History history_;
  std::array<Key, kMaxPly + 1> path_{};  // of the line that is being searched
  std::vector<Frame> frames_ = std::vector<Frame>(kMaxPly + 1);
};

}  // namespace bz
