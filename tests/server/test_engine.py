"""Known tasks are answered at once, equal ones are run once, and one that nobody waits for is stopped."""

import asyncio
import json
import socket
from collections.abc import Awaitable
from pathlib import Path

import httpx
import pytest

from grognard.core.systems import Json
from grognard.server.engine import Engine
from grognard.server.monitor import Monitor
from grognard.server.settings import Limits, Settings
from grognard.work.cache import ByteCache
from grognard.work.pool import Job, Pool, Reply, TooLong
from grognard.work.worker import Status
from tests.server.running import PATIENCE, Running, crowd, duel, running, until


class Counting(Pool):
    """Counts what it is asked; a reply comes once it is let go."""

    def __init__(self, status: Status | None = Status.DONE) -> None:
        self.status = status
        self.asked: list[bytes] = []
        self.cancelled = 0
        self.may_answer = asyncio.Event()

    def start(self, task: bytes, owner: str = "", affinity: str = "") -> Job:
        self.asked.append(task)
        job = Job(task, owner, affinity)
        self.working = asyncio.create_task(self._reply(job))
        return job

    def end(self, job: Job) -> None:
        self.cancelled += job.reply.cancel()

    async def _reply(self, job: Job) -> None:
        await self.may_answer.wait()
        if self.status is None:
            job.fail(TooLong(1))
        elif not job.reply.done():
            job.reply.set_result(Reply(self.status, b"{}"))


def engine_with(pool: Counting, cache: int = 1_000) -> Engine:
    engine = Engine(Settings(database="sqlite://", limits=Limits(reply_cache=cache)), Monitor())
    engine.long = engine.quick = pool
    return engine


def run(test: Awaitable[None]) -> None:
    async def in_loop() -> None:
        await test

    asyncio.run(in_loop())


def about(**more: object) -> Json:
    return {"battle": duel(), **more}


def test_two_equal_questions_at_once_are_worked_out_once() -> None:
    async def check() -> None:
        pool = Counting()
        engine = engine_with(pool)
        asking = [asyncio.create_task(engine.run("odds", about())) for _ in range(2)]
        await asyncio.sleep(0)
        pool.may_answer.set()
        assert [reply.status for reply in await asyncio.gather(*asking)] == ["done", "done"]
        assert len(pool.asked) == 1

    run(check())


def test_the_order_of_keys_makes_no_other_question_of_odds_but_of_a_file_to_be_written() -> None:
    async def check() -> None:
        pool = Counting()
        pool.may_answer.set()
        engine = engine_with(pool)
        turned = dict(reversed(duel().items()))
        for ask in ("odds", "toml"):
            await engine.run(ask, {"battle": duel()})
            await engine.run(ask, {"battle": turned})
        assert len(pool.asked) == 3

    run(check())


@pytest.mark.parametrize(
    ("status", "times"),
    [(Status.DONE, 1), (Status.REFUSED, 1), (Status.MEMORY, 2), (Status.STOPPED, 2), (Status.BROKEN, 2)],
)
def test_a_reply_is_kept_if_it_would_be_the_same_again(status: Status, times: int) -> None:
    async def check() -> None:
        pool = Counting(status)
        pool.may_answer.set()
        engine = engine_with(pool)
        for _ in range(2):
            assert (await engine.run("odds", about())).status == status
        assert len(pool.asked) == times

    run(check())


def test_a_question_that_took_too_long_is_tried_again_and_both_who_waited_are_told() -> None:
    async def check() -> None:
        pool = Counting(None)
        pool.may_answer.set()
        engine = engine_with(pool)
        asking = [asyncio.create_task(engine.run("odds", about())) for _ in range(2)]
        found = await asyncio.gather(*asking, return_exceptions=True)
        assert [type(error) for error in found] == [TooLong, TooLong]
        with pytest.raises(TooLong):
            await engine.run("odds", about())
        assert len(pool.asked) == 2

    run(check())


