"""A recipe: one TOML file that fully describes a training run.

Every section is a pydantic model that refuses what it does not know; a misspelt key is an error
that names the nearest right one. `boardzero train` saves the recipe whole into the run.
"""

from __future__ import annotations

import json
import tomllib
import warnings
from collections.abc import Container, Sequence
from pathlib import Path
from typing import Any, ClassVar, Literal

from pydantic import BaseModel, Field, ValidationInfo, field_validator, model_validator

from boardzero.base.errors import BoardZeroError, nearest
from boardzero.base.plugins import Registry, all_that_load, subclass_of
from boardzero.base.sections import LARGEST_SEED, Section, read_toml, validated
from boardzero.methods import find_method, is_method_file
from boardzero.models.kinds import SEARCHED, ModelKind
from boardzero.models.old_words import recipe_in_words_of_today
from boardzero.models.search_config import MOST_SIMULATIONS, SearchConfig
from boardzero.models.search_plan import SearchPlan
from boardzero.nets.config import NetConfig
from boardzero.runs.events import Event
from boardzero.workers.launcher import Resources


class SelfPlayConfig(Section):
    """How games are played for learning."""

    games: int = Field(100, ge=1, le=1_000_000)  # per iteration
    parallel: int = Field(64, ge=1, le=65_536)  # games that advance together in one worker
    temperature: float = Field(1.0, ge=0)  # of the choice among visits; 0: the most visited
    temperature_steps: int = Field(10, ge=0)  # it holds for so many steps of a game
    late_temperature: float = Field(0.0, ge=0)  # the temperature of all later steps
    target: Literal["visits", "visits_score"] = "visits"  # of the policy; score: N^(1/t) (Q + U)
    sharpen_targets: bool = False  # targets follow the temperature
    reuse_tree: bool = True  # a search goes on in the tree of the step before
    opening_steps: int = Field(0, ge=0)  # up to so many random steps
    max_steps: int = Field(2000, ge=1, le=60000)  # a longer game is a draw
    full_share: float = Field(1.0, gt=0, le=1)  # of choices with the whole budget
    fast_simulations: int = Field(
        0, ge=0, le=MOST_SIMULATIONS
    )  # budget of the others, which are not learned
    int8: bool = False  # play with nets in eight bits, twice as fast; gates stay exact
    early_games: int = Field(0, ge=0)  # of the run, which are searched with `early_simulations`
    early_simulations: int = Field(1, ge=1, le=MOST_SIMULATIONS)  # of `early_games`
    tablebase: int = Field(0, ge=0, le=6)  # in draughts, games end where tables with up to so many
    # pieces know the result, and searches know it too


class NetFormatConfig(Section):
    """How the net sees states and names actions."""

    encoding: str = "mover"  # the planes that the net sees, by name
    policy: str = "flat"  # how actions are numbered, by name
    history: int = Field(0, ge=0, le=16)  # earlier boards that it sees too

    @property
    def names(self) -> tuple[str, str, int]:
        return (self.encoding, self.policy, self.history)


class NetSection(NetConfig):
    """One of several nets: [net] and [format], and where [nets.NAME] differs from them."""

    format: NetFormatConfig = NetFormatConfig()


class ReplayConfig(Section):
    """Which games are learned from: the latest ones, within every bound that is given."""

    iterations: int | None = Field(None, ge=1)  # only games of the latest so many
    games: int | None = Field(None, ge=1)  # only the latest so many
    positions: int | None = Field(None, ge=1)  # only the latest so many; stored images count too
    growth: float = Field(0.0, ge=0, le=1)  # with this exponent of all positions so far, the bound
    # on positions grows once it is reached: 0 keeps it, 1 keeps every game
    surprise: float = Field(0.0, ge=0, le=1)  # share of a game's weight that its positions get by
    # how far the search's policy is from the net's; the rest is spread evenly
    tablebase: int = Field(0, ge=0, le=6)  # draughts with up to so many pieces is solved, and
    # its values are learned
    symmetries: Literal["none", "random", "mirror", "all"] = "random"
    # random: each drawn sample is turned at random
    # mirror: each position counts twice, as it is and in the first of the game's symmetries
    # all:    each position counts once per symmetry


