"""The store, on SQLite and on PostgreSQL: nothing taken is lost, and of two who want the same number one gets it."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest
from alembic import command
from sqlalchemy import inspect

from grognard.server.live.keys import Role, hash_key, new_id, new_keys, role_of
from grognard.server.live.migrations import config_for
from grognard.server.live.models import Base
from grognard.server.live.records import Entry, Names, Options, Record
from grognard.server.live.store import Store, StoreError, Taken
from tests.server.live.processes import FORKS, migrate

KEYS = {role: hash_key(key) for role, key in new_keys().items()}


def record(battle: str, opened: int = 1_000, secret: bytes | None = b"s" * 32) -> Record:
    source = {"system": "x", "units": [{"id": 'Zoë "\0 😀'}]}
    options = Options(dice="table", advice=False, names=Names(attacker="A", defender="B"))
    return Record(battle, opened, source, options, secret, KEYS)


def entry(number: int, who: Role = Role.ATTACKER, done: int = 2_000) -> Entry:
    return Entry(number, who, done, {"choose": f"option {number} 😀"})


@pytest.mark.parametrize("secret", [None, bytes(range(32))])
def test_a_battle_comes_back_as_it_was_opened(store: Store, secret: bytes | None) -> None:
    store.open_battle(record("one", secret=secret))
    assert record("one", secret=secret) == store.find("one")
    assert store.find("other") is None


def test_entries_come_back_in_order_and_from_any_number_on(store: Store) -> None:
    store.open_battle(record("one"))
    store.open_battle(record("two"))
    for number in range(1, 12):
        store.append("one", entry(number, Role.DEFENDER))
    assert [entry(number, Role.DEFENDER) for number in range(1, 12)] == store.entries("one")
    assert [entry(11, Role.DEFENDER)] == store.entries("one", after=10)
    assert [] == store.entries("one", after=11) == store.entries("two") == store.entries("none")


def test_a_number_is_taken_once(store: Store) -> None:
    store.open_battle(record("one"))
    store.append("one", entry(1))
    with pytest.raises(Taken):
        store.append("one", entry(1, Role.DEFENDER))
    assert [entry(1)] == store.entries("one")


def test_nothing_is_added_to_a_battle_that_is_not_there(store: Store) -> None:
    with pytest.raises(Taken):
        store.append("gone", entry(1))


def test_an_entry_and_the_battle_that_it_opens_are_stored_together_or_not_at_all(store: Store) -> None:
    store.open_battle(record("one"))
    store.append("one", entry(1), opens=record("next"))
    with pytest.raises(Taken):
        store.append("one", entry(1), opens=record("never"))
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
            try:
                store.append("one", entry(number, done=thread))
            except Taken:
                continue
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
            store.append(battle, entry(1, done=done))
    assert 2 == store.prune(100, dry_run=True)
    assert store.find("old") is not None
    assert 2 == store.prune(100)
    assert [None, None] == [store.find("old"), store.find("idle")]
    assert [] == store.entries("old")
    assert [record("woken", 1), record("new", 150)] == [store.find("woken"), store.find("new")]
    assert [entry(1, done=150)] == store.entries("woken")
    assert 0 == store.prune(100)


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
        ("sqlite://", "needs a file"),
        ("sqlite:///:memory:", "needs a file"),
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


def test_a_key_is_its_roles_and_nobody_elses() -> None:
    keys = new_keys()
    hashes = {role: hash_key(key) for role, key in keys.items()}
    assert list(Role) == [role_of(key, hashes) for key in keys.values()]
    assert [None] * 3 == [role_of(key, None) for key in keys.values()]
    assert [None] * 4 == [role_of(key, hashes) for key in ("", "x", keys[Role.ATTACKER][:-1], hashes[Role.ATTACKER])]
    assert role_of("", None) is None


def test_ids_and_keys_do_not_repeat() -> None:
    assert 300 == len({key for _ in range(100) for key in new_keys().values()})
    assert 100 == len({new_id() for _ in range(100)})
    assert all(len(key) >= 22 for key in new_keys().values())  # 128 bits in base 64
