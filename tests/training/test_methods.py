"""Methods of several nets and trees: from the recipe to the player."""

import json
from pathlib import Path

import pytest

from boardzero import BoardZeroError, _core, make
from boardzero.methods import (
    Method,
    MethodOptions,
    Net,
    Tree,
    find_method,
    method_names,
    register_method,
)
from boardzero.players import make_player
from boardzero.runs.events import Event, LossMeasured, of_type
from boardzero.runs.recipe import Recipe, load_recipe, validate
from boardzero.runs.run_folder import RunFolder
from boardzero.training.train import train
from boardzero.training.trainer_group import TrainerGroup
from tests.training.test_runs import wait_for
from tests.training.tiny import Training, check, tiny

DRAUGHTS = "international:endings=meng"
EARLY = {"blocks": 0, "format": {"policy": "directions"}}
SMALL = {"blocks": 0}
# Games that both learn from and that end soon.
SHORT = {"selfplay__max_steps": 60, "gate__games": 2, "gate__threshold": 0.01, "run__iterations": 1}


def tiny_draughts(method: str, **nets: object) -> Recipe:
    simulations = 8 if method == "three-stage" else 1
    return tiny(game=DRAUGHTS, method=method, nets=nets, search__simulations=simulations, **SHORT)


RECIPES = {
    "three-stage": tiny_draughts("three-stage", early=EARLY),
    "mpv": tiny_draughts("mpv", small=SMALL),
    "hybrid": tiny_draughts("hybrid", early=EARLY, small=SMALL),
}
NETS = {
    "three-stage": ["early", "large"],
    "mpv": ["small", "large"],
    "hybrid": ["early", "small", "large"],
}


@pytest.mark.parametrize("method", RECIPES)
def test_every_method_trains_and_what_it_trained_plays(method: str, tmp_path: Path) -> None:
    events: list[Event] = []
    run = train(RECIPES[method], run=tmp_path / "a", cores=1, on_event=events.append)
    versions, games = check(run.path)
    assert versions in ([0], [0, 1])
    assert sorted(games) == list(range(8))
    _, card = run.model()
    assert [net.name for net in card.nets] == NETS[method]
    assert card.plan == RECIPES[method].plan
    assert {event.net for event in of_type(events, LossMeasured)} == set(NETS[method])
    game = make(DRAUGHTS)
    player = make_player(f"zero:run={run.path}", game)
    rounds = 8 if method == "three-stage" else 9
    assert player.choose(game.start()).nodes == rounds
    late = game.parse_fen("W:WK5,31:BK46,20")
    assert player.choose(late).move in late.moves()


def test_a_run_with_several_nets_survives_being_killed(tmp_path: Path) -> None:
    recipe = tiny(
        game=DRAUGHTS,
        method="hybrid",
        nets={"early": EARLY, "small": SMALL},
        search__simulations=1,
        **{**SHORT, "run__iterations": 3},
    )
    folder = tmp_path / "run"
    training = Training(folder, recipe)
    wait_for(folder, lambda: (folder / "candidate").exists(), training)
    training.kill()
    versions, games = check(folder)
    Training(folder, recipe).finish()
    after, more = check(folder)
    assert set(versions) <= set(after)
    assert games.items() <= more.items()
    assert sorted(more) == list(range(24))
    assert RunFolder(folder).progress().iteration == 4


@pytest.mark.parametrize("spec", ["gomoku:size=5,line=4", "chexers"])
def test_mpv_trains_for_games_without_stages(spec: str, tmp_path: Path) -> None:
    value = {"output": "players"} if spec == "chexers" else {}
    data = tiny(game=spec, method="mpv", search__simulations=1, **SHORT).model_dump()
    data["net"]["value"] |= value
    data["nets"] = {"small": {"blocks": 0}}
    run = train(validate(data, source="tiny"), run=tmp_path / "a", cores=1)
    check(run.path)
    state = make(spec).start()
    assert make_player(f"zero:run={run.path}", make(spec)).choose(state).move in state.moves()