_AMOUNTS = ("epochs", "steps", "uses")  # of learning: one of them is given


class LearnConfig(Section):
    """How the net is fitted to the games."""

    optimizer: Literal["adam", "adamw", "sgd"] = "adamw"  # how weights follow gradients
    lr: float = Field(0.001, gt=0, le=1_000)  # the learning rate
    momentum: float = Field(0.9, ge=0, lt=1)  # of sgd
    weight_decay: float = Field(0.0001, ge=0)  # pulls weights towards 0
    batch_size: int = Field(256, ge=1, le=65_536)  # positions
    epochs: float | None = Field(None, gt=0)  # passes over the window in each iteration
    steps: int | None = Field(None, ge=1)  # batches in each iteration, instead of `epochs`
    uses: float | None = Field(None, gt=0)  # of each new position on average, instead of these
    warmup: int = Field(0, ge=0)  # batches over which the rate rises from nothing
    decay: int = Field(0, ge=0)  # batches over which it falls, by a cosine, to a tenth; 0: stays
    average: float = Field(0.0, ge=0, lt=1)  # versions play with weights averaged by this decay
    policy_weight: float = Field(1.0, ge=0)  # of the policy's loss
    value_weight: float = Field(1.0, ge=0)  # of the value's loss
    reply_weight: float = Field(0.0, ge=0)  # of the loss of net.reply
    moves_left_weight: float = Field(0.0, ge=0)  # of the loss of net.moves_left
    ownership_weight: float = Field(0.0, ge=0)  # of the loss of net.ownership
    search_value: float = Field(0.0, ge=0, le=1)  # share of the search's value in the target
    clip: float = Field(0.0, ge=0)  # largest norm of a gradient; 0: any

    @model_validator(mode="after")
    def _one_amount(self) -> LearnConfig:
        if sum(getattr(self, amount) is not None for amount in _AMOUNTS) != 1:
            raise ValueError("give exactly one of epochs, steps and uses")
        return self

    def weight_of(self, head: str) -> float:
        """Of a head's loss, by the head's name."""
        return float(getattr(self, f"{head}_weight"))


class GateRule(Section):
    """The match that decides whether a candidate becomes a version. No games: it always does."""

    games: int = Field(20, ge=0, le=100_000)  # of the match; 0: no gate
    rule: Literal["wins", "ratio", "score"] = "score"
    # wins:  wins / (wins + losses) reaches the threshold
    # ratio: wins reach threshold times losses
    # score: (wins + draws / 2) / games reaches the threshold
    threshold: float = Field(0.55, gt=0, le=100)  # as the rule takes it
    on_fail: Literal["keep", "restore"] = "keep"  # learn on, or go back to the best version

    def accepts(self, wins: int, draws: int, losses: int) -> bool:
        """Whether a candidate with this result passes."""
        if self.games == 0:
            return True
        if self.rule == "ratio":
            return wins > 0 and wins >= self.threshold * losses
        if self.rule == "wins":
            return wins + losses > 0 and wins / (wins + losses) >= self.threshold
        return (wins + draws / 2) / max(1, wins + draws + losses) >= self.threshold


class GateConfig(GateRule):
    """The gate of nets that play with PUCT."""

    opening_steps: int = Field(0, ge=0)  # random steps before the nets take over
    simulations: int | None = Field(None, ge=1)  # for each move; None: as in self-play
    noise: bool = False  # at the root, as in self-play: where games would repeat without


