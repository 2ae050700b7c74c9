"""Sweeps: two pools of dice placed from the highest face down; one pass answers for all smaller pools too."""

from collections.abc import Callable
from functools import partial
from math import prod
from typing import NamedTuple, Protocol

from numpy.typing import NDArray

from grognard.readings.arithmetic import Arithmetic, Chances, Counts, Number, Weights
from grognard.readings.pools import Pools

SMALL = 100_000
"""Pools whose joined table has no more numbers are swept together, however little they have in common."""
ROOM = 4_000_000
"""How many numbers the tables that one kind of sweep keeps may hold together."""


class Walk(Protocol):
    """A way of comparing dice, as what happens on each face."""

    def __call__(self, how: Arithmetic[Number]) -> NDArray[Number]:
        """The table after the lowest face."""
        ...


class Swept(NamedTuple):
    """A finished sweep: the pools it was made for, and what any pools up to these come to."""

    pools: Pools
    weights: Callable[[int, int], Weights]


class Sweep:
    """One kind of sweep. The largest made with a pair of dice is kept, and serves every smaller pool."""

    def __init__(self, walk: Walk, bounds: Callable[[Pools], tuple[int, ...]]) -> None:
        self._walk = walk
        self._bounds = bounds
        self._kept: dict[tuple[int, int, bool], Swept] = {}

    def size(self, pools: Pools) -> int:
        """How many numbers it takes: the table, and the chances of placing dice."""
        attack, defence = pools.attack + 1, pools.defence + 1
        placing = attack**2 * pools.attack_die + defence**2 * pools.defence_die
        return attack * defence * prod(self._bounds(pools)) + placing

    def weights(self, pools: Pools, fractions: bool) -> Weights:
        """What these pools come to."""
        key = pools.attack_die, pools.defence_die, fractions
        swept = self._kept.get(key)
        if swept is None or not swept.pools.cover(pools):
            joined = swept.pools.joined(pools) if swept else pools
            fits = self.size(joined) <= max(SMALL, 2 * self.size(pools))
            swept = self._sweep(joined if fits else pools, fractions)
            self._keep(key, swept)
        return swept.weights(pools.attack, pools.defence)

    def _sweep(self, pools: Pools, fractions: bool) -> Swept:
        bounds = self._bounds(pools)
        if fractions:
            counts = Counts(pools, bounds)
            return Swept(pools, partial(counts.weights, self._walk(counts)))
        chances = Chances(pools, bounds)
        return Swept(pools, partial(chances.weights, self._walk(chances)))

    def _keep(self, key: tuple[int, int, bool], newest: Swept) -> None:
        """Keep the newest, and of the others those it leaves room for; threads see the old ones or the new."""
        kept = {key: newest}
        room = ROOM - self.size(newest.pools)
        for other_key, other in self._kept.items():
            if other_key != key and self.size(other.pools) <= room:
                room -= self.size(other.pools)
                kept[other_key] = other
        self._kept = kept
