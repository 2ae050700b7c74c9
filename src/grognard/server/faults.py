"""Whatever goes wrong, in one shape: `{"faults": [{"place", "message"}]}`."""

from collections.abc import Sequence

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from grognard.core.systems import Json
from grognard.files.messages import join_index, join_key
from grognard.server.guard import HEADERS
from grognard.server.telling import faults

WORDS = {"missing": "is missing", "extra_forbidden": "is not known here"}
"""How we say what the library says otherwise."""
NOT_LEFT_OUT = "none_required"
"""What may be left out could also be null, says the library wherever anything else is wrong with it."""


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
    told = [_fault(wrong, error.body) for wrong in error.errors() if wrong["type"] != NOT_LEFT_OUT]
    return JSONResponse({"faults": told}, 422)


async def _broken(request: Request, error: Exception) -> Response:
    """Answered outside of all else, so the headers are not there yet."""
    return JSONResponse(faults("something broke here; it is not your fault"), 500, dict(HEADERS))


def place_of(location: Sequence[str | int], sent: object, is_missing: bool) -> str:
    """The place of a fault in what was sent, as in battle files: `script[2].roll`.

    The library also names which of several shapes it tried: that is no place in what was sent.
    """
    if location[0] != "body":
        return join_key("", str(location[-1]))
    place = ""
    for number, part in enumerate(location[1:], 2):
        if isinstance(sent, list) and isinstance(part, int) and part < len(sent):
            place, sent = join_index(place, part), sent[part]
        elif isinstance(sent, dict) and part in sent:
            place, sent = join_key(place, str(part)), sent[part]
        elif is_missing and number == len(location):
            place = join_key(place, str(part))
    return place


def _fault(wrong: Json, sent: object) -> Json:
    kind, said = wrong["type"], str(wrong["msg"])
    if kind == "json_invalid":
        return {"place": "", "message": f"is not JSON: {wrong['ctx']['error']} (character {wrong['loc'][1] + 1})"}
    if kind == "value_error":
        said = str(wrong["ctx"]["error"])
    message = WORDS.get(kind, said[:1].lower() + said[1:])
    return {"place": place_of(wrong["loc"], sent, kind == "missing"), "message": message}
