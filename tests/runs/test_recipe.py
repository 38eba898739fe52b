"""Recipes: what is refused, with which sentence, and that nothing is lost in TOML."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardzero import BoardZeroError
from boardzero.base.sections import LARGEST_SEED
from boardzero.runs.recipe import GateConfig, Recipe, load_recipe, recipe_names, validate

MINIMAL = 'game = "gomoku:size=5,line=4"\n'


@pytest.fixture
def recipe_file(tmp_path: Path) -> Path:
    return tmp_path / "tiny.toml"


def refused(path: Path, text: str, *changes: str) -> str:
    path.write_text(MINIMAL + text)
    with pytest.raises(BoardZeroError) as error:
        load_recipe(str(path), changes)
    sentence = str(error.value)
    assert "\n" not in sentence
    return sentence


def test_a_recipe_is_named_by_its_file_unless_it_has_a_name(recipe_file: Path) -> None:
    recipe_file.write_text(MINIMAL)
    assert load_recipe(str(recipe_file)).name == "tiny"
    recipe_file.write_text('name = "large"\n' + MINIMAL)
    assert load_recipe(str(recipe_file)).name == "large"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("sed = 1", "unknown key in tiny.toml 'sed'; did you mean 'seed'?"),
        ("[learn]\nlearning_rate = 1", "unknown key in tiny.toml [learn] 'learning_rate';"),
        (
            "[search]\nsimulation = 9",
            "unknown key in tiny.toml [search] 'simulation'; did you mean 'simulations'?",
        ),
        (
            "[net.value]\nstile = 'fc'",
            "unknown key in tiny.toml [net.value] 'stile'; did you mean 'style'?",
        ),
        ("[serch]\nsimulations = 9", "unknown key in tiny.toml 'serch'; did you mean 'search'?"),
    ],
)
def test_a_misspelt_key_names_the_nearest(recipe_file: Path, text: str, sentence: str) -> None:
    assert refused(recipe_file, text).startswith(sentence)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("seed = 'one'", "tiny.toml: seed:"),
        ("[learn]\nuses = 4\nlr = 'fast'", "tiny.toml: learn.lr:"),
        ("[learn]\nuses = 4\nlr = -1", "tiny.toml: learn.lr:"),
        ("[learn]\nuses = 4\nsteps = 100", "give exactly one of epochs, steps and uses"),
        ("[net]\nblocks = 2.5", "tiny.toml: net.blocks:"),
        ("[net]\nactivation = 'tanh'", "tiny.toml: net.activation:"),
        ("[net.policy]\nchannels = 0", "tiny.toml: net.policy.channels:"),
        ("[search]\nsimulations = 0", "tiny.toml: search.simulations:"),
        ("[selfplay]\nfull_share = 0", "tiny.toml: selfplay.full_share:"),
        ("[run]\nmode = 'turbo'", "tiny.toml: run.mode:"),
        ("search = 3", "tiny.toml: search:"),
    ],
)
def test_a_wrong_type_or_value_is_one_sentence_with_its_place(
    recipe_file: Path, text: str, place: str
) -> None:
    assert place in refused(recipe_file, text)


def test_what_is_no_toml_is_refused(recipe_file: Path) -> None:
    assert "tiny.toml is not valid TOML" in refused(recipe_file, "[learn")


def test_what_is_no_text_is_refused(recipe_file: Path, tmp_path: Path) -> None:
    recipe_file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BoardZeroError, match="cannot be read as a recipe"):
        load_recipe(str(recipe_file))
    (tmp_path / "folder.toml").mkdir()
    with pytest.raises(BoardZeroError, match="cannot be read as a recipe"):
        load_recipe(str(tmp_path / "folder.toml"))


def test_a_recipe_without_a_game_is_refused(recipe_file: Path) -> None:
    recipe_file.write_text("seed = 1")
    with pytest.raises(BoardZeroError, match=r"tiny\.toml: game: Field required"):
        load_recipe(str(recipe_file))


def test_a_recipe_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BoardZeroError, match="there is no recipe file"):
        load_recipe(str(tmp_path / "none.toml"))
    with pytest.raises(BoardZeroError, match="unknown recipe 'wang-gomok'"):
        load_recipe("wang-gomok")


@pytest.mark.parametrize("name", recipe_names())
def test_every_shipped_recipe_is_valid(name: str) -> None:
    assert load_recipe(name).name == name


# Changes from the command line.


def test_changes_are_applied_with_the_types_of_toml(recipe_file: Path) -> None:
    recipe_file.write_text(MINIMAL + "[learn]\nuses = 4\nlr = 0.5")
    changes = [
        "learn.lr=0.01",
        "net.value.style=fc",
        "search.proven=false",
        "seed = 7",
        'about="x=y"',
    ]
    recipe = load_recipe(str(recipe_file), changes)
    assert recipe.learn.lr == 0.01
    assert recipe.net.value.style == "fc"
    assert recipe.search.proven is False
    assert recipe.seed == 7
    assert recipe.about == "x=y"


@pytest.mark.parametrize("amount", ["epochs=2", "steps=5", "uses=3"])
def test_an_amount_of_learning_replaces_the_one_that_was_given(amount: str) -> None:
    name, _, value = amount.partition("=")
    learn = load_recipe("gomoku8-zero", [f"learn.{amount}"]).learn
    given = {key: getattr(learn, key) for key in ("epochs", "steps", "uses")}
    assert {key: told for key, told in given.items() if told is not None} == {name: float(value)}


def test_a_recipe_that_extends_another_may_say_the_amount_in_its_own_way(tmp_path: Path) -> None:
    child = tmp_path / "child.toml"
    child.write_text('extends = "gomoku8-zero"\n[learn]\nsteps = 7\n')
    learn = load_recipe(str(child)).learn
    assert (learn.epochs, learn.steps, learn.uses) == (None, 7, None)
    child.write_text('extends = "gomoku8-zero"\n[learn]\nsteps = 7\nuses = 2\n')
    with pytest.raises(BoardZeroError, match="exactly one"):
        load_recipe(str(child))


def test_a_game_with_options_can_be_set_without_quotes(recipe_file: Path) -> None:
    recipe_file.write_text(MINIMAL)
    assert (
        load_recipe(str(recipe_file), ["game=gomoku:size=7,line=4"]).game == "gomoku:size=7,line=4"
    )


def test_a_wrong_change_is_one_sentence(recipe_file: Path) -> None:
    assert "not of the form section.key=value" in refused(recipe_file, "", "learn.lr")
    assert "did you mean 'lr'?" in refused(recipe_file, "", "learn.l=1", "learn.uses=4")
    assert "game is not a section" in refused(recipe_file, "", "game.size=3")


# TOML.


def test_a_recipe_written_as_toml_is_read_as_an_equal_one(tmp_path: Path) -> None:
    about = 'about="a \\"b\\"\\n\\\\ \\u0007 c"'
    recipe = load_recipe("wang-gomoku-modern", ["learn.lr=1e-5", about])
    path = tmp_path / "copy.toml"
    path.write_text(recipe.toml())
    assert load_recipe(str(path)) == recipe


@settings(deadline=None, max_examples=50)
@given(st.text(), st.floats(1e-12, 1e3), st.integers(0, LARGEST_SEED))
def test_any_text_and_number_survives_toml(about: str, lr: float, seed: int) -> None:
    data = {"name": "x", "game": "chexers", "about": about, "seed": seed}
    recipe = validate({**data, "learn": {"lr": lr, "uses": 1}}, source="test")
    assert validate(tomllib.loads(recipe.toml()), source="test") == recipe


# The gate.


@pytest.mark.parametrize(
    ("rule", "threshold", "result", "accepted"),
    [
        ("score", 0.55, (10, 2, 8), True),
        ("score", 0.55, (10, 1, 9), False),
        ("score", 0.55, (0, 20, 0), False),
        ("wins", 0.55, (11, 0, 9), True),
        ("wins", 0.55, (1, 19, 0), True),  # draws do not count
        ("wins", 0.55, (0, 20, 0), False),
        ("ratio", 1.5, (12, 0, 8), True),
        ("ratio", 1.5, (11, 1, 8), False),
        ("ratio", 1.5, (1, 19, 0), True),
        ("ratio", 1.5, (0, 20, 0), False),
    ],
)
def test_a_gate_accepts_by_its_rule(
    rule: str, threshold: float, result: tuple[int, int, int], accepted: bool
) -> None:
    gate = GateConfig.model_validate({"rule": rule, "threshold": threshold})
    assert gate.accepts(*result) is accepted


def test_without_games_the_gate_is_open() -> None:
    assert GateConfig(games=0).accepts(0, 0, 0)


def test_a_recipe_cannot_be_changed_by_accident() -> None:
    recipe = Recipe(name="x", game="chexers")
    with pytest.raises(ValueError, match="frozen"):
        recipe.seed = 2


def test_a_recipe_takes_over_what_it_extends(tmp_path: Path) -> None:
    (tmp_path / "child.toml").write_text('extends = "parent.toml"\n[learn]\nlr = 0.5\n')
    (tmp_path / "parent.toml").write_text(
        'extends = "gomoku8-zero"\n[learn]\nlr = 0.25\nuses = 9\n'
    )
    recipe = load_recipe(str(tmp_path / "child.toml"))
    assert (recipe.name, recipe.game) == ("child", "gomoku")
    assert (recipe.learn.lr, recipe.learn.uses) == (0.5, 9)
    assert recipe.net == load_recipe("gomoku8-zero").net


def test_a_recipe_that_extends_itself_or_nothing_is_refused(tmp_path: Path) -> None:
    loop = tmp_path / "loop.toml"
    loop.write_text('extends = "loop.toml"\n')
    with pytest.raises(BoardZeroError, match="extends itself"):
        load_recipe(str(loop))
    loop.write_text('extends = "gomoku8-zeros"\n')
    with pytest.raises(BoardZeroError, match="gomoku8-zero"):
        load_recipe(str(loop))
