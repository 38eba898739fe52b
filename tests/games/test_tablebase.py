"""Endgame tables: what they know, and what happens to their files."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from boardzero import BoardZeroError, _core, make
from boardzero.arena import Terms, play_game
from boardzero.arena.openings import Opening
from boardzero.arena.play_game import Scoresheet
from boardzero.games import Game, families, tablebase
from boardzero.games.tablebase import TablebaseWarning
from boardzero.models import SearchConfig
from boardzero.players import Limit, make_player

DRAUGHTS = [f.name for f in families() if f.make.__module__ == "boardzero.games.draughts"]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of its own, where tables may be put."""
    monkeypatch.setenv("BOARDZERO_HOME", str(tmp_path))
    folder = tmp_path / "tablebases"
    folder.mkdir()
    return folder


@pytest.fixture
def nothing_shipped(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(tablebase, "_SHIPPED", tmp_path / "nowhere")
    tablebase._open.cache_clear()
    yield home
    tablebase._open.cache_clear()


def shipped(name: str) -> bytes:
    return (tablebase._SHIPPED / name).read_bytes()


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("name", DRAUGHTS)
def test_every_kind_of_draughts_comes_with_tables_of_three_pieces(name: str) -> None:
    found = tablebase.tables(make(name))
    assert found is not None
    assert found.pieces() == 3
    assert tablebase.verify(make(name), samples=2000) == {2: 0, 3: 0}


def test_a_game_that_nobody_solves_has_no_tables() -> None:
    assert tablebase.tables(make("gomoku:size=5,line=4")) is None
    assert tablebase.probe(make("gomoku:size=5,line=4").start()) is None
    with pytest.raises(BoardZeroError, match="only endings of draughts can be solved"):
        tablebase.estimate(make("gomoku:size=5,line=4"), 3)


def test_two_kings_beat_one_and_one_does_not() -> None:
    """First position: even from the double corner, where a king is safe against one."""
    game = make("english")
    assert tablebase.probe(game.parse_fen("W:WK14,K15:BK1")) == "win"
    assert tablebase.probe(game.parse_fen("B:WK14,K15:BK1")) == "loss"
    assert tablebase.probe(game.parse_fen("W:WK14:BK1")) == "draw"
    assert tablebase.probe(game.start()) is None


def test_each_move_says_what_it_leads_to() -> None:
    game = make("english")
    found = {m.move.text: m.result for m in tablebase.moves(game.parse_fen("W:WK14,K15:BK1"))}
    assert set(found.values()) == {"win"}
    taking = tablebase.moves(game.parse_fen("W:WK22:BK18"))
    assert [(m.move.text, m.result) for m in taking] == [("22x15", "win")]
    losing = tablebase.moves(game.parse_fen("B:WK14:B9,K32"))
    assert "win" in {m.result for m in losing}
    assert {m.result for m in tablebase.moves(game.start())} == {None}


def test_in_the_middle_of_a_capture_nothing_is_known() -> None:
    state = make("english").parse_fen("W:WK18:BK22,K29:M18x29")
    assert tablebase.probe(state) is None


# Draws by counting.


def certain(spec: str, fen: str) -> list[float] | None:
    found = tablebase.tables(make(spec))
    assert found is not None
    return found.certain(make(spec).parse_fen(fen).native)


def test_a_win_is_certain_only_if_it_comes_before_a_draw_by_counting() -> None:
    game = make("english:endings=openspiel")  # 40 plies without a capture
    found = tablebase.tables(game)
    assert found is not None
    longest = next(s.longest for s in found.slices() if s.balance == "KK-K")
    assert 30 < longest < 40
    state = game.parse_fen("W:WK14,K15:BK32")
    for quiet in range(12):
        assert tablebase.probe(state) == ("win" if quiet % 2 == 0 else "loss")
        assert (found.certain(state.native) is not None) == (quiet + longest < 40)
        state.play(("14-9", "32-28", "9-14", "28-32")[quiet % 4])


def test_a_draw_is_certain_whatever_was_counted() -> None:
    assert certain("english", "W:WK14:BK1") == [0.0, 0.0]
    assert certain("international:endings=meng", "W:WK46:BK1") is None  # where material decides


def test_five_moves_of_two_against_one_are_enough_for_every_win() -> None:
    """By the official rules of flying kings such an ending is drawn after five moves of each."""
    for name in ("international", "russian", "brazilian"):
        found = tablebase.tables(make(name))
        assert found is not None
        endings = {s.balance: s.longest for s in found.slices()}
        assert endings["KK-K"] <= 10
        assert endings["K-K"] <= 10


# Files.


def test_tables_are_made_and_interrupted_work_goes_on(nothing_shipped: Path) -> None:
    game = make("english")
    assert tablebase.tables(game) is None
    told: list[tuple[int, int, int]] = []
    made = tablebase.make(game, 2, progress=lambda *so_far: told.append(so_far))
    assert [p.name for p in made] == ["english-2.bzt"]
    assert told[0][1] == 0
    assert told[-1][1] == told[-1][2] == 3488
    whole = made[0].read_bytes()
    made[0].unlink()
    (nothing_shipped / ".english-2.bzt.partial").write_bytes(whole[: len(whole) * 3 // 4])
    told.clear()
    assert tablebase.make(game, 2, progress=lambda *so_far: told.append(so_far)) == made
    assert told[0][1] > 0
    assert len(made[0].read_bytes()) == len(whole)
    assert tablebase.make(game, 2) == []
    found = tablebase.tables(game)
    assert found is not None
    assert found.pieces() == 2


def test_what_is_made_is_what_comes_with_the_package() -> None:
    maker = _core.make_tablebase(make("russian").start().native, 3)
    maker.add(shipped("russian-2.bzt"))
    frames = maker.header()
    while more := maker.solve(2):
        frames += more
    assert frames == shipped("russian-3.bzt")


@pytest.mark.parametrize(
    "data",
    [
        shipped("english-3.bzt")[:-8],
        shipped("english-3.bzt")[:500] + b"?" + shipped("english-3.bzt")[501:],
        shipped("russian-3.bzt"),
        b"",
        b"no table at all",
    ],
    ids=["cut", "damaged", "foreign", "empty", "text"],
)
def test_a_damaged_or_foreign_file_is_set_aside_with_a_sentence(data: bytes, home: Path) -> None:
    (home / "english-3.bzt").write_bytes(data)
    with pytest.warns(TablebaseWarning, match=r"english-3\.bzt.*it is set aside"):
        found = tablebase.tables(make("english"))
    assert found is not None
    assert found.pieces() == 2
    choice = make_player("alphabeta:nodes=500", make("english")).choose(make("english").start())
    assert choice.depth > 0


def test_too_little_disk_is_said_before_the_work_begins(
    nothing_shipped: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage(nothing_shipped)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=1000))
    with pytest.raises(BoardZeroError, match=r"the tables need about .* MB in .* are free"):
        tablebase.make(make("english"), 4)
    assert list(nothing_shipped.iterdir()) == []


@pytest.mark.usefixtures("nothing_shipped")
def test_only_small_tables_are_made_unasked() -> None:
    game = make("english")
    with pytest.raises(BoardZeroError, match="tablebase make english --pieces 5' makes it"):
        tablebase.tables_up_to(game, 5)
    found = tablebase.tables_up_to(game, 2)
    assert found is not None
    assert found.pieces() == 2
    assert tablebase.tables_up_to(game, 0) is None


def test_what_cannot_be_solved_is_refused() -> None:
    with pytest.raises(BoardZeroError, match="endgame tables have 2 to 6 pieces"):
        _core.make_tablebase(make("english").start().native, 7)
    with pytest.raises(BoardZeroError, match="the tables with fewer pieces must be added first"):
        _core.make_tablebase(make("english").start().native, 3).solve(1)
    english = tablebase.tables(make("english"))
    with pytest.raises(BoardZeroError, match="the tablebase is of another game"):
        _core.make_sampler(make("russian").start().native, ("mover", "flat", 0), english)
    with pytest.raises(BoardZeroError, match="this tablebase is of english draughts"):
        english.probe(make("russian").start().native)


# Whoever asks them.


def finish(game: Game, fen: str, player: str, *, plies: int) -> str:
    """Both sides by the same player; how it ended, in so many plies at most."""
    state, thinker = game.parse_fen(fen), make_player(player, game)
    for _ in range(plies):
        if (outcome := state.outcome()) is not None:
            return "draw" if outcome.winner is None else game.seats[outcome.winner]
        state.play(thinker.choose(state).move)
    return "unfinished"


def test_the_engine_wins_what_is_won() -> None:
    game = make("english")
    assert finish(game, "W:WK32,K31:BK1", "alphabeta:nodes=20000,seed=1", plies=79) == "white"


def test_the_engine_never_spoils_what_tables_know() -> None:
    """Even where it hardly searches; in each of these positions some move is worse than others."""
    game = make("english")
    player = make_player("alphabeta:nodes=50,seed=1", game)
    spoiling = 0
    for fen in ("B:WK14,K22:BK1", "B:WK30,K31:B28", "W:WK10:BK32,K27", "W:W9,K10:BK1", "W:W12:B5"):
        state = game.parse_fen(fen)
        results = {m.move.text: m.result for m in tablebase.moves(state)}
        spoiling += len(set(results.values())) > 1
        assert results[player.choose(state).move.text] == tablebase.probe(state)
    assert spoiling > 0


def test_a_search_with_a_net_proves_what_tables_know() -> None:
    game = make("english")
    root = game.parse_fen("W:W22,23:B18,K1")  # two captures, each leaves three pieces
    results = {m.move.text: m.result for m in tablebase.moves(root)}
    options = SearchConfig(simulations=40).native(noise=False)
    formats, found = [("mover", "flat", 0)], tablebase.tables(game)
    search = _core.make_search(root.native, options, formats, seed=1, tablebase=found)
    asked = 0
    while (planes := search.collect()) is not None:
        asked += len(planes)
        search.receive(
            np.zeros((len(planes), game.shape.actions), np.float32),
            np.zeros((len(planes), 2), np.float32),
        )
    assert asked == 1  # the root's own priors
    assert set(results.values()) == {"win"}
    best = search.candidates()[0]
    assert (best.proven, best.value) == (True, 1.0)  # which settles the root
    assert search.values()[root.to_move] == 1.0


def test_games_of_self_play_end_where_tables_know_the_result() -> None:
    game = make("english")
    options = _core.SelfPlayOptions()
    contestant = _core.Contestant()
    contestant.search = SearchConfig(simulations=2).native(noise=False)
    options.contestants = [contestant]
    start = game.parse_fen("W:WK14,K15:BK1").native
    pool = _core.make_pool(start, options, [("mover", "flat", 0)], 1, 1, tablebase.tables(game))
    pool.add([0])
    pool.collect()
    (record,) = pool.take_finished()
    played = _core.parse_record(record)
    assert list(played.outcome) == [-1.0, 1.0]
    assert len(played.actions) == 0


def test_the_arena_ends_games_where_tables_know_the_result_if_asked() -> None:
    game = make("english")
    players = [make_player("random:seed=1", game) for _ in range(2)]

    def play(*, adjudicate: bool) -> tuple[int | None, str, int]:
        sheet = Scoresheet("english", ("a", "b"), Opening(start="W:WK14,K15:BK1"))
        played = play_game(game, players, sheet=sheet, terms=Terms(adjudicate=adjudicate))
        return played.winner, played.reason, len(played.moves)

    assert play(adjudicate=True) == (1, "endgame table", 1)
    assert play(adjudicate=False)[1] != "endgame table"
    assert "adjudicate" not in Terms().settings()
    assert Terms(adjudicate=True).settings()["adjudicate"] is True


def test_a_player_can_leave_tables_aside() -> None:
    game = make("english")
    state = game.parse_fen("W:WK14,K15:BK1")
    with_tables = make_player("alphabeta:seed=1", game).choose(state, Limit(depth=4))
    without = make_player("alphabeta:seed=1,tablebase=false", game).choose(state, Limit(depth=4))
    assert with_tables.nodes != without.nodes
