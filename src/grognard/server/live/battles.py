"""What people do at a live table: open a battle, take a seat, answer, take back, add a number, open the next battle.

The rules run in the engine's workers: first the consequences of an answer are worked out, and then it is stored, in one
transaction. So a rule that fails, or takes for ever, changes nothing, and holds up nobody else.
"""

import asyncio
import json
import re
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from types import MappingProxyType

from starlette.concurrency import run_in_threadpool

from grognard.core.errors import BattleError, Fault
from grognard.core.systems import Json
from grognard.plays.dice import MachineDice
from grognard.plays.fair import FairDice, commit, new_secret
from grognard.server.engine import Engine, Refusal
from grognard.server.errors import ApiError
from grognard.server.guard import Rates
from grognard.server.live.history import MOST_ANSWERS, Held, History
from grognard.server.live.store import Entry, Record, Store, Taken, hash_key, new_id, new_keys, side_of_key
from grognard.server.requests import MOST_DICE, LiveAnswer, Options
from grognard.server.settings import Limits
from grognard.tasks import SPECTATOR
from grognard.work.cache import ByteCache
from grognard.work.pool import Reply
from grognard.work.worker import fault

SMALL = 20_000
"""The bytes of a compressed reply that is sent in one."""
AN_ID = re.compile(r"[\w-]{1,40}", re.ASCII)


class NoKey(ApiError):
    """No key was given."""

    status, code, place = 401, "no_key", "key"
    headers = MappingProxyType({"WWW-Authenticate": "Bearer"})

    def __init__(self) -> None:
        super().__init__("a key is needed: `Authorization: Bearer KEY`, or `?key=KEY`")


class Unknown(ApiError):
    """No such battle, or not with this key: which of the two is nobody's business."""

    status, code = 404, "unknown"

    def __init__(self) -> None:
        super().__init__("there is no such battle, or the key is not one of its keys")


class NotAllowed(ApiError):
    """Something that this key does not let one do."""

    status, code, place = 403, "not_allowed", "key"


class WrongAnswer(ApiError):
    """An answer that the question does not allow."""

    code, place = "answer", "answer"


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
class Opened:
    """A new battle, and the keys of the seats that are new with it, which are told this once."""

    record: Record
    keys: dict[str, str]


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
    def ended(self) -> Json | None:
        """How the battle ended before its rules did."""
        if self.play["question"] is None or self.history.ended is not None:
            return self.history.ended
        return {"how": "abandoned", "side": None} if self.history.is_abandoned(self.record.opened, self.now) else None

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
        return not self.reply.is_packed or len(self.reply.body) < SMALL

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


Act = Callable[[LivePlay], Json]
"""What is to be done, as an entry has it; refused by raising an error."""


