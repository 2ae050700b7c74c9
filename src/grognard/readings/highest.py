"""Highest: the best dice of each of several groups that are rolled together."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import comb, prod
from typing import NamedTuple

from grognard.core.distributions import Distribution, collect
from grognard.core.readings import Faces, Fate, Handful, Reading


class Group(NamedTuple):
    """Dice that are read together, whatever their sizes, and how many of them are kept."""

    kept: int
    dice: tuple[Handful, ...]

    @property
    def size(self) -> int:
        """A bound on the number of its readings: so many ways there are to keep the highest."""
        kept = min(self.kept, sum(handful.count for handful in self.dice))
        faces = max((len(handful.die.faces) for handful in self.dice), default=1)
        return comb(faces + kept - 1, kept)


@dataclass(frozen=True, slots=True)
class Highest(Reading[tuple[tuple[int, ...], ...]]):
    """The highest dice of each group, from high to low; a group of which none is kept is rolled and not read."""

    groups: tuple[Group, ...]

    @property
    def dice(self) -> tuple[Handful, ...]:
        """The handfuls of one group after the other."""
        return tuple(handful for group in self.groups for handful in group.dice)

    @property
    def size(self) -> int:
        """A bound on the number of readings."""
        return prod(group.size for group in self.groups)

    def read(self, faces: Faces) -> tuple[tuple[int, ...], ...]:
        """What is kept of each group."""
        shown = iter(faces)
        return tuple(
            tuple(sorted((int(face) for _ in group.dice for face in next(shown)), reverse=True)[: group.kept])
            for group in self.groups
        )

    def odds(self, exact: bool = False) -> Distribution[tuple[tuple[int, ...], ...]]:
        """Groups are independent: the ways of each are multiplied."""
        total = prod(len(handful.die.faces) ** handful.count for handful in self.dice)
        weights = self._weights()
        if exact:
            return collect(weights, total)
        return collect((kept, ways / total) for kept, ways in weights)

    def fates(self, faces: Faces) -> tuple[tuple[Fate, ...], ...]:
        """A die that is kept wins."""
        shown = iter(faces)
        told: list[tuple[Fate, ...]] = []
        for group in self.groups:
            hands = [next(shown) for _ in group.dice]
            ranked = sorted(
                ((hand, place) for hand, rolled in enumerate(hands) for place in range(len(rolled))),
                key=lambda die: -int(hands[die[0]][die[1]]),
            )
            kept = set(ranked[: group.kept])
            told += [
                tuple(Fate.WINS if (hand, place) in kept else Fate.UNUSED for place in range(len(rolled)))
                for hand, rolled in enumerate(hands)
            ]
        return tuple(told)

    def _weights(self) -> Iterator[tuple[tuple[tuple[int, ...], ...], int]]:
        for parts in product(*(_kept(group).items() for group in self.groups)):
            yield tuple(kept for kept, _ in parts), prod(ways for _, ways in parts)


def _kept(group: Group) -> dict[tuple[int, ...], int]:
    """What may be kept of a group, with the number of ways it comes about: one die after the other is added."""
    found: dict[tuple[int, ...], int] = {(): 1}
    for handful in group.dice:
        for _ in range(handful.count):
            onward: dict[tuple[int, ...], int] = {}
            for (kept, ways), face in product(found.items(), handful.die.faces):
                best = tuple(sorted((*kept, int(face)), reverse=True)[: group.kept])
                onward[best] = onward.get(best, 0) + ways
            found = onward
    return found
