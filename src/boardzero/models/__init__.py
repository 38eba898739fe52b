"""Nets that play: ONNX inference and what is known about a model. Needs no torch."""

from boardzero.models.archive import (
    find_run,
    find_version,
    run_name,
    runs_home,
    spread,
    version_folders,
)
from boardzero.models.card import (
    ModelCard,
    NetCard,
    fingerprint,
    is_model,
    model_folder,
    read_model,
)
from boardzero.models.champions import ChampionLevel, champion, champion_levels, read_levels
from boardzero.models.onnx import OnnxNet, UniformNet
from boardzero.models.search_config import SearchConfig
from boardzero.models.search_plan import SearchPlan, TreePlan

__all__ = [
    "ChampionLevel",
    "ModelCard",
    "NetCard",
    "OnnxNet",
    "SearchConfig",
    "SearchPlan",
    "TreePlan",
    "UniformNet",
    "champion",
    "champion_levels",
    "find_run",
    "find_version",
    "fingerprint",
    "is_model",
    "model_folder",
    "read_levels",
    "read_model",
    "run_name",
    "runs_home",
    "spread",
    "version_folders",
]
