"""The kept corpus: one file for each border, one input a line, as a JSON string of its bytes."""

from __future__ import annotations

import json
from collections.abc import Iterable
from hashlib import sha1
from pathlib import Path

HERE = Path(__file__).parent / "corpus"


def inputs(border: str) -> list[bytes]:
    file = HERE / f"{border}.jsonl"
    lines = file.read_text().splitlines() if file.exists() else []
    return [json.loads(line).encode("latin-1") for line in lines]


def keep(border: str, found: Iterable[bytes]) -> None:
    lines = sorted(
        {json.dumps(data.decode("latin-1")) for data in found}, key=lambda x: (len(x), x)
    )
    (HERE / f"{border}.jsonl").write_text("".join(f"{line}\n" for line in lines))


def unpack(border: str, folder: Path) -> None:
    """As libFuzzer wants it, a file for each."""
    folder.mkdir(parents=True, exist_ok=True)
    for data in inputs(border):
        (folder / sha1(data).hexdigest()).write_bytes(data)
