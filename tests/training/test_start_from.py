"""Runs that do not begin with nothing: from a model, from a version of a run, from games."""

import random
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import pytest

from boardzero import BoardZeroError, State, _core, make
from boardzero.games import PdnGame, write_game
from boardzero.runs.events import Event, LossMeasured, StartedFromGames, StartedFromModel, of_type
from boardzero.runs.recipe import Recipe
from boardzero.runs.replay import Replay
from boardzero.runs.run_folder import RunFolder
from boardzero.store import PlayedGame, Store
from boardzero.training.imitation import ImitatedGame, imitation_record
from boardzero.training.model_files import write_model
from boardzero.training.train import train
from boardzero.training.trainer import Trainer, weights_of
from boardzero.training.trainer_group import TrainerGroup
from tests.search.stored import Record
from tests.training.tiny import check, tiny

NET = {"blocks": 1, "channels": 8}


def random_game(spec: str, seed: int, plies: int = 300) -> State:
    dice = random.Random(seed)
    state = make(spec).start()
    while state.outcome() is None and len(state.history) < plies:
        state.play(dice.choice(state.moves()))
    return state


def actions_of(state: State) -> list[int]:
    return [
        a for move in state.history for a in ([move] if isinstance(move, int) else move.actions)
    ]


# Games of others as records.


@pytest.mark.parametrize(
    "spec", ["english", "international", "gomoku:size=6,line=4", "chexers", "russian"]
)
def test_a_game_of_others_is_a_record_with_the_move_as_its_policy(spec: str) -> None:
    state = random_game(spec, 3)
    outcome = state.outcome()
    values = tuple(outcome.values) if outcome else (0.0,) * make(spec).players
    data = imitation_record(make(spec), ImitatedGame(actions_of(state), values, given=2), number=7)
    _core.make_sampler(make(spec).start().native, ("mover", "flat", 0)).verify(data)
    record = _core.parse_record(data)
    assert (record.number, record.actions) == (7, actions_of(state))
    assert tuple(record.outcome) == values
    assert record.winner == (outcome.winner if outcome else None)
    position, plies = make(spec).start(), []
    for ply, action in enumerate(record.actions):
        if len(position.actions()) > 1 and ply >= 2:
            plies.append(ply)
        position.play_action(action)
    assert [decision.ply for decision in record.decisions] == plies
    for decision in record.decisions:
        assert decision.full
        assert decision.policy == [(record.actions[decision.ply], 1.0)]
        assert tuple(decision.values) == values


def test_a_game_may_begin_anywhere_and_ends_where_the_rules_end_it() -> None:
    game = make("gomoku:size=5,line=3")
    start = game.start()
    for move in start.moves()[:2]:
        start.play(move)
    state = start.copy()
    played: list[int] = []
    while state.outcome() is None:
        played.append(state.actions()[0])
        state.play_action(played[-1])
    data = imitation_record(game, ImitatedGame([*played, 0, 1], (0.0, 0.0), start.fen()), number=0)
    record = _core.parse_record(data)
    assert record.actions == played
    outcome = state.outcome()
    assert outcome is not None
    assert record.outcome == outcome.values
    assert record.fen == start.fen()


def test_a_game_that_breaks_the_rules_is_no_record() -> None:
    with pytest.raises(BoardZeroError):
        imitation_record(make("gomoku"), ImitatedGame([3, 3], (0.0, 0.0)), number=0)
    with pytest.raises(BoardZeroError, match="has 3 results, not 2"):
        imitation_record(make("chexers"), ImitatedGame([], (0.0, 0.0)), number=0)


# Models.


def model(folder: Path, recipe: Recipe) -> bytes:
    """A model of a net that nobody else has; its weights."""
    trainers = TrainerGroup(make(recipe.game), recipe.model_copy(update={"seed": 77}))
    write_model(folder, trainers, run="old", version=3, games=0, minutes=0)
    return (folder / "net.safetensors").read_bytes()


def first_version(run: RunFolder) -> bytes:
    return (run.version_folder(0) / "net.safetensors").read_bytes()


