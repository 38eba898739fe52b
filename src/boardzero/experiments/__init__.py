"""Runs compared, swept over and promoted."""
