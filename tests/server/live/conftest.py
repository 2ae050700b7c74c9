"""Databases to keep battles in, and servers to play them on."""

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

from grognard.server.live.store import Store
from tests.postgres import Postgres, new_database, running_postgres
from tests.server.live.servers import Running, serving

_count = itertools.count()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    with running_postgres() as server:
        yield server


@pytest.fixture
def postgres_database(postgres: Postgres) -> str:
    return new_database(postgres, f"battles_{next(_count)}")


@pytest.fixture
def sqlite_database(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'battles.sqlite3'}"


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> str:
    """The address of an empty database, of either kind."""
    name = "sqlite_database" if request.param == "sqlite" else "postgres_database"
    found: str = request.getfixturevalue(name)
    return found


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    store = Store(database)
    store.migrate()
    yield store
    store.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server on SQLite."""
    with serving(f"sqlite:///{tmp_path_factory.mktemp('live') / 'battles.sqlite3'}") as running:
        yield running
