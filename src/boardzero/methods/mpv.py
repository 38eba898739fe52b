"""Multiple policy value: a large net corrects what a small one searches: docs/methods/mpv.md."""

from pydantic import Field

from boardzero.methods.method import Method, MethodOptions, Net, Tree


class MpvOptions(MethodOptions):
    """How a small tree of many simulations and a large one of few share their work."""

    budget: int = Field(8, ge=1, le=1000)  # simulations of the small tree for each of the large one
    alpha: float = Field(0.5, ge=0, le=1)  # share of the small net in the values that both share
    beta: float = Field(0.0, ge=0, le=1)  # and in the priors

    def trees(self, *, small: tuple[str, ...], large: tuple[str, ...]) -> tuple[Tree, ...]:
        """The small tree and the large one, which looks where the first does, with their nets."""
        return (
            Tree(small, turns=self.budget, value_share=self.alpha, prior_share=self.beta),
            Tree(large, follows=0, value_share=1 - self.alpha, prior_share=1 - self.beta),
        )


def _trees(options: MpvOptions) -> tuple[Tree, ...]:
    return options.trees(small=("small",), large=("large",))


MPV = Method(
    "mpv",
    "a small net's tree and a large net's, which share their evaluations",
    (Net("small"), Net("large")),
    _trees,
    MpvOptions,
)
