"""Nets that play: ONNX inference and what is known about a model. Needs no torch."""

from boardzero.infer.card import ModelCard, NetCard, read_model
from boardzero.infer.net import Net, OnnxNet, UniformNet

__all__ = ["ModelCard", "Net", "NetCard", "OnnxNet", "UniformNet", "read_model"]
