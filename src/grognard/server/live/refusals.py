"""What is refused, as HTTP says it."""

import json
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute
from sqlalchemy.exc import OperationalError
from sqlalchemy.exc import TimeoutError as NoConnection

from grognard.core.errors import BattleError, Fault, GrognardError, WrongAnswer
from grognard.server.live.battles import NotAllowed, Outdated, Unknown
from grognard.server.live.telling import state_of
from grognard.server.live.updates import Crowded

RETRY_AFTER = 5
"""Seconds after which it is worth trying again."""


class NoKey(GrognardError):
    """No key was given."""

    def __init__(self) -> None:
        super().__init__("a key is needed: `Authorization: Bearer KEY`, or `?key=KEY`")


class Refusing(APIRoute):
    """A route whose refusals are told as faults."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The route, with errors turned into answers."""
        handle = super().get_route_handler()

        async def refuse(request: Request) -> Response:
            try:
                return await handle(request)
            except (GrognardError, OperationalError, NoConnection) as error:
                return refusal(error)

        return refuse


def refusal(error: Exception) -> Response:
    """The answer to something that cannot be done."""
    match error:
        case BattleError():
            return _faults(422, error.faults)
        case NoKey():
            return _faults(401, [Fault("key", str(error))], {"WWW-Authenticate": "Bearer"})
        case NotAllowed():
            return _faults(403, [Fault("key", str(error))])
        case Unknown():
            return _faults(404, [Fault("", str(error))])
        case Outdated():
            state = state_of(error.seat, error.course).model_dump(mode="json", exclude_unset=True)
            return _faults(409, [Fault("", str(error))], state=state)
        case Crowded():
            return _faults(503, [Fault("", str(error))], {"Retry-After": str(RETRY_AFTER)})
        case OperationalError() | NoConnection():
            return _faults(503, [Fault("", "the database is away")], {"Retry-After": str(RETRY_AFTER)})
        case WrongAnswer():
            return _faults(422, [Fault("answer", str(error))])
    return _faults(422, [Fault("", str(error))])


def _faults(status: int, faults: list[Fault], headers: dict[str, str] | None = None, **more: object) -> Response:
    body = {"faults": [fault._asdict() for fault in faults], **more}
    return Response(json.dumps(body), status, headers, "application/json")
