"""What was done in a live battle, without any rules: which answers stand, who gave them, and how the players agreed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from grognard.core.systems import Json
from grognard.server.live.store import Entry, Hashes, Record

MOST_ANSWERS = 2_000
"""Of those that stand: what was taken back does not count."""
MOST_OF_A_SIDE = {"undo": 100, "number": 20, "clock": 20}
"""How often a side may take back, change its number, or propose a clock, so that it cannot fill a battle up."""
ABANDONED = 30 * 86_400_000
"""A battle in which nothing was done for this number of milliseconds is over."""


@dataclass(frozen=True, slots=True)
class History:
    """A battle's entries, summed up."""

    entries: int = 0
    number: int = 1
    """Of the open question. It grows with every answer and every taking back, so that it names one moment."""
    answers: tuple[Json, ...] = ()
    """Those that stand, as the task `play` takes them."""
    sides: tuple[str, ...] = ()
    """Who gave each of them."""
    numbers: Json = field(default_factory=dict)
    """What the sides added to the fair dice."""
    draws: int = 0
    """How far the fair dice are."""
    next: str | None = None
    """The battle that follows at the same table."""
    ended: Json | None = None
    """How the battle ended before its rules did: whose side `conceded`, or ran out of `time`; or it was `abandoned`."""
    clocks: Json = field(default_factory=dict)
    """The seconds for all decisions together that each side has proposed."""
    asked: int = 0
    """When the open question was asked, or the clock agreed on: in milliseconds since 1970."""
    touched: int = 0
    """When something was done last, or else the battle was opened."""
    used: Mapping[str, int] = field(default_factory=dict)
    """The milliseconds that each side has used of its time."""
    counts: Mapping[tuple[str, str], int] = field(default_factory=dict)
    """How often each side has done each of what may be done only so often."""

    @property
    def has_rolled(self) -> bool:
        """Whether dice were rolled."""
        return any("roll" in answer for answer in self.answers)

    def clock(self, sides: Iterable[str]) -> int | None:
        """The seconds that each side has for its decisions, if all have proposed the same."""
        proposed = {self.clocks.get(side) for side in sides}
        return proposed.pop() if len(proposed) == 1 else None

    def seconds_left(self, side: str, clock: int, is_asked: bool, now: int) -> float:
        """What a side has left of its time at this moment; `is_asked`: its clock runs."""
        used = self.used.get(side, 0) + (now - self.asked if is_asked else 0)
        return max(0, clock - used / 1000)

    def may_still(self, what: str, side: str) -> bool:
        """Whether a side has not done this too often."""
        return self.counts.get((what, side), 0) < MOST_OF_A_SIDE[what]

    def ended_by(self, now: int) -> Json | None:
        """How the battle has ended by this time before its rules did; what nobody touched for long stays over."""
        return self.ended or ({"how": "abandoned", "side": None} if now - self.touched > ABANDONED else None)

    def after(self, entry: Entry) -> "History":
        """The history with one more entry."""
        now = replace(self, entries=entry.number, touched=entry.done, ended=self.ended_by(entry.done))
        match entry.what:
            case {"number": str(text)}:
                return now._counted("number", entry.who, numbers={**self.numbers, entry.who: text})
            case {"clock": seconds}:
                clocks = {**self.clocks, entry.who: seconds}
                return now._counted("clock", entry.who, clocks=clocks, asked=entry.done, used={})
            case {"concede": True}:
                return replace(now, ended={"how": "conceded", "side": entry.who})
            case {"flag": str(side)}:
                return replace(now, ended={"how": "time", "side": side})
            case {"next": str(battle)}:
                return replace(now, next=battle)
            case {"undo": True}:
                before = now._asked_anew(entry, self.answers[:-1], self.sides[:-1], self._used_by(entry))
                return before._counted("undo", entry.who)
            case {"roll": faces, "draws": int(draws)}:
                return now._answered(entry, {"roll": faces, "machine": True}, draws)
        return now._answered(entry, entry.what, self.draws)

    def _answered(self, entry: Entry, answer: Json, draws: int) -> "History":
        used = self._used_by(entry) if "choose" in answer else self.used  # any player rolls: that takes nobody's time
        after = self._asked_anew(entry, (*self.answers, answer), (*self.sides, entry.who), used)
        return replace(after, draws=draws)

    def _asked_anew(
        self, entry: Entry, answers: tuple[Json, ...], sides: tuple[str, ...], used: Mapping[str, int]
    ) -> "History":
        return replace(self, number=self.number + 1, answers=answers, sides=sides, used=used, asked=entry.done)

    def _used_by(self, entry: Entry) -> Mapping[str, int]:
        """The time that each side has used, with the time until this entry as its side's."""
        return {**self.used, entry.who: self.used.get(entry.who, 0) + entry.done - self.asked}

    def _counted(self, what: str, side: str, **changes: object) -> "History":
        counts = {**self.counts, (what, side): self.counts.get((what, side), 0) + 1}
        return replace(self, counts=counts, **changes)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Held:
    """A battle as far as this process knows it: entries are only ever added, so only new ones need to be loaded."""

    record: Record
    history: History = field(default_factory=History)
    standing: tuple[int, ...] = (0,)
    """How many answers stood at the start, and after each entry."""
    size: int = 0
    """About how many bytes it takes."""

    def after(self, keys: Hashes, entries: Iterable[Entry]) -> "Held":
        """The same with the keys that hold now, and with some more entries."""
        history, standing = self.history, list(self.standing)
        size = self.size or 2 * len(repr(self.record.source)) + 1_000
        for entry in entries:
            history = history.after(entry)
            standing.append(len(history.answers))
            size += 2 * len(repr(entry.what))
        return Held(replace(self.record, keys=keys), history, tuple(standing), size)

    def known_answers(self, since: int | None) -> int | None:
        """How many answers stand now as they did after the entry `since`; None if nothing is known."""
        return None if since is None else min(self.standing[min(since, self.history.entries) :])
