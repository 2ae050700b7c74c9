"""Workers reply, and are stopped, killed and replaced; nothing they do takes the pool with it."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from grognard.work.pool import BackgroundPool, Busy, Lost, Pool, Reply, TooLong
from tests.server.running import PATIENCE

STUB = [sys.executable, str(Path(__file__).with_name("stub_worker.py"))]


@asynccontextmanager
async def pool(size: int = 1, capacity: int = 8, start: list[str] = STUB) -> AsyncIterator[Pool]:
    found = Pool(start, size, PATIENCE, capacity, PATIENCE)
    found.open()
    try:
        yield found
    finally:
        await found.close()


async def until(is_so: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not is_so():
            await asyncio.sleep(0.01)


async def put_to_work(workers: Pool, question: bytes) -> "asyncio.Task[Reply]":
    """Ask, and wait until a worker is at it."""
    asking = asyncio.create_task(workers.run(question))
    await asyncio.sleep(0)  # it has asked
    await until(lambda: not len(workers.queue))
    return asking


async def answering_process(workers: Pool) -> int:
    return int((await workers.run(b"who are you?")).body)


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def run(test: Awaitable[None]) -> None:
    async def in_loop() -> None:
        await test

    asyncio.run(in_loop())


def test_one_worker_answers_one_question_after_the_other() -> None:
    async def check() -> None:
        async with pool() as workers:
            assert await answering_process(workers) == await answering_process(workers)

    run(check())


def test_several_workers_answer_side_by_side() -> None:
    async def check() -> None:
        async with pool(size=2) as workers:
            sleeping = await put_to_work(workers, b"sleep")
            await answering_process(workers)
            assert not sleeping.done()
            sleeping.cancel()

    run(check())


@pytest.mark.soak("workers that die, hang or break", faults=1, again=True)
def test_a_question_that_takes_too_long_is_killed_and_the_next_is_answered() -> None:
    async def check() -> None:
        async with pool() as workers:
            first = await answering_process(workers)
            workers.seconds = 0.1
            with pytest.raises(TooLong):
                await workers.run(b"sleep")
            workers.seconds = PATIENCE
            assert first != await answering_process(workers)
            assert not is_running(first)

    run(check())


@pytest.mark.soak("workers that die, hang or break", faults=1, again=True)
@pytest.mark.parametrize("question", [b"die", b"die half way"])
def test_a_worker_that_dies_is_replaced(question: bytes) -> None:
    async def check() -> None:
        async with pool() as workers:
            restarts: list[str] = []
            workers.on_restart = restarts.append
            first = await answering_process(workers)
            with pytest.raises(Lost):
                await workers.run(question)
            assert first != await answering_process(workers)
            assert ["lost"] == restarts

    run(check())


@pytest.mark.soak("workers that die, hang or break", faults=1, again=True)
def test_a_worker_that_ended_while_nobody_asked_is_replaced_before_anybody_notices() -> None:
    async def check() -> None:
        async with pool() as workers:
            first = await answering_process(workers)
            os.kill(first, signal.SIGKILL)
            await until(lambda: not is_running(first))
            assert first != await answering_process(workers)

    run(check())


def test_a_worker_that_never_gets_ready_is_told_for_every_question() -> None:
    async def check() -> None:
        async with pool(start=[*STUB, "stillborn"]) as workers:
            for _ in range(2):
                with pytest.raises(Lost):
                    await workers.run(b"who are you?")

    run(check())


@pytest.mark.soak("workers that die, hang or break", faults=1, again=True)
def test_cancelling_a_question_frees_its_worker() -> None:
    async def check() -> None:
        async with pool() as workers:
            first = await answering_process(workers)
            asking = await put_to_work(workers, b"sleep")
            asking.cancel()
            assert first != await answering_process(workers)
            assert not is_running(first)

    run(check())


def test_a_question_cancelled_while_it_waits_is_never_worked_out() -> None:
    async def check() -> None:
        async with pool() as workers:
            await answering_process(workers)
            sleeping = await put_to_work(workers, b"sleep")
            waiting = asyncio.create_task(workers.run(b"die"))
            await until(lambda: len(workers.queue) == 1)
            waiting.cancel()
            sleeping.cancel()
            assert await answering_process(workers)

    run(check())


def test_questions_beyond_those_that_may_wait_are_refused() -> None:
    async def check() -> None:
        async with pool(capacity=1) as workers:
            sleeping = await put_to_work(workers, b"sleep")
            waiting = asyncio.create_task(workers.run(b"who are you?"))
            await until(lambda: len(workers.queue) == 1)
            with pytest.raises(Busy):
                await workers.run(b"who are you?")
            sleeping.cancel()
            assert (await waiting).status == "done"

    run(check())


def test_a_question_that_waits_for_too_long_is_refused() -> None:
    async def check() -> None:
        async with pool() as workers:
            await answering_process(workers)
            sleeping = await put_to_work(workers, b"sleep")
            workers.queue_seconds = 0.05
            with pytest.raises(Busy):
                await workers.run(b"who are you?")
            sleeping.cancel()

    run(check())


def test_no_worker_outlives_its_pool() -> None:
    async def check() -> None:
        async with pool() as workers:
            process = await answering_process(workers)
            assert is_running(process)
        assert not is_running(process)

    run(check())


def test_of_idle_workers_the_one_that_worked_last_gets_the_next_question() -> None:
    async def check() -> None:
        async with pool(2) as workers:
            await until(lambda: len(workers.queue.idle) == 2)
            assert 1 == len({await answering_process(workers) for _ in range(4)})

    run(check())


def test_questions_with_the_same_affinity_go_to_the_same_worker_if_it_is_idle() -> None:
    async def check() -> None:
        async with pool(2) as workers:
            processes: dict[str, bytes] = {}
            for _ in range(2):
                for affinity in ("one", "two", "three", "four", "five"):
                    await until(lambda: len(workers.queue.idle) == 2)
                    job = workers.start(b"who are you?", affinity=affinity)
                    process = (await job.reply).body
                    assert process == processes.setdefault(affinity, process)
            assert 2 == len(set(processes.values()))

    run(check())


def test_owners_take_turns_whoever_asked_first() -> None:
    async def check() -> None:
        async with pool(capacity=100) as workers:
            await answering_process(workers)
            sleeping = await put_to_work(workers, b"sleep")
            order: list[str] = []

            async def ask(owner: str) -> None:
                await workers.run(b"who are you?", owner)
                order.append(owner)

            asking = [asyncio.create_task(ask(owner)) for owner in ("many", "many", "many", "one", "other")]
            await until(lambda: len(workers.queue) == 5)
            sleeping.cancel()
            await asyncio.gather(*asking)
            assert ["many", "one", "other", "many", "many"] == order

    run(check())


def test_an_owner_with_his_share_of_workers_leaves_the_others_to_others() -> None:
    async def check() -> None:
        async with pool(size=2, capacity=100) as workers:
            workers.most_per_owner = 1
            greedy = [asyncio.create_task(workers.run(b"sleep", "many")) for _ in range(2)]
            await until(lambda: len(workers.queue) == 1)
            assert "done" == (await workers.run(b"who are you?", "one")).status
            assert 1 == len(workers.queue)
            greedy[0].cancel()
            await until(lambda: not len(workers.queue))
            greedy[1].cancel()

    run(check())


def test_no_owner_takes_more_than_half_of_the_queue() -> None:
    async def check() -> None:
        async with pool(capacity=4) as workers:
            await answering_process(workers)
            sleeping = await put_to_work(workers, b"sleep")
            asking = [asyncio.create_task(workers.run(b"who are you?", "many")) for _ in range(3)]
            await until(lambda: len(workers.queue) == 3)
            with pytest.raises(Busy):
                await workers.run(b"who are you?", "many")
            asking.append(asyncio.create_task(workers.run(b"who are you?", "one")))
            await until(lambda: len(workers.queue) == 4)
            sleeping.cancel()
            assert ["done"] * 4 == [reply.status for reply in await asyncio.gather(*asking)]

    run(check())


def test_those_who_leave_make_room_in_the_queue_at_once() -> None:
    async def check() -> None:
        async with pool(capacity=2) as workers:
            await answering_process(workers)
            sleeping = await put_to_work(workers, b"sleep")
            waiting = [asyncio.create_task(workers.run(b"who are you?")) for _ in range(2)]
            await until(lambda: len(workers.queue) == 2)
            for task in waiting:
                task.cancel()
            await asyncio.wait(waiting)
            assert 0 == len(workers.queue)
            sleeping.cancel()
            assert "done" == (await workers.run(b"who are you?")).status

    run(check())


def test_a_pool_in_the_background_replies_to_code_without_a_loop_and_ends_its_workers() -> None:
    with BackgroundPool(STUB, 2, first=b"who are you?") as workers:
        processes = {int(workers.submit(b"who are you?").result(PATIENCE).body) for _ in range(4)}
        with pytest.raises(Lost):
            workers.submit(b"die").result(PATIENCE)
        sleeping = workers.submit(b"sleep")
    assert isinstance(sleeping.exception(), Busy)
    assert not any(is_running(process) for process in processes)
