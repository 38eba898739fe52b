"""Nets to be trained, in torch, and their export to ONNX. Only `training` uses them."""
