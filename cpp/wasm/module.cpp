// The core for a web page: games, searches, nets and tables behind plain functions.
//
// The page owns what a function ending in _new returns, and gives it back to the _free of the same
// name. Text goes in as bytes in memory that the page took by `allocate`; text comes out as the
// `result`, which the next call overwrites. A function that fails does not return: the page's
// `fail` throws.
#include "core/mapped_file.hpp"
#include "erased/any_tablebase.hpp"
#include "erased/games.hpp"
#include "eval/chexers.hpp"
#include "eval/choice.hpp"
#include "search/classic/maxn.hpp"
#include "wasm/net_search.hpp"
#include "wasm/settings.hpp"
#include "wasm/views.hpp"

#define BOARDZERO_EXPORT(name) extern "C" __attribute__((export_name(#name), used)) auto name
#define BOARDZERO_IMPORT(name) __attribute__((import_module("boardzero"), import_name(#name)))

extern "C" BOARDZERO_IMPORT(progress) void boardzero_progress(const char* json, std::size_t size);
extern "C" BOARDZERO_IMPORT(interrupted) bool boardzero_interrupted();

// Asked to destroy what is thread_local when its thread ends; the only one never does.
extern "C" int __cxa_thread_atexit(void (*)(void*), void*, void*) { return 0; }