class LiveBattles:
    """All live battles."""

    def __init__(self, store: Store, engine: Engine, changed: Callable[[str], None], limits: Limits) -> None:
        self.store, self.engine, self._changed, self.limits = store, engine, changed, limits
        self.held: ByteCache[str, Held] = ByteCache(limits.held)
        self.stored = Rates(limits.stored_per_day, limits.stored_per_day / 86_400)

    async def open_battle(self, source: Json, options: Options, owner: str) -> Opened:
        """Open a battle, with a new key for every seat."""
        await self._refuse_full(source, owner)
        play = await self.engine.result("open", {"battle": source}, owner)
        _check_names(options, play["sides"])
        keys = new_keys([*play["sides"], SPECTATOR])
        battle = new_id()
        record = _record(battle, battle, play["battle"], options, {side: hash_key(key) for side, key in keys.items()})
        await run_in_threadpool(self.store.open_battle, record)
        return Opened(record, keys)

    async def _refuse_full(self, source: Json, owner: str) -> None:
        """Refuse a new battle of a client that has opened too much, or if the database is full; others go on."""
        if await run_in_threadpool(self.store.size) > self.limits.stored:
            raise Full("the database is full: no new battles for now")
        if self.stored.wait(owner, len(json.dumps(source))):
            raise Full("you have opened too many battles today")

    async def find_seat(self, battle: str, key: str) -> Seat:
        """The seat that a key is for."""
        held = await self._load(battle) if AN_ID.fullmatch(battle) else None
        side = side_of_key(key, held.record.keys if held else None)
        if held is None or side is None:
            raise Unknown
        return Seat(held, side)

    async def _load(self, battle: str) -> Held | None:
        """A battle as it stands now: what is known here of it, and what was done since."""
        held = self.held.get(battle)
        if held is None and (record := await run_in_threadpool(self.store.find, battle)) is not None:
            held = Held(record)
        if held is None:
            return None
        news = await run_in_threadpool(self.store.news, battle, held.history.entries)
        if news is None:
            self.held.drop(battle)
            return None
        held = held.after(*news)
        self.held.put(battle, held, held.size)
        return held

    async def look(self, held: Held, owner: str = "", since: int | None = None) -> LivePlay:
        """Where a battle stands; for whoever knows how it stood after an entry, only what has changed since."""
        return await self._play(held.record, held.history, owner, held.known_answers(since))

    async def look_again(self, seat: Seat, since: int | None) -> LivePlay:
        """Where a battle stands now, if the key of a seat is still good and the battle has not been pruned."""
        held = await self._load(seat.record.id)
        if held is None or held.record.keys.get(seat.side) != seat.record.keys[seat.side]:
            raise Unknown
        return await self.look(held, seat.record.id, since)

    async def answer(self, seat: Seat, answer: LiveAnswer, owner: str, since: int | None = None) -> LivePlay:
        """Decide, roll, tell what was rolled on the table, or take back one's decision."""

        def act(now: LivePlay) -> Json:
            _refuse_late(seat, now, answer.number)
            if len(now.history.answers) >= MOST_ANSWERS and not answer.undo:
                raise Outdated(f"a battle takes no more than {MOST_ANSWERS} answers: concede, or take back", seat, now)
            if answer.undo:
                return _undo(seat, now)
            if not now.can_answer(seat.side):
                raise NotAllowed("this question is for another player")
            if answer.choose is not None:
                return {"choose": answer.choose}
            return _fair_roll(seat, now) if answer.roll == "fair" else _typed_roll(now, answer.roll or [])

        return await self._act(seat, act, owner, since=since)

    async def add_number(self, seat: Seat, text: str, owner: str) -> LivePlay:
        """Add a number to the fair dice, in place of one's former; not once the first of them was rolled."""

        def act(now: LivePlay) -> Json:
            if now.record.secret is None:
                raise WrongAnswer("this battle's dice are rolled on a table: numbers have no part in them")
            if now.history.has_rolled:
                raise Outdated("the first die has been rolled: the numbers are fixed", seat, now)
            _refuse_others(seat, now)
            _refuse_often("number", seat, now)
            return {"number": text}

        return await self._act(seat, act, owner)

    async def propose_clock(self, seat: Seat, seconds: int | None, owner: str) -> LivePlay:
        """Propose how many seconds each side has for its decisions, or none: all must propose the same."""

        def act(now: LivePlay) -> Json:
            if now.is_over:
                raise Outdated("the battle is over", seat, now)
            _refuse_others(seat, now)
            if now.history.clock(now.seated_sides) is not None:
                raise Outdated("the players have agreed on a clock: it stays", seat, now)
            _refuse_often("clock", seat, now)
            return {"clock": seconds}

        return await self._act(seat, act, owner)

    async def concede(self, seat: Seat, owner: str) -> LivePlay:
        """Give the battle up: it is over, and the dice can be verified."""

        def act(now: LivePlay) -> Json:
            if now.is_over:
                raise Outdated("the battle is over", seat, now)
            _refuse_others(seat, now)
            return {"concede": True}

        return await self._act(seat, act, owner)

    async def flag(self, seat: Seat, owner: str) -> LivePlay:
        """End the battle because the side that has to decide has used up its time."""

        def act(now: LivePlay) -> Json:
            clock = now.history.clock(now.seated_sides)
            if now.is_over or clock is None or now.asked_side is None:
                raise Outdated("nobody's clock is running", seat, now)
            _refuse_others(seat, now)
            if left := now.seconds_left(now.asked_side, clock):
                raise Outdated(f"{now.asked_side} has {left:.0f} seconds left", seat, now)
            return {"flag": now.asked_side}

        return await self._act(seat, act, owner)

    async def open_next(self, seat: Seat, source: Json, options: Options, owner: str) -> Opened:
        """Open the battle that follows at the same table. Seats keep their sides; sides that are new get new keys."""
        if seat.side == SPECTATOR:
            raise NotAllowed("spectators watch")
        if options.dice != seat.record.options["dice"]:
            raise DiceAgreed
        await self._refuse_full(source, owner)
        play = await self.engine.result("open", {"battle": source}, owner)
        former = seat.record.keys
        _check_names(options, [*play["sides"], *former])
        is_of_old = not any(side in former for side in play["sides"]) and "attacker" in former
        keys = new_keys(() if is_of_old else [side for side in play["sides"] if side not in former])
        hashes = {**former, **{side: hash_key(key) for side, key in keys.items()}}
        record = _record(new_id(), seat.record.table, play["battle"], options, hashes)

        def act(now: LivePlay) -> Json:
            if not now.is_over:
                raise Outdated("this battle is not over", seat, now)
            if now.history.next is not None:
                raise Outdated("the next battle has been opened", seat, now)
            return {"next": record.id}

        await self._act(seat, act, owner, record)
        return Opened(record, keys)

    async def claim(self, seat: Seat, wanted: str | None) -> str:
        """A new key for a seat, or the one that is wanted; the former is void at once, in all battles at this table."""
        if seat.side == SPECTATOR:
            raise NotAllowed("spectators share their key")
        key, former = wanted or new_keys([seat.side])[seat.side], seat.record.keys[seat.side]
        if hash_key(key) in seat.record.keys.values():
            raise WrongAnswer("this key is taken")
        if not await run_in_threadpool(self.store.replace_key, seat.record.table, seat.side, former, hash_key(key)):
            raise Unknown
        self._changed(seat.record.id)
        return key

    async def secret_of_removed(self, battle: str) -> Json:
        """What the dice of a battle followed from that was removed, and what had been published of it before."""
        secret = await run_in_threadpool(self.store.secret_of_removed, battle) if AN_ID.fullmatch(battle) else None
        if secret is None:
            raise Unknown
        return {"commitment": commit(secret), "secret": secret.hex()}

    async def log(self, seat: Seat, owner: str) -> Reply:
        """The battle as `grognard replay` and `grognard verify` read it."""
        now = await self.look(seat.held, owner, seat.held.history.entries)
        about: Json = {"battle": seat.record.source, "answers": list(now.history.answers)}
        if (dice := now.fair_dice) is not None:
            about |= {"secret": dice.secret.hex(), "numbers": [list(number) for number in dice.numbers]}
            about["is_given_up"] = now.ended is not None
        return await self.engine.reply("log", about, owner)

    async def _play(self, record: Record, history: History, owner: str, known: int | None = None) -> LivePlay:
        about: Json = {"battle": record.source, "answers": list(history.answers)}
        if known is not None:
            about["known"] = known
        reply = await self.engine.reply("live", about, owner)
        return LivePlay(record, history, *head_of(reply), _now())

    async def _act(
        self, seat: Seat, act: Act, owner: str, opens: Record | None = None, since: int | None = None
    ) -> LivePlay:
        """Do something, unless somebody else does something first that makes it impossible."""
        if seat.side == SPECTATOR:
            raise NotAllowed("spectators watch")
        held: Held | None = seat.held
        while held is not None:
            now = await self.look(held, owner, since)
            entry = Entry(now.history.entries + 1, seat.side, _now(), act(now))
            after = await self._consequences(now, entry, owner)
            if await asyncio.shield(asyncio.ensure_future(self._store(seat, entry, opens))):
                return after
            held = await self._load(seat.record.id)
        raise Unknown

    async def _consequences(self, now: LivePlay, entry: Entry, owner: str) -> LivePlay:
        history = now.history.after(entry)
        if history.answers == now.history.answers:
            return replace(now, history=history)
        try:
            kept = now.play.get("keep")
            return await self._play(now.record, history, owner, kept and min(kept["moves"], len(history.answers)))
        except Refusal as refusal:
            first = (refusal.body or {}).get("faults", [{}])[0]
            if first.get("code") == "answer":
                raise WrongAnswer(first["message"].partition(": ")[2]) from None
            raise

    async def _store(self, seat: Seat, entry: Entry, opens: Record | None) -> bool:
        """Store an entry and wake who listens, even if whoever sent it has gone; False if its number is taken."""
        try:
            await run_in_threadpool(self.store.append, seat.record.id, entry, opens)
        except Taken:
            return False
        self._changed(seat.record.id)
        return True


