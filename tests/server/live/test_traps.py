"""Rules that never end, fail or leave the program hold up nobody else, and break no live battle."""

import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from grognard import systems
from tests.server.live.servers import Running
from tests.server.running import PATIENCE, duel, until
from tests.server.test_serve import Served, started

SYSTEMS = Path(__file__).parents[1] / "systems"
MANY = 45


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("traps")) as found:
        yield found


@contextmanager
def serving(folder: Path) -> Iterator[Served]:
    with started(folder, "--port", "0", **{systems.FOLDERS: str(SYSTEMS)}) as process:
        yield Served(process)


@pytest.fixture(scope="module")
def server(served: Served) -> Iterator[Running]:
    running = Running(served.url, "")
    yield running
    running.client.close()


def trap(when: str, what: str, **more: Any) -> dict[str, Any]:
    units = [{"id": "a", "side": "red"}, {"id": "b", "side": "blue"}]
    return {"system": "trap", "units": units, "when": when, "what": what, **more}


@pytest.mark.soak("rules that hang, fail or end their process, in live battles", faults=1, again=True)
@pytest.mark.parametrize(("what", "status"), [("endless", 504), ("fail", 500), ("exit", 500), ("large", 422)])
def test_an_answer_whose_consequences_cannot_be_worked_out_is_not_taken(
    server: Running, what: str, status: int
) -> None:
    table = server.open(trap("yes", what))
    before = table.state("red")
    refused = table.answer("red", choose="yes")
    assert status == refused.status_code, refused.text
    assert before == table.state("red")
    assert 200 == table.answer("red", choose="no").status_code
    assert ["no"] == [move["choose"] for move in table.state()["moves"]]
    assert 200 == table.get("blue", "/log").status_code


@pytest.mark.soak("rules that hang, fail or end their process, in live battles", faults=1, again=True)
@pytest.mark.parametrize("when", ["check", "start"])
@pytest.mark.parametrize(("what", "status"), [("fail", 500), ("exit", 500)])
def test_a_battle_that_cannot_be_opened_is_refused(served: Served, when: str, what: str, status: int) -> None:
    refused = httpx.post(f"{served.url}/api/battles", json=trap(when, what), timeout=PATIENCE)
    assert (status, "broken") == (refused.status_code, refused.json()["faults"][0]["code"])
    assert 201 == httpx.post(f"{served.url}/api/battles", json=duel(), timeout=PATIENCE).status_code


@pytest.mark.soak("rules that hang, fail or end their process, in live battles", faults=1, again=True)
def test_a_next_battle_that_fails_is_not_opened(server: Running) -> None:
    table = server.open(duel(), dice="table")
    table.answer("Red", roll=[9, 1])
    assert 500 == table.post("Red", "next", {"battle": trap("start", "fail")}).status_code
    assert table.state()["next"] is None
    assert 201 == table.post("Red", "next", {"battle": duel()}).status_code


def give_up(url: str, json: Any) -> None:
    with pytest.raises(httpx.TimeoutException):
        httpx.post(url, json=json, timeout=1)


def test_many_endless_battles_hold_up_nobody_else_and_the_server_can_be_stopped(tmp_path: Path) -> None:
    with serving(tmp_path) as served, ThreadPoolExecutor(MANY) as threads:
        urls = [f"{served.url}/api/battles", f"{served.url}/api/play", f"{served.url}/api/check"]
        endless = [
            threads.submit(
                httpx.post,
                urls[number % 3],
                json={"battle": trap("check", "endless", units=[{"id": f"{number}", "side": "red"}])},
                timeout=PATIENCE,
            )
            for number in range(MANY)
        ]
        until(lambda: any(one.done() for one in endless))  # the first is refused: the workers are busy with others
        assert {"status": "ok"} == httpx.get(f"{served.url}/healthz", timeout=PATIENCE).json()
        assert 200 == httpx.get(f"{served.url}/api/systems", timeout=PATIENCE).status_code
        assert 200 == httpx.post(f"{served.url}/api/odds", json=duel(), timeout=PATIENCE).status_code
        ended = served.end(signal.SIGTERM)[0]
        assert -signal.SIGTERM == ended
        assert {503, 504} >= {one.result().status_code for one in endless}


def test_what_nobody_waits_for_any_more_is_stopped_and_the_server_can_be_stopped(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        with ThreadPoolExecutor(10) as threads:
            left = [
                threads.submit(
                    give_up,
                    f"{served.url}/api/battles",
                    trap("start", "endless", units=[{"id": f"{number}", "side": "red"}, {"id": "b", "side": "blue"}]),
                )
                for number in range(10)
            ]
            for one in left:
                one.result()
        assert 201 == httpx.post(f"{served.url}/api/battles", json=duel(), timeout=PATIENCE).status_code
        assert -signal.SIGTERM == served.end(signal.SIGTERM)[0]