namespace bz::wasm {
namespace {

using Tables = std::shared_ptr<AnyTablebase>;

std::string result;

template <class T>
void answer(const T& value) {
  Json json;
  write(json, value);
  result = json.text();
}

std::unique_ptr<AnyState> start(const Settings& game) {
  const std::string_view name = game.text("game");
  if (name == "gomoku") {
    return gomoku_start({game.number<int>("size"), game.number<int>("line"),
                         gomoku::rule_named(game.text("rule"))});
  }
  if (name == "chexers") return chexers_start();
  return draughts_start(name,
                        {draughts::endings_named(game.text("endings")), game.number<int>("king")});
}

// A net comes before a name.
EvaluationChoice evaluation_of(std::string_view name, const sparse::Net& net) {
  if (net) return net;
  return std::string(name);
}

Others others_named(std::string_view name) {
  if (name == "paranoid") return Others::hostile;
  return name == "brs" ? Others::best_reply : Others::selfish;
}

std::unique_ptr<AnySearcher> searcher(const AnyState& start, const Settings& s,
                                      const sparse::Net& net, const Tables& tables) {
  const std::string_view kind = s.text("kind");
  const auto seed = s.number<std::uint64_t>("seed");
  if (kind == "greedy") return start.make_greedy(seed);
  const EvaluationChoice evaluation = evaluation_of(s.text("eval"), net);
  if (kind == "minimax") return start.make_minimax(evaluation, seed);
  if (kind != "alphabeta") return start.make_maxn(evaluation, others_named(kind), seed);
  AlphaBetaSetup setup{.features = s.flag("plain") ? Features::plain() : Features::engine(),
                       .megabytes = Megabytes{s.number<int>("hash")},
                       .threads = 1,
                       .tablebase = tables};
  setup.features.all_moves = s.flag("analyse");
  return start.make_alphabeta(evaluation, setup, seed);
}

std::unique_ptr<AnyUct> uct(const AnyState& start, const Settings& s) {
  const UctOptions options{.selection = selection_named(s.text("selection")),
                           .c = s.real("c"),
                           .depth = s.number<int>("depth"),
                           .megabytes = s.number<int>("memory"),
                           .prove = s.flag("prove"),
                           .shuffle = true,
                           .seed = s.number<std::uint64_t>("seed")};
  std::optional<EvaluationChoice> leaves;
  if (const auto name = s.text("eval"); !name.empty()) leaves = std::string(name);
  return start.make_uct(options, leaves, s.flag("prune"));
}

template <class T>
T given(const T* shared) {
  return shared == nullptr ? T{} : *shared;
}

}  // namespace

BOARDZERO_EXPORT(allocate)(std::size_t size)->char* { return new char[size]; }
BOARDZERO_EXPORT(release)(const char* memory)->void { delete[] memory; }
BOARDZERO_EXPORT(result_data)()->const char* { return result.data(); }
BOARDZERO_EXPORT(result_size)()->std::size_t { return result.size(); }

BOARDZERO_EXPORT(state_new)(const char* settings, std::size_t size)->AnyState* {
  return start(Settings({settings, size})).release();
}
BOARDZERO_EXPORT(state_clone)(const AnyState& state)->AnyState* { return state.clone().release(); }
BOARDZERO_EXPORT(state_free)(AnyState* state)->void { delete state; }
BOARDZERO_EXPORT(state_with_fen)(const AnyState& state, const char* fen, std::size_t size)
    ->AnyState* {
  return state.with_fen({fen, size}).release();
}
BOARDZERO_EXPORT(state_view)(const AnyState& state)->void { answer(state); }
BOARDZERO_EXPORT(state_parse)(const AnyState& state, const char* text, std::size_t size)->void {
  answer(state.parse({text, size}));
}
BOARDZERO_EXPORT(state_play)(AnyState& state, const char* text, std::size_t size)->void {
  const MoveInfo move = state.parse({text, size});
  for (const Action action : move.actions) state.play(action);
  answer(move);
}
// One action, as a search takes it: a capture of several jumps is several.
BOARDZERO_EXPORT(state_play_action)(AnyState& state, int action)->void {
  state.play(Action{action});
}
BOARDZERO_EXPORT(state_actions)(const AnyState& state)->void {
  Json json;
  json.list(state.actions(), [&](Action a) { json.value(index(a)); });
  result = json.text();
}
// The first move that actions make, in a list that is empty where they make none yet.
BOARDZERO_EXPORT(state_move_of)(const AnyState& state, const std::int32_t* played,
                                std::size_t count)
    ->void {
  std::vector<Action> actions;
  for (std::size_t i = 0; i < count; ++i) actions.push_back(Action{played[i]});
  auto made = state.moves_of(actions);
  if (made.size() > 1) made.resize(1);
  Json json;
  json.list(made, [&](const MoveInfo& move) { write(json, move); });
  result = json.text();
}
BOARDZERO_EXPORT(state_seats)(const AnyState& state)->void {
  Json json;
  json.object([&] {
    json.name("mover").value(index(state.to_move()));
    json.name("players").value(state.shape().players);
  });
  result = json.text();
}
BOARDZERO_EXPORT(state_key)(const AnyState& state)->void {
  Json json;
  json.value(hexadecimal(state.key()));
  result = json.text();
}
// False when the game is over.
BOARDZERO_EXPORT(state_play_random)(AnyState& state, std::uint64_t seed)->bool {
  return state.play_random(seed);
}
BOARDZERO_EXPORT(state_perft)(const AnyState& state, int depth)->std::uint64_t {
  return state.perft(depth);
}
// The names of the game's evaluations, the usual one first.
BOARDZERO_EXPORT(state_evaluations)(const AnyState& state)->void {
  Json json;
  json.list(state.evaluations(), [&](const auto& names) { json.list(names); });
  result = json.text();
}
BOARDZERO_EXPORT(state_evaluate)(const AnyState& state, const char* name, std::size_t size,
                                 const sparse::Net* net)
    ->void {
  Json json;
  json.list(state.evaluate(evaluation_of({name, size}, given(net))));
  result = json.text();
}
// What AlphaChexers gives to the next action of a clock with so many seconds left.
BOARDZERO_EXPORT(chexers_seconds)(const AnyState& state, double left)->double {
  const auto& chexers = state_as<chexers::State>(state, "this clock plan is for chexers only");
  return chexers::thinking_time(chexers, left);
}

BOARDZERO_EXPORT(net_new)(const char* bytes, std::size_t size)->sparse::Net* {
  return new sparse::Net(sparse::Weights::parse({bytes, size}));
}
BOARDZERO_EXPORT(net_free)(sparse::Net* net)->void { delete net; }

BOARDZERO_EXPORT(tables_new)(const AnyState& state)->Tables* {
  return new Tables(state.empty_tablebase());
}
BOARDZERO_EXPORT(tables_add)(Tables& tables, const char* name, std::size_t name_size,
                             const char* bytes, std::size_t size)
    ->void {
  const std::string path(name, name_size);
  fetched_files()[path].assign(bytes, bytes + size);
  tables->add(path);
}
// 1, 0 or -1 for the mover, and 2 where no table knows.
BOARDZERO_EXPORT(tables_probe)(const Tables& tables, const AnyState& state)->int {
  return tables->probe(state).value_or(2);
}
BOARDZERO_EXPORT(tables_free)(Tables* tables)->void { delete tables; }

BOARDZERO_EXPORT(search_new)(const AnyState& start, const char* settings, std::size_t size,
                             const sparse::Net* net, const Tables* tables)
    ->AnySearcher* {
  return searcher(start, Settings({settings, size}), given(net), given(tables)).release();
}
BOARDZERO_EXPORT(search_run)(AnySearcher& search, const AnyState& state, double seconds, int depth,
                             std::uint64_t nodes)
    ->void {
  search.interrupt.hook = boardzero_interrupted;
  const Limits limits{.seconds = seconds, .depth = depth, .nodes = nodes};
  answer(search.search(state, limits, [](const Report& so_far) {
    Json json;
    write(json, so_far);
    boardzero_progress(json.text().data(), json.text().size());
  }));
}
BOARDZERO_EXPORT(search_clear)(AnySearcher& search)->void { search.clear(); }
BOARDZERO_EXPORT(search_free)(AnySearcher* search)->void { delete search; }

BOARDZERO_EXPORT(uct_new)(const AnyState& start, const char* settings, std::size_t size)->AnyUct* {
  return uct(start, Settings({settings, size})).release();
}
// `played` are the actions since the state searched last, whose tree is then kept; null forgets it.
BOARDZERO_EXPORT(uct_run)(AnyUct& uct, const AnyState& state, const std::int32_t* played,
                          std::size_t count, double seconds, std::uint64_t simulations)
    ->void {
  uct.interrupt.hook = boardzero_interrupted;
  std::optional<ActionList> actions;
  if (played != nullptr) {
    actions.emplace();
    for (std::size_t i = 0; i < count; ++i) actions->push_back(Action{played[i]});
  }
  answer(uct.search(state, actions, {.seconds = seconds, .simulations = simulations}));
}
BOARDZERO_EXPORT(uct_free)(AnyUct* uct)->void { delete uct; }

// A PUCT search: with a sparse net, which `puct_run` lets go on, or with nets that the page asks.
BOARDZERO_EXPORT(puct_new)(const AnyState& root, const char* settings, std::size_t size,
                           const sparse::Net* net, const Tables* tables)
    ->AnyNetSearch* {
  const Settings s({settings, size});
  const auto seed = s.number<std::uint64_t>("seed");
  if (net != nullptr) {
    return root.make_sparse_search(*net, search_options(s), seed, given(tables)).release();
  }
  return root.make_net_search(search_options(s), net_formats(s), seed, given(tables)).release();
}
BOARDZERO_EXPORT(puct_follow)(AnyNetSearch& search, const std::int32_t* played, std::size_t count)
    ->void {
  std::vector<Action> actions;
  for (std::size_t i = 0; i < count; ++i) actions.push_back(Action{played[i]});
  search.follow(actions);
}
BOARDZERO_EXPORT(puct_simulations)(AnyNetSearch& search, int simulations)->void {
  search.set_simulations(simulations);
}
// With a sparse net: false when done.
BOARDZERO_EXPORT(puct_run)(AnyNetSearch& search, double seconds)->bool {
  return search.run(seconds);
}
// How many states are to be evaluated, and for which net; -1 when done. `planes` gets them.
BOARDZERO_EXPORT(puct_collect)(AnyNetSearch& search, int most)->void {
  const int rows = search.collect(most);
  Json json;
  json.object([&] {
    json.name("rows").value(search.is_done() ? -1 : rows);
    json.name("net").value(search.net());
    json.name("shape").list(search.input_shape());
  });
  result = json.text();
}
BOARDZERO_EXPORT(puct_planes)(const AnyNetSearch& search, float* planes)->void {
  search.write(planes);
}
BOARDZERO_EXPORT(puct_receive)(AnyNetSearch& search, const float* logits, std::size_t logit_count,
                               const float* values, std::size_t value_count)
    ->void {
  search.receive({logits, logit_count}, {values, value_count});
}
BOARDZERO_EXPORT(puct_done)(const AnyNetSearch& search)->int { return search.simulations(); }
BOARDZERO_EXPORT(puct_actions)(AnyNetSearch& search)->void {
  Json json;
  write_actions(json, search);
  result = json.text();
}
BOARDZERO_EXPORT(puct_report)(AnyNetSearch& search, const AnyState& state)->void {
  Json json;
  write_report(json, search, state);
  result = json.text();
}
BOARDZERO_EXPORT(puct_free)(AnyNetSearch* search)->void { delete search; }

}  // namespace bz::wasm
