"""Enumerated: any dice, and any function of the faces they show."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement, product
from math import comb, factorial, prod
from typing import Generic, TypeVar

from grognard.core.distributions import Distribution, collect
from grognard.core.readings import Face, Faces, Pool, Reading

T_co = TypeVar("T_co", bound=Hashable, covariant=True)


@dataclass(frozen=True, slots=True)
class Enumerated(Reading[T_co], Generic[T_co]):
    """What a function makes of the faces: one tuple a pool, each sorted in the order of its die's faces.

    The function is a value too: named in a module, or a frozen object that can be called. `odds` calls it once for
    every different set of faces, so this is for rolls of a few dice: `size` says how many calls there are.
    """

    pools: tuple[Pool, ...]
    function: Callable[[Faces], T_co]

    @property
    def dice(self) -> tuple[Pool, ...]:
        """These pools."""
        return self.pools

    @property
    def size(self) -> int:
        """The number of different sets of faces, times the dice in each."""
        sets = prod(comb(len(set(pool.die.faces)) + pool.count - 1, pool.count) for pool in self.pools)
        return sets * (1 + sum(pool.count for pool in self.pools))

    def read(self, faces: Faces) -> T_co:
        """What the function makes of these faces, whatever order they lie in."""
        pairs = zip(self.pools, faces, strict=True)
        return self.function(tuple(tuple(sorted(shown, key=pool.die.faces.index)) for pool, shown in pairs))

    def odds(self, fractions: bool = False) -> Distribution[T_co]:
        """Every set of faces, with the number of rolls that show it."""
        total = prod(len(pool.die.faces) ** pool.count for pool in self.pools)
        ways = collect(
            (self.function(tuple(faces for faces, _ in sets)), prod(rolls for _, rolls in sets))
            for sets in product(*map(_sets, self.pools))
        )
        if fractions:
            return Distribution(ways.values, ways.weights, total)
        return Distribution(ways.values, tuple(count / total for count in ways.weights))


def _sets(pool: Pool) -> Iterator[tuple[tuple[Face, ...], int]]:
    """Every set of faces that a pool can show, in the order of the die's faces, with the number of rolls that do."""
    repeats = Counter(pool.die.faces)
    for faces in combinations_with_replacement(repeats, pool.count):
        rolls = factorial(pool.count)
        for face, count in Counter(faces).items():
            rolls = rolls // factorial(count) * repeats[face] ** count
        yield faces, rolls
