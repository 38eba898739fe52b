"""Nets that play: ONNX inference and what is known about a model. Needs no torch."""

from boardzero.infer.card import (
    ModelCard,
    NetCard,
    fingerprint,
    read_model,
    runs_home,
    version_folders,
)
from boardzero.infer.champions import ChampionLevel, champion, champion_levels
from boardzero.infer.net import Net, OnnxNet, UniformNet
from boardzero.infer.plan import SearchPlan, TreePlan
from boardzero.infer.search import SearchConfig

__all__ = [
    "ChampionLevel",
    "ModelCard",
    "Net",
    "NetCard",
    "OnnxNet",
    "SearchConfig",
    "SearchPlan",
    "TreePlan",
    "UniformNet",
    "champion",
    "champion_levels",
    "fingerprint",
    "read_model",
    "runs_home",
    "version_folders",
]
