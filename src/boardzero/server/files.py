"""Pictures of positions, to be used elsewhere."""

from __future__ import annotations

from fastapi import APIRouter

from boardzero.server.messages import Line, Outgoing
from boardzero.server.replay import state_of
from boardzero.server.strict_json import StrictRoute

router = APIRouter(prefix="/api", tags=["study"], route_class=StrictRoute)


class TextView(Outgoing):
    text: str


@router.post("/svg")
def svg(line: Line) -> TextView:
    """A picture of the position that a line leads to."""
    return TextView(text=state_of(line).svg())
