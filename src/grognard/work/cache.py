"""A least-recently-used cache with a limit in bytes."""

from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class ByteCache(Generic[K, V]):
    """Values by key, up to a total number of bytes; the least recently used value is dropped first."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.used = 0
        self.values: OrderedDict[K, tuple[V, int]] = OrderedDict()

    def get(self, key: K) -> V | None:
        if key not in self.values:
            return None
        self.values.move_to_end(key)
        return self.values[key][0]

    def put(self, key: K, value: V, size: int) -> None:
        """Store a value of this size in bytes, unless it is larger than the whole cache."""
        self.drop(key)
        if size > self.size:
            return
        self.values[key] = (value, size)
        self.used += size
        while self.used > self.size:
            self.drop(next(iter(self.values)))

    def drop(self, key: K) -> None:
        if key in self.values:
            self.used -= self.values.pop(key)[1]

    def clear(self) -> None:
        self.values.clear()
        self.used = 0
