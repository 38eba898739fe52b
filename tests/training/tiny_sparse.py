"""A recipe that trains a sparse net in seconds."""

from boardzero.runs.recipe import validate
from boardzero.runs.sparse_recipe import SparseRecipe


def tiny_sparse(**changes: object) -> SparseRecipe:
    """English draughts: 32 hidden units, 12 games an iteration, 20 nodes a move."""
    data: dict[str, dict[str, object]] = {
        "net": {"hidden": 32},
        "selfplay": {"games": 12, "nodes": 20, "first_games": 20, "most_moves": 60},
        "replay": {},
        "learn": {"batch_size": 128, "uses": 2},
        "gate": {"games": 4, "nodes": 20, "threshold": 0.01},
        "run": {"iterations": 2},
    }
    top: dict[str, object] = {"name": "tiny-sparse", "game": "english", "method": "nnue"}
    for key, value in changes.items():
        section, _, name = key.partition("__")
        if name:
            data[section][name] = value
        else:
            top[key] = value
    recipe = validate({**top, **data}, source="tiny-sparse")
    assert isinstance(recipe, SparseRecipe)
    return recipe
