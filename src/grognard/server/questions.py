"""The API of questions: a battle is sent, an answer comes back, and nothing is kept."""

import asyncio
import gzip
import secrets
from collections.abc import Coroutine
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Body, Query, Request
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.responses import Response

from grognard import systems
from grognard.core.systems import Json
from grognard.server import sent, shapes
from grognard.server.asking import Desk
from grognard.server.workers import Answer, Busy, Lost, TooLong

Q = TypeVar("Q", bound=sent.CheckQuestion)

GUARDED: dict[int | str, dict[str, Any]] = {
    400: {"model": shapes.Faults, "description": "What was sent cannot be read."},
    408: {"model": shapes.Faults, "description": "What was sent took too long to arrive."},
    413: {"model": shapes.Faults, "description": "What was sent is too large."},
    429: {"model": shapes.Faults, "description": "Too many requests: try again after the time in `Retry-After`."},
}
FAULTS: dict[int | str, dict[str, Any]] = {
    **GUARDED,
    422: {"model": shapes.Faults, "description": "No legal battle, no right answer, or too large to work out."},
    503: {"model": shapes.Faults, "description": "Too busy: try again after the time in `Retry-After`."},
    504: {"model": shapes.Faults, "description": "It took too long to work out."},
}
GONE = 499
"""The status of an answer that nobody reads any more."""

router = APIRouter(prefix="/api", tags=["questions"], responses=FAULTS)


def _examples(is_bare: bool) -> Any:
    """One battle of each system, as it is or in an envelope."""
    found = [systems.find(name) for name in systems.names()]
    battles = {system.title: {"system": system.name, **system.example} for system in found}
    return {title: {"value": battle if is_bare else {"battle": battle}} for title, battle in battles.items()}


EITHER = Body(openapi_examples=_examples(is_bare=True))
ENVELOPE = Body(openapi_examples=_examples(is_bare=False))


@router.post("/check", response_model=shapes.Checked)
async def check(request: Request, body: Annotated[sent.CheckSent, EITHER]) -> Response:
    """Whether this is a legal battle; if not, everything that is wrong with it."""
    return await reply(request, "check", asked(sent.CheckQuestion, body))


@router.post("/odds", response_model=shapes.Odds)
async def odds(
    request: Request,
    body: Annotated[sent.OddsSent, EITHER],
    options: Annotated[sent.OddsOptions, Query()],
) -> Response:
    """The exact odds of every result, with both sides' decisions in them."""
    return await reply(request, "odds", asked(sent.OddsQuestion, body, options))


@router.post("/advise", response_model=shapes.Advice)
async def advise(
    request: Request,
    body: Annotated[sent.AdviceSent, EITHER],
    options: Annotated[sent.OddsOptions, Query()],
) -> Response:
    """The decision that is due, after the script's answers: every option and what it is worth, the best first."""
    return await reply(request, "advise", asked(sent.AdviceQuestion, body, options))


@router.post("/simulate", response_model=shapes.Sampled)
async def simulate(
    request: Request,
    body: Annotated[sent.SampleSent, EITHER],
    options: Annotated[sent.SampleOptions, Query()],
) -> Response:
    """Sampled odds, for battles too large to work out."""
    about = asked(sent.SampleQuestion, body, options)
    if about["seed"] is None:
        about["seed"] = secrets.randbits(48)
    return await reply(request, "simulate", about)


@router.post("/luck", response_model=shapes.Luck)
async def luck(request: Request, body: Annotated[sent.LuckQuestion, ENVELOPE]) -> Response:
    """How lucky each side was in a battle that was played to its end: what the dice gave, and where the result lies."""
    return await reply(request, "luck", asked(sent.LuckQuestion, body))


@router.post("/play", response_model=shapes.Played)
async def play(request: Request, body: Annotated[sent.PlayQuestion, ENVELOPE]) -> Response:
    """What is due in a battle after the answers so far, with everything that happened, or how it ended."""
    return await reply(request, "play", asked(sent.PlayQuestion, body))


@router.post("/after", response_model=Json)
async def after(request: Request, body: Annotated[sent.PlayQuestion, ENVELOPE]) -> Response:
    """The battle file as it stands after a battle that was played to its end."""
    return await reply(request, "after", asked(sent.PlayQuestion, body))


@router.post("/end-turn", response_model=Json)
async def end_turn(request: Request, body: Annotated[sent.DraftQuestion, ENVELOPE]) -> Response:
    """The battle file with the marks cleared that last for a turn."""
    return await reply(request, "end-turn", {"battle": body.battle})


@router.post("/toml", response_model=shapes.FileText)
async def toml(request: Request, body: Annotated[sent.DraftQuestion, ENVELOPE]) -> Response:
    """The battle as a TOML file."""
    return await reply(request, "toml", {"battle": body.battle})


@router.post("/read", response_model=Json)
async def read(request: Request, body: sent.TextQuestion) -> Response:
    """The battle that a TOML or JSON file says; if it is none, every fault has its line."""
    return await reply(request, "read", {"text": body.text})


def asked(shape: type[Q], body: sent.Battle | Q, options: BaseModel | None = None) -> Json:
    """The whole question: what is in the envelope, then what is in the query, then the defaults."""
    beside = options.model_dump(exclude_unset=True) if options else {}
    if isinstance(body, sent.Battle):
        question = shape(battle=body, **beside)
    else:
        unsaid = {name: value for name, value in beside.items() if name not in body.model_fields_set}
        question = body.model_copy(update=unsaid)
    return {**question.model_dump(exclude={"battle"}), "battle": question.battle.root}


async def reply(request: Request, ask: str, about: Json) -> Response:
    """Have a question answered, unless whoever asked it goes away."""
    desk: Desk = request.app.state.desk
    try:
        answer = await unless_gone(request, desk.ask(ask, about))
    except (Busy, Lost) as failed:
        message = "too many questions wait already" if isinstance(failed, Busy) else "the worker was lost: try again"
        raise HTTPException(503, message, {"Retry-After": "2"}) from None
    except TooLong as long:
        way_out = "; sample it instead (simulate)" if ask in ("odds", "advise") else ""
        raise HTTPException(504, f"{long}{way_out}") from None
    return Response(status_code=GONE) if answer is None else await packed(request, answer)


async def unless_gone(request: Request, work: Coroutine[Any, Any, Answer]) -> Answer | None:
    """Wait for an answer; None if the client goes away first, and then the work is cancelled."""
    working, gone = asyncio.ensure_future(work), asyncio.ensure_future(_gone(request))
    try:
        await asyncio.wait({working, gone}, return_when=asyncio.FIRST_COMPLETED)
        return working.result() if working.done() else None
    finally:
        working.cancel()
        gone.cancel()


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def packed(request: Request, answer: Answer) -> Response:
    """The answer as it came from the worker, unpacked for clients that cannot."""
    headers = {"Vary": "Accept-Encoding"}
    body = answer.body
    if answer.is_packed and "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
    elif answer.is_packed:
        body = await asyncio.to_thread(gzip.decompress, body)
    return Response(body, answer.status, headers, "application/json")