class Arrangement(Section):
    """How the work of a run is arranged."""

    iterations: int | None = Field(None, ge=0, le=65_535)  # then it ends; 0: only `start_from`
    versions: int | None = Field(None, ge=1, le=65_535)  # accepted ones, then it ends
    workers: int | None = Field(None, ge=1, le=10_000)  # processes of self-play; None: by the cores
    start_from: str | None = None  # a model, a version of a run, or games; see `start_from.py`


class RunConfig(Arrangement):
    """How a run is arranged whose games and whose learning may go on side by side."""

    mode: Literal["sync", "async"] = "sync"  # play and learn in turns, or side by side
    start_passes: float = Field(4, gt=0)  # over the games of start_from


class WorkerConfig(Section):
    """What a worker asks of the cluster."""

    cpus: float = Field(1, ge=0)  # cores
    gpus: float = Field(0, ge=0)  # GPUs, or a share of one
    on: str = ""  # "driver": where the run was started; else nodes with a resource of this name

    @property
    def resources(self) -> Resources:
        return Resources(self.cpus, self.gpus, self.on)


class ClusterConfig(Section):
    """How a run spreads over a cluster; but for `restarts` only --cluster looks at it."""

    worker: WorkerConfig = WorkerConfig()
    trainer: WorkerConfig = WorkerConfig(on="driver")
    evaluator: WorkerConfig = WorkerConfig()
    evaluators: int = Field(1, ge=1, le=10_000)  # that play the gate's games
    ahead: int = Field(4, ge=1)  # iterations of games that may wait for the trainer
    restarts: int = Field(20, ge=0)  # of workers, and of the trainer, before the run gives up


class AnyRecipe(Section):
    """What every recipe says, whatever learns by it."""

    models: ClassVar[ModelKind] = SEARCHED  # what comes of it
    events: ClassVar[tuple[type[Event], ...]] = ()  # that only runs of its kind have
    on_clusters: ClassVar[bool] = False  # whether it can be trained on one
    has_policies: ClassVar[bool] = True  # whether its games tell policies beside values
    packages: ClassVar[tuple[str, ...]] = ("onnx", "safetensors", "tensorboard", "torch")
    # that training cannot do without

    name: str  # of the recipe, and of runs that are given none
    game: str  # a spec such as "gomoku:size=15", or a file of rules
    method: str = "baseline"  # how nets and trees are combined: a name, or a file with one
    seed: int = Field(1, ge=0, le=LARGEST_SEED)  # of all that is drawn at random
    about: str = ""  # a sentence for people

    @property
    def trainer(self) -> str:
        """Who trains by it, as `training/train.py` finds it."""
        return self.method

    @property
    def player(self) -> str:
        """The family of players that plays its versions."""
        return self.models.player

    def versions_as_players(self, budget: int | None = None) -> dict[str, str]:
        """Options of players that are to measure versions, at the recipe's budget or another."""
        return {} if budget is None else {"sims": str(budget)}

    def toml(self) -> str:
        """The whole recipe, defaults included, as TOML."""
        return to_toml(self.model_dump(exclude_none=True))

    def essence(self) -> AnyRecipe:
        """What decides what is trained: two recipes that differ elsewhere may share a run."""
        return self


class SelfPlayRecipe(AnyRecipe):
    """What every run says that learns from games of its own, whatever plays them."""

    on_clusters: ClassVar = True

    gate: GateRule = GateRule()
    run: Arrangement = Arrangement()
    cluster: ClusterConfig = ClusterConfig()

    def games_of(self, iteration: int) -> range:
        """The numbers of the games of an iteration; iterations count from 1."""
        raise NotImplementedError

    @property
    def games_at_once(self) -> int:
        """That one worker plays."""
        raise NotImplementedError

    def essence(self) -> SelfPlayRecipe:
        more = {"iterations": None, "versions": None}  # may be asked for later
        run = self.run.model_copy(update=more)
        return self.model_copy(update={"cluster": ClusterConfig(), "run": run})


