"""Live updates: everybody hears of every change, whatever happens in between, until the server stops."""

import asyncio
import itertools
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.exc import OperationalError

from grognard.server.live import updates
from grognard.server.live.store import Entry, NewEntry, Record, Store
from grognard.server.settings import Limits
from tests.server.live.servers import Ear, Running, Table, battle, serving, serving_apart
from tests.server.running import PATIENCE

DECISIONS_FIRST = battle("tower", "02")
DICE_ALONE = battle("ranks", "02")


@contextmanager
def listening(table: Table, role: str = "spectator", last: int | str | None = None) -> Iterator[Ear]:
    ear = Ear(table, role, last)
    try:
        yield ear
    finally:
        ear.close()


def test_whoever_listens_hears_how_the_battle_stands_and_then_every_change(database: str) -> None:
    with serving(database) as server:
        table = server.open(DECISIONS_FIRST)
        with listening(table) as watching, listening(table, "attacker") as attacking:
            for ear in (watching, attacking):
                assert "text/event-stream" in ear.response.headers["Content-Type"]
                assert "no-store" == ear.response.headers["Cache-Control"]
                assert ("state", 0) == ((first := ear.hear()).name, first.id)
            table.add_numbers()
            for ear in (watching, attacking):
                ear.hear_until(2)
            for entries in range(3, 8):
                table.play(until=entries - 1)
                heard = watching.hear_until(entries)[-1]
                assert ("state", entries, table.state()) == (heard.name, heard.id, heard.state)
                assert table.state("attacker") == attacking.hear_until(entries)[-1].state


def test_whoever_comes_back_has_missed_nothing(server: Running) -> None:
    table = server.open(DECISIONS_FIRST)
    table.add_numbers()
    with listening(table) as ear:
        before = ear.hear()
    over = table.play()
    with listening(table, last=before.id) as ear:
        heard = ear.hear()
        assert (over, over["entries"]) == (heard.state, heard.id)
        assert before.state["events"] == heard.state["events"][: len(before.state["events"])]


def test_whoever_comes_back_and_has_missed_nothing_hears_only_what_is_new(server: Running) -> None:
    table = server.open(DECISIONS_FIRST)
    table.add_numbers()
    with listening(table, last=2) as ear:
        table.play(until=2)
        assert 3 == ear.hear().id


@pytest.mark.parametrize("last", [77, -1, "9" * 5000], ids=["later", "earlier", "absurd"])
def test_a_last_event_that_never_was_is_as_none(server: Running, last: int | str) -> None:
    with listening(server.open(DICE_ALONE), last=last) as ear:
        assert 0 == ear.hear().id


def test_breaks_at_any_moment_lose_nothing(server: Running) -> None:
    table = server.open(DECISIONS_FIRST)
    table.add_numbers()
    heard: list[int] = []
    for number in range(2, 7):
        with listening(table, last=heard[-1] if heard else None) as ear:
            heard.append(ear.hear().id)
        table.play(until=number)
    assert [2, 3, 4, 5, 6] == heard
    with listening(table, last=heard[-1]) as ear:
        assert table.state() == ear.hear().state


def test_listeners_are_told_of_the_next_battle(server: Running) -> None:
    table = server.open(DICE_ALONE)
    table.add_numbers()
    table.play()
    with listening(table) as ear:
        assert "state" == ear.hear().name
        opened = table.post("attacker", "next", {"battle": DICE_ALONE}).json()
        heard = ear.hear()
        assert ("next", opened["id"]) == (heard.name, heard.state["next"])


