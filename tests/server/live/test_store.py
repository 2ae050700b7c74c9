"""The store, on SQLite and on PostgreSQL: nothing taken is lost, and of two who want the same number one gets it."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Barrier

import pytest
from alembic import command
from sqlalchemy import NullPool, create_engine, event, inspect, text

from grognard.server.live.migrations import config_for
from grognard.server.live.store import (
    Append,
    Base,
    Entry,
    Record,
    Store,
    StoreError,
    hash_key,
    new_id,
    new_keys,
    side_of_key,
)
from tests.server.live.processes import FORKS, migrate

SIDES = ["red", 'Zoë "😀', "spectator"]
KEYS = {side: hash_key(key) for side, key in new_keys(SIDES).items()}


def record(battle: str, opened: int = 1_000, secret: bytes | None = b"s" * 32) -> Record:
    source = {"system": "x", "units": [{"id": 'Zoë "\0 😀'}]}
    options = {"dice": "table", "advice": False, "names": {"red": "A"}}
    return Record(battle, battle, opened, source, options, secret, KEYS)


def entry(number: int, who: str = "red", done: int = 2_000) -> Entry:
    return Entry(number, who, done, {"choose": f"option {number} 😀"})


def append(store: Store, battle: str, one: Entry, opens: Record | None = None, key: str | None = None) -> bool:
    """Store an entry: whether it was taken."""
    return store.append_all([Append(battle, one, key, opens)]) == [True]


@pytest.mark.parametrize("secret", [None, bytes(range(32))])
def test_a_battle_comes_back_as_it_was_opened(store: Store, secret: bytes | None) -> None:
    store.open_battle(record("one", secret=secret))
    assert record("one", secret=secret) == store.find("one")
    assert store.find("other") is None


def test_an_entry_is_stored_though_the_connection_broke_since_the_one_before(
    postgres_database: str,
) -> None:
    store = Store(postgres_database)
    store.migrate()
    store.open_battle(record("one"))
    assert append(store, "one", entry(1))
    with create_engine(store.url, poolclass=NullPool).connect() as another:
        others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
        another.execute(text(f"{others} AND datname = current_database()"))
    assert append(store, "one", entry(2))
    assert [entry(1), entry(2)] == store.entries("one")
    store.close()


def test_entries_come_back_in_order_and_from_any_number_on(store: Store) -> None:
    store.open_battle(record("one"))
    store.open_battle(record("two"))
    for number in range(1, 12):
        assert append(store, "one", entry(number, "blue"))
    assert [entry(number, "blue") for number in range(1, 12)] == store.entries("one")
    assert [entry(11, "blue")] == store.entries("one", after=10)
    assert [] == store.entries("one", after=11) == store.entries("two") == store.entries("none")


def test_a_number_is_taken_once(store: Store) -> None:
    store.open_battle(record("one"))
    assert append(store, "one", entry(1))
    assert not append(store, "one", entry(1, "blue"))
    assert [entry(1)] == store.entries("one")


def test_nothing_is_added_to_a_battle_that_is_not_there(store: Store) -> None:
    assert not append(store, "gone", entry(1))


def test_of_entries_that_come_together_those_are_stored_that_can_be(store: Store) -> None:
    store.open_battle(record("one"))
    store.open_battle(record("two"))
    together = [("one", 1), ("two", 1), ("gone", 1), ("one", 1), ("one", 2)]
    stored = store.append_all([Append(battle, entry(number)) for battle, number in together])
    assert [True, True, False, False, True] == stored
    assert [[entry(1), entry(2)], [entry(1)]] == [store.entries("one"), store.entries("two")]


def test_nothing_is_added_with_a_key_that_was_replaced(store: Store) -> None:
    store.open_battle(record("one"))
    assert store.replace_key("one", "red", KEYS["red"], "1" * 64)
    assert [False, True] == [append(store, "one", entry(1), key=key) for key in (KEYS["red"], "1" * 64)]


def test_an_entry_and_the_battle_that_it_opens_are_stored_together_or_not_at_all(store: Store) -> None:
    store.open_battle(record("one"))
    assert append(store, "one", entry(1), opens=record("next"))
    assert not append(store, "one", entry(1), opens=record("never"))
    assert record("next") == store.find("next")
    assert store.find("never") is None


def test_of_many_who_want_the_same_number_exactly_one_gets_it(store: Store) -> None:
    threads, rounds = 8, 15
    store.open_battle(record("one"))
    start = Barrier(threads)

    def race(thread: int) -> list[int]:
        won = []
        for number in range(1, rounds + 1):
            start.wait()
            if append(store, "one", entry(number, done=thread)):
                won.append(number)
        return won

    with ThreadPoolExecutor(threads) as pool:
        wins = list(pool.map(race, range(threads)))
    assert list(range(1, rounds + 1)) == sorted(number for won in wins for number in won)
    winner = {number: thread for thread, won in enumerate(wins) for number in won}
    assert [winner[number] for number in range(1, rounds + 1)] == [entry.done for entry in store.entries("one")]


def test_battles_in_which_nothing_was_done_for_long_are_pruned_with_their_entries(store: Store) -> None:
    for battle, opened, done in (("old", 1, 50), ("woken", 1, 150), ("idle", 50, None), ("new", 150, None)):
        store.open_battle(record(battle, opened))
        if done is not None:
            assert append(store, battle, entry(1, done=done))
    assert 2 == store.prune(100, dry_run=True)
    assert store.find("old") is not None
    assert 2 == store.prune(100)
    assert [None, None] == [store.find("old"), store.find("idle")]
    assert [] == store.entries("old")
    assert [record("woken", 1), record("new", 150)] == [store.find("woken"), store.find("new")]
    assert [entry(1, done=150)] == store.entries("woken")
    assert 0 == store.prune(100)


def test_the_secret_of_a_battle_that_is_played_again_while_others_are_pruned_stays_secret(
    postgres_database: str,
) -> None:
    store, players = Store(postgres_database), Store(postgres_database)
    store.migrate()
    store.open_battle(record("one"))

    @event.listens_for(store.engine, "before_cursor_execute")
    def play(connection: object, cursor: object, statement: str, *_: object) -> None:
        if statement.startswith("DELETE FROM battles"):
            assert append(players, "one", entry(1, done=5_000))

    assert 0 == store.prune(2_000)
    assert (record("one"), None) == (store.find("one"), store.secret_of_removed("one"))
    for one in (store, players):
        one.close()


def test_migrations_lead_from_an_empty_database_to_the_models_and_back(database: str) -> None:
    store = Store(database)
    store.migrate()
    with store.engine.begin() as connection:
        command.check(config_for(connection))
        assert {*Base.metadata.tables, "alembic_version"} == set(inspect(connection).get_table_names())
        command.downgrade(config_for(connection), "base")
    with store.engine.begin() as connection:
        assert ["alembic_version"] == inspect(connection).get_table_names()
    store.migrate()
    store.open_battle(record("one"))
    store.migrate()
    assert record("one") == store.find("one")
    store.close()


def test_processes_that_start_at_once_migrate_one_after_the_other(database: str) -> None:
    all_are_there = FORKS.Barrier(4)
    processes = [FORKS.Process(target=migrate, args=(database, all_are_there)) for _ in range(4)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [0] * 4 == [process.exitcode for process in processes]


def test_a_database_of_a_newer_version_is_refused(database: str) -> None:
    store = Store(database)
    store.migrate()
    with store.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StoreError, match="9999"):
        store.migrate()
    store.close()


def test_sqlite_keeps_every_commit_through_a_power_cut(sqlite_database: str) -> None:
    store = Store(sqlite_database)
    store.migrate()
    with store.engine.connect() as connection:
        settings = [
            connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        ]
    assert ["wal", 2, 1] == settings
    store.close()


def test_an_sqlite_file_is_its_owners_alone(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'a file 100%.sqlite3'}")
    assert not store.exists()
    store.migrate()
    assert store.exists()
    assert {0o600} == {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    store.close()


@pytest.mark.parametrize(
    ("database", "told"),
    [
        ("nonsense", "nonsense"),
        ("oracle://host/name", "oracle: expected sqlite"),
        ("what://host/name", "what"),
        ("postgresql://[::1", r"postgresql://\[::1: "),
        ("postgresql+nodriver://host/name", "nodriver: expected"),
        ("postgresql+asyncpg://host/name", "asyncpg: expected"),
        ("sqlite+aiosqlite:///file", "aiosqlite: expected"),
        ("sqlite://", "needs a file"),
        ("sqlite:///:memory:", "needs a file"),
        ("sqlite:///file?timeout=soon", "soon"),
    ],
)
def test_a_database_that_cannot_be_used_is_refused(database: str, told: str) -> None:
    with pytest.raises(StoreError, match=told):
        Store(database)


@pytest.mark.parametrize("database", ["sqlite:////no/such/folder/file", "postgresql+psycopg://a:secret@127.0.0.1:1/b"])
def test_a_database_that_cannot_be_reached_is_refused_without_its_password(database: str) -> None:
    store = Store(database)
    with pytest.raises(StoreError) as refused:
        store.migrate()
    assert "secret" not in str(refused.value)
    store.close()


def test_battles_at_one_table_share_their_seats_and_later_sides_sit_down_behind(store: Store) -> None:
    store.open_battle(record("one"))
    later = {**KEYS, "green": "9" * 64}
    following = replace(record("two"), table="one", keys=later)
    assert append(store, "one", entry(1), opens=following)
    assert following == store.find("two")
    assert replace(record("one"), keys=later) == store.find("one")


def test_a_key_is_replaced_once_at_the_whole_table(store: Store) -> None:
    store.open_battle(record("one"))
    assert append(store, "one", entry(1), opens=replace(record("two"), table="one"))
    store.open_battle(record("other"))
    assert [True, False] == [store.replace_key("one", "red", KEYS["red"], digit * 64) for digit in "12"]
    keys = [found.keys["red"] for name in ("one", "two", "other") if (found := store.find(name))]
    assert ["1" * 64, "1" * 64, KEYS["red"]] == keys


def test_seats_are_pruned_with_the_last_battle_at_their_table(store: Store) -> None:
    store.open_battle(record("one", 1))
    assert append(store, "one", entry(1, done=5), opens=replace(record("two", 100), table="one"))
    assert 1 == store.prune(50)
    assert replace(record("two", 100), table="one") == store.find("two")
    assert 1 == store.prune(200)
    with store.engine.connect() as connection:
        assert [] == connection.exec_driver_sql("SELECT * FROM seats").all()


def test_battles_of_the_first_version_keep_their_keys_and_entries(database: str) -> None:
    store = Store(database)
    with store.engine.begin() as connection:
        command.upgrade(config_for(connection), "0001")
        for name, key in (("b", "1"), ("a", "1"), ("c", "2")):
            keys = ", ".join(f"'{digit * 64}'" for digit in (key, f"{int(key) + 2}", f"{int(key) + 4}"))
            names = '{"dice": "fair", "advice": true, "names": {"attacker": "Ann", "defender": ""}}'
            values = f"('{name}', 7, '{{}}', '{names}', NULL, {keys})"
            connection.execute(text(f"INSERT INTO battles VALUES {values}".replace(":", r"\:")))  # noqa: S608
            connection.execute(text(f"INSERT INTO entries VALUES ('{name}', 1, 'attacker', 8, '{{}}')"))  # noqa: S608
    store.migrate()
    found = {name: store.find(name) for name in "abc"}
    assert [("a", "1" * 64), ("a", "1" * 64), ("c", "2" * 64)] == [
        (one.table, one.keys["attacker"]) for one in found.values() if one
    ]
    assert {"attacker": "1" * 64, "defender": "3" * 64, "spectator": "5" * 64} == (found["b"] and found["b"].keys)
    assert [[Entry(1, "attacker", 8, {})]] * 3 == [store.entries(name) for name in "abc"]
    store.close()


def test_a_key_is_its_seats_and_nobody_elses() -> None:
    keys = new_keys(SIDES)
    hashes = {side: hash_key(key) for side, key in keys.items()}
    assert SIDES == [side_of_key(key, hashes) for key in keys.values()]
    assert [None] * 3 == [side_of_key(key, None) for key in keys.values()]
    assert [None] * 4 == [side_of_key(key, hashes) for key in ("", "x", keys["red"][:-1], hashes["red"])]
    assert side_of_key("", None) is None


def test_ids_and_keys_do_not_repeat() -> None:
    assert 300 == len({key for _ in range(100) for key in new_keys(SIDES).values()})
    assert 100 == len({new_id() for _ in range(100)})
    assert all(len(key) >= 22 for key in new_keys(SIDES).values())  # 128 bits in base 64
