// Self-play, sampling and searches with nets for Python.
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "bind/gil.hpp"
#include "bind/module.hpp"
#include "erased/any_tablebase.hpp"
#include "selfplay/pool.hpp"
#include "selfplay/sampler.hpp"

using namespace nanobind::literals;

namespace bz {
namespace {

using Rows = nb::ndarray<float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Batch = nb::ndarray<float, nb::ndim<4>, nb::c_contig, nb::device::cpu>;

void require_shape(const Rows& rows, std::size_t at_least, int columns, const char* what) {
  if (rows.shape(0) >= at_least && rows.shape(1) == static_cast<std::size_t>(columns)) return;
  fail(std::string(what) + " must have " + std::to_string(at_least) + " rows of " +
       std::to_string(columns));
}

void receive(AnyPool& pool, int net, const Rows& logits, const Rows& values) {
  const auto rows = static_cast<std::size_t>(pool.waiting(net));
  require_shape(logits, rows, pool.policy_size(net), "logits");
  require_shape(values, rows, pool.players(), "values");
  const ReleaseGil released(pool);
  pool.receive(net, logits.data(), values.data());
}

using Inputs = nb::ndarray<nb::numpy, float, nb::ndim<4>, nb::c_contig>;

Inputs pool_inputs(nb::handle_t<AnyPool> self, int net) {
  auto& pool = nb::cast<AnyPool&>(self);
  const std::vector<int> shape = pool.input_shape(net);
  const std::vector<std::size_t> extents(shape.begin(), shape.end());
  return Inputs(pool.inputs(net), 4, extents.data(), self);
}

// A drawn sample: the game as bytes, which of its choices made with a full search, and a symmetry.
using Sample = std::tuple<nb::bytes, int, int>;

int nth_full(const GameRecord& game, int rank) {
  for (std::size_t i = 0; i < game.decisions.size(); ++i) {
    if (game.decisions[i].full && rank-- == 0) return static_cast<int>(i);
  }
  fail("a stored game has fewer choices than its index says");
}

// How many numbers a row has; fails unless there are enough rows of that shape.
std::size_t require_shape(const Batch& rows, std::size_t at_least, const std::vector<int>& shape,
                          const char* what) {
  const auto width = static_cast<std::size_t>(shape[0]) * static_cast<std::size_t>(shape[1]) *
                     static_cast<std::size_t>(shape[2]);
  if (rows.shape(0) >= at_least && rows.size() == rows.shape(0) * width) return width;
  fail(std::string("the ") + what + " do not have the shape of the samples");
}

// The row of one sample among those of a target that may not be wanted.
template <class Array>
float* row_of(const std::optional<Array>& target, std::size_t i) {
  return target ? target->data() + i * (target->size() / target->shape(0)) : nullptr;
}

void draw(const AnySampler& sampler, const std::vector<Sample>& samples, const Batch& inputs,
          const Rows& policy, const Rows& outcome, const Rows& search,
          const std::optional<Rows>& reply, const std::optional<Rows>& moves_left,
          const std::optional<Batch>& ownership) {
  const std::size_t width = require_shape(inputs, samples.size(), sampler.input_shape(), "inputs");
  require_shape(policy, samples.size(), sampler.policy_size(), "policy");
  require_shape(outcome, samples.size(), sampler.players(), "outcome");
  require_shape(search, samples.size(), sampler.players(), "search");
  if (reply) require_shape(*reply, samples.size(), sampler.policy_size(), "reply");
  if (moves_left) require_shape(*moves_left, samples.size(), 1, "moves_left");
  if (ownership) require_shape(*ownership, samples.size(), sampler.board_shape(), "boards");
  struct Job {
    std::string_view bytes;
    int rank;
    int symmetry;
  };
  std::vector<Job> jobs;
  for (const auto& [bytes, rank, symmetry] : samples) {
    jobs.push_back({{bytes.c_str(), bytes.size()}, rank, symmetry});
  }
  const ReleaseGil released(sampler);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const auto& [bytes, rank, symmetry] = jobs[i];
    const GameRecord game = GameRecord::parse(bytes);
    if (symmetry < 0 || symmetry >= sampler.symmetries()) fail("no such symmetry");
    sampler.draw(game, nth_full(game, rank), symmetry,
                 {inputs.data() + i * width, policy.data() + i * policy.shape(1),
                  outcome.data() + i * outcome.shape(1), search.data() + i * search.shape(1),
                  row_of(reply, i), row_of(moves_left, i), row_of(ownership, i)});
  }
}

std::vector<nb::bytes> take_finished(AnyPool& pool) {
  std::vector<nb::bytes> result;
  for (const GameRecord& game : pool.take_finished()) {
    const std::string bytes = game.bytes();
    result.emplace_back(bytes.data(), bytes.size());
  }
  return result;
}

GameRecord parse_record(const nb::bytes& bytes) {
  return GameRecord::parse({bytes.c_str(), bytes.size()});
}

nb::bytes write_record(const std::vector<int>& actions, const std::vector<int>& choices,
                       const std::vector<float>& outcome, std::optional<int> winner,
                       std::uint32_t number, std::uint32_t version, const std::string& fen) {
  constexpr int kMost = 0xFFFF;
  const int length = static_cast<int>(actions.size());
  if (length > kMost || fen.size() > kMost) fail("the game is too long to be stored");
  if (outcome.size() > kMaxPlayers) fail("the game has too many results");
  GameRecord game;
  game.fen = fen;
  game.number = number;
  game.version = version;
  for (const float value : outcome) game.outcome.push_back(value);
  game.winner = static_cast<std::int8_t>(winner.value_or(-1));
  for (const int id : actions) {
    if (id < 0 || id > kMost) fail("the game has an action that no game has");
    game.actions.push_back(Action{id});
  }
  for (const int ply : choices) {
    if (ply < 0 || ply >= length) fail("the game has a choice after its end");
    const Action chosen = game.actions[static_cast<std::size_t>(ply)];
    Decision& decision = game.decisions.emplace_back();
    decision.ply = static_cast<std::uint16_t>(ply);
    decision.values = game.outcome;
    decision.policy = {{chosen, 1.0F}};
  }
  const std::string bytes = game.bytes();
  return nb::bytes(bytes.data(), bytes.size());
}

// Of each choice that can be learned; nothing if the game was not asked to know.
std::optional<std::vector<float>> surprises(const nb::bytes& bytes) {
  std::vector<float> found;
  for (const Decision& d : parse_record(bytes).decisions) {
    if (d.full && !d.surprise) return std::nullopt;
    if (d.full) found.push_back(*d.surprise);
  }
  return found;
}

void bind_options(nb::module_& m) {
  nb::enum_<Formula>(m, "Formula")
      .value("meng", Formula::meng)
      .value("alphazero", Formula::alphazero);
  nb::enum_<FirstPlay>(m, "FirstPlay")
      .value("zero", FirstPlay::zero)
      .value("parent", FirstPlay::parent);
  nb::enum_<Forced>(m, "Forced")
      .value("evaluate", Forced::evaluate)
      .value("heuristic", Forced::heuristic)
      .value("skip", Forced::skip);
  nb::enum_<PolicyTarget>(m, "PolicyTarget")
      .value("visits", PolicyTarget::visits)
      .value("visits_score", PolicyTarget::visits_score);

  nb::enum_<RootRule>(m, "RootRule")
      .value("puct", RootRule::puct)
      .value("gumbel", RootRule::gumbel);

  nb::class_<GumbelOptions>(m, "GumbelOptions")
      .def(nb::init<>())
      .def_rw("considered", &GumbelOptions::considered)
      .def_rw("c_visit", &GumbelOptions::c_visit)
      .def_rw("c_scale", &GumbelOptions::c_scale);
  nb::class_<PuctOptions>(m, "PuctOptions")
      .def(nb::init<>())
      .def_rw("formula", &PuctOptions::formula)
      .def_rw("c_puct", &PuctOptions::c_puct)
      .def_rw("c_base", &PuctOptions::c_base)
      .def_rw("first_play", &PuctOptions::first_play)
      .def_rw("first_play_reduction", &PuctOptions::first_play_reduction);
  nb::class_<TreePlan>(m, "TreePlan")
      .def(nb::init<>())
      .def_rw("nets", &TreePlan::nets)
      .def_rw("follows", &TreePlan::follows, nb::arg().none())
      .def_rw("value_share", &TreePlan::value_share)
      .def_rw("prior_share", &TreePlan::prior_share);
  nb::class_<SearchOptions>(m, "SearchOptions")
      .def(nb::init<>())
      .def_rw("simulations", &SearchOptions::simulations)
      .def_rw("puct", &SearchOptions::puct)
      .def_rw("root", &SearchOptions::root)
      .def_rw("gumbel", &SearchOptions::gumbel)
      .def_rw("forced", &SearchOptions::forced)
      .def_rw("depth_limit", &SearchOptions::depth_limit)
      .def_rw("proven", &SearchOptions::proven)
      .def_rw("transpositions", &SearchOptions::transpositions)
      .def_rw("child_values", &SearchOptions::child_values)
      .def_rw("random_ties", &SearchOptions::random_ties)
      .def_rw("noise_weight", &SearchOptions::noise_weight)
      .def_rw("noise_alpha", &SearchOptions::noise_alpha)
      .def_rw("forced_playouts", &SearchOptions::forced_playouts)
      .def_rw("memory", &SearchOptions::memory)
      .def_rw("trees", &SearchOptions::trees)
      .def_rw("turns", &SearchOptions::turns);
  nb::class_<Contestant>(m, "Contestant")
      .def(nb::init<>())
      .def_rw("search", &Contestant::search)
      .def_rw("first_net", &Contestant::first_net);
  nb::class_<SelfPlayOptions>(m, "SelfPlayOptions")
      .def(nb::init<>())
      .def_rw("contestants", &SelfPlayOptions::contestants)
      .def_rw("target", &SelfPlayOptions::target)
      .def_rw("temperature", &SelfPlayOptions::temperature)
      .def_rw("temperature_steps", &SelfPlayOptions::temperature_steps)
      .def_rw("late_temperature", &SelfPlayOptions::late_temperature)
      .def_rw("sharpen_targets", &SelfPlayOptions::sharpen_targets)
      .def_rw("reuse_tree", &SelfPlayOptions::reuse_tree)
      .def_rw("opening_steps", &SelfPlayOptions::opening_steps)
      .def_rw("max_steps", &SelfPlayOptions::max_steps)
      .def_rw("full_share", &SelfPlayOptions::full_share)
      .def_rw("fast_simulations", &SelfPlayOptions::fast_simulations)
      .def_rw("early_games", &SelfPlayOptions::early_games)
      .def_rw("early_simulations", &SelfPlayOptions::early_simulations)
      .def_rw("record_surprise", &SelfPlayOptions::record_surprise);
}

}  // namespace

