"""The same position seen by several versions of a run: how its taste has changed."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from boardzero.base.errors import BoardZeroError
from boardzero.players import Limit
from boardzero.runs.run_folder import RunFolder
from boardzero.server.engines import EnginePool, Order, Urgency
from boardzero.server.messages import Incoming, Line, Outgoing, ThoughtView
from boardzero.server.replay import state_of
from boardzero.server.run_player import studied_player
from boardzero.server.views import thought_view


class VersionComparison(Incoming):
    line: Line
    versions: Annotated[list[Annotated[int, Field(ge=0, le=10**6)]], Field(max_length=8)]
    simulations: int = Field(default=100, ge=1, le=2000)


class VersionThought(Outgoing):
    version: int
    thought: ThoughtView


async def compare(
    pool: EnginePool, run: RunFolder, wish: VersionComparison
) -> list[VersionThought]:
    state = state_of(wish.line)
    if state.outcome() is not None:
        raise BoardZeroError("the game is over here")
    known = run.versions()
    found = []
    for version in wish.versions:
        if version not in known:
            raise BoardZeroError(f"{run.name} has no version {version}")
        order = Order(
            state,
            studied_player(run, version),
            Limit(simulations=wish.simulations),
            owner=("versions", run.name),
            urgency=Urgency.ANALYSIS,
        )
        choice = await pool.choose_whole(order)
        found.append(VersionThought(version=version, thought=thought_view(choice)))
    return found
