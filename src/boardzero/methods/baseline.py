"""One net and one tree, as in AlphaZero: docs/methods/baseline.md."""

from boardzero.methods.method import Method, Net, Tree

BASELINE = Method("baseline", "one net, one tree", (Net("net"),), lambda _: (Tree(("net",)),))
