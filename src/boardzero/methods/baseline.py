"""One net and one tree, as in AlphaZero: docs/methods/baseline.md."""

from boardzero.infer.search import SearchConfig
from boardzero.methods.method import Method, Net, Tree

__all__ = ["BASELINE"]


def _trees(_: SearchConfig) -> tuple[Tree, ...]:
    return (Tree(("net",)),)


BASELINE = Method("baseline", "one net, one tree", (Net("net"),), _trees)
