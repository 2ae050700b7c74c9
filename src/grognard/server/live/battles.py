"""Live battles: opening one, taking a seat, reading its state, and acting in it.

The rules run in the engine's workers. The consequences of an act are computed first, and then it is stored. So a rule
that fails, or never ends, changes nothing and delays nobody else.

What this process knows of a battle may be out of date, if other processes use the same database. An act that would be
refused is therefore tried again with the state in the database; and nothing is stored after an entry that this process
did not know, nor with a key that was replaced.
"""

import asyncio
import json
import re
import time
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

from starlette.concurrency import run_in_threadpool

from grognard.core.errors import BattleError, Fault
from grognard.core.systems import Json
from grognard.plays.fair import commit, new_secret
from grognard.server.engine import Engine, TaskFailed
from grognard.server.errors import ApiError
from grognard.server.guard import RateLimiter
from grognard.server.live.acts import Act, go_on
from grognard.server.live.errors import (
    DiceAgreed,
    Full,
    InvalidNames,
    NotAllowed,
    TooManySeats,
    Unknown,
    WrongAnswer,
)
from grognard.server.live.history import Held, History
from grognard.server.live.state import LivePlay, Seat, head_of
from grognard.server.live.store import Append, Entry, Record, Store, hash_key, new_id, new_keys, side_of_key
from grognard.server.live.writer import Writer
from grognard.server.requests import Options
from grognard.server.settings import Limits
from grognard.tasks import SPECTATOR
from grognard.work.cache import ByteCache
from grognard.work.pool import Reply

AN_ID = re.compile(r"[\w-]{1,40}", re.ASCII)
MOST_SEATS = 64
"""At one table, spectators' among them: the keys of all are compared with whatever key is given."""


class Changed(Protocol):
    """Tells that a battle has changed, or may have: then it is not known how."""

    def __call__(self, battle: str, is_known: bool = True) -> None:
        """Wake all who listen to it."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A new battle, and the keys of its new seats, which are shown only once."""

    record: Record
    keys: dict[str, str]


