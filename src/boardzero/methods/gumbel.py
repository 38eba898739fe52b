"""One net and one tree whose root spends few simulations well; `search.root` says so."""

from boardzero.methods.baseline import BASELINE
from boardzero.methods.method import Method

__all__ = ["GUMBEL"]

GUMBEL = Method("gumbel", "one net, one tree whose root samples", BASELINE.nets, BASELINE.trees)
