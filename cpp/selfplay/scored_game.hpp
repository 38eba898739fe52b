// A game that a search plays against itself with a sparse net.
//
// It is a function of the seed, its number and the nets: the same game whenever and wherever it is
// played. It begins with random moves; where they spoil the game for one side, with others.
//
// Two nets play against each other: numbers come in pairs, of which each has one opening, and the
// nets change seats. The first has seat 0 in games with an even number.
#pragma once

#include <deque>

#include "selfplay/scoring_search.hpp"

namespace bz {

template <Game G>
class ScoredGame {
 public:
  using Nets = std::vector<sparse::Net>;

  ScoredGame(const G& start, const ScoredGameOptions& options, std::uint64_t seed)
      : start_(start), options_(options), seed_(seed) {}

  // The nets of the games from now on, one or two; fails unless they are of this game.
  void use(const Nets& nets) {
    if (nets == nets_) return;
    std::deque<ScoringSearch<G>> searches;
    for (const auto& net : nets) {
      searches.emplace_back(start_, net, options_, nets.size() > 1);
    }
    searches_ = std::move(searches);
    nets_ = nets;
  }

  // Nothing if it was interrupted before its end.
  std::optional<GameRecord> play(std::uint32_t number, const Interrupt& interrupt) {
    rng_ = Rng(combine(seed_, number / static_cast<std::uint32_t>(searches_.size())));
    record_ = {};
    record_.number = number;
    forget();
    open(interrupt);
    if (searches_.size() > 1) forget();  // the opening was the first one's to look at
    int decided = 0;                     // moves in a row that one seat is far ahead
    std::optional<Seat> ahead;
    for (int n = 0; n < options_.most_moves && !game_.outcome(); ++n) {
      if (options_.nodes == 0) {
        note(false, {{}, values_for_mover(game_, 0.0F)});
        play_at_random();
        continue;
      }
      const Found found = mover()(game_, interrupt);
      evaluations_ += found.evaluations;
      if (interrupt.raised()) return std::nullopt;
      if (found.values.size() > 0) {
        note(true, found);
        const std::optional<Seat> leader = far_ahead(found.values[index(game_.to_move())]);
        decided = leader && leader == ahead ? decided + 1 : leader ? 1 : 0;
        ahead = leader;
      }
      play(found.actions);
      if (decided >= options_.decided_moves && !game_.outcome()) {
        finish(Outcome::win(*ahead, players(), "decided"));
        return std::move(record_);
      }
    }
    finish(game_.outcome().value_or(Outcome::draw(players(), "too long")));
    return std::move(record_);
  }

  std::uint64_t evaluations() const { return evaluations_; }  // of all games so far

 private:
  using Move = typename G::Move;
  static constexpr int kOpenings = 50;  // tried before a lopsided one is good enough

  int players() const { return start_.shape().players; }

  ScoringSearch<G>& mover() {
    return searches_[(static_cast<std::size_t>(index(game_.to_move())) + record_.number) %
                     searches_.size()];
  }
  void forget() {
    for (ScoringSearch<G>& search : searches_) search.clear(combine(seed_, record_.number));
  }

  void open(const Interrupt& interrupt) {
    const auto spread =
        static_cast<std::uint32_t>(options_.most_random - options_.least_random + 1);
    for (int opening = 0; opening < kOpenings; ++opening) {
      game_ = start_;
      record_.actions.clear();
      for (ScoringSearch<G>& search : searches_) search.leave();
      int left = options_.least_random + static_cast<int>(rng_.below(spread));
      while (left > 0 && play_at_random()) --left;
      if (game_.outcome()) continue;
      if (options_.nodes == 0) return;
      const Values values = searches_.front()(game_, interrupt).values;
      if (interrupt.raised() || values.size() == 0) return;
      if (std::abs(values[index(game_.to_move())]) <= options_.lopsided) return;
    }
    if (!game_.outcome()) return;
    game_ = start_;  // every opening ended the game
    for (ScoringSearch<G>& search : searches_) search.leave();
    record_.actions.clear();
  }

  bool play_at_random() {
    game_.moves(moves_);
    if (moves_.empty()) return false;
    play(game_.steps(moves_[rng_.below(static_cast<std::uint32_t>(moves_.size()))]));
    return true;
  }

  void play(const std::vector<Action>& actions) {
    for (const Action a : actions) {
      record_.actions.push_back(a);
      game_.play(a);
      for (ScoringSearch<G>& search : searches_) search.played(a, game_);
    }
  }

  // The position as one to learn from.
  void note(bool searched, const Found& found) {
    Decision d;
    d.ply = static_cast<std::uint16_t>(record_.actions.size());
    d.full = searched;
    d.quiet = is_quiet();
    d.values = found.values;
    d.policy = found.policy;
    record_.decisions.push_back(std::move(d));
  }

  bool is_quiet() const {
    using Inputs = sparse::InputsOf<G>;
    if constexpr (KnowsQuiet<KnowledgeOf<G>, G>) {
      if (!knowledge_.quiet(game_)) return false;
    }
    return sparse::decided<Inputs>(Inputs::view(game_)) == 0;
  }

  std::optional<Seat> far_ahead(float value) const {
    if (value >= options_.decided) return game_.to_move();
    if (players() == 2 && value <= -options_.decided) {
      return Seat(1 - index(game_.to_move()));
    }
    return std::nullopt;
  }

  void finish(const Outcome& outcome) {
    record_.outcome = outcome.values;
    record_.winner = outcome.winner ? static_cast<std::int8_t>(index(*outcome.winner)) : -1;
  }

  G start_;
  ScoredGameOptions options_;
  std::uint64_t seed_;
  KnowledgeOf<G> knowledge_;
  Nets nets_;
  std::deque<ScoringSearch<G>> searches_;  // one for each net
  std::uint64_t evaluations_ = 0;
  Rng rng_{0};
  G game_ = start_;
  GameRecord record_;
  std::vector<Move> moves_;
};

}  // namespace bz