def test_side_by_side_training_reports_each_net(tmp_path: Path) -> None:
    events: list[Event] = []
    recipe = tiny(method="mpv", run__mode="async", search__simulations=1, run__iterations=1)
    run = train(recipe, run=tmp_path / "a", cores=1, on_event=events.append)
    assert {event.net for event in of_type(events, LossMeasured)} == {"small", "large"}
    assert [net.name for net in run.model()[1].nets] == ["small", "large"]


def test_the_early_net_learns_from_early_stages_and_the_large_one_from_all(tmp_path: Path) -> None:
    recipe = tiny_draughts("three-stage", early=EARLY).model_copy(
        update={"selfplay": RECIPES["mpv"].selfplay.model_copy(update={"max_steps": 200})}
    )
    run = train(recipe, run=tmp_path / "a", cores=1)
    replay = run.replay()
    early, large = TrainerGroup(make(DRAUGHTS), recipe).trainers
    games = replay.window()
    stages = [stage for game in games for stage in stages_by_hand(replay.read(game))]
    assert set(stages) == {0, 1, 2}
    drawn = {t.role.name: t._examples(replay, games) for t in (early, large)}
    assert len(drawn["large"]) == len(stages)
    assert [stages[i] for i in range(len(stages)) if stages[i] < 2] == [
        stages_by_hand(replay.read(games[game]))[rank] for game, rank in drawn["early"]
    ]
    early._examples(replay, games[-2:])
    assert list(early._ranks) == games[-2:]  # it does not grow with the run


def stages_by_hand(record: bytes) -> list[int]:
    """The stage of each decision, by playing the game through."""
    game = _core.parse_record(record)
    state = make(DRAUGHTS).start()
    at = {decision.ply for decision in game.decisions if decision.full}
    found = []
    for ply, action in enumerate(game.actions):
        if ply in at:
            found.append(state.native.stage())
        state.play_action(action)
    return found


# A method of one's own.

JURY = """
from boardzero.methods import Method, Net, Tree

JURY = Method(
    "jury",
    "three nets with a tree each, which agree on everything",
    (Net("one"), Net("two"), Net("three")),
    lambda _: tuple(
        Tree((name,), value_share=1 / 3, prior_share=1 / 3) for name in ("one", "two", "three")
    ),
)
"""


def test_a_method_is_one_file_and_nothing_else_knows_of_it(tmp_path: Path) -> None:
    (tmp_path / "jury.py").write_text(JURY)
    recipe = tiny(method=f"{tmp_path}/jury.py:JURY", **{**SHORT, "run__iterations": 2})
    run = train(recipe, run=tmp_path / "a", cores=1)
    check(run.path)
    _, card = run.model()
    assert [net.name for net in card.nets] == ["one", "two", "three"]
    (tmp_path / "jury.py").unlink()  # a model is played without it
    game = make(recipe.game)
    assert make_player(f"zero:run={run.path}", game).choose(game.start()).nodes == 24


class Patience(MethodOptions):
    """How many simulations the first tree has for each of the second."""

    turns: int = 2


def test_a_method_may_have_options_of_its_own() -> None:
    register_method(
        Method(
            "patient",
            "two nets, one of them quicker",
            (Net("a"), Net("b")),
            lambda options: (Tree(("a",), turns=options.turns), Tree(("b",))),
            Patience,
        )
    )
    assert tiny(method="patient").plan.turns == (1, 0, 0)
    assert tiny(method="patient", method_options={"turns": 3}).plan.turns == (1, 0, 0, 0)


def test_a_method_can_be_registered() -> None:
    mine = Method(
        "mine", "two nets in turns", (Net("a"), Net("b")), lambda _: (Tree(("a",)), Tree(("b",)))
    )
    register_method(mine)
    assert find_method("mine") is mine
    assert tiny(method="mine").plan.turns == (1, 0)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("mvp", "unknown method 'mvp'; did you mean 'mpv'?"),
        ("there_is_none.py:X", "there is no file 'there_is_none.py' to load a method from"),
        ("{folder}/empty.py:X", "defines no method X"),
        ("{folder}/broken.py:X", "cannot be loaded: SyntaxError"),
    ],
)
def test_a_method_that_is_not_there_is_one_sentence(
    name: str, sentence: str, tmp_path: Path
) -> None:
    (tmp_path / "empty.py").write_text("X = 1")
    (tmp_path / "broken.py").write_text("X =")
    with pytest.raises(BoardZeroError) as error:
        find_method(name.format(folder=tmp_path))
    assert sentence in str(error.value)


