"""The entries of a live battle, summed up without any rules: the answers, who gave them, the clocks, the numbers."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from grognard.core.systems import Json
from grognard.server.live.store import Entry, KeyHashes, Record

MOST_ANSWERS = 2_000
"""The most answers of a battle, without those that were taken back."""
MOST_PER_SIDE = {"undo": 100, "number": 20, "clock": 20}
"""How often a side may take back an answer, change its number, or propose a clock: each is an entry to store."""
ABANDONED = 30 * 86_400_000
"""A battle without an entry for this number of milliseconds is over."""


@dataclass(frozen=True, slots=True)
class History:
    """The state of a battle after its entries, as far as it needs no rules."""

    entries: int = 0
    """How many there are."""
    number: int = 1
    """The number of the open question. Every answer and every undo increases it."""
    answers: tuple[Json, ...] = ()
    """Without those that were taken back, in the form of the task `play`."""
    sides: tuple[str, ...] = ()
    """The side that gave each answer."""
    numbers: Json = field(default_factory=dict)
    """The number that each side has added to the fair dice."""
    draws: int = 0
    """How many draws the fair dice have used."""
    next: str | None = None
    """The battle that follows at the same table."""
    ended: Json | None = None
    """How the battle ended early: a side `conceded` or ran out of `time`, or the battle was `abandoned`."""
    clocks: Json = field(default_factory=dict)
    """The seconds for all its decisions that each side has proposed."""
    asked_at: int = 0
    """When the open question was asked or the clock was agreed on, in milliseconds since 1970."""
    changed_at: int = 0
    """When the last entry was added, or the battle was opened, in milliseconds since 1970."""
    time_used: Mapping[str, int] = field(default_factory=dict)
    """How many milliseconds each side has used of its time."""
    counts: Mapping[tuple[str, str], int] = field(default_factory=dict)
    """How often each side has done what `MOST_PER_SIDE` limits."""

    @property
    def has_rolled(self) -> bool:
        """Whether dice have been rolled."""
        return any("roll" in answer for answer in self.answers)

    def clock(self, sides: Iterable[str]) -> int | None:
        """The seconds that each side has for its decisions; None unless all have proposed the same."""
        proposed = {self.clocks.get(side) for side in sides}
        return proposed.pop() if len(proposed) == 1 else None

    def seconds_left(self, side: str, clock: int, is_asked: bool, now: int) -> float:
        """The time that a side has left; `is_asked` says whether its clock is running."""
        used = self.time_used.get(side, 0) + (now - self.asked_at if is_asked else 0)
        return max(0, clock - used / 1000)

    def is_within_limit(self, what: str, side: str) -> bool:
        """Whether a side may do this once more."""
        return self.counts.get((what, side), 0) < MOST_PER_SIDE[what]

    def ended_by(self, now: int) -> Json | None:
        """How the battle ended early, if it has by this time."""
        return self.ended or ({"how": "abandoned", "side": None} if now - self.changed_at > ABANDONED else None)

    def after(self, entry: Entry) -> "History":
        """The history with one more entry."""
        now = replace(self, entries=entry.number, changed_at=entry.done, ended=self.ended_by(entry.done))
        match entry.what:
            case {"number": str(text)}:
                return replace(now._count("number", entry.who), numbers={**self.numbers, entry.who: text})
            case {"clock": seconds}:
                clocks = {**self.clocks, entry.who: seconds}
                return replace(now._count("clock", entry.who), clocks=clocks, asked_at=entry.done, time_used={})
            case {"concede": True}:
                return replace(now, ended={"how": "conceded", "side": entry.who})
            case {"flag": str(side)}:
                return replace(now, ended={"how": "time", "side": side})
            case {"next": str(battle)}:
                return replace(now, next=battle)
            case {"undo": True}:
                return now._count("undo", entry.who)._ask(entry, self.answers[:-1], self.sides[:-1], is_decision=True)
            case {"roll": faces, "draws": int(draws)}:
                return replace(now, draws=draws)._answer(entry, {"roll": faces, "machine": True})
        return now._answer(entry, entry.what)

    def _answer(self, entry: Entry, answer: Json) -> "History":
        # a roll takes nobody's time, since any player may roll
        return self._ask(entry, (*self.answers, answer), (*self.sides, entry.who), is_decision="choose" in answer)

    def _ask(self, entry: Entry, answers: tuple[Json, ...], sides: tuple[str, ...], is_decision: bool) -> "History":
        """The history with another open question. A decision has used the time of its side."""
        used = self.time_used
        if is_decision:
            used = {**used, entry.who: used.get(entry.who, 0) + entry.done - self.asked_at}
        number = self.number + 1
        return replace(self, number=number, answers=answers, sides=sides, time_used=used, asked_at=entry.done)

    def _count(self, what: str, side: str) -> "History":
        return replace(self, counts={**self.counts, (what, side): self.counts.get((what, side), 0) + 1})


@dataclass(frozen=True, slots=True)
class CachedBattle:
    """A battle in the memory of this process. Entries are only ever added, so only new ones need to be loaded."""

    record: Record
    history: History = field(default_factory=History)
    answer_counts: tuple[int, ...] = (0,)
    """The number of answers at the start and after each entry."""
    size: int = 0
    """An estimate of its size in bytes."""

    def after(self, keys: KeyHashes, entries: Iterable[Entry]) -> "CachedBattle":
        """The battle with its current keys and some more entries."""
        history, answer_counts = self.history, list(self.answer_counts)
        size = self.size or 2 * len(repr(self.record.source)) + 1_000
        for entry in entries:
            history = history.after(entry)
            answer_counts.append(len(history.answers))
            size += 2 * len(repr(entry.what))
        return CachedBattle(replace(self.record, keys=keys), history, tuple(answer_counts), size)

    def known_answers(self, since: int | None) -> int | None:
        """How many of the answers a client knows that has the state after the entry `since`; None without `since`."""
        return None if since is None else min(self.answer_counts[min(since, self.history.entries) :])
