"""Methods by name, or from a file of one's own: `method = "mine.py:MINE"`."""

from pathlib import Path

from boardzero.base.errors import BoardZeroError, nearest
from boardzero.games.python_file import run_file
from boardzero.methods.baseline import BASELINE
from boardzero.methods.hybrid import HYBRID
from boardzero.methods.method import Method
from boardzero.methods.mpv import MPV
from boardzero.methods.three_stage import THREE_STAGE

_METHODS = {method.name: method for method in (BASELINE, THREE_STAGE, MPV, HYBRID)}


def method_names() -> list[str]:
    """The methods that can be given by name."""
    return sorted(_METHODS)


def register_method(method: Method) -> None:
    """Let recipes name a method of your own."""
    _METHODS[method.name] = method


def is_method_file(name: str) -> bool:
    """Whether a name points into a Python file. Finding such a method runs the file's code."""
    return ".py:" in name


def find_method(name: str) -> Method:
    """A method by name, or by file and name."""
    if is_method_file(name):
        return _from_file(name)
    if name not in _METHODS:
        raise nearest("method", name, _METHODS, list_all=True)
    return _METHODS[name]


def _from_file(name: str) -> Method:
    file, _, variable = name.rpartition(":")
    path = Path(file).expanduser()
    if not path.is_file():
        raise BoardZeroError(f"there is no file '{file}' to load a method from")
    found = getattr(run_file(path.resolve()), variable, None)
    if not isinstance(found, Method):
        raise BoardZeroError(f"'{file}' defines no method {variable}")
    return found