def test_silence_is_broken_by_comments(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(updates, "HEARTBEAT", 0.05)
    table = server.open(DICE_ALONE)
    address = f"{server.url}/api/battles/{table.id}/live"
    with server.client.stream("GET", address, params={"key": table.keys["Blue"]}) as response:
        lines = response.iter_lines()
        comments = [line for line in (next(lines) for _ in range(20)) if line.startswith(":")]
    assert len(comments) > 3


def test_so_many_may_listen_at_one_seat_and_keep_nobody_else_from_it(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = server.open(DICE_ALONE)
    monkeypatch.setattr(updates, "MOST_LISTENERS_PER_SEAT", 1)
    with listening(table) as ear:
        ear.hear()
        refused = table.get("spectator", "/live")
        assert (503, "2") == (refused.status_code, refused.headers["Retry-After"])
        with listening(table, "defender") as other:
            assert 0 == other.hear().id


@pytest.mark.parametrize("limit", ["streams", "streams_per_client"])
def test_so_many_may_listen_in_all_and_so_many_times_one_client(sqlite_database: str, limit: str) -> None:
    with serving(sqlite_database, **{limit: 1}) as server:
        one, other = server.open(DICE_ALONE), server.open(DICE_ALONE)
        with listening(one) as ear:
            ear.hear()
            assert 503 == other.get("defender", "/live").status_code
        with listening(other) as another:
            another.hear()


def test_a_stream_ends_when_its_battle_is_pruned(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(updates, "HEARTBEAT", 0.05)
    table = server.open(DICE_ALONE)
    with listening(table) as ear:
        ear.hear()
        store = Store(server.database)
        store.prune(2**60)
        store.close()
        assert ear.ends()
    assert 404 == table.get("spectator", "").status_code


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_server_that_is_told_to_stop_lets_its_listeners_go_and_stops(
    sqlite_database: str, number: signal.Signals
) -> None:
    with serving_apart(sqlite_database) as (server, process), listening(server.open(DICE_ALONE)) as ear:
        ear.hear()
        process.send_signal(number)
        assert ear.ends()
        process.wait(PATIENCE)


def test_two_servers_on_one_database_hear_of_each_others_answers(postgres_database: str) -> None:
    with serving_apart(postgres_database) as (one, _), serving_apart(postgres_database) as (other, _):
        table = one.open(DECISIONS_FIRST)
        there = table.at(other)
        with listening(table) as here, listening(there) as yonder:
            assert [0, 0] == [here.hear().id, yonder.hear().id]
            there.add_numbers()
            table.play(until=3)
            there.play(until=5)
            table.play()
            over = there.state()
            assert over["question"] is None
            assert over == here.hear_until(over["entries"])[-1].state == yonder.hear_until(over["entries"])[-1].state


def test_a_lost_connection_to_the_database_is_made_again_and_nothing_is_missed(
    postgres_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, other = Store(postgres_database), Store(postgres_database)  # as two processes have them
    store.migrate()
    store.open_battle(Record("one", "one", 0, {}, {}, None, {"red": "0" * 64}))
    connect, attempts = psycopg.AsyncConnection.connect, itertools.count(1)

    async def stay_away(address: str, **options: Any) -> Any:
        """Fail once after the first connection, and let something happen meanwhile."""
        attempt = next(attempts)
        if attempt == 2:
            other.append_all([NewEntry("one", Entry(1, "red", 0, {"choose": "yes"}))])
            raise psycopg.OperationalError("away")
        return await connect(address, **options)

    async def listen() -> list[bool]:
        listeners = updates.Listeners(Limits())
        listener = listeners.add("one", "red", "somebody")
        relaying = asyncio.create_task(updates.relay(store, listeners))
        heard = [await listener.wait(PATIENCE)]
        cut_all_connections(postgres_database)
        heard.append(await listener.wait(PATIENCE))
        store.append_all([NewEntry("one", Entry(2, "red", 0, {"choose": "yes"}))])  # whose listeners it wakes itself
        heard.append(await listener.wait(0.5))
        other.append_all([NewEntry("one", Entry(3, "red", 0, {"choose": "yes"}))])
        heard.append(await listener.wait(PATIENCE))
        relaying.cancel()
        return heard

    monkeypatch.setattr(psycopg.AsyncConnection, "connect", stay_away)
    assert [True, True, False, True] == asyncio.run(listen())
    assert 4 == next(attempts)
    store.close()
    other.close()


def test_what_was_stored_is_heard_of_although_the_database_could_not_say_so(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = server.open(DECISIONS_FIRST)
    append_all = Store.append_all

    def lose_the_word(store: Store, appends: Sequence[NewEntry]) -> list[bool]:
        append_all(store, appends)
        raise OperationalError("", {}, OSError("cut"))

    monkeypatch.setattr(Store, "append_all", lose_the_word)
    monkeypatch.setattr(updates, "HEARTBEAT", 10 * PATIENCE)  # nor does anything else wake those who listen
    with listening(table) as ear:
        assert 0 == ear.hear().id
        assert 503 == table.post("attacker", "numbers", {"number": "1815"}).status_code
        assert 1 == ear.hear().id


def cut_all_connections(database: str) -> None:
    engine = create_engine(database)
    with engine.connect() as connection:
        ours = "datname = current_database() AND pid <> pg_backend_pid()"
        connection.execute(text(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {ours}"))  # noqa: S608
    engine.dispose()
