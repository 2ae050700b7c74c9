"""The API of questions: a battle is sent, an answer comes back, and nothing is kept."""

import asyncio
import secrets
from collections.abc import Coroutine
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Body, Query, Request
from pydantic import BaseModel
from starlette.responses import Response, StreamingResponse

from grognard import systems
from grognard.core.systems import Json
from grognard.server import requests
from grognard.server.engine import STATUS, Engine
from grognard.server.guard import client_of
from grognard.server.pages import takes_gzip
from grognard.server.responses.common import Faults
from grognard.server.responses.odds import Advice, Luck, Odds, Sample
from grognard.server.responses.plays import Checked, FileText, Play
from grognard.server.responses.turns import Attacks, NextTurn, TurnPlan
from grognard.work.pool import Reply

R = TypeVar("R", bound=requests.CheckRequest)
T = TypeVar("T")

GUARDED: dict[int | str, dict[str, Any]] = {
    400: {"model": Faults, "description": "The request cannot be read."},
    408: {"model": Faults, "description": "The request took too long to arrive."},
    413: {"model": Faults, "description": "The request is too large."},
    429: {"model": Faults, "description": "Too many requests: try again after the time in `Retry-After`."},
}
FAULTS: dict[int | str, dict[str, Any]] = {
    **GUARDED,
    422: {"model": Faults, "description": "No legal battle, no right answer, or too large to work out."},
    500: {"model": Faults, "description": "The rules failed."},
    503: {"model": Faults, "description": "Too busy: try again after the time in `Retry-After`."},
    504: {"model": Faults, "description": "It took too long to work out."},
}
GONE = 499
"""The status of a response to a client that has gone."""

router = APIRouter(prefix="/api", tags=["questions"], responses=FAULTS)


def _examples(is_bare: bool) -> Any:
    """One battle of each system, as it is or in an envelope."""
    known = [systems.find(name) for name in systems.names()]
    battles = {system.title: {"system": system.name, **system.example} for system in known}
    return {title: {"value": battle if is_bare else {"battle": battle}} for title, battle in battles.items()}


EITHER = Body(openapi_examples=_examples(is_bare=True))
ENVELOPE = Body(openapi_examples=_examples(is_bare=False))


@router.post("/check", response_model=Checked)
async def check(request: Request, body: Annotated[requests.CheckBody, EITHER]) -> Response:
    """Whether this is a legal battle; if not, everything that is wrong with it."""
    return await respond(request, "check", whole_request(requests.CheckRequest, body))


@router.post("/odds", response_model=Odds)
async def odds(
    request: Request,
    body: Annotated[requests.OddsBody, EITHER],
    options: Annotated[requests.OddsOptions, Query()],
) -> Response:
    """The exact odds of every result, with both sides' decisions in them."""
    return await respond(request, "odds", whole_request(requests.OddsRequest, body, options))


@router.post("/advise", response_model=Advice)
async def advise(
    request: Request,
    body: Annotated[requests.AdviceBody, EITHER],
    options: Annotated[requests.OddsOptions, Query()],
) -> Response:
    """The decision that is open after the answers: every option and its value, the best first."""
    return await respond(request, "advise", whole_request(requests.AdviceRequest, body, options))


@router.post("/simulate", response_model=Sample)
async def simulate(
    request: Request,
    body: Annotated[requests.SampleBody, EITHER],
    options: Annotated[requests.SampleOptions, Query()],
) -> Response:
    """Sampled odds, for battles too large to work out."""
    about = whole_request(requests.SampleRequest, body, options)
    if about["seed"] is None:
        about["seed"] = secrets.randbits(48)
    return await respond(request, "simulate", about)


@router.post("/luck", response_model=Luck)
async def luck(request: Request, body: Annotated[requests.LuckRequest, ENVELOPE]) -> Response:
    """How lucky each side was in a battle that was played to its end: what the dice gave, and where the result lies."""
    return await respond(request, "luck", whole_request(requests.LuckRequest, body))


@router.post("/attacks", response_model=Attacks)
async def attacks(
    request: Request,
    body: Annotated[requests.AttacksBody, EITHER],
    options: Annotated[requests.AttacksOptions, Query()],
) -> Response:
    """Every attack that is possible now to the side whose turn it is, each evaluated by itself."""
    return await respond(request, "attacks", whole_request(requests.AttacksRequest, body, options))


@router.post("/plan", response_model=TurnPlan)
async def plan(
    request: Request,
    body: Annotated[requests.PlanBody, EITHER],
    options: Annotated[requests.PlanOptions, Query()],
) -> Response:
    """The best way to play a turn, or what is left of it: what to do after which results, beside simpler ways."""
    return await respond(request, "plan", whole_request(requests.PlanRequest, body, options))