@pytest.mark.parametrize(
    ("mode", "source"),
    [
        ("sync", "{runs}/old/versions/0003"),
        ("sync", "{runs}/old:3"),
        ("sync", "old"),
        ("async", "old:3"),
    ],
)
def test_a_run_begins_with_the_net_that_it_is_told(
    tmp_path: Path, mode: str, source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOARDZERO_RUNS", str(tmp_path))
    weights = model(tmp_path / "old" / "versions" / "0003", tiny())
    recipe = tiny(run__mode=mode, run__start_from=source.format(runs=tmp_path), run__iterations=1)
    events: list[Event] = []
    run = train(recipe, run=tmp_path / "new", cores=1, minutes=0.0, on_event=events.append)
    if not run.versions():  # the time was over before the net was there
        run = train(recipe, run=tmp_path / "new", cores=1, on_event=events.append)
    assert first_version(run) == weights
    started = of_type(events, StartedFromModel)
    assert started[-1].model == str(tmp_path / "old" / "versions" / "0003")


@pytest.mark.parametrize(
    ("mode", "changes", "sentence"),
    [
        (
            "sync",
            {"game": "english"},
            "holds a model for english, from which gomoku.* cannot start",
        ),
        ("sync", {"format": {"policy": "absolute"}}, "format mover, absolute, 0; the recipe's is"),
        ("sync", {"game": "gomoku:size=7,line=4"}, "a net of another shape than the recipe's"),
        ("async", {"net__channels": 4}, "holds a net of another shape than the recipe's"),
    ],
)
def test_a_model_that_does_not_fit_is_refused_and_another_can_be_named(
    tmp_path: Path, mode: str, changes: dict[str, object], sentence: str
) -> None:
    model(tmp_path / "model", tiny(**changes))
    recipe = tiny(run__start_from=str(tmp_path / "model"), run__mode=mode, run__iterations=1)
    with pytest.raises(BoardZeroError, match=sentence) as error:
        train(recipe, run=tmp_path / "run", cores=1)
    assert "\n" not in str(error.value)
    weights = model(tmp_path / "right", tiny())
    recipe = tiny(run__start_from=str(tmp_path / "right"), run__iterations=1, gate__games=0)
    run = train(recipe, run=tmp_path / "run", cores=1)  # nothing was lost with the first recipe
    assert first_version(run) == weights


def test_a_net_of_another_board_is_taken_over_if_it_fits(tmp_path: Path) -> None:
    net = {**NET, "policy": {"style": "planes"}, "value": {"style": "pooled", "hidden": 16}}
    small = tiny(
        game="gomoku:size=5",
        run__iterations=1,
        selfplay__games=2,
        gate__games=0,
        **{f"net__{key}": value for key, value in net.items()},
    )
    weights = model(tmp_path / "model", small)
    large = small.model_copy(
        update={
            "game": "gomoku:size=6",
            "run": small.run.model_copy(update={"start_from": str(tmp_path / "model")}),
        }
    )
    assert first_version(train(large, run=tmp_path / "run", cores=1)) == weights


# Games.


@cache
def pdn(count: int) -> str:
    return "".join(write_game(PdnGame.of(random_game("english", n))) for n in range(count))


def of_games(source: Path | str, **changes: object) -> Recipe:
    changes = {
        "game": "english",
        "run__start_from": str(source),
        "run__start_passes": 3,
        "run__iterations": 1,
        "selfplay__games": 2,
        "selfplay__max_steps": 30,
        "gate__games": 0,
        **changes,
    }
    return tiny(**changes)


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_a_run_begins_with_what_games_in_pdn_teach(tmp_path: Path, mode: str) -> None:
    file = tmp_path / "games.pdn"
    file.write_text(
        pdn(30) + '[GameType "21"]\n\n1. 11-16 1-2 *\n\n[GameType "21"]\n\n1. 11-16 *\n'
    )
    events: list[Event] = []
    recipe = of_games(file, run__mode=mode)
    run = train(recipe, run=tmp_path / "run", cores=1, on_event=events.append)
    (start,) = of_type(events, StartedFromGames)
    assert (start.games, start.left_out) == (30, 2)
    batches = 3 * start.positions // recipe.learn.batch_size
    before = [event.losses for event in of_type(events, LossMeasured) if event.step <= batches]
    assert before[-1]["policy"] < before[0]["policy"]
    untrained = weights_of(Trainer(make("english"), recipe).net)
    assert first_version(run) != untrained
    versions, games = check(run.path)
    assert versions == [0, 1]
    assert min(games) == 0  # self-play counts its own games only
    assert not (run.path / "start").exists()


def test_the_result_of_the_games_is_learned(tmp_path: Path) -> None:
    file = tmp_path / "games.pdn"
    games = [random_game("english", n) for n in range(60)]
    won = [state for state in games if (o := state.outcome()) and o.winner == 0]
    file.write_text("".join(write_game(PdnGame.of(state)) for state in won))
    recipe = of_games(file, run__start_passes=12)
    events: list[Event] = []
    train(recipe, run=tmp_path / "run", cores=1, minutes=1, on_event=events.append)
    values = [event.losses["value"] for event in of_type(events, LossMeasured)]
    assert min(values) < values[0] / 2


def test_a_run_begins_with_games_of_the_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOARDZERO_HOME", str(tmp_path))
    now = datetime.now(UTC)

    def keep(store: Store, state: State, **changes: object) -> None:
        outcome = state.outcome()
        assert outcome is not None
        moves = tuple(str(move) for move in state.history)
        fields: dict[str, object] = {
            "game": state.game.spec,
            "reason": outcome.reason,
            "started": now,
            "finished": now,
            "opening": moves[:4],
            "moves": moves[4:],
            **changes,
        }
        store.add_game(
            PlayedGame(("a", "b"), tuple(outcome.values), outcome.winner, **fields)  # type: ignore[arg-type]
        )

    with Store() as store:
        for number in range(4):
            keep(store, random_game("english", number))
        keep(store, random_game("english:endings=meng", 5))
        keep(store, random_game("gomoku", 5))
        games = (random_game("english", number) for number in range(50))
        won = next(state for state in games if (o := state.outcome()) and o.winner == 0)
        keep(store, won, moves=("9-13",), opening=(), reason="late: no move in time")
    events: list[Event] = []
    run = train(of_games("store"), run=tmp_path / "a", cores=1, on_event=events.append)
    (start,) = of_type(events, StartedFromGames)
    assert (start.games, start.left_out) == (5, 1)
    assert run.versions() == [0, 1]
    events.clear()
    recipe = of_games(tmp_path / "games.sqlite", run__mode="sync")
    train(recipe, run=tmp_path / "b", cores=1, minutes=0.0, on_event=events.append)
    (again,) = of_type(events, StartedFromGames)
    assert again.fields() == start.fields()


def test_a_start_that_was_interrupted_is_made_again(tmp_path: Path) -> None:
    file = tmp_path / "games.pdn"
    file.write_text(pdn(10))
    run = train(of_games(file), run=tmp_path / "run", cores=1, minutes=0.0)
    assert run.versions() == []
    (run.path / "start").mkdir()
    (run.path / "start" / "shard-000001.bin").write_bytes(b"torn")
    run = train(of_games(file), run=tmp_path / "run", cores=1)
    assert run.versions() == [0, 1]
    steps = run.progress().steps
    again = train(of_games(file), run=tmp_path / "again", cores=1)
    assert again.progress().steps == steps
    assert first_version(again) == first_version(run)


def data_set(folder: Path, count: int, *, spoilt: bool = False) -> Path:
    """Games between random players, as a data set keeps them."""
    replay = Replay(folder)
    for number in range(count):
        state = random_game("english", number)
        outcome = state.outcome()
        assert outcome is not None
        played = ImitatedGame(actions_of(state), tuple(outcome.values))
        replay.append(imitation_record(make("english"), played, number=number), 1)
    if spoilt:
        bad = Record(actions=(0, 0), choices=(), outcome=(0.0, 0.0), number=count)
        replay.append(bad.pack(), 1)
    replay.close()
    (folder / "dataset.toml").write_text('name = "mine"\ngame = "english:endings=meng"\n')
    return folder


@pytest.mark.parametrize("source", ["{data}/mine", "mine"])
def test_a_run_begins_with_a_data_set(
    tmp_path: Path, source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOARDZERO_DATA", str(tmp_path))
    shard = data_set(tmp_path / "mine", 6, spoilt=True) / "shard-000001.bin"
    before = shard.read_bytes()
    events: list[Event] = []
    recipe = of_games(source.format(data=tmp_path))
    run = train(recipe, run=tmp_path / "run", cores=1, on_event=events.append)
    (start,) = of_type(events, StartedFromGames)
    assert (start.games, start.left_out) == (6, 1)  # one broke the rules
    assert run.versions() == [0, 1]
    assert shard.read_bytes() == before


def test_a_data_set_of_another_game_is_refused(tmp_path: Path) -> None:
    folder = data_set(tmp_path / "mine", 1)
    with pytest.raises(BoardZeroError, match="holds games of english:endings=meng, not of gomoku"):
        train(of_games(folder, game="gomoku"), run=tmp_path / "run", cores=1)
    (folder / "dataset.toml").write_bytes(b"\xff")
    with pytest.raises(BoardZeroError, match=r"dataset\.toml cannot be read"):
        train(of_games(folder), run=tmp_path / "run", cores=1)


@pytest.mark.parametrize(
    ("name", "content", "game", "sentence"),
    [
        ("nothing", None, "english", "'.*nothing', which is no model, no run and no games"),
        ("a.pdn", "", "english", "holds no game of english to start from$"),
        ("a.pdn", "1. 1-2 *", "english", "holds no game of english to start from: PDN game 1"),
        ("a.pdn", "1. 11-16 *", "gomoku", "holds games of draughts, not of gomoku"),
        ("a.sqlite", "garbage" * 100, "english", "not a (BoardZero )?database"),
        ("a.bin", "garbage" * 100, "english", "not a (BoardZero )?database"),
    ],
)
def test_games_that_cannot_be_learned_from_are_one_sentence(
    tmp_path: Path, name: str, content: str | None, game: str, sentence: str
) -> None:
    if content is not None:
        (tmp_path / name).write_text(content)
    with pytest.raises(BoardZeroError, match=sentence) as error:
        train(of_games(tmp_path / name, game=game), run=tmp_path / "run", cores=1)
    assert "\n" not in str(error.value)
