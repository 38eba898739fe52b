"""Write what the page without a server must answer as Python does: python scripts/page_fixtures.py

Positions, game files read and written, reviews, puzzles. A review is kept with all that it asked
and was told, so that no search need be repeated: tests/server/test_page_fixtures.py asks Python
again, web/tests/local.test.ts asks the page's own modules.
"""

import json
import random
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path

from site_data import review_words, site_data

from boardzero.base.errors import BoardZeroError
from boardzero.games import Arrow, Evaluation, GameTree, State, make
from boardzero.players import Candidate, Choice, Limit, make_player
from boardzero.server.analysis import review_view
from boardzero.server.catalog import game_families, open_game
from boardzero.server.puzzles import next_puzzle
from boardzero.server.trees import TreeData, TreeText, read, tree_data, write
from boardzero.server.views import position_view
from boardzero.study.puzzles import daily, games_with_puzzles
from boardzero.study.review import Ask, ReviewStep, reviewing

TARGET = Path(__file__).parent.parent / "web" / "tests" / "fixtures" / "python.json"
_QUICK = Limit(nodes=300, time=0.02)
TEXTS = {  # game files as others write them, and faulty ones
    "international": [
        '[Event "Test"]\n[White "A \\"B\\" C"]\n[GameType "20"]\n[Result "2-0"]\n\n'
        "1. 32-28 {good} 19-23 $1 2. 28x19 14x23 (2... 13x24 3. 33-28 ; until the end\n)"
        " 3. 37-32! 2-0",
        "1. 32-28 19-23 2. 28-19 14-23 3. 99-1 *",
        '[GameType "20"]\n[FEN "W:WK47,31:B22,17"]\n1. 31-27 22x31 *\n\n'
        '[GameType "25"]\n1. c3-d4 *',
        '[GameType "99"]\n1. 1-2 *',
        "1. 34-30 20-25 2. 30-24 {[%eval white 0.350] [%cal G32>28,R19-23] [%csl Y10]} 19x30"
        " 3. 35x24 (3. 40-35 25x34) (3. 33-29) 0-1",
        "1. 32-28 (1. 33-28 (1. 34-29 19-23) 18-23) 17-22 ?! 2. 28x17 {open",
    ],
    "english": ["1. 11-15 23-19 2. 8-11 22-17 1-0", "1. 11-15 24-20 2. 15-19 20-16 3. 19-24 )"],
    "russian": ["1. c3-d4 d6-c5 2. b2-c3 f6-g5 3. c3-b4 *", "1. c3d4 d6c5 2. b2-c3 0-2"],
    "gomoku": [
        "(;GM[4]SZ[8]RU[freestyle]PB[x]PW[y\\]z]RE[B+];B[dd];W[ee]C[a: \\] b]TE[1]"
        "(;B[de]AR[dd:ee])(;B[ed]V[-0.25]))",
        "(;FF[4]GM[4]SZ[15]RU[renju];B[hh];W[hi];B[zz])",
        "(;GM[4]SZ[8]AB[aa][bb]AW[cc]PL[W];W[dd]CR[aa:bb])",
        "hello (;GM[2]SZ[8];B[aa])",
        '[Game "gomoku"]\n\n1. d4 e5 2. d5 $3 {here} (2. e4 d5) e6 1-0',
    ],
    "chexers": ['[Game "chexers"]\n\n1. ("MOVE", ((-3,0),(-2,0))) ("PASS", None) *'],
}


def fixtures() -> dict[str, object]:
    rng = random.Random(28)
    return {
        "positions": [_position(spec, rng) for spec in _specs() for _ in range(4)],
        "files": [file_answer(spec, text) for spec, texts in TEXTS.items() for text in texts],
        "trees": [tree_answer(tree_data(_tree(spec, rng)).model_dump()) for spec in _specs()],
        "reviews": [_review(spec, seed) for spec in _reviewed() for seed in range(2)],
        "puzzles": [puzzle_answer(spec, day) for spec in games_with_puzzles() for day in range(5)],
        "all_puzzles": site_data()["puzzles.json"],
        "words": review_words(),
    }


def _specs() -> list[str]:
    own = [family.name for family in game_families()]
    return [*own, "gomoku:size=15,rule=renju", "english:endings=meng"]


def _reviewed() -> list[str]:
    return ["english", "international", "russian", "gomoku", "chexers"]


def _play(spec: str, rng: random.Random, plies: int) -> State:
    state = make(spec).start()
    while state.outcome() is None and len(state.history) < plies:
        state.play(rng.choice(state.moves()))
    return state


def _position(spec: str, rng: random.Random) -> dict[str, object]:
    state = _play(spec, rng, rng.choice([0, 9, 30, 300]))
    return position_answer({"game": spec, "moves": [str(move) for move in state.history]})


