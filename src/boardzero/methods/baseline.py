"""One net and one tree, as in AlphaZero: docs/methods/baseline.md."""

from boardzero.methods.method import Method, Net, Tree
from boardzero.models.search_config import SearchConfig

__all__ = ["BASELINE"]


def _trees(_: SearchConfig) -> tuple[Tree, ...]:
    return (Tree(("net",)),)


BASELINE = Method("baseline", "one net, one tree", (Net("net"),), _trees)
