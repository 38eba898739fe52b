"""Nets that pick a piece, then its move, after Ocheretian 2022.

A plug-in: nothing below knows this folder. Its recipes, their trainers, the kind of their models
and the players of those stand in the table of `base/plugins.py`.
"""
