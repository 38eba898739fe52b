"""Recipes and model cards in the words of their time, put into the words of today.

What was once named otherwise is said here and nowhere else, so that files of users go on loading.
"""

from collections.abc import Mapping

Data = Mapping[str, object]

_SEARCH_KEYS = {"merge": "transpositions", "exact": "proven"}
_SEARCH_VALUES: Data = {"thesis": "meng", "judge": "evaluate"}  # of formula and of forced

# Once every search had the options of MPV and its hybrid, and wrote them down.
_MPV_OPTIONS: Data = {"budget": 8, "alpha": 0.5, "beta": 0.0}
_WITHOUT_OPTIONS = ("baseline", "three-stage")
_WITH_OPTIONS = ("mpv", "hybrid", None)  # a recipe without a method extends one that has it


def recipe_in_words_of_today(data: Data) -> dict[str, object]:
    """A recipe, or as much as the file of one that extends another says of it."""
    today = dict(data)
    search = data.get("search", {})
    if not isinstance(search, Mapping):
        return today
    now = _search(search)
    if data.get("method") == "gumbel":  # it was the baseline, whatever the root
        today["method"] = "baseline"
        now.setdefault("root", "gumbel")
    options = {name: now.pop(name) for name in _MPV_OPTIONS if name in now}
    method = today.get("method")
    if method not in _WITH_OPTIONS:  # the defaults stood there though nobody had asked for them
        options = {name: value for name, value in options.items() if value != _MPV_OPTIONS[name]}
    said = data.get("method_options", {})
    if options and method not in _WITHOUT_OPTIONS and isinstance(said, Mapping):
        today["method_options"] = {**said, **options}
    if now or "search" in data:
        today["search"] = now
    return today


def card_in_words_of_today(data: Data) -> dict[str, object]:
    """A model's card; what its method came to is in its plan."""
    today = dict(data)
    if data.get("method") == "gumbel":
        today["method"] = "baseline"
    search = data.get("search")
    if isinstance(search, Mapping):
        now = _search(search)
        today["search"] = {name: now[name] for name in now if name not in _MPV_OPTIONS}
    return today


def _search(data: Data) -> dict[str, object]:
    return {
        _SEARCH_KEYS.get(key, key): _SEARCH_VALUES.get(value, value)
        if isinstance(value, str)
        else value
        for key, value in data.items()
    }
