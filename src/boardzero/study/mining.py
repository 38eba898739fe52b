"""Puzzles found in games, checked by a deeper search and by the endgame tables.

Games of quick players with a slip now and then, or games that were played and stored, are looked
through for positions in which one move is clearly best: a review would call any other a blunder.
Everything about a game of self-play follows from its number, so that mining goes on where it was
stopped. `verify` lets a player think for as long as a puzzle must withstand.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import count
from time import process_time

from boardzero.games import Game, Move, State, make, tablebase
from boardzero.players import Choice, Limit, Player, make_player
from boardzero.study.five import fives, near
from boardzero.study.lines import balance, played_out
from boardzero.study.puzzles import GAP, PLAYED, Puzzle
from boardzero.study.review import positions, strongest

_SELF_PLAY, _QUICK, _DEEP = 300, 3_000, 200_000  # positions that a search may look at
_SLIP = 0.25  # share of moves that are played at random
_LONGEST = 160  # plies of a game
_SHOWN = 15  # plies of a solution
_DECIDED = 0.7  # a value from which on a game has no more to offer
_WON = 0.995  # a value that only a forced win has
_RARELY = 2  # of so many games one may give a puzzle of the kind that there would be too many of
_FEW = 5  # pieces of an ending
_RIVALS = 6  # moves that are looked at again when others are ruled out
_STEADY = 400_000  # positions from which on the speed of a search can be told
_RANKS = {"loss": -1, "draw": 0, "win": 1}


def mine(spec: str, first: int = 0) -> Iterator[Puzzle | None]:
    """For each game of self-play from the given number on: its puzzle, or None. Without end."""
    game = make(spec)
    with closing(make_player(_seeded(strongest(game)), game)) as player:
        for number in count(first):
            player.new_game()
            rng = random.Random(f"puzzle {game.spec} {number}")
            yield _first_puzzle(_positions(game, player, rng), player, number)


def mine_games(games: Iterable[State]) -> Iterator[Puzzle | None]:
    """For each game that was played, by its last state: its puzzle, or None."""
    for end in games:
        with closing(make_player(_seeded(strongest(end.game)), end.game)) as player:
            states = (state for state in positions(end) if _has_choice(state))
            yield _first_puzzle(states, player, PLAYED)


def verify(puzzle: Puzzle, *, seconds: float, player: str | None = None) -> Puzzle | None:
    """The puzzle as the player sees it, or None if it finds another move, or one nearly as good.

    Seconds are those of a core that has nothing else to do, so that a busy machine checks as well:
    six tenths for the position, the rest for what the other moves lead to.
    """
    game = make(puzzle.game)
    state = game.parse_fen(puzzle.fen)
    solution = state.parse(puzzle.solution[0])
    spec = player or strongest(game)
    with closing(make_player(_seeded(spec), game)) as solver:
        nodes = seconds * _nodes_per_second(state, solver)
        best = solver.choose(state, Limit(nodes=int(0.6 * nodes)))
        if best.value is None or best.move.text != solution.text:
            return None
        gap = _gap(state, best, solver, int(0.4 * nodes))
    if gap < GAP or not _tables_agree(state, solution):
        return None
    return replace(
        puzzle, value=round(best.value, 3), gap=round(gap, 3), verified=seconds, verifier=spec
    )


def _seeded(spec: str) -> str:
    return f"{spec}{',' if ':' in spec else ':'}seed=1"


def _first_puzzle(states: Iterable[State], player: Player, number: int) -> Puzzle | None:
    """At most one of a game, so that they differ."""
    puzzles = (_puzzle_at(state, player, number) for state in states)
    return next((puzzle for puzzle in puzzles if puzzle is not None), None)


def _positions(game: Game, player: Player, rng: random.Random) -> Iterator[State]:
    """Of one game, those after a slip: there is something to punish."""
    state = game.start()
    if game.traits.sgf:  # the first stone belongs in the centre
        state.play(player.choose(state, Limit(nodes=_SELF_PLAY)).move)
    for _ in range(rng.randrange(2, 8)):
        state.play(rng.choice(_slips(state)))
    value = 0.0
    while state.outcome() is None and len(state.history) < _LONGEST and abs(value) < _DECIDED:
        if rng.random() >= _SLIP:
            choice = player.choose(state, Limit(nodes=_SELF_PLAY))
            value = choice.value or 0.0
            state.play(choice.move)
            continue
        state.play(rng.choice(_slips(state)))
        if _has_choice(state):
            yield state.copy()


def _has_choice(state: State) -> bool:
    return state.outcome() is None and len(state.moves()) >= 3


def _slips(state: State) -> list[Move]:
    """What a person might play by mistake: on a board of points, nothing far from all stones."""
    return (near(state) if state.game.traits.sgf else None) or state.moves()


def _puzzle_at(state: State, player: Player, number: int) -> Puzzle | None:
    quick = player.choose(state, Limit(nodes=_QUICK))
    least = 0.2 if state.game.traits.must_capture else 0.6
    if quick.value is None or quick.value < least or _is_plain(state, quick.move):
        return None
    if number % _RARELY and _is_common(state, solution(state, quick)):
        return None
    if _gap(state, quick, player, _QUICK, _slips(state)) < GAP:
        return None
    deep = player.choose(state, Limit(nodes=_DEEP))
    if deep.value is None or deep.move.text != quick.move.text:
        return None
    gap = _gap(state, deep, player, 2 * _DEEP)
    if gap < GAP or not _tables_agree(state, deep.move):
        return None
    line = solution(state, deep)
    theme = _theme(state, deep, line)
    if len(line) < 3 or theme is None:
        return None
    return Puzzle(
        id=f"{state.key() & 0xFFFFFFFFFF:010x}",
        game=state.game.spec,
        fen=state.fen(),
        solution=line,
        rating=_difficulty(state, deep, len(line), player),
        theme=theme,
        value=round(deep.value, 3),
        gap=round(gap, 3),
        mined=number,
    )


def solution(state: State, choice: Choice) -> tuple[str, ...]:
    """The line up to where it is clear, with a solver's move last.

    That is the end of the game, or where men are won and nothing more is to be taken.
    """
    seat, before = state.to_move, balance(state, state.to_move)
    counts_pieces = state.game.traits.must_capture
    moves = played_out(state, choice.pv)[:_SHOWN]
    position, last = state.copy(), 1
    for done, move in enumerate(moves, start=1):
        mover = position.to_move
        position.play(move)
        if mover != seat:
            continue
        if move.captured or position.outcome() is not None or not counts_pieces:
            last = done
        quiet = done == len(moves) or not moves[done].captured
        if counts_pieces and move.captured and quiet and balance(position, seat) > before:
            break
    return tuple(move.text for move in moves[:last])


def _gap(
    state: State, best: Choice, player: Player, nodes: int, among: Sequence[Move] = ()
) -> float:
    """Winning chances between the best move and the next, of all moves if none are given.

    A quarter of the nodes goes to a look at all other moves, the rest to the best of these.
    """
    if best.value is None:
        return 0.0
    others = [move for move in among or state.moves() if move.text != best.move.text]
    if not others:
        return 0.0
    values: dict[str, float] = {}
    for share, moves in ((0.25, others), (0.75, [])):
        looked = moves or sorted(others, key=lambda move: values[move.text])[-_RIVALS:]
        limit = Limit(nodes=max(500, int(share * nodes / len(looked))))
        for move in looked:
            value = _value_after(state, move, player, limit)
            values[move.text] = 1.0 if value is None else value
            if (best.value - values[move.text]) / 2 < GAP:
                return (best.value - values[move.text]) / 2
    return (best.value - max(values.values())) / 2


def _value_after(state: State, move: Move, player: Player, limit: Limit) -> float | None:
    """What a move is worth to who plays it, by a search of what it leads to."""
    after = state.after(move)
    outcome = after.outcome()
    if outcome is not None:
        return float(outcome.values[state.to_move])
    choice = player.choose(after, limit)
    return choice.value_for(state.to_move, after.to_move, state.game.players)


def _tables_agree(state: State, best: Move) -> bool:
    """Whether no other move is known to be as good, as far as the endgame tables reach."""
    results = {found.move.text: found.result for found in tablebase.moves(state)}
    top = results.pop(best.text)
    others = [_RANKS[result] for result in results.values() if result is not None]
    return all(other < (1 if top is None else _RANKS[top]) for other in others)


def _is_plain(state: State, move: Move) -> bool:
    """A solution that needs no thought: a capture, a five to be made or a four to be stopped."""
    traits = state.game.traits
    if traits.must_capture and move.captured:
        return True
    return traits.sgf and any(fives(state, seat) for seat in range(2))


def _is_common(state: State, line: tuple[str, ...]) -> bool:
    """Endings, and what is won in two moves."""
    return len(line) <= 3 or len(state.pieces()) <= _FEW


def _difficulty(state: State, best: Choice, length: int, player: Player) -> int:
    """By how much a search needs to see it, how long the line is, how many moves there are."""
    needed, effort = 100, 0
    while needed < _DEEP:
        player.new_game()
        choice = player.choose(state, Limit(nodes=needed))
        if choice.move.text == best.move.text and (choice.value or 0) > 0.15:
            break
        needed, effort = 3 * needed, effort + 1
    return 700 + 170 * effort + 60 * min(length, 11) + 4 * min(len(state.moves()), 40)


def _theme(state: State, best: Choice, line: tuple[str, ...]) -> str | None:
    """What the line does, or None where it shows nothing that a solver could see."""
    if best.value is not None and best.value >= _WON:
        return "win"
    seat, end = state.to_move, state.copy()
    moves = played_out(state, line)
    for move in moves:
        end.play(move)
    gain = balance(end, seat) - balance(state, seat)
    if gain > 0 and state.game.traits.must_capture:
        return "shot" if len(moves) > 1 and moves[1].captured else "men"
    return "king" if _kings(end, seat) > _kings(state, seat) else None


def _kings(state: State, seat: int) -> int:
    return sum(piece.owner == seat and piece.kind == "king" for piece in state.pieces())


def _nodes_per_second(state: State, player: Player) -> float:
    began, nodes = process_time(), 0
    for _ in range(20):
        nodes += player.choose(state, Limit(nodes=_STEADY)).nodes
        if nodes >= _STEADY:
            break
        player.new_game()
    player.new_game()
    return max(1.0, nodes / max(1e-3, process_time() - began))
