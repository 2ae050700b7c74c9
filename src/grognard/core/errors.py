"""Faults and errors. A fault has the place of a problem and says what was expected there."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from enum import StrEnum
from itertools import islice
from typing import Any, NamedTuple

MOST_LISTED = 20
"""A message lists no more known names than this."""
MOST_SUGGESTIONS = 20
"""At most this many faults of one file suggest the name that was probably meant."""
MOST_COMPARED = 200
"""A suggestion compares at most this many known names."""


class FaultCode(StrEnum):
    """The kind of problem, for programs."""

    UNKNOWN_KEY = "unknown_key"
    """A key, a switch or a path that the system does not have."""
    UNKNOWN_NAME = "unknown_name"
    """A name of something that is not there: a unit, a card, a system."""
    MISSING = "missing"
    """A required key is absent."""
    WRONG_TYPE = "wrong_type"
    """Such as text where a number is expected."""
    NOT_ALLOWED = "not_allowed"
    """A value that is not among those that can be listed."""
    OUT_OF_RANGE = "out_of_range"
    """A number beyond its bounds."""
    TOO_SHORT = "too_short"
    """A text, a list or a table with too little in it."""
    TOO_LONG = "too_long"
    """A text, a list, a table or a whole file with too much in it."""
    DUPLICATE = "duplicate"
    """A key given twice, or a name that must be unique."""
    CONFLICT = "conflict"
    """Two parts of the file that exclude each other."""
    UNREADABLE = "unreadable"
    """A file that cannot be opened or parsed."""
    WRONG_FILE = "wrong_file"
    """A file of another kind, such as a log in the place of a battle."""
    ILLEGAL = "illegal"
    """Anything else that the rules of the system forbid."""


class _PlaceAndMessage(NamedTuple):
    place: str
    message: str


class Fault(_PlaceAndMessage):
    """One problem in a file or a request: a pair of place and message, and beside it a code for programs.

    Faults are compared and sorted by place and message.
    """

    code: FaultCode = FaultCode.ILLEGAL

    def __new__(cls, place: str, message: str, code: str = FaultCode.ILLEGAL) -> "Fault":
        """A fault of this code, one of those in FaultCode."""
        fault = super().__new__(cls, place, message)
        fault.code = FaultCode(code)
        return fault

    def __repr__(self) -> str:
        return f"Fault({self.place!r}, {self.message!r}, {str(self.code)!r})"

    def below(self, place: str) -> "Fault":
        """The same fault in a larger file that has its table at this place."""
        dot = "." if self.place and not self.place.startswith("[") else ""
        return Fault(f"{place}{dot}{self.place}", self.message, self.code)

    def to_dict(self) -> dict[str, str]:
        """The fault as JSON."""
        return {"place": self.place, "message": self.message, "code": str(self.code)}


_suggestions_left: ContextVar[list[int] | None] = ContextVar("suggestions_left", default=None)


@contextmanager
def limit_suggestions() -> Iterator[None]:
    """Limit how many suggestions are made inside this block: files can have thousands of faults."""
    token = _suggestions_left.set([MOST_SUGGESTIONS])
    try:
        yield
    finally:
        _suggestions_left.reset(token)


def suggest(name: object, known: Iterable[object]) -> str | None:
    """The known name that this one was probably meant to be."""
    left = _suggestions_left.get()
    if not isinstance(name, str) or left == [0]:
        return None
    if left is not None:
        left[0] -= 1
    from difflib import get_close_matches  # only when something is wrong: it is slow to import

    word = name.lower()[:MOST_COMPARED]
    lowered = {text.lower(): text for text in known if isinstance(text, str)}
    if len(lowered) > MOST_COMPARED:
        alike = (text for text in lowered if text[:1] == word[:1] and abs(len(text) - len(word)) < 3)
        lowered = {text: lowered[text] for text in islice(alike, MOST_COMPARED)}
    close = get_close_matches(word, lowered, n=1)
    return lowered[close[0]] if close else None


def list_known(names: Iterable[str]) -> str:
    """`a, b, c`, with only the first names of a long list."""
    listed = list(names)
    more = len(listed) - MOST_LISTED
    shown = [*listed[:MOST_LISTED], f"… and {more:,} more"] if more > 0 else listed
    return ", ".join(shown) or "none"


def no_such_name(noun: str, name: str, known: Iterable[str]) -> str:
    """The message `there is no NOUN "NAME"`, with a suggestion and the known names."""
    names = list(known)
    meant = suggest(name, names)
    question = f', did you mean "{meant}"?' if meant else ";"
    return f'there is no {noun} "{name}"{question} known: {list_known(names)}'


class GrognardError(Exception):
    """The base class of every error that this package raises on purpose."""


class BattleError(GrognardError, ValueError):
    """A battle, a policy or an objective that cannot be used; `faults` lists all its faults.

    For a battle read from text, `lines` has the line number of each place, and `quotes` the text of that line.
    """

    def __init__(
        self,
        faults: Sequence[Fault],
        file: str | None = None,
        lines: Mapping[str, int] | None = None,
        quotes: Mapping[str, str] | None = None,
    ) -> None:
        self.faults = list(faults)
        self.file = file
        self.lines = dict(lines or {})
        self.quotes = dict(quotes or {})
        super().__init__("\n".join(self.describe(fault) for fault in self.faults))

    def __reduce__(self) -> tuple[Any, ...]:
        return BattleError, (self.faults, self.file, self.lines, self.quotes)

    def describe(self, fault: Fault) -> str:
        """One fault as a line: file and line where they are known, place, message."""
        where = self.file or ""
        if fault.place in self.lines:
            where += f":{self.lines[fault.place]}" if where else f"line {self.lines[fault.place]}"
        return ": ".join(part for part in (where, fault.place, fault.message) if part)


class WrongAnswer(GrognardError, ValueError):
    """An answer that the question does not allow."""


class TooLarge(GrognardError):
    """Exact work that exceeds its bound; `size` is the amount of work, or the bound if counting stopped there."""

    def __init__(self, what: str, size: int, bound: int, advice: str = "; sample it instead (simulate)") -> None:
        self.what, self.size, self.bound, self.advice = what, size, bound, advice
        how_large = f"{size:,}" if size < 10**30 else "beyond counting"
        excess = f"more than {bound:,}" if size == bound else f"{how_large}, and the bound is {bound:,}"
        super().__init__(f"{what}: {excess}{advice}")

    def __reduce__(self) -> tuple[Any, ...]:
        return TooLarge, (self.what, self.size, self.bound, self.advice)


class Endless(GrognardError):
    """Rules that repeat for ever: the battle cannot end."""
