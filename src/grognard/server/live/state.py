"""The state of a live battle, as each of its seats sees it."""

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from grognard.core.systems import Json
from grognard.plays.fair import FairDice, commit
from grognard.server.errors import ApiError
from grognard.server.live.history import CachedBattle, History
from grognard.server.live.store import Record
from grognard.tasks import SPECTATOR
from grognard.work.pool import Reply
from grognard.work.worker import fault

SMALL = 20_000
"""A compressed reply of fewer bytes is sent in one piece."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat at a table, for a side or for the spectators, and its current battle."""

    battle: CachedBattle
    side: str

    @property
    def record(self) -> Record:
        """The battle as it was opened."""
        return self.battle.record


@dataclass(frozen=True, slots=True)
class LivePlay:
    """The state of a live battle: its history, and the reply of the task `live` for its answers."""

    record: Record
    history: History
    head: Json
    """The first part of the reply: the system, the sides and the open question."""
    reply: Reply
    """The server passes on all that follows the head without parsing it: it may be large."""
    head_size: int
    """The bytes before the part that is passed on."""
    now: int
    """The time for which clocks are shown, in milliseconds since 1970."""

    @property
    def known_answers(self) -> int | None:
        """How many answers the client knows already; None: the reply is complete."""
        return self.head["keep"]["moves"] if "keep" in self.head else None

    @property
    def size(self) -> int:
        """An estimate of its size in memory, in bytes."""
        return len(self.reply.body) + 4 * self.head_size + 16 * len(self.history.answers) + 1_000

    @property
    def ended(self) -> Json | None:
        """How the battle ended early, if it did."""
        return None if self.head["question"] is None else self.history.ended_by(self.now)

    @property
    def is_over(self) -> bool:
        """Whether the battle is over."""
        return self.head["question"] is None or self.ended is not None

    @property
    def asked_side(self) -> str | None:
        """The side that has to decide; None if nobody has to, or dice are to be rolled."""
        question = self.head["question"]
        if self.is_over or question["kind"] == "roll":
            return None
        # an attack without an attacker in the file, and tables of the first version, have seats named by roles
        return str(question["side"] if question["side"] in self.record.keys else question["role"])

    @property
    def seated_sides(self) -> list[str]:
        """The sides of this battle that have a seat. At tables of the first version, seats are named by roles."""
        sides = [side for side in self.head["sides"] if side in self.record.keys]
        return sides or [side for side in self.record.keys if side != SPECTATOR]

    def can_answer(self, side: str) -> bool:
        """Whether a side may answer the open question. Any player may roll dice."""
        if self.is_over or side == SPECTATOR:
            return False
        return self.asked_side in (None, side)

    def can_undo(self, side: str) -> bool:
        """Whether a side may take back the last answer: it is its own decision, and the battle is not over."""
        history = self.history
        return not self.is_over and history.sides[-1:] == (side,) and "choose" in history.answers[-1]

    @property
    def fair_dice(self) -> FairDice | None:
        """The fair dice from the secret and the numbers of the sides; None: the players roll."""
        if self.record.secret is None:
            return None
        numbers = tuple((side, self.history.numbers.get(side, "")) for side in self.seated_sides)
        return FairDice(self.record.secret, numbers)

    @property
    def is_small(self) -> bool:
        """Whether the state can be sent in one piece."""
        return not self.reply.is_compressed or len(self.reply.body) < SMALL

    def pieces(self, seat: Seat) -> Iterator[bytes]:
        """The state as a seat sees it: pieces of JSON."""
        yield json.dumps(self._to_dict(seat), separators=(",", ":"))[:-1].encode()
        skip = self.head_size
        for piece in self.reply.pieces():
            yield piece[skip:]
            skip = max(0, skip - len(piece))

    def _to_dict(self, seat: Seat) -> Json:
        dice, history = self.fair_dice, self.history
        return {
            "id": self.record.id,
            "side": seat.side,
            "role": self.head["sides"].get(seat.side, seat.side if seat.side in ("attacker", "defender") else None),
            "entries": history.entries,
            **({} if "keep" in self.head else {"battle": self.record.source}),
            "options": self.record.options,
            "number": history.number,
            "can_answer": self.can_answer(seat.side),
            "can_undo": self.can_undo(seat.side),
            "fair": dice and self._fair(dice),
            "next": history.next,
            "ended": self.ended,
            "clock": self._clock(),
            **self.head,
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
        """The time that a side has left."""
        return self.history.seconds_left(side, clock, self.asked_side == side, self.now)

    def _fair(self, dice: FairDice) -> Json:
        added = {side: side in self.history.numbers for side in self.seated_sides}
        return {
            "commitment": commit(dice.secret),
            "numbers": added,
            "secret": dice.secret.hex() if self.is_over else None,
        }


class Outdated(ApiError):
    """The state of the battle does not allow this; the response has the state."""

    status, code = 409, "outdated"

    def __init__(self, message: str, seat: Seat, play: LivePlay) -> None:
        super().__init__(message)
        self.pieces = self._pieces(message, seat, play)

    def _pieces(self, message: str, seat: Seat, play: LivePlay) -> Iterator[bytes]:
        yield json.dumps(fault(message, self.code), separators=(",", ":"))[:-1].encode() + b',"state":'
        yield from play.pieces(seat)
        yield b"}"


def split_head(reply: Reply) -> tuple[Json, Reply, int]:
    """The head of a reply of the task `live`, the reply, and the size of the head. The rest is not parsed."""
    text = ""
    for piece in reply.pieces():
        text += piece.decode("ascii")
        with suppress(json.JSONDecodeError):  # the head continues in the next piece
            head, end = json.JSONDecoder().raw_decode(text, len('{"head":'))
            return head, reply, end
    raise ValueError("a reply without a head")
