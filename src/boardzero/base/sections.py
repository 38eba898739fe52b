"""What people write into files: sections that refuse what they do not know.

Whatever is wrong is said in one sentence: where, what, and the nearest right name of a key.
"""

import tomllib
from pathlib import Path
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, ValidationError

from boardzero.base.errors import BoardZeroError, nearest

Model = TypeVar("Model", bound=BaseModel)


class Section(BaseModel):
    """A part of such a file."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def read_toml(path: Path, what: str) -> dict[str, Any]:
    """The plain data of a file that is meant to be `what`."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise BoardZeroError(f"there is no {what} file {path}") from None
    except tomllib.TOMLDecodeError as error:
        raise BoardZeroError(f"{path.name} is not valid TOML: {error}") from None
    except (OSError, UnicodeDecodeError):
        raise BoardZeroError(f"{path} cannot be read as a {what}") from None


def validated(model: type[Model], data: object, *, source: str) -> Model:
    """The model from plain data; one sentence for the first thing that is wrong."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        if first["type"] != "extra_forbidden":
            raise BoardZeroError(f"{source}: {first_problem(error)}") from None
        *place, key = map(str, first["loc"])
        section: type[BaseModel] = model
        for part in place:
            if part in section.model_fields:  # else a name that the file gives, or a number
                section = _model_in(section.model_fields[part].annotation) or section
        where = f"key in {source}" + (f" [{'.'.join(place)}]" if place else "")
        raise nearest(where, key, section.model_fields) from None


def first_problem(error: ValidationError) -> str:
    """The first thing that is wrong, and its place."""
    first = error.errors()[0]
    place, problem = ".".join(map(str, first["loc"])), first["msg"].removeprefix("Value error, ")
    return f"{place}: {problem}" if place else problem


def _model_in(annotation: object) -> type[BaseModel] | None:
    """The model that a field holds, alone or as one of several."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for part in get_args(annotation) if (found := _model_in(part))), None)