def head_of(reply: Reply) -> tuple[Json, Reply, int]:
    """The head of a reply to the task `live`, the reply, and where in it the head ends; the rest is not even read."""
    text = ""
    for piece in reply.pieces():
        text += piece.decode("ascii")
        with suppress(json.JSONDecodeError):  # the head goes on in the next piece
            head, end = json.JSONDecoder().raw_decode(text, len('{"head":'))
            return head, reply, end
    raise ValueError("a reply without a head")


def _record(battle: str, table: str, source: Json, options: Options, keys: dict[str, str]) -> Record:
    secret = new_secret() if options.dice == "fair" else None
    return Record(battle, table, _now(), source, json.loads(options.model_dump_json()), secret, keys)


def _check_names(options: Options, sides: list[str]) -> None:
    faults = [Fault(f"names.{name}", "is no side of this battle", "unknown_name") for name in options.names]
    faults = [fault for fault, name in zip(faults, options.names, strict=True) if name not in sides]
    if faults:
        raise InvalidNames(BattleError(faults))


class InvalidNames(ApiError):
    """Names for sides that the battle does not have."""

    def __init__(self, error: BattleError) -> None:
        super().__init__(str(error))
        self.body = {"faults": [fault.to_dict() for fault in error.faults]}


class Full(ApiError):
    """No room for another battle."""

    status, code = 507, "full"


