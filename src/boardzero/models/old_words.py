"""Recipes and model cards in the words of their time, put into the words of today.

Everything that says how a search was named before, so that old files go on loading, is here.
"""

from collections.abc import Mapping

__all__ = ["card_in_words_of_today", "recipe_in_words_of_today"]

Data = Mapping[str, object]

_SEARCH_KEYS = {"merge": "transpositions", "exact": "proven"}
_SEARCH_VALUES = {("formula", "thesis"): "meng", ("forced", "judge"): "evaluate"}


def recipe_in_words_of_today(data: Data) -> dict[str, object]:
    """A recipe as its file says it; one that extends another says only a part."""
    return _with_search_of_today(data)


def card_in_words_of_today(data: Data) -> dict[str, object]:
    return _with_search_of_today(data)


def _with_search_of_today(data: Data) -> dict[str, object]:
    search = data.get("search")
    return {**data, "search": _search(search)} if isinstance(search, Mapping) else dict(data)


def _search(data: Data) -> dict[str, object]:
    return {
        _SEARCH_KEYS.get(key, key): _SEARCH_VALUES.get((key, value), value)
        if isinstance(value, str)
        else value
        for key, value in data.items()
    }