class Recipe(SelfPlayRecipe):
    """Everything about a run of self-play with PUCT and residual nets."""

    net: NetConfig = NetConfig()
    format: NetFormatConfig = NetFormatConfig()
    nets: dict[str, NetSection] = Field({})  # by the names that the method gives them
    method_options: dict[str, bool | int | float | str] = Field({}, validate_default=True)
    # what the method can be told
    search: SearchConfig = SearchConfig()
    selfplay: SelfPlayConfig = SelfPlayConfig()
    replay: ReplayConfig = ReplayConfig()
    learn: LearnConfig = LearnConfig(uses=4)
    gate: GateConfig = GateConfig()
    run: RunConfig = RunConfig()

    @field_validator("method")
    @classmethod
    def _known_method(cls, name: str) -> str:
        if not is_method_file(name):  # a file is not run before it is needed
            find_method(name)
        return name

    @field_validator("method_options")
    @classmethod
    def _all_options(cls, given: dict[str, object], info: ValidationInfo) -> dict[str, object]:
        name = info.data.get("method")  # None if it is wrong itself
        if name is None or is_method_file(name):
            return given
        return find_method(name).read_options(given).model_dump()

    @model_validator(mode="before")
    @classmethod
    def _inherit(cls, data: Any) -> Any:
        if not isinstance(data, dict) or not isinstance(data.get("nets"), dict):
            return data
        common = {**_plain(data.get("net")), "format": _plain(data.get("format"))}
        return {
            **data,
            "nets": {
                name: _merged(common, _plain(own)) if isinstance(own, dict | BaseModel) else own
                for name, own in data["nets"].items()
            },
        }

    @model_validator(mode="after")
    def _nets_of_the_method(self) -> Recipe:
        if not is_method_file(self.method):
            self._refuse_other_nets()
        return self

    def sections(self) -> dict[str, NetSection]:
        """The nets of the method by name, in its order."""
        self._refuse_other_nets()
        alone = NetSection(**self.net.model_dump(), format=self.format)
        names = [net.name for net in find_method(self.method).nets]
        return {name: self.nets.get(name, alone) for name in names}

    def games_of(self, iteration: int) -> range:
        games = self.selfplay.games
        return range((iteration - 1) * games, iteration * games)

    @property
    def games_at_once(self) -> int:
        return self.selfplay.parallel

    @property
    def trainer(self) -> str:
        return self.run.mode

    @property
    def plan(self) -> SearchPlan:
        """How the method searches with its nets."""
        return find_method(self.method).plan(self.method_options)

    def _refuse_other_nets(self) -> None:
        known = [net.name for net in find_method(self.method).nets]
        for name in self.nets:
            if name not in known:
                raise nearest(f"net of the method {self.method}", name, known, list_all=True)


_SHIPPED = Path(__file__).parents[1] / "recipes"
_RENAMED = {  # what each is: no longer its document's, but a modern form of it
    f"{name}-quick": f"{name}-modern"
    for name in (
        "mann-han-alphaone",
        "meng-baseline",
        "meng-hybrid",
        "meng-mpv",
        "meng-three-stage",
        "meng-three-stage-large",
        "sun-zhao",
        "wang-gomoku",
    )
}
_OTHER_KINDS = ("datasets", "tournaments")  # folders there that hold no training recipes


def shipped_recipes() -> dict[str, Path]:
    """The recipes that come with the program: by name, one folder for each source."""
    files = (path for path in _SHIPPED.glob("*/*.toml") if path.parent.name not in _OTHER_KINDS)
    return {path.stem: path for path in sorted(files, key=lambda path: path.stem)}


def recipe_names() -> list[str]:
    """The recipes that can be given by name."""
    return list(shipped_recipes())


def list_recipes() -> dict[str, AnyRecipe]:
    """The recipes that come with the program, by name."""
    return all_that_load(recipe_names(), load_recipe)


