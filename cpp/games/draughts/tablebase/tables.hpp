// Endgame tables as files in memory: who wins a position with few pieces.
//
// A table gives the result of perfect play on an endless clock. The rules on draws by counting know
// less patience. So each slice says for how many plies at most a decided position stays within it,
// and a win counts as certain only where the counters leave room for that, here and in the endings
// that they go on counting in. An ending that a later capture leads to has counters of its own, and
// is asked when it comes.
#pragma once

#include <memory>

#include "core/mapped_file.hpp"
#include "games/draughts/state.hpp"
#include "games/draughts/tablebase/frame.hpp"
#include "games/oracle.hpp"

namespace bz::draughts {

template <const Rules& R>
class Tables final : public Oracle<State<R>> {
 public:
  struct Entry {
    Slice<R> slice;
    Frame frame;
  };

  // Adds a file; fails, and adds nothing, unless all of it is as it was written.
  void add(const std::string& path) {
    MappedFile file(path);
    add(path, file.bytes());
    files_.push_back(std::move(file));
  }

  // The same for bytes that outlive the tables.
  void add(const std::string& name, std::string_view bytes) {
    const int pieces = pieces_of(bytes);
    if (pieces == 0) {
      fail(name + " has no endgame tables of " + std::string(R.name) + " draughts");
    }
    bytes.remove_prefix(kFileHeader);
    std::vector<Entry> entries;
    while (auto frame = take_frame<R>(bytes)) {
      each_balance(pieces, [&](MaterialBalance balance) {
        if (balance.code() != frame->header.balance) return;
        const Slice<R> slice(balance);
        const bool is_new = std::ranges::none_of(
            entries, [&](const Entry& entry) { return entry.slice.balance() == balance; });
        if (is_new && slice.size() == frame->header.positions) entries.push_back({slice, *frame});
      });
    }
    std::size_t wanted = 0;
    each_balance(pieces, [&](MaterialBalance) { ++wanted; });
    if (!bytes.empty() || entries.size() != wanted) fail(name + " is damaged or incomplete");
    for (Entry& entry : entries) {
      entries_[entry.slice.balance().code()] = std::make_unique<Entry>(entry);
    }
    pieces_ = std::max(pieces_, pieces);
    bound_ = bounds();
  }

  int pieces() const { return pieces_; }  // the most

  const Entry* entry(MaterialBalance balance) const { return entries_[balance.code()].get(); }

  // The result for the mover, whatever the counters say.
  std::optional<Wdl> probe(const Position<R>& p) const {
    if (count(p.pieces[0] | p.pieces[1]) > pieces_) return std::nullopt;
    if (p.own() == 0) return Wdl::loss;
    if (p.opponent() == 0) return Wdl::win;
    const auto placement = Placement<R>::of(p);
    const Entry* found = entry(placement.balance());
    if (found == nullptr) return std::nullopt;
    return found->frame.values[found->slice.number(placement)];
  }

  std::uint32_t ending(const State<R>& s) const override {
    const Position<R>& p = s.position();
    if (s.in_capture() || count(p.pieces[0] | p.pieces[1]) > pieces_) return 0;
    // The same for both movers.
    const auto balance = balance_of(p);
    return entry(balance) == nullptr ? 0 : 1 + std::min(balance.code(), balance.turned().code());
  }

  std::optional<int> result(const State<R>& s) const override {
    if (s.in_capture()) return std::nullopt;
    const std::optional<Wdl> wdl = probe(s.position());
    return wdl ? std::optional(static_cast<int>(*wdl) - 1) : std::nullopt;
  }

  std::optional<Values> certain(const State<R>& s) const override {
    const Position<R>& p = s.position();
    if (s.in_capture() || count(p.pieces[0] | p.pieces[1]) > pieces_) return std::nullopt;
    const std::optional<Wdl> wdl = probe(p);
    if (!wdl) return std::nullopt;
    if (*wdl == Wdl::draw) {  // which the counters cannot change
      return s.options().endings == Endings::meng ? std::nullopt : std::optional(Values(2, 0.0F));
    }
    if (!is_in_time(s)) return std::nullopt;
    Values values(2, *wdl == Wdl::win ? 1.0F : -1.0F);
    values[1 - index(s.to_move())] *= -1.0F;
    return values;
  }