class DiceAgreed(ApiError):
    """Other dice for the next battle than the players agreed on."""

    code, place = "not_allowed", "dice"

    def __init__(self) -> None:
        super().__init__("the dice stay as the players agreed at this table: open a new battle to change them")


def _refuse_others(seat: Seat, now: LivePlay) -> None:
    if seat.side not in now.seated_sides:
        raise NotAllowed("your side is not in this battle")


def _refuse_often(what: str, seat: Seat, now: LivePlay) -> None:
    if not now.history.may_still(what, seat.side):
        raise Outdated("you have done this too often in this battle", seat, now)


def _refuse_late(seat: Seat, now: LivePlay, number: int) -> None:
    if now.is_over:
        raise Outdated("the battle is over", seat, now)
    if number != now.history.number:
        raise Outdated(f"question {number} is not open: question {now.history.number} is", seat, now)


def _undo(seat: Seat, now: LivePlay) -> Json:
    if not now.can_undo(seat.side):
        raise Outdated("only the last answer can be taken back, a decision, by whoever made it", seat, now)
    _refuse_often("undo", seat, now)
    return {"undo": True}


def _typed_roll(now: LivePlay, faces: list[int | str]) -> Json:
    if now.record.secret is not None:
        raise WrongAnswer('this battle\'s dice are the fair dice: answer {"roll": "fair"}')
    return {"roll": faces}


def _fair_roll(seat: Seat, now: LivePlay) -> Json:
    """The fair dice for the open question. No rule is needed for them: the question says which dice are rolled."""
    question, dice = now.play["question"], now.fair_dice
    if dice is None:
        raise WrongAnswer('this battle\'s dice are rolled on a table: answer {"roll": [faces]}')
    if question["kind"] != "roll":
        raise WrongAnswer(f"dice were given, but {question['text']}")
    missing = [side for side in now.seated_sides if side not in now.history.numbers]
    if missing:
        raise Outdated(f"{missing[0]} has not added a number to the dice yet", seat, now)
    count = sum(pool["count"] for pool in question["dice"])
    if count > MOST_DICE:
        raise WrongAnswer(f"{count} dice are to be rolled, and {MOST_DICE} are the most that are rolled at once")
    machine: MachineDice = dice.from_draw(now.history.draws)
    faces = [
        pool["faces"][machine.draw_below(len(pool["faces"]))] for pool in question["dice"] for _ in range(pool["count"])
    ]
    return {"roll": faces, "draws": machine.draws}


def _now() -> int:
    return time.time_ns() // 1_000_000
