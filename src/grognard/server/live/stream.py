"""Server-Sent Events: a battle as it stands, and again after every change."""

from collections.abc import AsyncIterator, Callable

from sqlalchemy.exc import OperationalError
from starlette.concurrency import run_in_threadpool

from grognard.server.live.battles import Unknown
from grognard.server.live.schemas import State
from grognard.server.live.updates import Listener, Updates

HEARTBEAT = 15.0
"""Seconds of silence after which a comment is sent, so that nothing on the way takes the connection for dead."""
RETRY = 1_000
"""Milliseconds after which a browser comes back."""


async def stream(
    updates: Updates, listener: Listener, look: Callable[[], State], seen: int | None
) -> AsyncIterator[str]:
    """Whatever has happened since the entry that was seen last, then every change.

    An event's id is the number of entries up to it and its data is the whole state: whoever comes back after a break
    has missed nothing.
    """
    yield f"retry: {RETRY}\n\n"
    while not updates.is_over:
        try:
            state = await run_in_threadpool(look)
        except (Unknown, OperationalError):
            return  # the battle was pruned, or the database is away: whoever still wants to listen comes back
        if state.entries != seen:
            seen = state.entries
            name = "state" if state.next is None else "next"
            yield f"event: {name}\nid: {seen}\ndata: {state.model_dump_json(exclude_unset=True)}\n\n"
        if not await listener.wait(HEARTBEAT):
            yield ": still here\n\n"
