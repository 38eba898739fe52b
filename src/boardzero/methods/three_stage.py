"""A net for the early stages of a game and one for the last: docs/methods/three-stage.md."""

from boardzero.methods.method import Method, Net, Tree

THREE_STAGE = Method(
    "three-stage",
    "one net for stages 1 and 2, another for stage 3",
    (Net("early", stages=(0, 1)), Net("large")),  # the large one learns from all examples
    lambda _: (Tree(("early", "early", "large")),),
)
