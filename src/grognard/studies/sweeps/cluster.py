"""A Dask cluster, whose workers solve the chunks of a sweep."""

import logging
import re
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import suppress
from itertools import islice
from queue import Empty, Queue
from socket import create_connection
from typing import Any

from grognard.core.errors import GrognardError
from grognard.core.lazy import require_library
from grognard.studies.sweeps.plan import Plan
from grognard.studies.sweeps.work import Packed, Results, solve_rows, task

PATIENCE = 10
"""The timeout for an answer of the scheduler, in seconds."""
WORKERS_WITHIN = 30
"""The timeout for a first worker, in seconds."""
TRIES = 3
"""The number of tries for a chunk."""
AHEAD = 4
"""The most chunks submitted for each thread of the cluster, so that memory is bounded."""

_ADDRESS = re.compile(r"(?:tcp|tls|ws|wss|ucx)://(?P<host>[^/:\s]+|\[[0-9a-fA-F:.]+\]):(?P<port>\d{1,6})")


class ClusterError(GrognardError):
    """A cluster that cannot be used."""


def connect(address: str) -> Any:
    """A client of the scheduler at this address, once it has a worker."""
    require_library("distributed", "grognard[cluster]")
    from distributed import Client

    match = _ADDRESS.fullmatch(address)
    if not match:
        raise ClusterError(f"{address}: is not the address of a scheduler, such as tcp://host:8786")
    try:
        with create_connection((match["host"].strip("[]"), int(match["port"])), PATIENCE):
            pass  # check first: a client is slow to notice that there is no scheduler
        client: Any = Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, OverflowError) as error:  # OverflowError: a port that is no port
        why = getattr(error, "strerror", None) or str(error) or "no answer"
        raise ClusterError(f"{address}: there is no scheduler: {why}") from None
    try:
        client.wait_for_workers(1, timeout=WORKERS_WITHIN)
    except OSError:
        client.close()
        raise ClusterError(f"{address}: the scheduler has no worker") from None
    return client


def solve_on_cluster(plan: Plan, chunks: Iterator[int], address: str) -> Results:
    client = connect(address)
    logger = logging.getLogger("distributed.client")
    level = logger.level
    logger.setLevel(logging.CRITICAL)  # we report a lost scheduler ourselves
    try:
        yield from _SubmittedChunks(plan, chunks, address, client).results()
    finally:
        with suppress(Exception):  # the scheduler may be gone
            client.close(timeout=2)
        logger.setLevel(level)


class _SubmittedChunks:
    """The chunks that the cluster is working on."""

    def __init__(self, plan: Plan, chunks: Iterator[int], address: str, client: Any) -> None:
        self.plan, self.chunks, self.address, self.client = plan, chunks, address, client
        self.futures: dict[str, tuple[int, Any]] = {}
        self.done: Queue[Any] = Queue()
        self.lost: Counter[int] = Counter()

    def results(self) -> Results:
        for chunk in islice(self.chunks, AHEAD * max(1, sum(self.client.nthreads().values()))):
            self._submit(chunk)
        while self.futures:
            future = self._next()
            chunk, _ = self.futures.pop(future.key)
            packed = self._result(chunk, future)
            if packed is not None:
                yield chunk, packed
                for further in islice(self.chunks, 1):
                    self._submit(further)

    def _submit(self, chunk: int) -> None:
        try:
            future = self.client.submit(solve_rows, self.plan.as_json, task(self.plan, chunk), pure=False)
        except Exception as error:
            raise ClusterError(f"{self.address}: the scheduler is gone: {error}") from None
        self.futures[future.key] = chunk, future
        future.add_done_callback(self.done.put)

    def _next(self) -> Any:
        """Wait for the next chunk; an error if the cluster has no workers for too long."""
        waited = 0
        while True:
            try:
                return self.done.get(timeout=1)
            except Empty:
                waited = 0 if self.client.status == "running" and self.client.nthreads() else waited + 1
            if waited >= WORKERS_WITHIN:
                raise ClusterError(f"{self.address}: the scheduler has no worker any more")

    def _result(self, chunk: int, future: Any) -> Packed | None:
        """The result of a chunk; None if the chunk was lost and is submitted again."""
        try:
            numbers, texts = future.result()
        except GrognardError:
            raise
        except ModuleNotFoundError as error:
            raise ClusterError(f"{self.address}: its workers cannot work this out: {error}") from None
        except (OSError, CancelledError):
            self.lost[chunk] += 1
            if self.client.status != "running" or self.lost[chunk] >= TRIES:
                raise ClusterError(f"{self.address}: the scheduler is gone") from None
            self._submit(chunk)
            return None
        except Exception as error:
            raise ClusterError(f"{self.address}: a worker broke: {type(error).__name__}: {error}") from error
        return Packed(numbers, texts)
