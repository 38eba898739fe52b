"""Options of the compiled core, filled by name from the pydantic models that declare them.

A C++ option struct and the model of the same knobs agree in their names: a knob is declared in C++
and in one model, and nowhere else. A name that only one side knows is an error at once.
"""

from collections.abc import Collection, Mapping
from enum import Enum
from typing import TypeVar

from pydantic import BaseModel

from boardzero import _core

Struct = TypeVar("Struct")


def fill(
    struct: Struct, *models: BaseModel, apart: Collection[str] = (), **changes: object
) -> Struct:
    """The struct with every attribute set: from `changes`, else from the field of that name.

    Structs inside it, as `SearchOptions.puct`, are filled from the same models. `apart` names the
    fields that are not for the core.
    """
    values = {name: getattr(model, name) for model in models for name in type(model).model_fields}
    known = _fill(struct, {**values, **changes})
    if strange := (values.keys() | changes.keys()) - known - set(apart):
        raise TypeError(f"{type(struct).__name__} has no {', '.join(sorted(strange))}")
    return struct


def _fill(struct: object, values: Mapping[str, object]) -> set[str]:
    """Set the attributes; their names."""
    known = set()
    for name in (name for name in dir(struct) if not name.startswith("_")):
        present = getattr(struct, name)
        if name in values:
            setattr(struct, name, _converted(values[name], present))
            known.add(name)
        elif _is_struct(present):
            known |= _fill(present, values)
            setattr(struct, name, present)
        else:
            raise TypeError(f"nothing says what {type(struct).__name__}.{name} is")
    return known


def _is_struct(value: object) -> bool:
    return type(value).__module__ == _core.__name__ and not isinstance(value, Enum)


def _converted(value: object, present: object) -> object:
    """As the core takes it: a word as an enum's member, a model as the struct of its name."""
    if isinstance(present, Enum) and isinstance(value, str):
        return type(present)[value]
    if isinstance(value, tuple):
        return [_converted(one, None) for one in value]
    if isinstance(value, BaseModel):
        return fill(getattr(_core, type(value).__name__)(), value)
    return value
