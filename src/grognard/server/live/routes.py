"""The API of live battles."""

import re
from collections.abc import Coroutine
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Body, Depends, Header, Path, Query, Request
from fastapi.security import HTTPBearer
from starlette.responses import Response, StreamingResponse

from grognard import systems
from grognard.core.systems import Json
from grognard.plays.fair import commit
from grognard.server.errors import AsciiResponse
from grognard.server.guard import client_of
from grognard.server.live import actions
from grognard.server.live.actions import Action
from grognard.server.live.battles import NewBattle
from grognard.server.live.errors import NoKey
from grognard.server.live.service import LiveService
from grognard.server.live.state import LivePlay, Seat
from grognard.server.live.store import Record
from grognard.server.live.updates import stream
from grognard.server.requests import (
    BareOrEnvelope,
    ClaimRequest,
    ClockRequest,
    LiveAnswer,
    NextRequest,
    NumberRequest,
    OpenRequest,
    Options,
)
from grognard.server.responses.common import Faults
from grognard.server.responses.live import (
    ClaimedSeat,
    Conflict,
    LiveState,
    NextBattle,
    OpenedBattle,
    PublishedSecret,
)
from grognard.server.routes import GONE, TASK_RESPONSES, Responses, response_of, unless_gone
from grognard.server.settings import Settings

EVENT_ID = re.compile("[0-9]{1,9}")
JSON = "application/json"
UNWATCHED = 0.5
"""The seconds of an action during which the server does not watch whether its client disconnects."""
STREAM_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
"""They keep proxies from caching or buffering a stream."""
SEAT_RESPONSES: Responses = {
    401: {"model": Faults, "description": "No key was given."},
    404: {"model": Faults, "description": "There is no such battle, or the key is none of its keys."},
    **TASK_RESPONSES,
}
STORAGE_RESPONSES: Responses = {
    507: {"model": Faults, "description": "No room for more: you have stored too much today, or the database is full."},
}
ACTION_RESPONSES: Responses = {
    403: {"model": Faults, "description": "The key does not let you do this."},
    409: {
        "model": Conflict,
        "description": "The action is impossible in the current state of the battle, which the response has.",
    },
    **STORAGE_RESPONSES,
    **SEAT_RESPONSES,
}
OPEN_RESPONSES: Responses = {**STORAGE_RESPONSES, **TASK_RESPONSES}
EXAMPLES = {
    name: {
        "summary": systems.find(name).title,
        "value": {"battle": {"system": name, **systems.find(name).example}, "dice": "fair"},
    }
    for name in systems.names()
}


router = APIRouter(prefix="/api/battles", tags=["live battles"])


async def live_of(request: Request) -> LiveService:  # async, because FastAPI runs other functions in a thread
    """The service of the application."""
    live: LiveService = request.app.state.live
    return live


Service = Annotated[LiveService, Depends(live_of)]


class SeatKey(HTTPBearer):
    """A dependency: the seat that the request's key is for."""

    async def __call__(  # type: ignore[override]  # FastAPI passes the arguments that a dependency declares
        self,
        request: Request,
        battle: str,
        key: Annotated[str | None, Query(description="The key of a seat, where no header can be sent.")] = None,
    ) -> Seat:
        """Find the seat."""
        authorization = await super().__call__(request)
        if authorization:
            key = authorization.credentials
        if key is None:
            raise NoKey
        return await (await live_of(request)).battles.find_seat(battle, key)


SeatOfKey = Annotated[
    Seat, Depends(SeatKey(auto_error=False, scheme_name="HTTPBearer", description="The key of a seat."))
]


@router.post("", status_code=201, response_model=OpenedBattle, responses=OPEN_RESPONSES)
async def open_battle(
    body: Annotated[BareOrEnvelope[OpenRequest], Body(openapi_examples=EXAMPLES)], live: Service, request: Request
) -> Response:
    """Open a live battle: its id, and a secret link each for every side and for spectators."""
    opening = body if isinstance(body, OpenRequest) else OpenRequest(battle=body)
    return await _open(
        request, live.battles.open_battle(opening.battle.root, opening.options, client_of(request.scope))
    )


Since = Annotated[
    int | None,
    Query(ge=0, description="The `entries` of the state that the client has: only later changes are sent."),
]


@router.get("/{battle}", response_model=LiveState, responses=SEAT_RESPONSES)
async def look(seat: SeatOfKey, live: Service, request: Request, since: Since = None) -> Response:
    """The state of the battle, as the key's seat sees it."""
    seat = await live.battles.refresh(seat)
    return _state(seat, await unless_gone(request, live.battles.play(seat.battle, client_of(request.scope), since)))


@router.post("/{battle}/answers", response_model=LiveState, responses=ACTION_RESPONSES)
async def answer(seat: SeatOfKey, body: LiveAnswer, request: Request, since: Since = None) -> Response:
    """Answer the open question, or take back a decision of your own.

    A decision is its side's; dice are rolled, or typed in, by any player.
    """
    return await _act(request, seat, partial(actions.answer, body), since)


