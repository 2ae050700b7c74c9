"""Where a live battle stands, as each of its seats sees it."""

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from grognard.core.systems import Json
from grognard.plays.fair import FairDice, commit
from grognard.server.errors import ApiError
from grognard.server.live.history import Held, History
from grognard.server.live.store import Record
from grognard.tasks import SPECTATOR
from grognard.work.pool import Reply
from grognard.work.worker import fault

SMALL = 20_000
"""The bytes of a compressed reply that is sent in one."""


@dataclass(frozen=True, slots=True)
class Seat:
    """Somebody at a battle's table: a side, or spectators."""

    held: Held
    side: str

    @property
    def record(self) -> Record:
        """The battle."""
        return self.held.record


@dataclass(frozen=True, slots=True)
class LivePlay:
    """Where a live battle stands: its history, and what came of it by the rules."""

    record: Record
    history: History
    play: Json
    """Its system, its sides, and the question that is open: the head of the reply."""
    reply: Reply
    """As the task `live` has it. All behind its head is passed on as it is: it may be large."""
    head: int
    """The bytes of the head."""

    now: int
    """When this is looked at: in milliseconds since 1970."""

    @property
    def known(self) -> int | None:
        """How many answers are known to whoever it is for; None: it is the whole play."""
        return self.play["keep"]["moves"] if "keep" in self.play else None

    @property
    def size(self) -> int:
        """About how many bytes it takes."""
        return len(self.reply.body) + 4 * self.head + 16 * len(self.history.answers) + 1_000

    @property
    def ended(self) -> Json | None:
        """How the battle ended before its rules did."""
        return None if self.play["question"] is None else self.history.ended_by(self.now)

    @property
    def is_over(self) -> bool:
        """Whether nothing is asked any more."""
        return self.play["question"] is None or self.ended is not None

    @property
    def asked_side(self) -> str | None:
        """The seat that has to decide; None if dice are to be rolled, or nothing."""
        question = self.play["question"]
        if self.is_over or question["kind"] == "roll":
            return None
        # an attack by nobody in the file, and tables of old, have a seat that is called by its role
        return str(question["side"] if question["side"] in self.record.keys else question["role"])

    @property
    def seated_sides(self) -> list[str]:
        """The sides of this battle that have a seat; at tables of old the seats are called by their roles."""
        sides = [side for side in self.play["sides"] if side in self.record.keys]
        return sides or [side for side in self.record.keys if side != SPECTATOR]

    def can_answer(self, side: str) -> bool:
        """Whether the open question is a seat's to answer. Dice are rolled by any player."""
        if self.is_over or side == SPECTATOR:
            return False
        return self.asked_side in (None, side)

    def can_undo(self, side: str) -> bool:
        """Whether the last answer was a side's decision. Once the battle is over, the secret is out: all is final."""
        history = self.history
        return not self.is_over and history.sides[-1:] == (side,) and "choose" in history.answers[-1]

    @property
    def fair_dice(self) -> FairDice | None:
        """The dice that follow from the secret and the sides' numbers."""
        if self.record.secret is None:
            return None
        numbers = tuple((side, self.history.numbers.get(side, "")) for side in self.seated_sides)
        return FairDice(self.record.secret, numbers)

    @property
    def is_small(self) -> bool:
        """Whether it need not be sent piece by piece."""
        return not self.reply.is_compressed or len(self.reply.body) < SMALL

    def pieces(self, seat: Seat) -> Iterator[bytes]:
        """The state as a seat sees it, in JSON, piece by piece."""
        yield json.dumps(self._to_dict(seat), separators=(",", ":"))[:-1].encode()
        left_out = self.head
        for piece in self.reply.pieces():
            yield piece[left_out:]
            left_out = max(0, left_out - len(piece))

    def _to_dict(self, seat: Seat) -> Json:
        dice, history = self.fair_dice, self.history
        return {
            "id": self.record.id,
            "side": seat.side,
            "role": self.play["sides"].get(seat.side, seat.side if seat.side in ("attacker", "defender") else None),
            "entries": history.entries,
            **({} if "keep" in self.play else {"battle": self.record.source}),
            "options": self.record.options,
            "number": history.number,
            "can_answer": self.can_answer(seat.side),
            "can_undo": self.can_undo(seat.side),
            "fair": dice and self._fair(dice),
            "next": history.next,
            "ended": self.ended,
            "clock": self._clock(),
            **self.play,
            **({"question": None} if self.is_over else {}),
            "seed": dice.seed if dice and self.is_over else None,
        }

    def _clock(self) -> Json:
        sides, history = self.seated_sides, self.history
        seconds = history.clock(sides)
        return {
            "proposed": {side: history.clocks.get(side) for side in sides},
            "seconds": seconds,
            "left": seconds and {side: self.seconds_left(side, seconds) for side in sides},
        }

    def seconds_left(self, side: str, clock: int) -> float:
        """What a side has left of its time."""
        return self.history.seconds_left(side, clock, self.asked_side == side, self.now)

    def _fair(self, dice: FairDice) -> Json:
        added = {side: side in self.history.numbers for side in self.seated_sides}
        return {
            "commitment": commit(dice.secret),
            "numbers": added,
            "secret": dice.secret.hex() if self.is_over else None,
        }


class Outdated(ApiError):
    """Something that cannot be done as the battle stands now; the response says how it stands."""

    status, code = 409, "outdated"

    def __init__(self, message: str, seat: "Seat", now: "LivePlay") -> None:
        super().__init__(message)
        self.pieces = self._pieces(message, seat, now)

    def _pieces(self, message: str, seat: "Seat", now: "LivePlay") -> Iterator[bytes]:
        yield json.dumps(fault(message, self.code), separators=(",", ":"))[:-1].encode() + b',"state":'
        yield from now.pieces(seat)
        yield b"}"


def head_of(reply: Reply) -> tuple[Json, Reply, int]:
    """The head of a reply to the task `live`, the reply, and where in it the head ends; the rest is not even read."""
    text = ""
    for piece in reply.pieces():
        text += piece.decode("ascii")
        with suppress(json.JSONDecodeError):  # the head goes on in the next piece
            head, end = json.JSONDecoder().raw_decode(text, len('{"head":'))
            return head, reply, end
    raise ValueError("a reply without a head")
