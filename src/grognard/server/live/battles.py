"""Live battles: opening one, finding a seat, reading its state, and acting in it.

The rules run in the engine's workers. An action is stored only after its consequences have been computed, so a rule
that fails, or never ends, changes nothing and delays nobody else.

Other processes may use the same database, so what this process has in memory may be out of date. An action that would
be refused is therefore tried again with the state in the database. The database refuses an entry whose number is
taken, or whose key was replaced.
"""

import asyncio
import json
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from starlette.concurrency import run_in_threadpool

from grognard.core.errors import Fault
from grognard.core.systems import Json
from grognard.plays.fair import commit, new_secret
from grognard.server.engine import Engine, TaskFailed
from grognard.server.errors import ApiError
from grognard.server.guard import RateLimiter
from grognard.server.live.actions import Action, open_next
from grognard.server.live.errors import (
    InvalidNames,
    NotAllowed,
    OtherDice,
    StorageFull,
    TooManySeats,
    UnknownBattle,
    WrongAnswer,
)
from grognard.server.live.history import CachedBattle, History
from grognard.server.live.state import LivePlay, Seat, split_head
from grognard.server.live.store import Entry, NewEntry, Record, Store, hash_key, new_id, new_keys, side_of_key
from grognard.server.live.writer import Writer
from grognard.server.requests import Options
from grognard.server.settings import Limits
from grognard.tasks import SPECTATOR
from grognard.work.cache import ByteCache
from grognard.work.pool import Reply

BATTLE_ID = re.compile(r"[\w-]{1,40}", re.ASCII)
MOST_SEATS = 64
"""How many seats a table may have, with those of spectators: a key is compared with the keys of all of them."""


@dataclass(frozen=True, slots=True)
class NewBattle:
    """A battle that was just opened, and the keys of its new seats. Only hashes of the keys are stored."""

    record: Record
    keys: dict[str, str]


