"""Nets that pick a piece, then its move, after Ocheretian 2022."""