def position_answer(line: dict[str, object]) -> dict[str, object]:
    state = open_game(str(line["game"])).replay(line["moves"])
    return {"line": line, "view": position_view(state).model_dump()}


def file_answer(game: str, text: str) -> dict[str, object]:
    try:
        answer = read(TreeText(game=game, text=text)).model_dump()
    except BoardZeroError as error:
        answer = {"error": str(error)}
    return {"game": game, "text": text, "answer": answer}


def _tree(spec: str, rng: random.Random) -> GameTree:
    """With all that a tree may hold."""
    game = make(spec)
    tree = GameTree(game, tags={"White": 'A "b" \\ c', "Date": "2026.01.01"}, result="1-0")
    nodes = [tree]
    cells = sorted(game.geometry.places)
    for _ in range(25):
        node = rng.choice(nodes[-6:])
        if node.position.outcome() is None:
            nodes.append(node.add_variation(rng.choice(node.position.moves())))
            nodes[-1].nags = rng.sample(range(1, 8), rng.choice([0, 0, 1, 2]))
            nodes[-1].comment = rng.choice(["", "", "so", "a } brace", "long " * 30])
    for node in nodes[1::4]:
        node.evaluation = Evaluation(1, 0.125)
        node.arrows = [Arrow(cells[0], cells[i], "red") for i in (0, 5)]
    return tree


def tree_answer(data: dict[str, object]) -> dict[str, object]:
    return {"data": data, "written": write(TreeData.model_validate(data)).model_dump()}


def _review(spec: str, seed: int) -> dict[str, object]:
    """A game with mistakes, reviewed by quick searches, whose answers are kept."""
    rng = random.Random(f"{spec} {seed}")
    game = make(spec)
    tactician = game.traits.players.tactician or game.traits.players.analysts[0]
    with closing(make_player(tactician, game)) as player:
        state = game.start()
        while state.outcome() is None and len(state.history) < 28:
            slip = rng.random() < 0.35
            best = rng.choice(state.moves()) if slip else player.choose(state, _QUICK).move
            state.play(best)
        asked: list[dict[str, object]] = []
        line = {"game": spec, "moves": [str(move) for move in state.history]}

        def answer(ask: Ask) -> Choice:
            choice = player.choose(ask.state, Limit(nodes=int(4000 * ask.seconds), time=0.05))
            asked.append(_asked(ask, choice))
            return _choice(ask.state, asked[-1]["choice"])  # no more than what is kept

        steps = _steps(line, tactician, answer)
    return {"line": line, "analyst": tactician, "asked": asked, "steps": steps}


def review_answer(review: dict[str, object]) -> dict[str, object]:
    """The same once more, with the answers that were kept."""
    waiting = iter(review["asked"])

    def answer(ask: Ask) -> Choice:
        known = next(waiting)
        assert known["fen"] == ask.state.fen()
        return _choice(ask.state, known["choice"])

    return {**review, "steps": _steps(review["line"], review["analyst"], answer)}


def _steps(line: dict[str, object], analyst: str, answer: object) -> list[object]:
    end = make(line["game"]).replay(line["moves"])
    work = reviewing(end, analyst=analyst, tactician=analyst)
    steps, told = [], None
    while True:
        try:
            found = work.send(told)
        except StopIteration:
            return steps
        told = None
        if isinstance(found, ReviewStep):
            steps.append(review_view(found).model_dump())
        else:
            told = answer(found)


def _asked(ask: Ask, choice: Choice) -> dict[str, object]:
    candidates = [
        {"move": c.move.text, "visits": c.visits, "value": c.value, "prior": c.prior}
        for c in choice.candidates[:4]
    ]
    told = {"value": choice.value, "pv": list(choice.pv), "values": list(choice.values)}
    told |= {"move": choice.move.text, "candidates": candidates}
    return {"fen": ask.state.fen(), "choice": told}


def _choice(state: State, told: dict) -> Choice:
    candidates = [Candidate(**{**c, "move": state.parse(c["move"])}) for c in told["candidates"]]
    return Choice(
        state.parse(told["move"]),
        value=told["value"],
        pv=tuple(told["pv"]),
        candidates=candidates,
        values=tuple(told["values"]),
    )


def puzzle_answer(spec: str, number: int) -> dict[str, object]:
    day = date(2026, 11, 18) + timedelta(number)
    rating, done = 800 + 200 * number, [daily(make(spec), day).id]
    return {
        "game": spec,
        "day": f"{day}",
        "daily": daily(make(spec), day).id,
        "rating": rating,
        "done": done,
        "next": next_puzzle(spec, rating, ",".join(done)).id,
    }


if __name__ == "__main__":
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(json.dumps(fixtures(), ensure_ascii=False, separators=(",", ":")) + "\n")
    print(TARGET, TARGET.stat().st_size)