class LiveBattles:
    """All live battles."""

    def __init__(self, store: Store, engine: Engine, changed: Changed, limits: Limits) -> None:
        self.store, self.engine, self._changed, self.limits = store, engine, changed, limits
        self.writer = Writer(store)
        self.held: ByteCache[str, Held] = ByteCache(limits.live_cache)
        self.plays: ByteCache[tuple[str, int], LivePlay] = ByteCache(limits.live_cache)
        """Where battles stand, by id and number of entries, as somebody wanted to know it last."""
        self.stored = RateLimiter(limits.stored_per_day, limits.stored_per_day / 86_400)

    async def open_battle(self, source: Json, options: Options, owner: str) -> Opened:
        """Open a battle, with a new key for every seat."""
        await self._refuse_full(source, owner)
        play = await self.engine.result("open", {"battle": source}, owner)
        _check_names(options, play["sides"])
        keys = _new_keys([*play["sides"], SPECTATOR])
        battle = new_id()
        record = _record(battle, battle, play["battle"], options, {side: hash_key(key) for side, key in keys.items()})
        await run_in_threadpool(self.store.open_battle, record)
        return Opened(record, keys)

    async def _refuse_full(self, source: Json, owner: str) -> None:
        """Refuse a new battle of a client that has opened too much, or if the database is full; others go on."""
        if await run_in_threadpool(self.store.size) > self.limits.database_size:
            raise Full("the database is full: no new battles for now")
        self._refuse_more(source, owner)

    def _refuse_more(self, data: Json, owner: str) -> None:
        """Refuse to store more for a client that has stored a day's worth."""
        if self.stored.take(owner, len(json.dumps(data))):
            raise Full("you have stored too much today: battles and answers")

    async def find_seat(self, battle: str, key: str) -> Seat:
        """The seat that a key is for, from memory or else from the database."""
        held = self.held.get(battle)
        side = side_of_key(key, held.record.keys) if held else None
        if side is None:
            held = await self._load(battle) if AN_ID.fullmatch(battle) else None
            side = side_of_key(key, held.record.keys if held else None)
        if held is None or side is None:
            raise Unknown
        return Seat(held, side)

    async def _load(self, battle: str) -> Held | None:
        """The current state of a battle: what is in memory, and the entries since then from the database."""
        held = self.held.get(battle)
        if held is None and (record := await run_in_threadpool(self.store.find, battle)) is not None:
            held = Held(record, History(touched=record.opened))
        if held is None:
            return None
        news = await run_in_threadpool(self.store.news, battle, held.history.entries)
        if news is None:
            self.held.drop(battle)
            return None
        return self._hold(held.after(*news))

    def _hold(self, held: Held) -> Held:
        """Keep the current state of a battle in memory, unless a later state is there already."""
        known = self.held.get(held.record.id)
        if known is not None and known.history.entries > held.history.entries:
            return known
        self.held.put(held.record.id, held, held.size)
        return held

    async def renew(self, seat: Seat, must_load: bool = True) -> Seat:
        """A seat with its battle as it stands now, if its key is still good and the battle has not been pruned."""
        held = None if must_load else self.held.get(seat.record.id)
        held = held or await self._load(seat.record.id)
        if held is None or held.record.keys.get(seat.side) != seat.record.keys[seat.side]:
            raise Unknown
        return Seat(held, seat.side)

    async def look(self, held: Held, owner: str = "", since: int | None = None) -> LivePlay:
        """The state of a battle; with `since`, only what has changed after that entry."""
        known = held.known_answers(since)
        play = self._known_play(held)
        if play is None or play.known != known:
            play = await self._play(held.record, held.history, owner, known)
            self.plays.put((held.record.id, held.history.entries), play, play.size)
        return play

    def _known_play(self, held: Held) -> LivePlay | None:
        """Where a battle stands, if that is known: whole, or for somebody who knows some of the answers."""
        play = self.plays.get((held.record.id, held.history.entries))
        return play and replace(play, record=held.record, now=_now())

    async def act(
        self, seat: Seat, act: Act, owner: str, since: int | None = None, opens: Record | None = None
    ) -> LivePlay:
        """Perform an act, unless another act makes it impossible first."""
        if seat.side == SPECTATOR:
            raise NotAllowed("spectators watch")
        now = self._known_play(seat.held)
        while True:
            is_sure = now is None  # a refusal must show the state as whoever is refused can read it
            try:
                now = now or await self.look(seat.held, owner, since)
                entry = Entry(now.history.entries + 1, seat.side, _now(), act(seat, now))
                after = await self._consequences(now, entry, owner, seat.held.known_answers(since))
                self._refuse_more(entry.what, owner)
            except ApiError:
                before, seat = seat, await self.renew(seat)
                if is_sure and seat.held.history.entries == before.held.history.entries:
                    raise
            else:
                if await asyncio.shield(asyncio.ensure_future(self._store(seat, entry, after, opens))):
                    return after
                seat = await self.renew(seat)
            now = None

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
        keys = _new_keys([] if is_of_old else [side for side in play["sides"] if side not in former], len(former))
        hashes = {**former, **{side: hash_key(key) for side, key in keys.items()}}
        record = _record(new_id(), seat.record.table, play["battle"], options, hashes)
        await self.act(seat, partial(go_on, record.id), owner, opens=record)
        return Opened(record, keys)

    async def claim(self, seat: Seat, wanted: str | None) -> str:
        """A new key for a seat, or the one that is wanted; the former is void at once, in all battles at this table."""
        if seat.side == SPECTATOR:
            raise NotAllowed("spectators share their key")
        key, former = wanted or new_keys([seat.side])[seat.side], seat.record.keys[seat.side]
        if hash_key(key) in seat.record.keys.values():
            raise WrongAnswer("this key is taken")
        table = seat.record.table
        if not await run_in_threadpool(self.store.replace_key, table, seat.side, former, hash_key(key)):
            raise Unknown
        for battle in [battle for battle, (held, _) in self.held.values.items() if held.record.table == table]:
            self.held.drop(battle)
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
        seat = await self.renew(seat)
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
        reply = await self.engine.reply("live", about, owner, record.id)
        return LivePlay(record, history, *head_of(reply), _now())

    async def _consequences(self, now: LivePlay, entry: Entry, owner: str, known: int | None) -> LivePlay:
        history = now.history.after(entry)
        if history.answers == now.history.answers and known == now.known:
            return replace(now, history=history)
        try:
            return await self._play(
                now.record, history, owner, None if known is None else min(known, len(history.answers))
            )
        except TaskFailed as refusal:
            first = (refusal.body or {}).get("faults", [{}])[0]
            if first.get("code") == "answer":
                raise WrongAnswer(first["message"].partition(": ")[2]) from None
            raise

    async def _store(self, seat: Seat, entry: Entry, after: LivePlay, opens: Record | None) -> bool:
        """Store an entry and wake the listeners, even if its sender has gone; False if it cannot be stored."""
        battle = seat.record.id
        try:
            if not await self.writer.append(Append(battle, entry, seat.record.keys[seat.side], opens)):
                return False
        except Exception:
            self._changed(battle, is_known=False)  # it may have been stored, and only the database's word of it lost
            raise
        self._hold(seat.held.after(seat.record.keys, [entry]))
        self.plays.put((battle, entry.number), after, after.size)
        self._changed(battle)
        return True


def _record(battle: str, table: str, source: Json, options: Options, keys: dict[str, str]) -> Record:
    secret = new_secret() if options.dice == "fair" else None
    return Record(battle, table, _now(), source, json.loads(options.model_dump_json()), secret, keys)


def _new_keys(sides: list[str], seated: int = 0) -> dict[str, str]:
    """A key for every one of these sides, if a table at which so many are seated has room for them."""
    if seated + len(sides) > MOST_SEATS:
        raise TooManySeats(seated + len(sides), MOST_SEATS)
    return new_keys(sides)


def _check_names(options: Options, sides: list[str]) -> None:
    faults = [Fault(f"names.{name}", "is no side of this battle", "unknown_name") for name in options.names]
    faults = [fault for fault, name in zip(faults, options.names, strict=True) if name not in sides]
    if faults:
        raise InvalidNames(BattleError(faults))


def _now() -> int:
    return time.time_ns() // 1_000_000
