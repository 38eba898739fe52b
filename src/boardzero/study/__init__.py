"""Learning from games: reviews that find mistakes and say why, and puzzles mined from play."""

from boardzero.study.review import ReviewStep, Verdict, annotate, review_game
from boardzero.study.words import LANGUAGES, Reason

__all__ = ["LANGUAGES", "Reason", "ReviewStep", "Verdict", "annotate", "review_game"]
