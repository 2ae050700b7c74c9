"""The API of live battles."""

import re
from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Body, Depends, Header, Query, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.responses import StreamingResponse

from grognard import systems
from grognard.core.systems import Json
from grognard.plays.fair import commit
from grognard.server.live.battles import Battles, Seat
from grognard.server.live.records import Record
from grognard.server.live.refusals import NoKey, Refusing
from grognard.server.live.schemas import (
    AnswerBody,
    Conflict,
    Keys,
    NextBattle,
    NextOpening,
    NumberBody,
    OpenedBattle,
    Opening,
    OpeningSent,
    State,
)
from grognard.server.live.service import Live
from grognard.server.live.stream import stream
from grognard.server.live.telling import state_of
from grognard.server.settings import Settings
from grognard.server.shapes import Faults

A_COUNT = re.compile("[0-9]{1,9}")
NO_STORE = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
"""Nobody on the way is to keep or to hold back what is sent."""
REFUSED: dict[int | str, dict[str, Any]] = {
    422: {"model": Faults, "description": "The battle or the answer is wrong."},
    503: {"model": Faults, "description": "Too busy: try again after the time in `Retry-After`."},
}
SEATED: dict[int | str, dict[str, Any]] = {
    401: {"model": Faults, "description": "No key was given."},
    404: {"model": Faults, "description": "There is no such battle, or the key is none of its keys."},
    **REFUSED,
}
ACTING: dict[int | str, dict[str, Any]] = {
    403: {"model": Faults, "description": "The key does not let you do this."},
    409: {"model": Conflict, "description": "This cannot be done as the battle stands now; the state says how."},
    **SEATED,
}

at_a_table = APIRouter(prefix="/api/battles/{battle}", tags=["live battles"], route_class=Refusing)
bearer = HTTPBearer(auto_error=False, description="The key of a role.")


def live_of(request: Request) -> Live:
    """The running service."""
    live: Live = request.app.state.live
    return live


Service = Annotated[Live, Depends(live_of)]


def sit_down(
    battle: str,
    live: Service,
    authorization: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)],
    key: Annotated[str | None, Query(description="The key of a role, where no header can be sent.")] = None,
) -> Seat:
    """The seat of whoever asks, by their key."""
    given = authorization.credentials if authorization else key
    if given is None:
        raise NoKey
    return live.battles.sit_down(battle, given)


Seated = Annotated[Seat, Depends(sit_down)]


def router(settings: Settings) -> APIRouter:
    """All endpoints of live battles."""
    made = APIRouter(route_class=Refusing)
    examples = {name: {"summary": systems.find(name).title, "value": _example(name)} for name in systems.names()}

    @made.post("/api/battles", status_code=201, responses=REFUSED, tags=["live battles"])
    def open_battle(
        body: Annotated[OpeningSent, Body(openapi_examples=examples)],
        live: Service,
        request: Request,
    ) -> OpenedBattle:
        """Open a live battle: its id, and a secret link each for attacker, defender and spectators."""
        opening = body if isinstance(body, Opening) else Opening(battle=body)
        opened = live.battles.open_battle(opening.battle.root, opening.options)
        start = (settings.public_url or str(request.base_url)).rstrip("/")
        links = {role: f"{start}/live/{opened.record.id}#key={key}" for role, key in opened.keys.items()}
        return OpenedBattle(
            id=opened.record.id,
            links=Keys.model_validate(links),
            keys=Keys.model_validate(opened.keys),
            commitment=_commitment(opened.record),
        )

    made.include_router(at_a_table)
    return made


@at_a_table.get("", responses=SEATED, response_model_exclude_unset=True)
def look(seat: Seated, live: Service) -> State:
    """How the battle stands, as the key's role sees it."""
    return state_of(seat, live.battles.course(seat.record))


@at_a_table.post("/answers", responses=ACTING, response_model_exclude_unset=True)
def answer(seat: Seated, live: Service, body: AnswerBody) -> State:
    """Answer the question that is due, or take back one's own decision.

    A decision is its side's; dice are rolled, or typed in, by either player.
    """
    battles = live.battles
    if body.choose is not None:
        return state_of(seat, battles.choose(seat, body.number, body.choose))
    if body.roll == "fair":
        return state_of(seat, battles.roll(seat, body.number))
    if body.roll is not None:
        return state_of(seat, battles.enter_roll(seat, body.number, tuple(body.roll)))
    return state_of(seat, battles.undo(seat, body.number))


@at_a_table.post("/numbers", responses=ACTING, response_model_exclude_unset=True)
def add_number(seat: Seated, live: Service, body: NumberBody) -> State:
    """Add one's number to the fair dice, or change it, before the first die falls. Both players must have added one."""
    return state_of(seat, live.battles.add_number(seat, body.number))


@at_a_table.post("/next", status_code=201, responses=ACTING)
def open_next(seat: Seated, live: Service, body: NextOpening) -> NextBattle:
    """Open the next battle at the same table, with the same keys, once this one is over."""
    record = live.battles.open_next(seat, body.battle.root, body.options(seat.record.options))
    return NextBattle(id=record.id, commitment=_commitment(record))


@at_a_table.get("/log", responses=SEATED)
def log(seat: Seated, live: Service) -> dict[str, Any]:
    """The battle as `grognard replay` and `grognard verify` read it; the secret is in it once the battle is over."""
    return live.battles.log(seat)


@at_a_table.get(
    "/live",
    responses={200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}, **SEATED},
    response_class=StreamingResponse,
)
async def listen(
    seat: Seated,
    live: Service,
    last_event_id: Annotated[str | None, Header(description="The id of the last event that arrived.")] = None,
) -> StreamingResponse:
    """The battle as it stands, and again after every change, as Server-Sent Events.

    Every event's data is the whole state and its id the number of entries. The event is called `state`, and `next`
    once a next battle has been opened.
    """
    listener = live.updates.listen(seat.record.id)
    seen = int(last_event_id) if last_event_id and A_COUNT.fullmatch(last_event_id) else None
    events = stream(live.updates, listener, _looker(live.battles, seat), seen)
    return StreamingResponse(events, media_type="text/event-stream", headers=NO_STORE)


def _looker(battles: Battles, seat: Seat) -> Callable[[], State]:
    return lambda: state_of(seat, battles.look_again(seat))


def _commitment(record: Record) -> str | None:
    return None if record.secret is None else commit(record.secret)


def _example(name: str) -> Json:
    return {"battle": {"system": name, **systems.find(name).example}, "dice": "fair"}