void bind_selfplay(nb::module_& m) {
  bind_options(m);

  nb::class_<GameRecord>(m, "GameRecord", "A finished game of self-play.")
      .def_ro("fen", &GameRecord::fen)
      .def_ro("actions", &GameRecord::actions)
      .def_ro("outcome", &GameRecord::outcome)
      .def_prop_ro("winner",
                   [](const GameRecord& g) -> std::optional<int> {
                     return g.winner < 0 ? std::nullopt : std::optional<int>(g.winner);
                   })
      .def_ro("version", &GameRecord::version)
      .def_ro("number", &GameRecord::number)
      .def_ro("decisions", &GameRecord::decisions)
      .def_prop_ro("samples", &GameRecord::samples, "Choices from which something can be learned.")
      .def("check_targets", &GameRecord::check_targets, "needs_policies"_a = true,
           "Fails on numbers that would spoil a net.");
  nb::class_<Decision>(m, "Decision", "One choice of the search in a recorded game.")
      .def_ro("ply", &Decision::ply)
      .def_ro("full", &Decision::full)
      .def_ro("quiet", &Decision::quiet, "Told where alpha-beta has played.")
      .def_ro("surprise", &Decision::surprise,
              "Of its policy to the net without a search, in nats.")
      .def_ro("values", &Decision::values)
      .def_ro("policy", &Decision::policy);
  m.def("parse_record", &parse_record, "bytes"_a);
  m.def(
      "write_record", &write_record, "actions"_a, "choices"_a, "outcome"_a, nb::kw_only(),
      "winner"_a, "number"_a, "version"_a = 0, "fen"_a = "",
      "A game of which only the moves are known, as bytes. At the plies `choices` the action that "
      "was played is the whole policy, and how the game ended is the value.");
  m.def("surprises", &surprises, "record"_a,
        "How much the target of each choice that can be learned surprised the net, in nats; None "
        "if that was not recorded.");

  nb::class_<AnyPool>(m, "Pool", "Games of self-play that advance together.")
      .def("add", &AnyPool::add, "numbers"_a, "Games to be played.")
      .def("left", &AnyPool::left, "Games begun or to be begun, and not finished.")
      .def(
          "collect",
          [](AnyPool& pool) {
            const ReleaseGil released(pool);
            return pool.collect();
          },
          "Brings each game to a state to be evaluated; the number of rows for each net.")
      .def("receive", &receive, "net"_a, "logits"_a, "values"_a)
      .def("inputs", &pool_inputs, "net"_a, "The rows of one net, [games, planes, rows, columns].")
      .def("policy_size", &AnyPool::policy_size, "net"_a)
      .def("take_finished", &take_finished, "The games finished since the last call, as bytes.")
      .def("set_version", &AnyPool::set_version, "version"_a);
  m.def("make_pool", &AnyState::make_pool, "start"_a, "options"_a, "nets"_a, "games"_a, "seed"_a,
        "tablebase"_a.none() = nb::none(),
        "A pool that plays at most `games` at a time; where a tablebase is certain, they end.");

  nb::class_<AnySampler>(m, "Sampler", "Draws training samples from recorded games.")
      .def("input_shape", &AnySampler::input_shape)
      .def("board_shape", &AnySampler::board_shape, "Of a single state, without a history.")
      .def("policy_size", &AnySampler::policy_size)
      .def("players", &AnySampler::players)
      .def("symmetries", &AnySampler::symmetries)
      .def(
          "stages",
          [](const AnySampler& sampler, const nb::bytes& bytes) {
            const GameRecord game = parse_record(bytes);
            const ReleaseGil released(sampler);
            return sampler.stages(game);
          },
          "game"_a, "The stage of each choice made with a full search.")
      .def("draw", &draw, "samples"_a, "inputs"_a, "policy"_a, "outcome"_a, "search"_a,
           "reply"_a = nb::none(), "moves_left"_a = nb::none(), "ownership"_a = nb::none())
      .def(
          "verify",
          [](const AnySampler& sampler, const nb::bytes& bytes) {
            const GameRecord game = parse_record(bytes);
            const ReleaseGil released(sampler);
            sampler.verify(game);
          },
          "game"_a);
  m.def("make_sampler", &AnyState::make_sampler, "start"_a, "net"_a,
        "tablebase"_a.none() = nb::none(),
        "Samples of a game's records; where a tablebase is certain, its values count.");
  m.def("convert_policy", &AnyState::convert_policy, "state"_a, "policy"_a, "source"_a, "target"_a,
        "A policy vector of one kind, by name, as one of another; only legal actions count.");
}

}  // namespace bz
