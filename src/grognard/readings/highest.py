"""Highest: the best dice of each of several groups that are rolled together."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import comb, prod
from typing import NamedTuple

from grognard.core.distributions import Distribution, collect
from grognard.core.readings import Faces, Fate, Pool, Reading


class Group(NamedTuple):
    """Dice that are read together, of any sizes, and how many of them are kept."""

    kept: int
    dice: tuple[Pool, ...]

    @property
    def size(self) -> int:
        """An upper bound on the number of different values: the number of ways to keep the highest dice."""
        kept = min(self.kept, sum(pool.count for pool in self.dice))
        faces = max((len(pool.die.faces) for pool in self.dice), default=1)
        return comb(faces + kept - 1, kept)


@dataclass(frozen=True, slots=True)
class Highest(Reading[tuple[tuple[int, ...], ...]]):
    """The highest dice of each group, from high to low. A group may keep none of its dice."""

    groups: tuple[Group, ...]

    @property
    def dice(self) -> tuple[Pool, ...]:
        """The pools of all groups, in order."""
        return tuple(pool for group in self.groups for pool in group.dice)

    @property
    def size(self) -> int:
        """An upper bound on the number of different values."""
        return prod(group.size for group in self.groups)

    def read(self, faces: Faces) -> tuple[tuple[int, ...], ...]:
        """The dice kept of each group."""
        shown = iter(faces)
        return tuple(
            tuple(sorted((int(face) for _ in group.dice for face in next(shown)), reverse=True)[: group.kept])
            for group in self.groups
        )

    def odds(self, fractions: bool = False) -> Distribution[tuple[tuple[int, ...], ...]]:
        """The product of the distributions of the groups, which are independent."""
        total = prod(len(pool.die.faces) ** pool.count for pool in self.dice)
        weights = self._weights()
        if fractions:
            return collect(weights, total)
        return collect((kept, ways / total) for kept, ways in weights)

    def fates(self, faces: Faces) -> tuple[tuple[Fate, ...], ...]:
        """A die that is kept wins, the others are unused."""
        shown = iter(faces)
        fates: list[tuple[Fate, ...]] = []
        for group in self.groups:
            pools = [next(shown) for _ in group.dice]
            ranked = sorted(
                ((pool, place) for pool, rolled in enumerate(pools) for place in range(len(rolled))),
                key=lambda die: -int(pools[die[0]][die[1]]),
            )
            kept = set(ranked[: group.kept])
            fates += [
                tuple(Fate.WINS if (pool, place) in kept else Fate.UNUSED for place in range(len(rolled)))
                for pool, rolled in enumerate(pools)
            ]
        return tuple(fates)

    def _weights(self) -> Iterator[tuple[tuple[tuple[int, ...], ...], int]]:
        for parts in product(*(_kept(group).items() for group in self.groups)):
            yield tuple(kept for kept, _ in parts), prod(ways for _, ways in parts)


def _kept(group: Group) -> dict[tuple[int, ...], int]:
    """The dice that may be kept of a group, with the number of rolls for each, by adding one die after another."""
    ways_to_keep: dict[tuple[int, ...], int] = {(): 1}
    for pool in group.dice:
        for _ in range(pool.count):
            onward: dict[tuple[int, ...], int] = {}
            for (kept, ways), face in product(ways_to_keep.items(), pool.die.faces):
                best = tuple(sorted((*kept, int(face)), reverse=True)[: group.kept])
                onward[best] = onward.get(best, 0) + ways
            ways_to_keep = onward
    return ways_to_keep
