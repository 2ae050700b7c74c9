"""Whatever goes wrong, in one shape: `{"faults": [{"place", "message"}]}`."""

from collections.abc import Sequence

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from grognard.core.systems import Json
from grognard.files.words import entry, inside
from grognard.server.guard import HEADERS
from grognard.server.sent import TAGS
from grognard.server.telling import faults

WORDS = {"missing": "is missing", "extra_forbidden": "is not known here"}
"""How we say what the library says otherwise."""


def tell_faults(app: FastAPI) -> None:
    """Have everything that goes wrong in this application told as faults."""
    app.add_exception_handler(HTTPException, _refused)
    app.add_exception_handler(RequestValidationError, _not_understood)
    app.add_exception_handler(Exception, _broken)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse(faults(str(error.detail)), error.status_code, error.headers)


async def _not_understood(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return JSONResponse({"faults": [_fault(wrong) for wrong in error.errors()]}, 422)


async def _broken(request: Request, error: Exception) -> Response:
    """Answered outside of all else, so the headers are not there yet."""
    return JSONResponse(faults("something broke here; it is not your fault"), 500, dict(HEADERS))


def place_of(location: Sequence[str | int]) -> str:
    """The place of a fault in what was sent, as in battle files: `script[2].roll`."""
    place = ""
    for part in location[2 if location[1:2] and location[1] in TAGS else 1 :]:  # the first says: body or query
        place = entry(place, part) if isinstance(part, int) else inside(place, part)
    return place


def _fault(wrong: Json) -> Json:
    if wrong["type"] == "json_invalid":
        return {"place": "", "message": f"is not JSON: {wrong['ctx']['error']} (character {wrong['loc'][1] + 1})"}
    said = str(wrong["msg"])
    return {"place": place_of(wrong["loc"]), "message": WORDS.get(wrong["type"], said[:1].lower() + said[1:])}
