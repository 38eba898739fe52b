// Endgame tables of one kind of draughts behind AnyTablebase.
#pragma once

#include "core/rng.hpp"
#include "erased/any_tablebase.hpp"
#include "games/draughts/tablebase/tables.hpp"
#if !defined(__wasm__)
#include "games/draughts/tablebase/maker.hpp"
#endif

namespace bz::draughts {

// Searches of the same game find the oracle in it.
template <const Rules& R>
class TablebaseOf final : public AnyTablebase, public Oracle<State<R>> {
 public:
  void add(const std::string& path) override { tables_.add(path); }
  int pieces() const override { return tables_.pieces(); }
  std::optional<int> probe(const AnyState& state) const override {
    return tables_.result(own(state));
  }
  std::optional<Values> certain(const AnyState& state) const override {
    return tables_.certain(own(state));
  }
  std::uint32_t ending(const State<R>& s) const override { return tables_.ending(s); }
  std::optional<int> result(const State<R>& s) const override { return tables_.result(s); }
  std::optional<Values> certain(const State<R>& s) const override { return tables_.certain(s); }

  std::vector<SliceInfo> slices() const override {
    std::vector<SliceInfo> all;
    for (int pieces = 2; pieces <= tables_.pieces(); ++pieces) {
      each_balance(pieces, [&](MaterialBalance balance) {
        const auto* entry = tables_.entry(balance);
        if (entry == nullptr) return;
        const FrameHeader& h = entry->frame.header;
        all.push_back({name(balance), pieces, h.positions, h.counts[0], h.counts[1], h.counts[2],
                       static_cast<int>(h.longest), h.bytes});
      });
    }
    return all;
  }

  std::uint64_t inconsistent(int pieces, std::uint64_t samples, std::uint64_t seed) const override {
    std::vector<Slice<R>> slices;
    std::uint64_t total = 0;
    each_balance(pieces, [&](MaterialBalance balance) {
      if (tables_.entry(balance) == nullptr) return;
      slices.emplace_back(balance);
      total += slices.back().size();
    });
    if (total == 0) fail("there is no table with " + std::to_string(pieces) + " pieces");
    Rng rng(seed);
    MoveList moves;
    std::uint64_t wrong = 0;
    for (std::uint64_t i = 0; i < samples; ++i) {
      std::uint64_t number = rng() % total;
      std::size_t at = 0;
      while (number >= slices[at].size()) number -= slices[at++].size();
      const Position<R> p = slices[at].placement(number).position();
      legal_moves(p, moves);
      Wdl best = Wdl::loss;
      for (const Move& m : moves) {
        Position<R> after = p;
        after.play(m);
        best = std::max(best, turned(tables_.probe(after).value()));
      }
      wrong += tables_.probe(p) != best;
    }
    return wrong;
  }

 private:
  static std::string name(MaterialBalance b) {
    const auto side = [&](std::size_t who) {
      return std::string(static_cast<std::size_t>(b.kings[who]), 'K') +
             std::string(static_cast<std::size_t>(b.men[who]), 'M');
    };
    return side(0) + "-" + side(1);
  }
  static const State<R>& own(const AnyState& state) {
    return state_as<State<R>>(state, "this tablebase is of " + std::string(R.name) + " draughts");
  }

  Tables<R> tables_;
};

// What StateOf asks of a game whose endings can be solved.
template <const Rules& R>
std::shared_ptr<AnyTablebase> solved_endings(const State<R>&) {
  return std::make_shared<TablebaseOf<R>>();
}

#if !defined(__wasm__)
template <const Rules& R>
class TablebaseMakerOf final : public AnyTablebaseMaker {
 public:
  explicit TablebaseMakerOf(int pieces) : pieces_(pieces), maker_(pieces) {}

  std::string header() const override { return file_header<R>(pieces_); }
  std::size_t add(std::string_view file) override { return maker_.add(file); }
  std::string solve(int threads, const std::function<bool()>& stop) override {
    return maker_.solve(threads, stop);
  }
  std::uint64_t total() const override { return maker_.total(); }
  std::uint64_t done() const override { return maker_.done(); }

 private:
  int pieces_;
  Maker<R> maker_;
};

template <const Rules& R>
std::unique_ptr<AnyTablebaseMaker> tablebase_maker(const State<R>&, int pieces) {
  return std::make_unique<TablebaseMakerOf<R>>(pieces);
}
#endif

}  // namespace bz::draughts
