// Self-play, sampling and searches with nets for Python.
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "bind/bytes.hpp"
#include "bind/fields.hpp"
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

// Fails unless there are enough rows of so many numbers.
template <class Array>
void require_shape(const Array& rows, std::size_t at_least, int width, const char* what) {
  const bool fits = rows.size() == rows.shape(0) * static_cast<std::size_t>(width);
  if (fits && rows.shape(0) >= at_least) return;
  fail(std::string(what) + " must have " + std::to_string(at_least) + " rows of " +
       std::to_string(width));
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

GameRecord parse_record(const nb::bytes& bytes) { return GameRecord::parse(view(bytes)); }

// A drawn sample: the game as bytes, which of its choices made with a full search, and a symmetry.
using Sample = std::tuple<nb::bytes, int, int>;

int nth_full(const GameRecord& game, int rank) {
  for (std::size_t i = 0; i < game.decisions.size(); ++i) {
    if (game.decisions[i].full && rank-- == 0) return static_cast<int>(i);
  }
  fail("a stored game has fewer choices than its index says");
}

// The row of one sample.
template <class Array>
float* row_of(const Array& target, std::size_t i) {
  return target.data() + i * (target.size() / target.shape(0));
}
// The same of a target that may not be wanted.
template <class Array>
float* row_of(const std::optional<Array>& target, std::size_t i) {
  return target ? row_of(*target, i) : nullptr;
}

void draw(const AnySampler& sampler, const std::vector<Sample>& samples, const Batch& inputs,
          const Rows& policy, const Rows& outcome, const Rows& search,
          const std::optional<Rows>& reply, const std::optional<Rows>& moves_left,
          const std::optional<Batch>& ownership) {
  const auto numbers = [](const std::vector<int>& shape) { return shape[0] * shape[1] * shape[2]; };
  require_shape(inputs, samples.size(), numbers(sampler.input_shape()), "inputs");
  require_shape(policy, samples.size(), sampler.policy_size(), "policy");
  require_shape(outcome, samples.size(), sampler.players(), "outcome");
  require_shape(search, samples.size(), sampler.players(), "search");
  if (reply) require_shape(*reply, samples.size(), sampler.policy_size(), "reply");
  if (moves_left) require_shape(*moves_left, samples.size(), 1, "moves_left");
  if (ownership) {
    require_shape(*ownership, samples.size(), numbers(sampler.board_shape()), "ownership");
  }
  std::vector<std::string_view> records;
  for (const Sample& sample : samples) records.push_back(view(std::get<0>(sample)));
  const ReleaseGil released(sampler);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const auto& [_, rank, symmetry] = samples[i];
    const GameRecord game = GameRecord::parse(records[i]);
    if (symmetry < 0 || symmetry >= sampler.symmetries()) fail("no such symmetry");
    sampler.draw(game, nth_full(game, rank), symmetry,
                 {row_of(inputs, i), row_of(policy, i), row_of(outcome, i), row_of(search, i),
                  row_of(reply, i), row_of(moves_left, i), row_of(ownership, i)});
  }
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
  return to_bytes(game.bytes());
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

void bind_search_options(nb::module_& m) {
  bind_enum<Formula::meng, Formula::alphazero>(m, "Formula");
  bind_enum<FirstPlay::zero, FirstPlay::parent>(m, "FirstPlay");
  bind_enum<Forced::evaluate, Forced::heuristic, Forced::skip>(m, "Forced");
  bind_enum<RootRule::puct, RootRule::gumbel>(m, "RootRule");
  using Gumbel = GumbelOptions;
  bind_options<Gumbel, &Gumbel::considered, &Gumbel::c_visit, &Gumbel::c_scale>(m, "GumbelOptions");
  using Puct = PuctOptions;
  bind_options<Puct, &Puct::formula, &Puct::c_puct, &Puct::c_base, &Puct::first_play,
               &Puct::first_play_reduction>(m, "PuctOptions");
  bind_options<TreePlan, &TreePlan::nets, &TreePlan::value_share, &TreePlan::prior_share>(
      m, "TreePlan")
      .def_rw("follows", &TreePlan::follows, nb::arg().none());
  using Options = SearchOptions;
  bind_options<Options, &Options::simulations, &Options::puct, &Options::root, &Options::gumbel,
               &Options::forced, &Options::depth_limit, &Options::proven, &Options::transpositions,
               &Options::child_values, &Options::random_ties, &Options::noise_weight,
               &Options::noise_alpha, &Options::forced_playouts, &Options::memory, &Options::trees,
               &Options::turns>(m, "SearchOptions");
}

void bind_selfplay_options(nb::module_& m) {
  bind_enum<PolicyTarget::visits, PolicyTarget::visits_score>(m, "PolicyTarget");
  bind_options<Contestant, &Contestant::search, &Contestant::first_net>(m, "Contestant");
  using Options = SelfPlayOptions;
  bind_options<Options, &Options::contestants, &Options::target, &Options::temperature,
               &Options::temperature_steps, &Options::late_temperature, &Options::sharpen_targets,
               &Options::reuse_tree, &Options::opening_steps, &Options::max_steps,
               &Options::full_share, &Options::fast_simulations, &Options::early_games,
               &Options::early_simulations, &Options::record_surprise>(m, "SelfPlayOptions");
}

}  // namespace

void bind_selfplay(nb::module_& m) {
  bind_search_options(m);
  bind_selfplay_options(m);

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
      .def(
          "take_finished", [](AnyPool& pool) { return to_bytes(pool.take_finished()); },
          "The games finished since the last call, as bytes.")
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
