"""The core in a web page is the core: same moves, same texts, same choices."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from packaged import Package

import boardzero
from boardzero import BoardZeroError, Limit, State, _core
from boardzero.games import families, tablebase
from boardzero.models.card import ModelCard, write_card
from boardzero.models.sparse import NET_FILE
from boardzero.models.sparse import net_card as sparse_card
from tests.training.tiny import tiny

GAMES = (
    *(family.name for family in families() if family.make.__module__.startswith("boardzero.games")),
    "gomoku:size=15,rule=renju",
    "english:endings=openspiel",
)
TWO_PLAYERS = (
    "alphabeta:nodes=400,seed=5",
    "alphabeta:depth=2,seed=5",
    "alphabeta:nodes=300,analyse=true,eval=hand,seed=5",
    "minimax:depth=2,seed=5",
)
ANY_PLAYERS = ("mcts:rollouts=60,seed=5", "maxn:depth=1,seed=5", "greedy:seed=5")
MANY_PLAYERS = (
    "alphachexers:rollouts=60,seed=5",
    "paranoid:depth=2,seed=5",
    "brs:depth=2,seed=5",
    "mcts:rollouts=60,heuristic=chexers,selection=puct,seed=5",
)


def lines(game: str, count: int) -> Iterator[State]:
    """Random states of a game, from random games, the last of each game among them."""
    random = Random(f"{game}")
    state = boardzero.make(game).start()
    for _ in range(count):
        if state.is_over:
            state = boardzero.make(game).start()
        for _ in range(random.randint(1, 4)):
            if not state.is_over:
                state = state.after(random.choice(state.moves()))
        yield state


def texts(state: State) -> list[str]:
    return [str(move) for move in state.history]


def same_position(package: Package, state: State) -> None:
    seen = package.ask("view", state.game.spec, texts(state))
    assert seen["fen"] == state.fen()
    assert int(seen["key"], 16) == state.key()
    assert seen["mover"] == state.to_move
    assert [(p["cell"], p["owner"], p["kind"]) for p in seen["pieces"]] == [
        (p.cell, p.owner, p.kind) for p in state.pieces()
    ]
    assert [(m["text"], m["path"], m["captured"], m["actions"]) for m in seen["moves"]] == [
        (m.text, m.path, m.captured, m.actions) for m in state.moves()
    ]
    outcome = state.outcome()
    if outcome is None:
        assert seen["outcome"] is None
    else:
        assert seen["outcome"]["winner"] == outcome.winner
        assert seen["outcome"]["reason"] == outcome.reason
        assert seen["outcome"]["values"] == pytest.approx(outcome.values)
    again = package.ask("view", state.game.spec, fen=state.fen())
    assert again["fen"] == state.game.parse_fen(state.fen()).fen()


def same_choice(package: Package, state: State, player: str) -> None:
    ours = boardzero.make_player(player, state.game).choose(state.game.replay(texts(state)))
    theirs = package.ask("think", state.game.spec, texts(state), player=player)
    best = theirs["moves"][0]
    assert best["move"]["text"] == ours.move.text
    assert theirs["nodes"] == ours.nodes
    assert theirs["depth"] == ours.depth
    assert theirs["pv"] == list(ours.pv)
    assert [m["move"]["text"] for m in theirs["moves"]] == [
        candidate.move.text for candidate in ours.candidates
    ]
    if ours.value is not None:
        assert best["value"] == pytest.approx(ours.value, abs=1e-6)


def players_of(state: State) -> tuple[str, ...]:
    return ANY_PLAYERS + (TWO_PLAYERS if state.game.players == 2 else MANY_PLAYERS)


@pytest.mark.parametrize("game", GAMES)
def test_positions_and_choices_are_those_of_the_native_core(package: Package, game: str) -> None:
    for state in lines(game, 12):
        same_position(package, state)
        if not state.is_over:
            for player in players_of(state):
                same_choice(package, state, player)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_thousand_positions_are_those_of_the_native_core(package: Package, game: str) -> None:
    for number, state in enumerate(lines(game, 1000)):
        same_position(package, state)
        if not state.is_over:
            players = players_of(state)
            same_choice(package, state, players[0])
            same_choice(package, state, players[number % len(players)])
            if state.game.players == 2:
                same_choice(package, state, TWO_PLAYERS[0])


@pytest.mark.parametrize("game", GAMES)
def test_perft_counts_the_same_lines(package: Package, game: str) -> None:
    depth = 5 if boardzero.make(game).start().perft(1) < 20 else 2
    counted = int(package.ask("perft", game, given=[depth]))
    assert counted == boardzero.make(game).start().perft(depth)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "depth"), [("international", 8), ("english", 9)])
def test_perft_counts_the_same_lines_deeply(package: Package, game: str, depth: int) -> None:
    counted = int(package.ask("perft", game, given=[depth]))
    assert counted == boardzero.make(game).start().perft(depth)


def test_a_sparse_net_evaluates_to_the_same_numbers(package: Package, tmp_path: Path) -> None:
    for game in ("international", "english", "gomoku", "chexers"):
        start = boardzero.make(game).start()
        net = tmp_path / f"{game}.nnue"
        net.write_bytes(_core.make_sparse_trainer(start.native, 64, 7).net().bytes())
        weights = _core.SparseNet.parse(net.read_bytes())
        for state in lines(game, 20):
            if state.is_over:
                continue
            said = package.ask("evaluate", game, texts(state), given=["", net.as_uri()])
            assert said == pytest.approx(_core.evaluate(state.native, weights), abs=1e-6)


def same_search(package: Package, state: State, model: Path, player: str, **near: float) -> None:
    """A search with a model: all that it found, not only what it chose."""
    ours = boardzero.make_player(f'{player},model="{model}"', state.game).choose(
        state.game.replay(texts(state))
    )
    named = f'{player},model="{model.as_uri()}/"'
    theirs = package.ask("think", state.game.spec, texts(state), player=named)
    assert theirs["chosen"]["text"] == ours.move.text
    assert theirs["nodes"] == ours.nodes
    assert theirs["pv"] == list(ours.pv)
    assert theirs["value"] == pytest.approx(ours.value, **near)
    assert theirs["values"] == pytest.approx(list(ours.values), **near)
    assert [(m["move"]["text"], m["visits"]) for m in theirs["moves"]] == [
        (candidate.move.text, candidate.visits) for candidate in ours.candidates
    ]


SPARSE_GAMES = ("international", "english", "gomoku", "chexers")


def sparse_model(game: str, folder: Path) -> Path:
    """A net that nobody has taught, with a policy."""
    start = boardzero.make(game).start()
    net = _core.make_sparse_trainer(start.native, 64, 7, policy=True).net()
    folder.mkdir()
    (folder / NET_FILE).write_bytes(net.bytes())
    write_card(folder, ModelCard(game=game, method="nnue", player="zero", nets=(sparse_card(net),)))
    return folder


@pytest.mark.parametrize("game", SPARSE_GAMES)
def test_a_search_with_a_sparse_net_finds_the_same(
    package: Package, game: str, tmp_path: Path
) -> None:
    model = sparse_model(game, tmp_path / "model")
    for state in lines(game, 10):
        if not state.is_over:
            same_search(package, state, model, "zero:sims=40", abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("game", SPARSE_GAMES)
def test_a_search_with_a_sparse_net_finds_the_same_in_a_thousand_positions(
    package: Package, game: str, tmp_path: Path
) -> None:
    model = sparse_model(game, tmp_path / "model")
    for state in lines(game, 1000):
        if not state.is_over:
            same_search(package, state, model, "zero:sims=20", abs=1e-6)


def residual_model(game: str, folder: Path, history: int) -> Path:
    """Another one, for onnxruntime."""
    pytest.importorskip("torch")
    from boardzero.training.model_files import write_model
    from boardzero.training.trainer_group import TrainerGroup

    recipe = tiny(game=game, format={"history": history})
    trainers = TrainerGroup(boardzero.make(game), recipe)
    write_model(folder, trainers, run="a", version=0, games=0, minutes=0)
    return folder


@pytest.mark.parametrize("history", [0, 2])
def test_a_search_with_a_residual_net_finds_the_same(
    package: Package, history: int, tmp_path: Path
) -> None:
    # Another program evaluates the net: the last digits of its numbers differ.
    model = residual_model("english", tmp_path / "model", history)
    for state in lines("english", 6):
        if not state.is_over:
            same_search(package, state, model, "zero:sims=16", abs=1e-3)


def test_a_model_without_a_card_is_a_sentence(package: Package, tmp_path: Path) -> None:
    (tmp_path / "card.json").write_text("nonsense")
    with pytest.raises(BoardZeroError, match=r"card\.json is not a model card"):
        package.ask("think", "english", player=f'zero:sims=4,model="{tmp_path.as_uri()}/"')


def test_endgame_tables_give_the_same_results(package: Package) -> None:
    game = boardzero.make("international")
    for fen in ("W:WK5:BK46", "W:WK5,K10:BK45", "B:WK5,K10:B41", "W:W31,32,33:B1,2"):
        state = game.parse_fen(fen)
        assert package.ask("probe", game.spec, fen=fen) == tablebase.probe(state)
        assert package.ask("probeMoves", game.spec, fen=fen) == [
            found.result for found in tablebase.moves(state)
        ]


@pytest.mark.parametrize("game", GAMES)
def test_a_composed_position_is_written_the_same_way(package: Package, game: str) -> None:
    for state in lines(game, 8):
        composer = state.game.traits.composer
        assert composer is not None
        pieces = {piece.cell: (piece.owner, piece.kind) for piece in state.pieces()}
        written = [{"cell": p.cell, "owner": p.owner, "kind": p.kind} for p in state.pieces()]
        fen = package.ask("compose", game, pieces=written, mover=state.to_move)
        assert fen == composer(state.game, pieces, state.to_move)


def test_a_refusal_is_the_same_sentence_and_changes_nothing(package: Package) -> None:
    game = boardzero.make("international")
    for text in ("32-29", "1-2", "nonsense", "\N{SNOWMAN}" * 300):
        with pytest.raises(BoardZeroError) as ours:
            game.start().parse(text)
        with pytest.raises(BoardZeroError) as theirs:
            package.ask("view", game.spec, [text])
        assert str(theirs.value) == str(ours.value)
    with pytest.raises(BoardZeroError, match="renju is played with line 5"):
        package.ask("view", "gomoku:line=4,rule=renju")
    same_position(package, game.replay(["32-28"]))


def test_many_refusals_leave_the_memory_as_it_is(package: Package) -> None:
    before = package.ask("bytes", "international")
    for _ in range(300):
        with pytest.raises(BoardZeroError):
            package.ask("view", "international", ["32-28", "nonsense"])
    assert package.ask("bytes", "international") <= before + 2**20


def test_a_core_that_runs_out_of_memory_is_replaced_and_the_game_goes_on(package: Package) -> None:
    with pytest.raises(BoardZeroError, match="for want of memory"):
        package.ask("think", "english", player="alphabeta:nodes=10,hash=1024")
    same_position(package, boardzero.make("english").replay(["11-15", "22-18"]))


def test_a_limit_of_the_move_comes_before_the_spec(package: Package) -> None:
    player = "alphabeta:nodes=400,seed=5"
    state = boardzero.make("english").start()
    ours = boardzero.make_player(player, state.game).choose(state, Limit(nodes=900))
    theirs = package.ask("think", "english", player=player, limit={"nodes": 900})
    assert theirs["nodes"] == ours.nodes


def test_fifty_games_leave_the_memory_as_it_is(package: Package) -> None:
    def play(seed: int) -> None:
        random = Random(seed)
        state = boardzero.make("russian").start()
        while not state.is_over:
            state.play(random.choice(state.moves()))
        assert package.ask("line", "russian", texts(state))[-1]["outcome"] is not None
        package.ask("think", "russian", player="alphabeta:nodes=50,hash=1", moves=texts(state)[:9])

    play(0)
    before = package.ask("bytes", "russian")
    for seed in range(1, 51):
        play(seed)
    assert package.ask("bytes", "russian") <= before + 2**20
