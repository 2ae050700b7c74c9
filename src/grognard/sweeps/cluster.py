"""A Dask cluster: the same chunks, worked out by whatever workers its scheduler has."""

from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from queue import Empty, Queue
from typing import Any

from grognard.core.errors import GrognardError
from grognard.sweeps.plan import Plan
from grognard.sweeps.work import Packed, Results, task, work_out

PATIENCE = 10
"""Seconds after which a scheduler, or any worker of it, is taken to be gone."""
AHEAD = 4
"""So many chunks wait for each thread of the cluster, no more: memory stays flat."""


class ClusterError(GrognardError):
    """A cluster that cannot be used."""


def connect(address: str) -> Any:
    """A client of the scheduler at this address, once it has a worker."""
    try:
        from distributed import Client
    except ImportError:
        raise ClusterError("--on needs Dask: pip install 'grognard[cluster]'") from None
    try:
        client: Any = Client(address, timeout=PATIENCE, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, ValueError, TypeError) as error:  # TimeoutError is an OSError
        why = str(error) or "no answer"
        raise ClusterError(f"{address}: there is no scheduler: {why}") from None
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except OSError:
        client.close()
        raise ClusterError(f"{address}: the scheduler has no worker") from None
    return client


def on_cluster(plan: Plan, chunks: Iterator[int], address: str) -> Results:
    """All chunks, by the workers of a scheduler."""
    client = connect(address)
    try:
        yield from _Asked(plan, chunks, address, client).results()
    finally:
        with suppress(Exception):  # the scheduler may be gone
            client.close(timeout=2)


class _Asked:
    """The chunks that the cluster is at."""

    def __init__(self, plan: Plan, chunks: Iterator[int], address: str, client: Any) -> None:
        self.plan, self.chunks, self.address, self.client = plan, chunks, address, client
        self.futures: dict[str, tuple[int, Any]] = {}
        self.done: Queue[Any] = Queue()

    def results(self) -> Results:
        """The chunks as they are done."""
        self._ask(AHEAD * max(1, sum(self.client.nthreads().values())))
        while self.futures:
            future = self._next()
            chunk, _ = self.futures.pop(future.key)
            yield chunk, self._result(future)
            self._ask(1)

    def _ask(self, number: int) -> None:
        for chunk in islice(self.chunks, number):
            future = self.client.submit(work_out, self.plan.told, task(self.plan, chunk), pure=False)
            self.futures[future.key] = chunk, future
            future.add_done_callback(self.done.put)

    def _next(self) -> Any:
        """Wait for a chunk as long as there is anybody to do it."""
        waited = 0
        while True:
            try:
                return self.done.get(timeout=1)
            except Empty:
                waited = 0 if self.client.status == "running" and self.client.nthreads() else waited + 1
            if waited >= PATIENCE:
                raise ClusterError(f"{self.address}: the scheduler has no worker any more")

    def _result(self, future: Any) -> Packed:
        if future.status == "cancelled":
            raise ClusterError(f"{self.address}: the scheduler is gone")
        try:
            numbers, texts = future.result()
        except GrognardError:
            raise
        except ModuleNotFoundError as error:
            raise ClusterError(f"{self.address}: its workers cannot work this out: {error}") from None
        except Exception as error:
            raise ClusterError(f"{self.address}: a worker broke: {type(error).__name__}: {error}") from error
        return Packed(numbers, texts)
