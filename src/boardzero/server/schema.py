"""One schema of all that goes over the wire: to OpenAPI, which knows no sockets, they are added."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter

from boardzero.server.messages import PlayCommand, PlayNews, StudyNews, StudyRequest

_REFERENCE = "#/components/schemas/{model}"
_SOCKETS = {  # what the server receives, what it sends
    "/api/games/{key}/live": ({"PlayCommand": PlayCommand}, {"PlayNews": PlayNews}),
    "/api/analysis": ({"StudyRequest": StudyRequest}, {"StudyNews": StudyNews}),
}


def with_sockets(openapi: dict[str, Any]) -> dict[str, Any]:
    """The schema with its sockets under `x-sockets`, and their messages among all others."""
    messages = openapi["components"]["schemas"]

    def add(union: dict[str, Any], *, sent: bool) -> dict[str, str]:
        ((name, members),) = union.items()
        described = TypeAdapter(members).json_schema(
            mode="serialization" if sent else "validation", ref_template=_REFERENCE
        )
        messages.update(described.pop("$defs"))
        messages[name] = described
        return {"$ref": _REFERENCE.format(model=name)}

    sockets = {
        path: {"receives": add(receives, sent=False), "sends": add(sends, sent=True)}
        for path, (receives, sends) in _SOCKETS.items()
    }
    return openapi | {"x-sockets": sockets}
