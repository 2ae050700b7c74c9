"""Error responses, all in one shape: `{"faults": [{"place", "message", "code"}]}`."""

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
UNREADABLE = "cannot be read: it is not UTF-8, is nested too deeply, or holds a number with too many digits"
"""The message for JSON that FastAPI cannot parse."""
CODES = {400: "unreadable", 404: "unknown", 405: "unknown", 408: "too_slow", 413: "too_large", 429: "too_many"}
"""The code of the fault for an HTTP status."""
COULD_BE_NULL = "none_required"
"""Pydantic adds an error of this type to any error in an optional key. We drop it."""
MOST_FAULTS = 1_000
"""The most faults of the form of a request that are listed."""
MESSAGES = {"missing": "is missing", "extra_forbidden": "is not known here"}
"""Our messages for some of Pydantic's error types."""
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
"""Our fault codes for Pydantic's error types."""


class AsciiResponse(JSONResponse):
    """JSON in ASCII. Text from a request may contain lone surrogates, which UTF-8 cannot encode."""

    def render(self, content: object) -> bytes:
        return json.dumps(content, separators=(",", ":")).encode()


class ApiError(GrognardError):
    """An error with its HTTP response: one fault, unless there is a `body`, or the `pieces` of a large one."""

    status: int = 422
    code: ClassVar[str] = "refused"
    place: str = ""
    headers: Mapping[str, str] | None = None
    body: Json | None = None
    pieces: Iterable[bytes] | None = None


DAMAGED = (DatabaseError, InternalError, ProgrammingError)
"""The errors of databases for a file that is no database, for a broken page and for a missing table."""


def handle_errors(app: FastAPI) -> None:
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(ApiError, _api_error)
    for kind in (Busy, Lost, TooLong, OperationalError, NoConnection):
        app.add_exception_handler(kind, _unavailable)
    app.add_exception_handler(DatabaseError, _damaged)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(Exception, _bug)


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    message = UNREADABLE if error.status_code == 400 else str(error.detail)
    body = fault(message, CODES.get(error.status_code, "refused"))
    return AsciiResponse(body, error.status_code, error.headers)


async def _api_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, ApiError)
    if error.pieces is not None:
        return StreamingResponse(error.pieces, error.status, error.headers, "application/json")
    body = error.body if error.body is not None else fault(str(error), error.code, error.place)
    return AsciiResponse(body, error.status, error.headers)


async def _unavailable(request: Request, error: Exception) -> Response:
    match error:
        case Busy():
            return AsciiResponse(fault("too many questions wait already", "busy"), 503, RETRY_AFTER)
        case Lost():
            return AsciiResponse(fault("the worker was lost: try again", "lost"), 503, RETRY_AFTER)
        case TooLong():
            hint = "; sample it instead (simulate)" if request.url.path in ("/api/odds", "/api/advise") else ""
            return AsciiResponse(fault(f"{error}{hint}", "too_long"), 504)
    return AsciiResponse(fault("the database is away", "database"), 503, RETRY_AFTER)


async def _damaged(request: Request, error: Exception) -> Response:
    assert isinstance(error, DatabaseError)
    if type(error) not in DAMAGED:
        raise error
    request.app.state.monitor.database_damaged(str(error.orig))
    return AsciiResponse(fault("the database is damaged: tell whoever runs this server", "database"), 503)


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    errors = [details for details in error.errors() if details["type"] != COULD_BE_NULL]
    faults = [_fault_of(details, error.body) for details in errors[:MOST_FAULTS]]
    return AsciiResponse({"faults": faults}, 422)


async def _bug(request: Request, error: Exception) -> Response:
    """The response to a bug. It does not pass through our middleware, which adds the headers to other responses.

    uvicorn closes the connection after it, so its headers say that the client cannot use it again.
    """
    headers = {**HEADERS, "Connection": "close"}
    return AsciiResponse(fault("something broke here; it is not your fault", "broken"), 500, headers)


def place_of(location: Sequence[str | int], body: object, is_missing: bool) -> str:
    """The place of a fault in a request, as in battle files: `answers[2].roll`.

    Pydantic's location also names the models that it tried. These are not part of the place.
    """
    if location[0] != "body":
        return join_key("", str(location[-1]))
    place, value = "", body
    for number, part in enumerate(location[1:], 2):
        if isinstance(value, list) and isinstance(part, int) and part < len(value):
            place, value = join_index(place, part), value[part]
        elif isinstance(value, dict) and part in value:
            place, value = join_key(place, str(part)), value[part]
        elif is_missing and number == len(location):
            place = join_key(place, str(part))
    return place


def _fault_of(details: Json, body: object) -> Json:
    """The fault for one of Pydantic's errors."""
    kind, message = details["type"], str(details["msg"])
    if kind == "json_invalid":
        message = f"is not JSON: {details['ctx']['error']} (character {details['loc'][1] + 1})"
        return {"place": "", "message": message, "code": "unreadable"}
    if kind == "value_error":
        message = str(details["ctx"]["error"])
    message = MESSAGES.get(kind, message[:1].lower() + message[1:])
    code = FAULT_CODES.get(kind, FaultCode.WRONG_TYPE)
    return {"place": place_of(details["loc"], body, kind == "missing"), "message": message, "code": str(code)}