# Recipes.


def test_a_recipe_with_a_wrong_method_or_net_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "tiny.toml"
    for text, sentence in [
        ('method = "hybird"', "tiny.toml: method: unknown method 'hybird'; did you mean 'hybrid'?"),
        (
            'method = "mpv"\n[nets.smal]',
            "unknown net of the method mpv 'smal'; did you mean 'small'",
        ),
        (
            'method = "mpv"\n[nets.small]\nblock = 2',
            "unknown key in tiny.toml [nets.small] 'block'; did you mean 'blocks'?",
        ),
        (
            'method = "mpv"\n[nets.small.value]\nstile = "fc"',
            "unknown key in tiny.toml [nets.small.value] 'stile'; did you mean 'style'?",
        ),
        ('method = "mpv"\n[nets]\nsmall = 3', "tiny.toml: nets.small:"),
        (
            'method = "mpv"\n[method_options]\nbugdet = 3',
            "method_options: unknown option of the method mpv 'bugdet'; did you mean 'budget'?",
        ),
        ('method = "mpv"\n[method_options]\nbudget = 0', "method_options: budget: Input should be"),
        (
            "[method_options]\nbudget = 3",
            "method_options: unknown option of the method baseline 'budget'; there are none",
        ),
    ]:
        file.write_text('game = "gomoku"\n' + text)
        with pytest.raises(BoardZeroError) as error:
            load_recipe(str(file))
        assert sentence in str(error.value)


def test_a_net_is_the_common_one_but_for_what_its_section_says(tmp_path: Path) -> None:
    recipe = load_recipe("meng-hybrid")
    sections = recipe.sections()
    assert sections["large"].model_dump(exclude={"format"}) == recipe.net.model_dump()
    for name in ("early", "small"):
        assert (sections[name].blocks, sections[name].value.hidden) == (5, 64)
        assert (sections[name].channels, sections[name].dropout) == (64, 0.3)
    assert sections["early"].format.policy == "directions"
    assert sections["small"].format == sections["large"].format == recipe.format
    (tmp_path / "saved.toml").write_text(recipe.toml())
    assert load_recipe(str(tmp_path / "saved.toml"), ["name=meng-hybrid"]) == recipe


QUICK = ["baseline", "three-stage", "three-stage-large", "mpv", "hybrid"]


def test_the_modern_recipes_of_meng_differ_only_in_method_nets_and_budget() -> None:
    def common(recipe: Recipe) -> dict[str, object]:
        data = recipe.model_dump(exclude={"name", "about", "method", "method_options", "nets"})
        del data["search"]["simulations"]
        return data

    first, *others = (load_recipe(f"meng-{name}-modern") for name in QUICK)
    for recipe in others:
        assert common(recipe) == common(first)
        for name, section in recipe.sections().items():
            halved = name != "large" and not recipe.name.endswith("large-modern")
            assert section.blocks == (first.net.blocks // 2 if halved else first.net.blocks)


def test_meng_s_budget_is_ten_large_and_eighty_small_simulations_evenly_spread() -> None:
    recipe = load_recipe("meng-mpv")
    turns = recipe.plan.turns * recipe.search.simulations
    assert [i for i, tree in enumerate(turns) if tree == 1] == [*range(0, 90, 9)]
    small, large = recipe.plan.trees
    assert (small.value_share, small.prior_share) == (0.5, 0.0)
    assert (large.value_share, large.prior_share) == (0.5, 1.0)
    assert (small.follows, large.follows) == (None, 0)


def test_every_method_says_what_it_is() -> None:
    assert {"baseline", "three-stage", "mpv", "hybrid"} <= set(method_names())
    for name in method_names():
        method = find_method(name)
        assert method.about
        plan = method.plan()
        assert {net for tree in plan.trees for net in tree.nets} == set(range(len(method.nets)))
        assert json.loads(plan.model_dump_json())
