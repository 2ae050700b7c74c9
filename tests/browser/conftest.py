"""A server and a browser for each process that tests run in, and people who come and go."""

import fcntl
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.people import Person
from tests.browser.serving import PATIENCE, Reachable, Server
from tests.tools import required

ROOT = Path(__file__).parents[2]
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

SHARING = ("test_offline.py", "test_views.py")

Arrive = Callable[..., Person]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Have browsers come last: an event loop runs as long as one does, and other tests want loops of their own.

    Of these, tests that share what takes long come first: the fewer tests are left, the more often a process has to
    leave the rest of a file to another one, which prepares everything once more.
    """
    folder = Path(__file__).parent
    items.sort(key=lambda item: (folder in item.path.parents, item.path.name not in SHARING))


@pytest.fixture(scope="session")
def built_page() -> None:
    with Path(tempfile.gettempdir(), "grognard-page.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests run in several processes, and the build in one
        subprocess.run([sys.executable, ROOT / "hatch_build.py"], check=True, stdout=subprocess.DEVNULL)


@pytest.fixture(scope="session")
def server(built_page: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    found = Server(tmp_path_factory.mktemp("server"))
    found.start()
    yield found
    found.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    chromium = required(lambda: Path(found) if (found := shutil.which("chromium")) else None, "chromium")
    expect.set_options(timeout=1000 * PATIENCE)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield started
        started.close()


@contextmanager
def gathering(browser: Browser, server: Reachable) -> Iterator[Arrive]:
    """Have people come with new browsers; in the end nothing may have gone wrong in any of them."""
    people: list[Person] = []

    def come(to: Reachable = server, **options: Any) -> Person:
        people.append(Person(browser, to.url, **options))
        return people[-1]

    yield come
    for person in people:
        person.leave()
    assert [] == [trouble for person in people for trouble in person.troubles]


@pytest.fixture
def arrive(browser: Browser, server: Server) -> Iterator[Arrive]:
    with gathering(browser, server) as come:
        yield come


@pytest.fixture
def person(arrive: Arrive) -> Person:
    return arrive()
