"""Plant mistakes in games and see whether a review finds them: `scripts/planted.py draughts 20`.

A quick player plays; now and then its move is replaced by one that a search ten times as deep as
the review's says is bad. Then the game is reviewed. Every move that it accuses, and a third of the
others, is checked by the deeper search: one that this calls sound must not be accused. Prints one
line of JSON.
"""

import json
import random
import sys
from contextlib import closing
from dataclasses import dataclass, field

from boardzero.games import State, make
from boardzero.players import Limit, Player, make_player
from boardzero.study import review_game
from boardzero.study.review import strongest

FAMILIES = {
    "draughts": ("international", "english", "russian", "brazilian", "pool"),
    "gomoku": ("gomoku", "gomoku:size=15", "gomoku:size=15,rule=renju"),
    "chexers": ("chexers",),
}
NODES = {"draughts": 3000, "gomoku": 3000, "chexers": 80}  # for each search of the review
DEEPER = 10
PLIES = 44
BAD, SOUND = 0.25, 0.03  # losses of winning chances by the deeper search
TRIES = 6  # moves that are looked at for one to plant


@dataclass
class Count:
    planted: int = 0
    found: int = 0
    named: int = 0  # with a reason in words
    sound: int = 0
    accused: int = 0
    missed: list[str] = field(default_factory=list)
    wronged: list[str] = field(default_factory=list)


def value_after(state: State, move: object, player: Player, nodes: int) -> float:
    after = state.after(str(move))
    outcome = after.outcome()
    if outcome is not None:
        return float(outcome.values[state.to_move])
    found = player.choose(after, Limit(nodes=nodes))
    value = found.value_for(state.to_move, after.to_move, state.game.players)
    return 0.0 if value is None else value


def loss_of(state: State, move: object, player: Player, nodes: int) -> float:
    best = player.choose(state, Limit(nodes=nodes)).move
    if str(best) == str(move):
        return 0.0
    top = value_after(state, best, player, nodes)
    return max(0.0, (top - value_after(state, move, player, nodes)) / 2)


def planted_game(spec: str, nodes: int, rng: random.Random) -> tuple[State, set[int]]:
    game = make(spec)
    state, planted = game.start(), set[int]()
    for _ in range(4 if game.traits.must_capture else 2):
        state.play(rng.choice(state.moves()))
    with closing(make_player(strongest(game), game)) as player:
        while state.outcome() is None and len(state.history) < PLIES:
            move = player.choose(state, Limit(nodes=max(60, nodes // 6))).move
            if len(state.history) > 5 and len(planted) < 3 and rng.random() < 0.25:
                options = rng.sample(state.moves(), min(TRIES, len(state.moves())))
                for option in options:
                    if loss_of(state, option, player, nodes * DEEPER) >= BAD:
                        move = option
                        planted.add(len(state.history))
                        break
            state.play(move)
    return state, planted


def count_game(spec: str, nodes: int, seed: int, count: Count) -> None:
    state, planted = planted_game(spec, nodes, random.Random(f"planted {spec} {seed}"))
    with closing(make_player(strongest(state.game), state.game)) as player:
        for step in review_game(state, nodes=nodes):
            if step.played is None or step.verdict is None:
                continue
            name = step.verdict.name
            where = f"{spec} {seed}: {step.state.fen()} {step.played}"
            if step.ply in planted:
                count.planted += 1
                count.found += name is not None
                count.named += step.verdict.reason is not None
                if name is None:
                    count.missed.append(where)
            elif name is not None or step.ply % 3 == 0:  # of those not accused a third is checked
                loss = loss_of(step.state, step.played, player, nodes * DEEPER)
                if loss < SOUND:
                    count.sound += 1 if name is not None else 3
                    count.accused += name is not None
                    if name is not None:
                        count.wronged.append(f"{where} {name} {step.verdict.loss:.2f}")


def main(family: str, games: int) -> None:
    count = Count()
    for seed in range(games):
        spec = FAMILIES[family][seed % len(FAMILIES[family])]
        count_game(spec, NODES[family], seed, count)
        print(family, seed + 1, vars(count), file=sys.stderr, flush=True)
    print(json.dumps({"family": family, "games": games, **vars(count)}))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
