"""One server for all tests that do not need one of their own."""

from collections.abc import Iterator

import httpx
import pytest

from tests.server.running import Running, running


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("server")) as found:
        yield found


@pytest.fixture
def client(server: Running) -> httpx.Client:
    return server.client
