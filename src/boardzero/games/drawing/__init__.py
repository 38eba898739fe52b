"""Positions as pictures: for terminals and as SVG."""