def load_recipe(name: str, changes: Sequence[str] = ()) -> AnyRecipe:
    """A recipe by name or path, with changes such as `learn.lr=0.01`.

    A recipe that `extends` another one takes over what it does not say itself.
    """
    path = _path(name)
    data = _read(path)
    data.setdefault("name", path.stem)
    seen = [path]
    while (parent := data.pop("extends", None)) is not None:
        above = _path(str(parent), beside=seen[-1])
        if above in seen:
            raise BoardZeroError(f"{path.name} extends itself")
        seen.append(above)
        data = _merged(_read(above), data)
    for change in changes:
        _apply(data, change)
    return validate(data, source=path.name)


class RenamedWarning(UserWarning):
    """A recipe was asked for by an earlier name."""


def _path(name: str, *, beside: Path | None = None) -> Path:
    if not name.endswith(".toml"):
        shipped = shipped_recipes()
        if name in _RENAMED:
            sentence = f"the recipe {name} is now called {_RENAMED[name]}"
            warnings.warn(sentence, RenamedWarning, stacklevel=1)
            name = _RENAMED[name]
        if name not in shipped:
            raise nearest("recipe", name, shipped)
        return shipped[name]
    return Path(name) if beside is None else beside.parent / name


def _read(path: Path) -> dict[str, Any]:
    return recipe_in_words_of_today(read_toml(path, "recipe"))


def _merged(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    """Both, section by section; what `above` says counts."""
    merged = dict(below)
    for key, value in above.items():
        old = merged.get(key)
        if isinstance(old, dict) and isinstance(value, dict):
            value = _merged(old, value)
        elif key in _AMOUNTS:
            _take_back_amounts(merged, but=above)
        merged[key] = value
    return merged


def _take_back_amounts(section: dict[str, Any], *, but: Container[str] = ()) -> None:
    """Who says how much is learned in one way takes back what was said in another."""
    for amount in _AMOUNTS:
        if amount not in but:
            section.pop(amount, None)


# By their method; all others search.
_kinds = Registry("recipes", "kind of recipe", subclass_of(AnyRecipe))


def validate(data: dict[str, Any], *, source: str) -> AnyRecipe:
    """A recipe from plain data; one sentence for the first thing that is wrong."""
    data = recipe_in_words_of_today(data)
    return validated(_kinds.get(str(data.get("method")), Recipe), data, source=source)


def _apply(data: dict[str, Any], change: str) -> None:
    key, equals, text = change.partition("=")
    if not equals:
        raise BoardZeroError(f"'{change}' is not of the form section.key=value")
    *sections, last = key.strip().split(".")
    for section in sections:
        data = data.setdefault(section, {})
        if not isinstance(data, dict):
            raise BoardZeroError(f"'{change}': {section} is not a section")
    if not text.strip():
        data.pop(last, None)  # `learn.epochs=` takes back what is said
        return
    if last in _AMOUNTS:
        _take_back_amounts(data)
    try:
        data[last] = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        data[last] = text.strip()  # a word without quotes


def to_toml(data: dict[str, Any], prefix: str = "") -> str:
    """Plain data as TOML."""
    plain = {k: v for k, v in data.items() if not isinstance(v, dict)}
    nested = {k: v for k, v in data.items() if isinstance(v, dict)}
    lines = [f"{key} = {_literal(value)}" for key, value in plain.items()]
    text = "\n".join(lines)
    for key, value in nested.items():
        name = f"{prefix}{key}"
        text += f"\n\n[{name}]\n{to_toml(value, f'{name}.')}"
    return text.strip() + ("\n" if not prefix else "")


def _plain(section: Any) -> dict[str, Any]:
    if isinstance(section, BaseModel):
        return section.model_dump()
    return section if isinstance(section, dict) else {}


def _literal(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        # JSON's strings are TOML's, but for one character that TOML wants escaped.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_literal, value))}]"
    if isinstance(value, dict):  # inside a list
        return f"{{ {', '.join(f'{key} = {_literal(v)}' for key, v in value.items())} }}"
    return repr(value)