class LiveBattles:
    """All live battles."""

    def __init__(
        self, store: Store, engine: Engine, wake_listeners: Callable[[str, bool], None], limits: Limits
    ) -> None:
        self.store, self.engine, self.limits = store, engine, limits
        self._wake_listeners = wake_listeners
        self.writer = Writer(store)
        self.cache: ByteCache[str, CachedBattle] = ByteCache(limits.live_cache)
        self.plays: ByteCache[tuple[str, int], LivePlay] = ByteCache(limits.live_cache)
        """The latest play by battle and number of entries, complete or only the changes that a client asked for."""
        self.storage_limiter = RateLimiter(limits.stored_per_day, limits.stored_per_day / 86_400)

    async def open_battle(self, source: Json, options: Options, owner: str) -> NewBattle:
        """Open a battle, with a new key for every seat."""
        await self._check_storage(source, owner)
        opened = await self.engine.result("open", {"battle": source}, owner)
        _check_names(options, opened["sides"])
        keys = _new_keys([*opened["sides"], SPECTATOR])
        battle = new_id()
        record = _record(battle, battle, opened["battle"], options, {side: hash_key(key) for side, key in keys.items()})
        await run_in_threadpool(self.store.open_battle, record)
        return NewBattle(record, keys)

    async def _check_storage(self, source: Json, owner: str) -> None:
        """Refuse a new battle if the database is full, or if the client has stored too much."""
        if await run_in_threadpool(self.store.size) > self.limits.database_size:
            raise StorageFull("the database is full: no new battles for now")
        self._count_storage(source, owner)

    def _count_storage(self, data: Json, owner: str) -> None:
        """Count what a client is about to store, or refuse it if the client has stored too much."""
        if self.storage_limiter.take(owner, len(json.dumps(data))):
            raise StorageFull("you have stored too much today: battles and answers")

    async def find_seat(self, battle: str, key: str) -> Seat:
        """The seat that a key is for, from memory or else from the database."""
        cached = self.cache.get(battle)
        side = side_of_key(key, cached.record.keys) if cached else None
        if side is None:
            cached = await self._load(battle) if BATTLE_ID.fullmatch(battle) else None
            side = side_of_key(key, cached.record.keys if cached else None)
        if cached is None or side is None:
            raise UnknownBattle
        return Seat(cached, side)

    async def _load(self, battle: str) -> CachedBattle | None:
        """The current state of a battle: the cached state, and the entries since then from the database."""
        cached = self.cache.get(battle)
        if cached is None and (record := await run_in_threadpool(self.store.find, battle)) is not None:
            cached = CachedBattle(record, History(changed_at=record.opened))
        if cached is None:
            return None
        changes = await run_in_threadpool(self.store.changes_since, battle, cached.history.entries)
        if changes is None:
            self.cache.drop(battle)
            return None
        return self._put(cached.after(*changes))

    def _put(self, battle: CachedBattle) -> CachedBattle:
        """Put a battle into the cache, unless a later state is there already; returns the later one."""
        cached = self.cache.get(battle.record.id)
        if cached is not None and cached.history.entries > battle.history.entries:
            return cached
        self.cache.put(battle.record.id, battle, battle.size)
        return battle

    async def refresh(self, seat: Seat, must_load: bool = True) -> Seat:
        """The seat with the current state of its battle, unless its key was replaced or the battle was removed."""
        battle = None if must_load else self.cache.get(seat.record.id)
        battle = battle or await self._load(seat.record.id)
        if battle is None or battle.record.keys.get(seat.side) != seat.record.keys[seat.side]:
            raise UnknownBattle
        return Seat(battle, seat.side)

    async def play(self, battle: CachedBattle, owner: str = "", since: int | None = None) -> LivePlay:
        """The play of a battle; with `since`, only what has changed after that entry."""
        known_answers = battle.known_answers(since)
        play = self._cached_play(battle)
        if play is None or play.known_answers != known_answers:
            play = await self._compute_play(battle.record, battle.history, owner, known_answers)
            self.plays.put((battle.record.id, battle.history.entries), play, play.size)
        return play

    def _cached_play(self, battle: CachedBattle) -> LivePlay | None:
        """The latest play of a battle, if it is cached: complete, or for a client that knows some of the answers."""
        play = self.plays.get((battle.record.id, battle.history.entries))
        return play and replace(play, record=battle.record, now=_now())

    async def act(
        self, seat: Seat, action: Action, owner: str, since: int | None = None, opens: Record | None = None
    ) -> LivePlay:
        """Perform an action and return the new play. If the battle has changed meanwhile, try again."""
        if seat.side == SPECTATOR:
            raise NotAllowed("spectators watch")
        play = self._cached_play(seat.battle)
        while True:
            is_for_client = play is None  # a cached play may lack what this client needs in an error response
            try:
                play = play or await self.play(seat.battle, owner, since)
                entry = Entry(play.history.entries + 1, seat.side, _now(), action(seat, play))
                after = await self._play_after(play, entry, owner, seat.battle.known_answers(since))
                self._count_storage(entry.what, owner)
            except ApiError:
                before, seat = seat, await self.refresh(seat)
                if is_for_client and seat.battle.history.entries == before.battle.history.entries:
                    raise
            else:
                if await asyncio.shield(asyncio.ensure_future(self._store(seat, entry, after, opens))):
                    return after
                seat = await self.refresh(seat)
            play = None

    async def open_next(self, seat: Seat, source: Json, options: Options, owner: str) -> NewBattle:
        """Open the battle that follows at the same table. Seats keep their sides; new sides get new keys."""
        if seat.side == SPECTATOR:
            raise NotAllowed("spectators watch")
        if options.dice != seat.record.options["dice"]:
            raise OtherDice
        await self._check_storage(source, owner)
        opened = await self.engine.result("open", {"battle": source}, owner)
        seated = seat.record.keys
        _check_names(options, [*opened["sides"], *seated])
        is_named_by_roles = not any(side in seated for side in opened["sides"]) and "attacker" in seated
        new_sides = [] if is_named_by_roles else [side for side in opened["sides"] if side not in seated]
        keys = _new_keys(new_sides, len(seated))
        hashes = {**seated, **{side: hash_key(key) for side, key in keys.items()}}
        record = _record(new_id(), seat.record.table, opened["battle"], options, hashes)
        await self.act(seat, partial(open_next, record.id), owner, opens=record)
        return NewBattle(record, keys)

    async def claim(self, seat: Seat, wanted: str | None) -> str:
        """Replace the key of a seat, by the wanted one or by a random one. The old key is void at once."""
        if seat.side == SPECTATOR:
            raise NotAllowed("spectators share their key")
        key, old_hash = wanted or new_keys([seat.side])[seat.side], seat.record.keys[seat.side]
        if hash_key(key) in seat.record.keys.values():
            raise WrongAnswer("this key is taken")
        table = seat.record.table
        if not await run_in_threadpool(self.store.replace_key, table, seat.side, old_hash, hash_key(key)):
            raise UnknownBattle
        for battle in [battle for battle, (cached, _) in self.cache.values.items() if cached.record.table == table]:
            self.cache.drop(battle)
        self._wake_listeners(seat.record.id, True)
        return key

    async def secret_of_removed(self, battle: str) -> Json:
        """The secret of the fair dice of a battle that was removed, with its commitment."""
        secret = await run_in_threadpool(self.store.secret_of_removed, battle) if BATTLE_ID.fullmatch(battle) else None
        if secret is None:
            raise UnknownBattle
        return {"commitment": commit(secret), "secret": secret.hex()}

    async def log(self, seat: Seat, owner: str) -> Reply:
        """The log of the battle, for `grognard replay` and `grognard verify`."""
        seat = await self.refresh(seat)
        play = await self.play(seat.battle, owner, seat.battle.history.entries)
        about: Json = {"battle": seat.record.source, "answers": list(play.history.answers)}
        if (dice := play.fair_dice) is not None:
            about |= {"secret": dice.secret.hex(), "numbers": [list(number) for number in dice.numbers]}
            about["is_given_up"] = play.ended is not None
        return await self.engine.reply("log", about, owner)

    async def _compute_play(
        self, record: Record, history: History, owner: str, known_answers: int | None = None
    ) -> LivePlay:
        about: Json = {"battle": record.source, "answers": list(history.answers)}
        if known_answers is not None:
            about["known"] = known_answers
        reply = await self.engine.reply("live", about, owner, record.id)
        return LivePlay(record, history, *split_head(reply), _now())

    async def _play_after(self, play: LivePlay, entry: Entry, owner: str, known_answers: int | None) -> LivePlay:
        """The play after one more entry."""
        history = play.history.after(entry)
        if history.answers == play.history.answers and known_answers == play.known_answers:
            return replace(play, history=history)
        if known_answers is not None:
            known_answers = min(known_answers, len(history.answers))
        try:
            return await self._compute_play(play.record, history, owner, known_answers)
        except TaskFailed as error:
            first = (error.body or {}).get("faults", [{}])[0]
            if first.get("code") == "answer":
                raise WrongAnswer(first["message"].partition(": ")[2]) from None
            raise

    async def _store(self, seat: Seat, entry: Entry, after: LivePlay, opens: Record | None) -> bool:
        """Store an entry and wake the listeners; False if the entry cannot be stored."""
        battle = seat.record.id
        try:
            if not await self.writer.append(NewEntry(battle, entry, seat.record.keys[seat.side], opens)):
                return False
        except Exception:
            self._wake_listeners(battle, False)  # the entry may have been stored all the same
            raise
        self._put(seat.battle.after(seat.record.keys, [entry]))
        self.plays.put((battle, entry.number), after, after.size)
        self._wake_listeners(battle, True)
        return True


def _record(battle: str, table: str, source: Json, options: Options, keys: dict[str, str]) -> Record:
    secret = new_secret() if options.dice == "fair" else None
    return Record(battle, table, _now(), source, json.loads(options.model_dump_json()), secret, keys)


def _new_keys(sides: list[str], seats: int = 0) -> dict[str, str]:
    """A key for each of these sides, if a table with this number of seats has room for them."""
    if seats + len(sides) > MOST_SEATS:
        raise TooManySeats(seats + len(sides), MOST_SEATS)
    return new_keys(sides)


def _check_names(options: Options, sides: list[str]) -> None:
    unknown = [name for name in options.names if name not in sides]
    if unknown:
        raise InvalidNames([Fault(f"names.{name}", "is no side of this battle", "unknown_name") for name in unknown])


def _now() -> int:
    """The time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000
