"""The stateless part of the API: a request has a battle, and the server keeps nothing of it."""

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
from grognard.server.pages import accepts_gzip
from grognard.server.responses.common import Faults
from grognard.server.responses.odds import Advice, Luck, Odds, Sample
from grognard.server.responses.plays import Checked, FileText, Play
from grognard.server.responses.turns import Attacks, NextTurn, TurnPlan
from grognard.work.pool import Reply

R = TypeVar("R")
Enveloped = TypeVar("Enveloped", bound=requests.CheckRequest)
T = TypeVar("T")

Responses = dict[int | str, dict[str, Any]]
"""The error responses of a route, by status, for its documentation."""
GUARD_RESPONSES: Responses = {
    400: {"model": Faults, "description": "The request cannot be read."},
    408: {"model": Faults, "description": "The request took too long to arrive."},
    413: {"model": Faults, "description": "The request is too large."},
    429: {"model": Faults, "description": "Too many requests: try again after the time in `Retry-After`."},
}
TASK_RESPONSES: Responses = {
    **GUARD_RESPONSES,
    422: {"model": Faults, "description": "The battle is not legal, an answer is wrong, or the battle is too large."},
    500: {"model": Faults, "description": "The rules failed."},
    503: {"model": Faults, "description": "The server is busy: try again after the time in `Retry-After`."},
    504: {"model": Faults, "description": "The computation took too long."},
}
GONE = 499
"""The status of a response to a client that has disconnected."""

router = APIRouter(prefix="/api", tags=["questions"], responses=TASK_RESPONSES)


def _examples(is_bare: bool) -> Any:
    """A battle of each system, bare or in an envelope."""
    known = [systems.find(name) for name in systems.names()]
    battles = {system.title: {"system": system.name, **system.example} for system in known}
    return {title: {"value": battle if is_bare else {"battle": battle}} for title, battle in battles.items()}


BattleBody = Annotated[requests.BareOrEnvelope[R], Body(openapi_examples=_examples(is_bare=True))]
EnvelopeBody = Annotated[R, Body(openapi_examples=_examples(is_bare=False))]
OddsOptions = Annotated[requests.OddsOptions, Query()]
SampleOptions = Annotated[requests.SampleOptions, Query()]
AttacksOptions = Annotated[requests.AttacksOptions, Query()]
PlanOptions = Annotated[requests.PlanOptions, Query()]
AssumptionOptions = Annotated[requests.AssumptionOptions, Query()]


@router.post("/check", response_model=Checked)
async def check(request: Request, body: BattleBody[requests.CheckRequest]) -> Response:
    """Whether this is a legal battle; if not, everything that is wrong with it."""
    return await respond(request, "check", whole_request(requests.CheckRequest, body))


@router.post("/odds", response_model=Odds)
async def odds(request: Request, body: BattleBody[requests.OddsRequest], options: OddsOptions) -> Response:
    """The exact odds of every result, with both sides' decisions in them."""
    return await respond(request, "odds", whole_request(requests.OddsRequest, body, options))


@router.post("/advise", response_model=Advice)
async def advise(request: Request, body: BattleBody[requests.AdviceRequest], options: OddsOptions) -> Response:
    """The decision that is open after the answers: every option and its value, the best first."""
    return await respond(request, "advise", whole_request(requests.AdviceRequest, body, options))


@router.post("/simulate", response_model=Sample)
async def simulate(request: Request, body: BattleBody[requests.SampleRequest], options: SampleOptions) -> Response:
    """Sampled odds, for battles that are too large for exact ones."""
    about = whole_request(requests.SampleRequest, body, options)
    if about["seed"] is None:
        about["seed"] = secrets.randbits(48)
    return await respond(request, "simulate", about)


@router.post("/luck", response_model=Luck)
async def luck(request: Request, body: EnvelopeBody[requests.LuckRequest]) -> Response:
    """How lucky each side was in a battle that was played to its end: what the dice gave, and where the result lies."""
    return await respond(request, "luck", whole_request(requests.LuckRequest, body))


@router.post("/attacks", response_model=Attacks)
async def attacks(request: Request, body: BattleBody[requests.AttacksRequest], options: AttacksOptions) -> Response:
    """Every attack that is possible now to the side whose turn it is, each evaluated by itself."""
    return await respond(request, "attacks", whole_request(requests.AttacksRequest, body, options))


@router.post("/plan", response_model=TurnPlan)
async def plan(request: Request, body: BattleBody[requests.PlanRequest], options: PlanOptions) -> Response:
    """The best way to play a turn, or what is left of it: what to do after which results, beside simpler ways."""
    return await respond(request, "plan", whole_request(requests.PlanRequest, body, options))


