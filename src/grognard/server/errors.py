"""All error responses in one shape: `{"faults": [{"place", "message", "code"}]}`."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from sqlalchemy.exc import DatabaseError, InternalError, OperationalError, ProgrammingError
from sqlalchemy.exc import TimeoutError as NoConnection
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response, StreamingResponse

from grognard.core.errors import FaultCode, GrognardError
from grognard.core.systems import Json
from grognard.files.messages import join_index, join_key
from grognard.server.guard import HEADERS
from grognard.work.pool import Busy, Lost, TooLong
from grognard.work.worker import fault

RETRY_AFTER = {"Retry-After": "2"}
WORDS = {"missing": "is missing", "extra_forbidden": "is not known here"}
"""Our wording of some of the library's errors, by their types."""
COULD_BE_NULL = "none_required"
"""The library adds this error to any other error of an optional key. It says that null is allowed, and is dropped."""
UNREADABLE = "cannot be read: it is nested too deeply, or holds a number with too many digits"
"""The message for JSON that the library cannot parse, without giving a reason."""
CODES = {400: "unreadable", 404: "unknown", 405: "unknown", 408: "too_slow", 413: "too_large", 429: "too_many"}


FAULT_CODES = {
    "missing": FaultCode.MISSING,
    "extra_forbidden": FaultCode.UNKNOWN_KEY,
    "enum": FaultCode.NOT_ALLOWED,
    "literal_error": FaultCode.NOT_ALLOWED,
    "greater_than_equal": FaultCode.OUT_OF_RANGE,
    "less_than_equal": FaultCode.OUT_OF_RANGE,
    "too_long": FaultCode.TOO_LONG,
    "string_too_long": FaultCode.TOO_LONG,
    "too_short": FaultCode.TOO_SHORT,
    "string_too_short": FaultCode.TOO_SHORT,
}
"""What the library calls a problem, and what a fault does."""


class AsciiResponse(JSONResponse):
    """JSON in ASCII: text from a request may hold what UTF-8 cannot say (half of a surrogate pair)."""

    def render(self, content: object) -> bytes:
        """The response's body."""
        return json.dumps(content, separators=(",", ":")).encode()


class ApiError(GrognardError):
    """Something that is refused, as HTTP says it.

    `body` is the whole response, if it is more than one fault, and `pieces` its JSON, if that may be large.
    """

    status: int = 422
    code: ClassVar[str] = "refused"
    place: str = ""
    headers: Mapping[str, str] | None = None
    body: Json | None = None
    pieces: Iterable[bytes] | None = None


DAMAGED = (DatabaseError, InternalError, ProgrammingError)
"""What databases say of files that are no databases, of broken pages, and of tables that are gone."""
EXPECTED = (HTTPException, ApiError, Busy, Lost, TooLong, DatabaseError, NoConnection)
"""What may go wrong without being a fault of ours, or of the request's form."""


def handle_errors(app: FastAPI) -> None:
    """Have everything that goes wrong in this application answered with faults."""
    for kind in EXPECTED:
        app.add_exception_handler(kind, response_to)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(Exception, _broken)


async def response_to(request: Request, error: Exception) -> Response:
    """What an error that is expected is answered with."""
    if isinstance(error, HTTPException):
        return _http_error(error)
    return _api_error(error) if isinstance(error, ApiError) else _not_now(request, error)


def _http_error(error: HTTPException) -> Response:
    message = UNREADABLE if error.status_code == 400 else str(error.detail)
    body = fault(message, CODES.get(error.status_code, "refused"))
    return AsciiResponse(body, error.status_code, error.headers)


def _api_error(error: ApiError) -> Response:
    if error.pieces is not None:
        return StreamingResponse(error.pieces, error.status, error.headers, "application/json")
    body = error.body if error.body is not None else fault(str(error), error.code, error.place)
    return AsciiResponse(body, error.status, error.headers)


def _not_now(request: Request, error: Exception) -> Response:
    match error:
        case Busy():
            return AsciiResponse(fault("too many questions wait already", "busy"), 503, RETRY_AFTER)
        case Lost():
            return AsciiResponse(fault("the worker was lost: try again", "lost"), 503, RETRY_AFTER)
        case TooLong():
            way_out = "; sample it instead (simulate)" if request.url.path in ("/api/odds", "/api/advise") else ""
            return AsciiResponse(fault(f"{error}{way_out}", "too_long"), 504)
    if isinstance(error, DatabaseError) and not isinstance(error, OperationalError):
        if type(error) not in DAMAGED:
            raise error
        request.app.state.monitor.damaged(str(error.orig))
        return AsciiResponse(fault("the database is damaged: tell whoever runs this server", "database"), 503)
    return AsciiResponse(fault("the database is away", "database"), 503, RETRY_AFTER)


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    faults = [_fault(wrong, error.body) for wrong in error.errors() if wrong["type"] != COULD_BE_NULL]
    return AsciiResponse({"faults": faults}, 422)


async def _broken(request: Request, error: Exception) -> Response:
    """The response to a bug. No middleware sees it any more, so it has the headers of every response itself.

    The connection is closed after it: a client that was not told would send its next request into nothing.
    """
    headers = {**HEADERS, "Connection": "close"}
    return AsciiResponse(fault("something broke here; it is not your fault", "broken"), 500, headers)


def place_of(location: Sequence[str | int], given: object, is_missing: bool) -> str:
    """The place of a fault in a request, as in battle files: `answers[2].roll`.

    The library also names which of several models it tried: that is no place in the request.
    """
    if location[0] != "body":
        return join_key("", str(location[-1]))
    place = ""
    for number, part in enumerate(location[1:], 2):
        if isinstance(given, list) and isinstance(part, int) and part < len(given):
            place, given = join_index(place, part), given[part]
        elif isinstance(given, dict) and part in given:
            place, given = join_key(place, str(part)), given[part]
        elif is_missing and number == len(location):
            place = join_key(place, str(part))
    return place


def _fault(wrong: Json, given: object) -> Json:
    kind, said = wrong["type"], str(wrong["msg"])
    if kind == "json_invalid":
        message = f"is not JSON: {wrong['ctx']['error']} (character {wrong['loc'][1] + 1})"
        return {"place": "", "message": message, "code": "unreadable"}
    if kind == "value_error":
        said = str(wrong["ctx"]["error"])
    message = WORDS.get(kind, said[:1].lower() + said[1:])
    code = FAULT_CODES.get(kind, FaultCode.WRONG_TYPE)
    return {"place": place_of(wrong["loc"], given, kind == "missing"), "message": message, "code": str(code)}
