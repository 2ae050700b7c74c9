"""What can go wrong, as types that keep the place and what was expected."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple


class Fault(NamedTuple):
    """One thing wrong: where in the battle, and what was found and expected there."""

    place: str
    message: str


def no_such(noun: str, name: str, known: Iterable[str]) -> str:
    """The message for a name that is not known: the one that was probably meant, and all that are known."""
    from difflib import get_close_matches  # only when something is wrong: it is slow to import

    names = list(known)
    close = get_close_matches(name, names, n=1)
    meant = f', did you mean "{close[0]}"?' if close else ";"
    return f'there is no {noun} "{name}"{meant} known: {", ".join(names) or "none"}'


class GrognardError(Exception):
    """Every error this package raises on purpose."""


class BattleError(GrognardError, ValueError):
    """A battle, a policy or an objective that cannot be used; `faults` lists all that is wrong."""

    def __init__(
        self, faults: Sequence[Fault], file: str | None = None, lines: Mapping[str, int] | None = None
    ) -> None:
        self.faults = list(faults)
        self.file = file
        self.lines = dict(lines or {})
        super().__init__("\n".join(self.describe(fault) for fault in self.faults))

    def describe(self, fault: Fault) -> str:
        """One fault as a line: file and line where they are known, place, message."""
        where = self.file or ""
        if fault.place in self.lines:
            where += f":{self.lines[fault.place]}" if where else f"line {self.lines[fault.place]}"
        return ": ".join(part for part in (where, fault.place, fault.message) if part)


class WrongAnswer(GrognardError, ValueError):
    """An answer that the question does not allow."""


class TooLarge(GrognardError):
    """Exact work beyond its bound; `size` is how large it is, or the bound if it was counted no further."""

    def __init__(self, what: str, size: int, bound: int, advice: str = "; sample it instead (simulate)") -> None:
        self.what, self.size, self.bound = what, size, bound
        how_large = f"{size:,}" if size < 10**30 else "beyond counting"
        told = f"more than {bound:,}" if size == bound else f"{how_large}, and the bound is {bound:,}"
        super().__init__(f"{what}: {told}{advice}")


class Endless(GrognardError):
    """Rules that go round without ever coming to an end."""
