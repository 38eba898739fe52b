// A game that a search plays against itself with a sparse net, at a fixed number of nodes for each
// move: alpha-beta for two players, max^n for more.
//
// It is a function of the seed, its number and the nets: the same game whenever and wherever it is
// played. It begins with random moves; where they spoil the game for one side, with others.
//
// Two nets play against each other: numbers come in pairs, of which each has one opening, and the
// nets change seats. The first has seat 0 in games with an even number.
#pragma once

#include <deque>

#include "eval/learned.hpp"
#include "search/classic/alphabeta.hpp"
#include "search/classic/maxn.hpp"
#include "selfplay/record.hpp"

namespace bz {

struct ScoredGameOptions {
  std::uint64_t nodes = 1000;  // for each move; 0 plays at random to the end
  int least_random = 6;        // moves of the opening
  int most_random = 12;
  float lopsided = 0.8F;   // an opening of more value to one side is not played
  float decided = 0.98F;   // so much value to one side ...
  int decided_moves = 6;   // ... for so many moves in a row ends the game
  int most_moves = 400;    // then it is a draw
  Megabytes megabytes{2};  // of the search's table
};

// A search with a net.
template <Game G>
class ScoringSearch {
 public:
  // Fails unless the net is one of this game.
  ScoringSearch(const G& start, std::shared_ptr<const sparse::Weights> weights,
                const ScoredGameOptions& options)
      : limits_{.nodes = options.nodes} {
    const Learned<G> evaluation(start, std::move(weights));
    if (start.shape().players == 2) {
      alphabeta_.emplace(evaluation, Features::engine(), options.megabytes);
    } else {
      maxn_.emplace(evaluation, Others::selfish);
    }
  }

  RootMoves<typename G::Move> operator()(const G& game, const Interrupt& interrupt) {
    return alphabeta_ ? (*alphabeta_)(game, limits_, interrupt)
                      : (*maxn_)(game, limits_, interrupt);
  }
  void clear() {
    if (alphabeta_) alphabeta_->clear();
  }

 private:
  Limits limits_;
  std::optional<AlphaBeta<G, Learned<G>>> alphabeta_;
  std::optional<MaxN<G, Learned<G>>> maxn_;
};

template <Game G>
class ScoredGame {
 public:
  using Nets = std::vector<std::shared_ptr<const sparse::Weights>>;

  ScoredGame(const G& start, const ScoredGameOptions& options, std::uint64_t seed)
      : start_(start), options_(options), seed_(seed) {}

  // The nets of the games from now on, one or two; fails unless they are of this game.
  void use(const Nets& nets) {
    if (nets == nets_) return;
    std::deque<ScoringSearch<G>> searches;
    for (const auto& net : nets) searches.emplace_back(start_, net, options_);
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
        note(false, 0.0F);
        play_at_random();
        continue;
      }
      const auto found = mover()(game_, interrupt);
      evaluations_ += found.evaluations;
      if (interrupt.raised()) return std::nullopt;
      const float value = found.best().value;
      note(true, value);
      const std::optional<Seat> leader = far_ahead(value);
      decided = leader && leader == ahead ? decided + 1 : leader ? 1 : 0;
      ahead = leader;
      play(found.best().move);
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
    for (ScoringSearch<G>& search : searches_) search.clear();
  }

  void open(const Interrupt& interrupt) {
    const auto spread =
        static_cast<std::uint32_t>(options_.most_random - options_.least_random + 1);
    for (int opening = 0; opening < kOpenings; ++opening) {
      game_ = start_;
      record_.actions.clear();
      int left = options_.least_random + static_cast<int>(rng_.below(spread));
      while (left > 0 && play_at_random()) --left;
      if (game_.outcome()) continue;
      if (options_.nodes == 0) return;
      const float value = searches_.front()(game_, interrupt).best().value;
      if (interrupt.raised() || std::abs(value) <= options_.lopsided) return;
    }
    if (!game_.outcome()) return;
    game_ = start_;  // every opening ended the game
    record_.actions.clear();
  }

  bool play_at_random() {
    game_.moves(moves_);
    if (moves_.empty()) return false;
    play(moves_[rng_.below(static_cast<std::uint32_t>(moves_.size()))]);
    return true;
  }

  void play(const Move& m) {
    for (const Action a : game_.steps(m)) record_.actions.push_back(a);
    game_.play(m);
  }

  // The position as one to learn from; `value` is the mover's.
  void note(bool searched, float value) {
    Decision d;
    d.ply = static_cast<std::uint16_t>(record_.actions.size());
    d.full = searched;
    d.quiet = is_quiet();
    // The others share what the mover leaves: values of any end have the same sum.
    const auto n = static_cast<float>(players());
    d.values = Values(players(), (2 - n - value) / (n - 1));
    d.values[index(game_.to_move())] = value;
    record_.decisions.push_back(std::move(d));
  }

  bool is_quiet() const {
    if constexpr (KnowsQuiet<KnowledgeOf<G>, G>) return knowledge_.quiet(game_);
    return true;
  }

  std::optional<Seat> far_ahead(float value) const {
    if (value >= options_.decided) return game_.to_move();
    if (players() == 2 && value <= -options_.decided) {
      return Seat{static_cast<std::int8_t>(1 - index(game_.to_move()))};
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