@router.post("/{battle}/clock", response_model=LiveState, responses=ACTION_RESPONSES)
async def propose_clock(seat: SeatOfKey, body: ClockRequest, request: Request) -> Response:
    """Propose how long each side may think in all. The clock runs once every side has proposed the same."""
    return await _act(request, seat, partial(actions.propose_clock, body.seconds))


@router.post("/{battle}/flag", response_model=LiveState, responses=ACTION_RESPONSES)
async def flag(seat: SeatOfKey, request: Request) -> Response:
    """End the battle: the side that has to decide has used up its time."""
    return await _act(request, seat, actions.flag)


@router.post("/{battle}/concede", response_model=LiveState, responses=ACTION_RESPONSES)
async def concede(seat: SeatOfKey, request: Request) -> Response:
    """Give the battle up. It is over, and the secret of the fair dice is published."""
    return await _act(request, seat, actions.concede)


@router.post("/{battle}/numbers", response_model=LiveState, responses=ACTION_RESPONSES)
async def add_number(seat: SeatOfKey, body: NumberRequest, request: Request) -> Response:
    """Add your number to the fair dice, or change it, before the first roll. Every side must add one."""
    return await _act(request, seat, partial(actions.add_number, body.number))


@router.get("/{battle}/secret", response_model=PublishedSecret, responses={404: {"model": Faults}, **TASK_RESPONSES})
async def secret(battle: Annotated[str, Path(pattern=r"^[\w-]{1,40}$")], live: Service) -> Response:
    """The secret of the fair dice of a battle that was removed, to verify its log."""
    return AsciiResponse(await live.battles.secret_of_removed(battle))


@router.post(
    "/{battle}/next", status_code=201, response_model=NextBattle, responses={**OPEN_RESPONSES, **ACTION_RESPONSES}
)
async def open_next(seat: SeatOfKey, live: Service, body: NextRequest, request: Request) -> Response:
    """Open the next battle at the same table, once this one is over. Every seat keeps its side and its key."""
    options = body.options(Options.model_validate(seat.record.options))
    return await _open(request, live.battles.open_next(seat, body.battle.root, options, client_of(request.scope)))


@router.post("/{battle}/claim", response_model=ClaimedSeat, responses=ACTION_RESPONSES)
async def claim(seat: SeatOfKey, live: Service, request: Request, body: ClaimRequest | None = None) -> Response:
    """Get a new key for your seat. The old key is void at once.

    You may send a key of your own: then you do not lose the seat if the response is lost.
    """
    key = await live.battles.claim(seat, body.key if body else None)
    return AsciiResponse({"side": seat.side, "key": key, "link": _link(request, seat.record, key)})


@router.get("/{battle}/log", response_model=Json, responses=SEAT_RESPONSES)
async def log(seat: SeatOfKey, live: Service, request: Request) -> Response:
    """The battle as `grognard replay` and `grognard verify` read it; the secret is in it once the battle is over."""
    reply = await unless_gone(request, live.battles.log(seat, client_of(request.scope)))
    return Response(status_code=GONE) if reply is None else response_of(request, reply)


@router.get(
    "/{battle}/live",
    responses={200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}, **SEAT_RESPONSES},
    response_class=StreamingResponse,
)
async def listen(
    seat: SeatOfKey,
    live: Service,
    request: Request,
    changes: Annotated[bool, Query(description="After the first event, send only what has changed.")] = False,
    last_event_id: Annotated[str | None, Header(description="The id of the last event that arrived.")] = None,
) -> StreamingResponse:
    """The state of the battle, and again after every change, as Server-Sent Events.

    Every event's data is the whole state, or with `changes` what has changed since the event before. Its id is the
    number of entries. The event is called `state`, and `next` once a next battle has been opened.
    """
    listener = live.listeners.add(seat.record.id, seat.side, client_of(request.scope))
    last_id = int(last_event_id) if last_event_id and EVENT_ID.fullmatch(last_event_id) else None
    events = stream(live.listeners, listener, live.battles, seat, last_id, changes)
    return StreamingResponse(events, media_type="text/event-stream", headers=STREAM_HEADERS)


async def _act(request: Request, seat: Seat, action: Action, since: int | None = None) -> Response:
    work = (await live_of(request)).battles.act(seat, action, client_of(request.scope), since)
    return _state(seat, await unless_gone(request, work, UNWATCHED))


def _state(seat: Seat, play: LivePlay | None) -> Response:
    """The response with the state as a seat sees it."""
    if play is None:
        return Response(status_code=GONE)
    if play.is_small:
        return Response(b"".join(play.pieces(seat)), media_type=JSON)
    return StreamingResponse(play.pieces(seat), media_type=JSON)


async def _open(request: Request, work: Coroutine[Any, Any, NewBattle]) -> Response:
    new = await unless_gone(request, work)
    if new is None:
        return Response(status_code=GONE)
    body = {
        "id": new.record.id,
        "links": {side: _link(request, new.record, key) for side, key in new.keys.items()},
        "keys": new.keys,
        "commitment": None if new.record.secret is None else commit(new.record.secret),
    }
    return AsciiResponse(body, 201)


def _link(request: Request, record: Record, key: str) -> str:
    settings: Settings = request.app.state.settings
    start = (settings.public_url or str(request.base_url)).rstrip("/")
    return f"{start}/live/{record.id}#key={key}"
