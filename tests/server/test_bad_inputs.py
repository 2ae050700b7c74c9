"""Bad inputs by the thousand, through files, HTTP and live battles: no crash, no 5xx, and no memory is kept."""

import random
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

from grognard.core.errors import BattleError
from grognard.files import battle_from_text
from tests.server.live.servers import Running, Table, serving_apart
from tests.server.live.servers import battle as example
from tests.soak import FACTOR, trying
from tests.spoilt import anything, garbled, spoilt

INPUTS = 50 if FACTOR == 1 else 1_000 * FACTOR
"""A tenth of all inputs in the long checks."""
KEPT = 64 * 1024**2
"""The bytes by which a process may have grown: what its caches may hold."""
ROW = "bad inputs through files, HTTP and live battles"
QUESTIONS = ("check", "odds", "advise", "play", "after", "luck", "attacks", "plan", "end-turn", "toml", "next-turn")


@pytest.mark.soak(ROW)
def test_nothing_but_faults_comes_from_the_file_reader() -> None:
    rng = random.Random(1)
    for _ in trying(range(6 * INPUTS)):
        with suppress(BattleError):
            battle_from_text(garbled(rng, spoilt(rng)).decode(errors="replace"))


@pytest.fixture
def apart(sqlite_database: str) -> Iterator[tuple[Running, int]]:
    with serving_apart(sqlite_database) as (server, process):
        yield server, process.pid


@pytest.fixture
def sqlite_database(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'battles.sqlite3'}"


def memory(server: int) -> list[int]:
    """The bytes of a server and of its workers."""
    workers = Path(f"/proc/{server}/task/{server}/children").read_text().split()
    pages = [int(Path(f"/proc/{process}/statm").read_text().split()[1]) for process in (server, *workers)]
    return [4096 * resident for resident in pages]


def no_crash(answer: httpx.Response) -> None:
    assert answer.status_code < 500, (answer.request.url, answer.request.content[:2_000], answer.text)


@pytest.mark.soak(ROW)
def test_no_request_is_answered_with_5xx_and_no_memory_is_kept(apart: tuple[Running, int]) -> None:
    (server, process), rng, before = apart, random.Random(2), [0]
    for number in trying(range(3 * INPUTS)):
        if number == INPUTS:
            before = memory(process)
        path = f"/api/{rng.choice((*QUESTIONS, 'battles'))}"
        body: Any = {"battle": spoilt(rng), **({"answers": anything(rng)} if rng.random() < 0.3 else {})}
        content = garbled(rng, body if rng.random() < 0.9 else anything(rng))
        no_crash(server.client.post(path, content=content, headers={"Content-Type": "application/json"}))
    assert max(memory(process)) < max(before) + KEPT


@pytest.mark.soak(ROW)
def test_no_act_in_a_live_battle_is_answered_with_5xx_and_its_players_play_on(apart: tuple[Running, int]) -> None:
    (server, process), rng, before = apart, random.Random(3), [0]
    table = server.open(example("tower", "02"))
    table.add_numbers()
    for number in trying(range(INPUTS)):
        if number == INPUTS // 3:
            before = memory(process)
        no_crash(wrong_act(rng, table))
    assert max(memory(process)) < max(before) + KEPT
    assert table.play()["question"] is None


def wrong_act(rng: random.Random, table: Table) -> httpx.Response:
    """Something at a table that is wrong, or at least of no use to anybody."""
    key = rng.choice([*table.keys.values(), "x"])
    battle = table.id if rng.random() < 0.9 else str(rng.choice(("other", "é", "..", "0" * 200)))
    params = {"since": str(anything(rng, 0))[:50].encode("ascii", "replace")} if rng.random() < 0.3 else {}
    url, headers = f"/api/battles/{battle}", {"Authorization": f"Bearer {key}"}
    if rng.random() < 0.3:
        return table.server.client.get(url, params=params, headers=headers)
    what = rng.choice(("answers", "numbers", "clock", "next", "flag"))
    body: Any = anything(rng) if rng.random() < 0.3 else {"number": 1, rng.choice(("choose", "roll")): anything(rng)}
    content = garbled(rng, body if what != "clock" else {"seconds": anything(rng)})
    headers["Content-Type"] = "application/json"
    return table.server.client.post(f"{url}/{what}", params=params, headers=headers, content=content)