@router.post("/compare", response_model=Json)
async def compare(request: Request, body: requests.CompareRequest) -> Response:
    """Several battles side by side, or one battle under each value of a house rule, or of every house rule."""
    return await respond(request, "compare", body.model_dump(mode="json"))


@router.post("/report", response_model=FileText)
async def report(
    request: Request,
    body: Annotated[requests.ReportBody, EITHER],
    options: Annotated[requests.AssumptionOptions, Query()],
) -> Response:
    """A page of HTML about a battle: its set-up, its odds, the decisions and the house rules that matter."""
    return await respond(request, "report", whole_request(requests.ReportRequest, body, options))


@router.post("/play", response_model=Play)
async def play(request: Request, body: Annotated[requests.PlayRequest, ENVELOPE]) -> Response:
    """Where a battle stands after the answers: the open question or the result, and everything that happened."""
    return await respond(request, "play", whole_request(requests.PlayRequest, body))


@router.post("/after", response_model=Json)
async def after(request: Request, body: Annotated[requests.PlayRequest, ENVELOPE]) -> Response:
    """The battle file as it stands after a battle that was played to its end."""
    return await respond(request, "after", whole_request(requests.PlayRequest, body))


@router.post("/end-turn", response_model=Json)
async def end_turn(request: Request, body: Annotated[requests.DraftRequest, ENVELOPE]) -> Response:
    """The battle file with the marks cleared that last for a turn."""
    return await respond(request, "end-turn", {"battle": body.battle})


@router.post("/next-turn", response_model=NextTurn)
async def next_turn(request: Request, body: Annotated[requests.PlayRequest, ENVELOPE]) -> Response:
    """The battle of the next side's turn after one that was played to its end, or why there is none."""
    return await respond(request, "next-turn", whole_request(requests.PlayRequest, body))


@router.post("/toml", response_model=FileText)
async def toml(request: Request, body: Annotated[requests.DraftRequest, ENVELOPE]) -> Response:
    """The battle as a TOML file."""
    return await respond(request, "toml", {"battle": body.battle})


@router.post("/read", response_model=Json)
async def read(request: Request, body: requests.TextRequest) -> Response:
    """The battle that a TOML or JSON file describes; if it is none, every fault has its line."""
    return await respond(request, "read", {"text": body.text})


def whole_request(model: type[R], body: requests.Battle | R, options: BaseModel | None = None) -> Json:
    """The request as a task takes it: what is in the envelope, then what is in the query, then the defaults."""
    beside = options.model_dump(exclude_unset=True) if options else {}
    if isinstance(body, requests.Battle):
        whole = model(battle=body, **beside)
    else:
        unsaid = {name: value for name, value in beside.items() if name not in body.model_fields_set}
        whole = body.model_copy(update=unsaid)
    return {**whole.model_dump(exclude={"battle"}), "battle": whole.battle.root}


async def respond(request: Request, task: str, about: Json) -> Response:
    """Run a task, unless the client disconnects."""
    engine: Engine = request.app.state.engine
    reply = await unless_gone(request, engine.run(task, about, client_of(request.scope)))
    return Response(status_code=GONE) if reply is None else response_of(request, reply)


async def unless_gone(request: Request, work: Coroutine[Any, Any, T], patience: float = 0) -> T | None:
    """Wait for some work; None if the client goes away first, and then the work is cancelled.

    For so many seconds of `patience` nobody looks whether the client has gone: that costs more than work that is quick.
    """
    working = asyncio.ensure_future(work)
    gone: asyncio.Future[None] | None = None
    try:
        if patience:
            await asyncio.wait({working}, timeout=patience)
        if not working.done():
            gone = asyncio.ensure_future(_gone(request))
            await asyncio.wait({working, gone}, return_when=asyncio.FIRST_COMPLETED)
        return working.result() if gone is None or working.done() else gone.result()
    finally:
        working.cancel()
        if gone is not None:
            gone.cancel()


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def response_of(request: Request, reply: Reply) -> Response:
    """The reply as it came from the worker, unpacked for clients that cannot."""
    headers = {"Vary": "Accept-Encoding"}
    body = reply.body
    if reply.is_packed and takes_gzip(request):
        headers["Content-Encoding"] = "gzip"
    elif reply.is_packed:
        return StreamingResponse(reply.pieces(), STATUS[reply.status], headers, "application/json")
    return Response(body, STATUS[reply.status], headers, "application/json")
