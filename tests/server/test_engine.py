"""Known questions are answered at once, equal ones are worked out once, and work that nobody waits for is stopped."""

import asyncio
from collections.abc import Awaitable
from pathlib import Path

import httpx
import pytest

from grognard.core.systems import Json
from grognard.server.asking import Cache, Desk
from grognard.server.settings import Limits, Settings
from grognard.server.workers import Answer, Pool, TooLong
from tests.server.running import Running, crowd, duel, running, until


class Counting(Pool):
    """Counts what it is asked; an answer comes once it is let go."""

    def __init__(self, status: int = 200) -> None:
        self.status = status
        self.asked: list[bytes] = []
        self.cancelled = 0
        self.may_answer = asyncio.Event()

    async def ask(self, question: bytes) -> Answer:
        self.asked.append(question)
        try:
            await self.may_answer.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        if self.status == 504:
            raise TooLong(1)
        return Answer(self.status, b"{}", False)


def desk_with(pool: Counting, cache: int = 1_000) -> Desk:
    desk = Desk(Settings(database="sqlite://", limits=Limits(cache=cache)))
    desk.long = desk.quick = pool
    return desk


def run(test: Awaitable[None]) -> None:
    async def in_loop() -> None:
        await test

    asyncio.run(in_loop())


def about(**more: object) -> Json:
    return {"battle": duel(), **more}


def test_two_equal_questions_at_once_are_worked_out_once() -> None:
    async def check() -> None:
        pool = Counting()
        desk = desk_with(pool)
        asking = [asyncio.create_task(desk.ask("odds", about())) for _ in range(2)]
        await asyncio.sleep(0)
        pool.may_answer.set()
        assert [answer.status for answer in await asyncio.gather(*asking)] == [200, 200]
        assert len(pool.asked) == 1

    run(check())


def test_the_order_of_keys_makes_no_other_question_of_odds_but_of_a_file_to_be_written() -> None:
    async def check() -> None:
        pool = Counting()
        pool.may_answer.set()
        desk = desk_with(pool)
        turned = dict(reversed(duel().items()))
        for ask in ("odds", "toml"):
            await desk.ask(ask, {"battle": duel()})
            await desk.ask(ask, {"battle": turned})
        assert len(pool.asked) == 3

    run(check())


@pytest.mark.parametrize(("status", "times"), [(200, 1), (422, 1), (499, 2), (500, 2)])
def test_an_answer_is_kept_if_it_would_be_the_same_again(status: int, times: int) -> None:
    async def check() -> None:
        pool = Counting(status)
        pool.may_answer.set()
        desk = desk_with(pool)
        for _ in range(2):
            assert (await desk.ask("odds", about())).status == status
        assert len(pool.asked) == times

    run(check())


def test_a_question_that_took_too_long_is_tried_again_and_both_who_waited_are_told() -> None:
    async def check() -> None:
        pool = Counting(504)
        pool.may_answer.set()
        desk = desk_with(pool)
        asking = [asyncio.create_task(desk.ask("odds", about())) for _ in range(2)]
        found = await asyncio.gather(*asking, return_exceptions=True)
        assert [type(error) for error in found] == [TooLong, TooLong]
        with pytest.raises(TooLong):
            await desk.ask("odds", about())
        assert len(pool.asked) == 2

    run(check())


def test_work_goes_on_while_anybody_waits_and_stops_when_nobody_does() -> None:
    async def check() -> None:
        pool = Counting()
        desk = desk_with(pool)
        first, second = (asyncio.create_task(desk.ask("odds", about())) for _ in range(2))
        await asyncio.sleep(0)
        first.cancel()
        await asyncio.wait({first})
        assert (pool.cancelled, len(desk.work)) == (0, 1)
        second.cancel()
        await asyncio.wait({second})
        third = asyncio.create_task(desk.ask("odds", about()))  # an equal one, before the work has even ended
        await asyncio.sleep(0)
        pool.may_answer.set()
        assert (await third).status == 200
        assert (pool.cancelled, len(pool.asked), desk.work) == (1, 2, {})

    run(check())


def test_the_cache_drops_what_was_not_asked_for_the_longest() -> None:
    cache = Cache(3)
    for key in (b"a", b"b", b"c"):
        cache.put(key, Answer(200, b"1", False))
    assert cache.get(b"a") is not None
    cache.put(b"d", Answer(200, b"1", False))
    cache.put(b"large", Answer(200, b"1234", False))
    assert (list(cache.answers), cache.held) == ([b"c", b"a", b"d"], 3)


def test_a_question_already_answered_needs_no_worker(server: Running) -> None:
    first = server.client.post("/api/odds", json=duel(3, 4))
    known = len(server.desk.cache.answers)
    assert server.client.post("/api/odds", json=duel(3, 4)).content == first.content
    assert len(server.desk.cache.answers) == known


def test_a_question_that_takes_too_long_is_504_and_the_next_is_answered(tmp_path: Path) -> None:
    with running(tmp_path, seconds=0.5) as server:
        answer = server.client.post("/api/odds", json=crowd(20))
        (fault,) = answer.json()["faults"]
        assert (answer.status_code, fault["place"]) == (504, "")
        assert "simulate" in fault["message"]
        assert server.client.post("/api/odds", json=duel()).status_code == 200


def test_the_work_for_a_client_that_goes_away_is_stopped(tmp_path: Path) -> None:
    with running(tmp_path, seconds=10_000) as server:
        with httpx.Client(base_url=server.client.base_url, timeout=0.5) as impatient, pytest.raises(httpx.ReadTimeout):
            impatient.post("/api/odds", json=crowd(20))
        until(lambda: not server.desk.work)
        assert server.client.post("/api/odds", json=duel()).status_code == 200  # by the only worker


def test_too_many_questions_are_503_with_when_to_try_again(tmp_path: Path) -> None:
    with running(tmp_path, waiting=0) as server:
        answer = server.client.post("/api/odds", json=duel())
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "2")
        assert answer.json() == {"faults": [{"place": "", "message": "too many questions wait already"}]}