@router.post("/compare", response_model=Json)
async def compare(request: Request, body: requests.CompareRequest) -> Response:
    """Several battles side by side, or one battle under each value of a house rule, or of every house rule."""
    return await respond(request, "compare", body.model_dump(mode="json"))


@router.post("/report", response_model=FileText)
async def report(request: Request, body: BattleBody[requests.ReportRequest], options: AssumptionOptions) -> Response:
    """A page of HTML about a battle: its set-up, its odds, the decisions and the house rules that matter."""
    return await respond(request, "report", whole_request(requests.ReportRequest, body, options))


@router.post("/play", response_model=Play)
async def play(request: Request, body: EnvelopeBody[requests.PlayRequest]) -> Response:
    """Where a battle stands after the answers: the open question or the result, and everything that happened."""
    return await respond(request, "play", whole_request(requests.PlayRequest, body))


@router.post("/after", response_model=Json)
async def after(request: Request, body: EnvelopeBody[requests.PlayRequest]) -> Response:
    """The battle file as it stands after a battle that was played to its end."""
    return await respond(request, "after", whole_request(requests.PlayRequest, body))


@router.post("/end-turn", response_model=Json)
async def end_turn(request: Request, body: EnvelopeBody[requests.DraftRequest]) -> Response:
    """The battle file with the marks cleared that last for a turn."""
    return await respond(request, "end-turn", body.model_dump())


@router.post("/next-turn", response_model=NextTurn)
async def next_turn(request: Request, body: EnvelopeBody[requests.PlayRequest]) -> Response:
    """The battle of the next side's turn after one that was played to its end, or why there is none."""
    return await respond(request, "next-turn", whole_request(requests.PlayRequest, body))


@router.post("/toml", response_model=FileText)
async def toml(request: Request, body: EnvelopeBody[requests.DraftRequest]) -> Response:
    """The battle as a TOML file."""
    return await respond(request, "toml", body.model_dump())


@router.post("/read", response_model=Json)
async def read(request: Request, body: requests.TextRequest) -> Response:
    """The battle that a TOML or JSON file describes; if it is none, every fault has its line."""
    return await respond(request, "read", body.model_dump())


def whole_request(model: type[Enveloped], body: requests.Battle | Enveloped, options: BaseModel | None = None) -> Json:
    """The request for a task. Options in the envelope come before those in the query, and these before defaults."""
    query = options.model_dump(exclude_unset=True) if options else {}
    if isinstance(body, requests.Battle):
        whole = model(battle=body, **query)
    else:
        missing = {name: value for name, value in query.items() if name not in body.model_fields_set}
        whole = body.model_copy(update=missing)
    return {**whole.model_dump(exclude={"battle"}), "battle": whole.battle.root}


async def respond(request: Request, task: str, about: Json) -> Response:
    """The response with the reply to a task. The task is cancelled if the client disconnects."""
    engine: Engine = request.app.state.engine
    reply = await unless_gone(request, engine.run(task, about, client_of(request.scope)))
    return Response(status_code=GONE) if reply is None else response_of(request, reply)


async def unless_gone(request: Request, work: Coroutine[Any, Any, T], unwatched: float = 0) -> T | None:
    """Wait for some work. If the client disconnects first, cancel the work and return None.

    The client is not watched during the first `unwatched` seconds: watching costs more than quick work.
    """
    task = asyncio.ensure_future(work)
    disconnect: asyncio.Future[None] | None = None
    try:
        if unwatched:
            await asyncio.wait({task}, timeout=unwatched)
        if not task.done():
            disconnect = asyncio.ensure_future(_disconnect(request))
            await asyncio.wait({task, disconnect}, return_when=asyncio.FIRST_COMPLETED)
        return task.result() if disconnect is None or task.done() else disconnect.result()
    finally:
        task.cancel()
        if disconnect is not None:
            disconnect.cancel()


async def _disconnect(request: Request) -> None:
    """Wait until the client disconnects."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def response_of(request: Request, reply: Reply) -> Response:
    """The response with a reply. It is decompressed for a client that does not accept gzip."""
    headers = {"Vary": "Accept-Encoding"}
    body = reply.body
    if reply.is_compressed and accepts_gzip(request):
        headers["Content-Encoding"] = "gzip"
    elif reply.is_compressed:
        return StreamingResponse(reply.pieces(), STATUS[reply.status], headers, "application/json")
    return Response(body, STATUS[reply.status], headers, "application/json")
