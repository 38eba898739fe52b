"""Three-stage with multiple policy value in the last stage: docs/methods/hybrid.md."""

from boardzero.methods.method import Method, Net, Tree
from boardzero.methods.mpv import MpvOptions


def _trees(options: MpvOptions) -> tuple[Tree, ...]:
    return options.trees(small=("early", "early", "small"), large=("early", "early", "large"))


HYBRID = Method(
    "hybrid",
    "one net for stages 1 and 2, a small and a large one with a tree each for stage 3",
    (Net("early", stages=(0, 1)), Net("small"), Net("large")),
    _trees,
    MpvOptions,
)
