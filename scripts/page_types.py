"""Write the page's types from the server's schema: every message, request and socket.

    python scripts/page_types.py            # writes web/src/lib/types.ts
    python scripts/page_types.py --check    # fails if that file says something else

The schema uses few words of JSON Schema; one that is not known here is an error, never a guess.
"""

import json
import sys
from pathlib import Path

from boardzero.server import Settings, create_app

TARGET = Path(__file__).parent.parent / "web" / "src" / "lib" / "types.ts"
HEADER = """\
// What goes over the wire. Written by scripts/page_types.py from the server's schema: `make types`.
"""
PLAIN = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}
UNUSED = {
    "HTTPValidationError",
    "ValidationError",
}  # FastAPI's own: a refusal is a sentence


def page_types() -> str:
    """The whole file."""
    schema = create_app(Settings(Path("."))).openapi()
    messages = schema["components"]["schemas"]
    parts = [HEADER]
    parts += [_message(name, messages[name]) for name in sorted(messages.keys() - UNUSED)]
    parts += [_requests(schema["paths"]), _sockets(schema["x-sockets"])]
    return "\n".join(parts)


def _message(name: str, schema: dict) -> str:
    return f"{_comment(schema)}export type {name} = {_type(schema)};\n"


def _requests(paths: dict) -> str:
    lines = [
        f"  {json.dumps(f'{method.upper()} {path}')}: {_request(operation)};\n"
        for path, operations in paths.items()
        for method, operation in operations.items()
    ]
    about = "/** What is given with a request, and what the server answers. */\n"
    return f"{about}export type Requests = {{\n{''.join(lines)}}};\n"


def _request(operation: dict) -> str:
    given = {}
    for place in ("path", "query"):
        found = [one for one in operation.get("parameters", []) if one["in"] == place]
        if found:
            given[place] = _object(
                {one["name"]: one["schema"] for one in found},
                {one["name"] for one in found if one["required"]},
            )
    if "requestBody" in operation:
        given["body"] = _type(_json(operation["requestBody"]))
    good = next(answer for status, answer in operation["responses"].items() if status < "300")
    given["answer"] = _type(_json(good))
    return f"{{ {'; '.join(f'{key}: {type_}' for key, type_ in given.items())} }}"


def _sockets(sockets: dict) -> str:
    lines = [
        f"  {json.dumps(path)}: "
        f"{{ sent: {_type(socket['receives'])}; heard: {_type(socket['sends'])} }};\n"
        for path, socket in sockets.items()
    ]
    about = "/** What the page sends on a socket, and what it hears. */\n"
    return f"{about}export type Sockets = {{\n{''.join(lines)}}};\n"


def _json(holder: dict) -> dict:
    return holder["content"]["application/json"]["schema"]


def _comment(schema: dict) -> str:
    text = " ".join(schema.get("description", "").split())
    return f"/** {text} */\n" if text else ""


def _type(schema: dict) -> str:
    match schema:
        case {"$ref": reference}:
            return reference.rpartition("/")[2]
        case {"const": value}:
            return json.dumps(value)
        case {"enum": values}:
            return " | ".join(map(json.dumps, values))
        case {"anyOf": choices} | {"oneOf": choices}:
            return " | ".join(dict.fromkeys(map(_type, choices)))
        case {"type": "array", "items": items}:
            inner = _type(items)
            return f"({inner})[]" if "|" in inner else f"{inner}[]"
        case {"type": "object", "properties": properties}:
            return _object(properties, set(schema.get("required", ())), "\n  ")
        case {"type": "object", "additionalProperties": dict() as values}:
            return f"Record<string, {_type(values)}>"
        case {"type": str() as name} if name in PLAIN:
            return PLAIN[name]
    raise SystemExit(f"page_types.py knows no type for {json.dumps(schema)}")


def _object(properties: dict, required: set[str], gap: str = " ") -> str:
    fields = [
        f"{name}{'' if name in required else '?'}: {_type(schema)};"
        for name, schema in properties.items()
    ]
    return f"{{{gap}{gap.join(fields)}{gap.removesuffix('  ')}}}"


if __name__ == "__main__":
    text = page_types()
    if sys.argv[1:] != ["--check"]:
        TARGET.write_text(text, encoding="utf-8")
    elif not TARGET.is_file() or TARGET.read_text(encoding="utf-8") != text:
        sys.exit(f"{TARGET.name} does not follow the server's schema; run: make types")