 private:
  static constexpr std::size_t kFileHeader = 64;

  // How many plies a decided position may last.
  struct Bound {
    int quiet = 0;       // in its slice
    int in_class = 0;    // and in those of the same class that may follow
    int to_capture = 0;  // in its slice and in those that crowning leads to
    int total = 0;       // in all that may follow
  };
  using Bounds = std::array<Bound, kBalances>;

  static int pieces_of(std::string_view bytes) {
    for (int pieces = 2; pieces <= kMostTablePieces; ++pieces) {
      if (bytes.starts_with(file_header<R>(pieces))) return pieces;
    }
    return 0;
  }

  static MaterialBalance balance_of(const Position<R>& p) {
    const auto few = [](Bits b) { return static_cast<std::int8_t>(count(b)); };
    const Side own = p.side;
    return {{few(p.men(own)), few(p.men(other(own)))},
            {few(p.kings_of(own)), few(p.kings_of(other(own)))}};
  }

  // Plies before a draw, where the rules limit this kind of ending; else 0.
  static int ending_limit(MaterialBalance b) {
    return Clock<R>::ending_limit({b.of(0), b.of(1)}, {b.kings[0], b.kings[1]});
  }

  bool is_in_time(const State<R>& s) const {
    const Bound& bound = bound_[balance_of(s.position()).code()];
    const Clock<R>& clock = s.clock();
    switch (s.options().endings) {
      case Endings::official:
        return std::max(bound.quiet, bound.in_class) <= clock.plies_in_ending();
      case Endings::meng:
      case Endings::ocheretian_own:  // these go on counting when somebody captures; jumps count
        return bound.total + kMostTablePieces < clock.plies_without_draw(s.options().endings);
      default:
        return bound.to_capture < clock.plies_without_draw(s.options().endings);
    }
  }

  Bounds bounds() const {
    Bounds bounds{};
    for (int pieces = 2; pieces <= pieces_; ++pieces) {
      each_balance(pieces, [&](MaterialBalance balance) {
        if (entry(balance) != nullptr) bounds[balance.code()] = bound(balance, bounds);
      });
    }
    return bounds;
  }

  // From those of the endings that may follow, which come before it in the order of balances, as
  // does perhaps the same ending seen by the other side.
  Bound bound(MaterialBalance balance, const Bounds& bounds) const {
    const int limit = ending_limit(balance);
    Bound later;
    each_later(balance, [&](MaterialBalance after) {
      const Bound& b = bounds[after.code()];
      if (after.pieces() == balance.pieces()) {
        later.to_capture = std::max(later.to_capture, b.to_capture);
      }
      if (limit != 0 && ending_limit(after) == limit) {
        later.in_class = std::max(later.in_class, b.in_class);
      }
      later.total = std::max(later.total, b.total);
    });
    const auto longest = static_cast<int>(entry(balance)->frame.header.longest);
    return {.quiet = longest,
            .in_class = limit == 0 ? 0 : longest + later.in_class,
            .to_capture = longest + later.to_capture,
            .total = longest + later.total};
  }

  // Calls f with every balance that one move, a capture or a crowning, may make of this one, seen
  // by either side.
  template <class F>
  static void each_later(MaterialBalance balance, F&& f) {
    for (const MaterialBalance b : {balance, balance.turned()}) {
      for (std::int8_t crowned = 0; crowned <= std::min<int>(1, b.men[0]); ++crowned) {
        for (std::int8_t men = 0; men <= b.men[1]; ++men) {
          for (std::int8_t kings = 0; kings <= b.kings[1]; ++kings) {
            const auto small = [](int n) { return static_cast<std::int8_t>(n); };
            const MaterialBalance after{{small(b.men[0] - crowned), men},
                                        {small(b.kings[0] + crowned), kings}};
            if (after == b || after.of(1) == 0) continue;
            f(after);
          }
        }
      }
    }
  }

  std::array<std::unique_ptr<Entry>, kBalances> entries_;
  std::vector<MappedFile> files_;
  int pieces_ = 0;
  Bounds bound_{};
};

}  // namespace bz::draughts
