"""Multiple policy value: a large net corrects what a small one searches: docs/methods/mpv.md."""

from boardzero.methods.method import Method, Net, Tree
from boardzero.models.search_config import SearchConfig

__all__ = ["MPV", "guided"]


def guided(
    search: SearchConfig, *, small: tuple[str, ...], large: tuple[str, ...]
) -> tuple[Tree, ...]:
    """A small tree of many simulations, and a large one of few that looks where the first does."""
    alpha, beta = search.alpha, search.beta
    return (
        Tree(small, turns=search.budget, value_share=alpha, prior_share=beta),
        Tree(large, follows=0, value_share=1 - alpha, prior_share=1 - beta),
    )


def _trees(search: SearchConfig) -> tuple[Tree, ...]:
    return guided(search, small=("small",), large=("large",))


MPV = Method(
    "mpv",
    "a small net's tree and a large net's, which share their evaluations",
    (Net("small"), Net("large")),
    _trees,
)
