"""What people write into files: sections that refuse what they do not know.

Whatever is wrong is said in one sentence: where, what, and the nearest right name of a key.
"""

import tomllib
from pathlib import Path
from typing import Any, Self, TypeVar, get_args

from annotated_types import Le, Lt
from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from boardzero.base.errors import BoardZeroError, nearest
from boardzero.base.specs import largest

Model = TypeVar("Model", bound=BaseModel)


LARGEST_SEED = 2**62  # leaves room for what is added to tell games and nets apart


class Section(BaseModel):
    """A part of such a file. Every number in it is finite and has bounds.

    A field says itself what it may be at most; for one that does not, the bounds are those of the
    options of players, because both end in the same searches.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    @model_validator(mode="after")
    def _is_bounded(self) -> Self:
        for name, field in type(self).model_fields.items():
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float):
                continue
            has_bound = any(isinstance(bound, Le | Lt) for bound in field.metadata)
            if not has_bound and abs(value) > (bound := largest(type(value))):
                raise ValueError(f"{name} must be at most {bound:g}, not {value:g}")
        return self


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
