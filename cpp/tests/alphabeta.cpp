// Alpha-beta as an engine: what its parts must not change, and what happens when time ends.
#include "search/classic/alphabeta.hpp"

#include "eval/draughts.hpp"
#include "tests/check.hpp"

namespace bz::tests {
namespace {

using Game = draughts::State<draughts::kEnglish>;
using Move = draughts::Move;
using Counting = draughts::Material<draughts::kEnglish>;
using Engine = AlphaBeta<Game, draughts::Positional<draughts::kEnglish>>;

// Positions of random games, each with a choice of moves.
std::vector<Game> positions(int wanted, std::uint64_t seed) {
  std::vector<Game> found;
  Rng rng(seed);
  while (std::ssize(found) < wanted) {
    Game game = Game::start({});
    for (std::uint32_t plies = 10 + rng.below(30); plies > 0 && game.play_random(rng);) --plies;
    std::vector<Move> moves;
    game.moves(moves);
    if (!game.in_capture() && moves.size() > 1) found.push_back(game);
  }
  return found;
}

// Minimax in which a forced reply costs no depth.
Score extended_minimax(const Game& game, Depth depth, Ply ply) {
  const Counting evaluation;
  std::vector<Move> moves;
  game.moves(moves);
  if (depth <= 0 || moves.empty()) return static_score(evaluation, game, ply);
  if (moves.size() == 1 && ply != kRootPly) ++depth;
  Score best = -kInfinity;
  for (const Move& move : moves) {
    Game child = game;
    child.play(move);
    best = std::max(best, -extended_minimax(child, depth - 1, ply + 1));
  }
  return best;
}

// Knows nothing but that an ending with two pieces is lost for its mover.
struct TwoPieces final : Oracle<Game> {
  std::uint32_t ending(const Game& g) const override {
    return count(g.position().pieces[0] | g.position().pieces[1]) == 2 ? 1 : 0;
  }
  std::optional<int> result(const Game& g) const override {
    return ending(g) != 0 ? std::optional(-1) : std::nullopt;
  }
  std::optional<Values> certain(const Game& g) const override {
    if (ending(g) == 0) return std::nullopt;
    return zero_sum(g, -1.0F);
  }
};

const Tests kTests{
    {"a forced reply is remembered at the depth that was asked for, not a ply deeper",
     [] {
       const Features features{.table = true, .extensions = true};
       for (const Game& game : positions(60, 1)) {
         AlphaBeta<Game, Counting> search({}, features, Megabytes{1});
         const auto found = search(game, {.depth = 7}, {});
         check_equal(static_cast<Score>(found.best().score),
                     extended_minimax(game, found.depth, kRootPly));
       }
     }},
    {"when time ends, a search that found every move too weak does not choose between them",
     [] {
       int cut = 0;
       for (const Game& game : positions(12, 2)) {
         for (std::uint64_t nodes = 1'000; nodes < 40'000; nodes += 500) {
           Engine search({}, Features::engine(), Megabytes{1});
           double finished = 0;
           Move best{};
           search.on_depth = [&](const RootMoves<Move>& so_far) {
             finished = so_far.best().score;
             best = so_far.best().move;
           };
           const auto found = search(game, {.nodes = nodes}, {});
           // Another move than that of the last complete search was found better, or searched after
           // the first one was seen to be worse.
           const bool is_same = found.best().move == best;
           check(is_same || found.best().exact || found.best().score > finished);
           cut += is_same ? 0 : 1;
         }
       }
       check(cut > 0);
     }},
    {"what an oracle knows is not searched",
     [] {
       const Game game = Game::start({}).with_fen("W:W22:B18,5");  // a capture, and two are left
       Engine plain({}, Features::engine(), Megabytes{1});
       Engine wise({}, Features::engine(), Megabytes{1}, 1, std::make_shared<TwoPieces>());
       check_equal(wise(game, {.depth = 3}, {}).best().value, 1.0F);
       check(plain(game, {.depth = 3}, {}).best().value < 1.0F);
     }},
    {"one thread gives the same search again, and two give a finished one",
     [] {
       const Game game = positions(1, 3).front();
       const auto run = [&](int threads) {
         Engine search({}, Features::engine(), Megabytes{4}, threads);
         return search(game, {.depth = 9}, {});
       };
       const auto first = run(1);
       const auto second = run(1);
       check_equal(first.nodes, second.nodes);
       check(first.best().move == second.best().move);
       const auto both = run(2);
       check_equal(both.depth, first.depth);
       check_equal(both.moves.size(), first.moves.size());
     }},
};

}  // namespace
}  // namespace bz::tests