def test_work_goes_on_while_anybody_waits_and_stops_when_nobody_does() -> None:
    async def check() -> None:
        pool = Counting()
        engine = engine_with(pool)
        first, second = (asyncio.create_task(engine.run("odds", about())) for _ in range(2))
        await asyncio.sleep(0)
        first.cancel()
        await asyncio.wait({first})
        assert (pool.cancelled, len(engine.jobs)) == (0, 1)
        second.cancel()
        await asyncio.wait({second})
        third = asyncio.create_task(engine.run("odds", about()))  # an equal one, before the work has even ended
        await asyncio.sleep(0)
        pool.may_answer.set()
        assert (await third).status == "done"
        assert (pool.cancelled, len(pool.asked), engine.jobs) == (1, 2, {})

    run(check())


@pytest.mark.parametrize(
    ("armies", "answers", "more", "long"), [(500, 400, {}, 1), (500, 400, {"known": 399}, 0), (5, 400, {}, 0)]
)
def test_all_of_a_large_live_battle_may_take_long_and_holds_up_nobody_who_plays(
    armies: int, answers: int, more: Json, long: int
) -> None:
    battle = {**duel(), "arrivals": [{"player": f"P{number}", "side": "attack"} for number in range(armies)]}

    async def check() -> None:
        engine = engine_with(Counting())
        engine.long, engine.quick = pools = [Counting(), Counting()]
        for pool in pools:
            pool.may_answer.set()
        await engine.run("live", {"battle": battle, "answers": [{"choose": "yes"}] * answers, **more})
        assert [long, 1 - long] == [len(pool.asked) for pool in pools]

    run(check())


def test_the_cache_drops_what_was_not_used_for_the_longest() -> None:
    cache: ByteCache[str, int] = ByteCache(3)
    for key in "abc":
        cache.put(key, 7, 1)
    assert 7 == cache.get("a")
    cache.put("d", 7, 1)
    cache.put("large", 7, 4)
    assert (["c", "a", "d"], 3) == (list(cache.values), cache.used)
    cache.put("a", 8, 2)
    assert (["d", "a"], 3, 8) == (list(cache.values), cache.used, cache.get("a"))


def test_a_question_already_answered_needs_no_worker(server: Running) -> None:
    first = server.client.post("/api/odds", json=duel(3, 4))
    known = len(server.engine.cache.values)
    assert server.client.post("/api/odds", json=duel(3, 4)).content == first.content
    assert len(server.engine.cache.values) == known


def test_a_question_that_takes_too_long_is_504_and_the_next_is_answered(tmp_path: Path) -> None:
    with running(tmp_path, seconds=3) as server:
        answer = server.client.post("/api/odds", json=crowd(20))
        (fault,) = answer.json()["faults"]
        assert (answer.status_code, fault["place"]) == (504, "")
        assert "simulate" in fault["message"]
        until(lambda: server.client.post("/api/odds", json=duel()).status_code == 200)


def test_the_work_for_a_client_that_goes_away_is_stopped(tmp_path: Path) -> None:
    with running(tmp_path, seconds=10_000) as server:
        with httpx.Client(base_url=server.client.base_url, timeout=0.5) as impatient, pytest.raises(httpx.ReadTimeout):
            impatient.post("/api/odds", json=crowd(20))
        until(lambda: not server.engine.jobs)
        assert server.client.post("/api/odds", json=duel()).status_code == 200  # by the only worker


def test_the_long_questions_of_a_client_leave_a_worker_to_the_others(tmp_path: Path) -> None:
    with (
        running(tmp_path, workers=2, seconds=10_000) as server,
        httpx.Client(transport=httpx.HTTPTransport(local_address="127.0.0.2"), timeout=PATIENCE) as another,
        socket.create_connection(("127.0.0.1", server.port)) as first,
        socket.create_connection(("127.0.0.1", server.port)) as second,
    ):
        for connection, units in ((first, 20), (second, 21)):
            body = json.dumps(crowd(units)).encode()
            head = "POST /api/odds HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            connection.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        until(lambda: len(server.engine.jobs) == 2)
        assert 200 == another.post(f"http://127.0.0.1:{server.port}/api/odds", json=duel()).status_code
        assert 1 == len(server.engine.long.queue)


def test_too_many_questions_are_503_with_when_to_try_again(tmp_path: Path) -> None:
    with running(tmp_path, queue=0) as server:
        answer = server.client.post("/api/odds", json=duel())
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "2")
        assert answer.json() == {
            "faults": [{"place": "", "message": "too many questions wait already", "code": "busy"}]
        }
