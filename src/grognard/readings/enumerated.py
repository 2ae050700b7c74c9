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
    """A function of the faces, which it gets as one tuple for each pool, sorted in the order of the die's faces.

    The function has to be a value: a function of a module, or a frozen callable object. `odds` calls it once for every
    multiset of faces, so this is for rolls of few dice.
    """

    pools: tuple[Pool, ...]
    function: Callable[[Faces], T_co]

    @property
    def dice(self) -> tuple[Pool, ...]:
        return self.pools

    @property
    def size(self) -> int:
        """The number of multisets of faces, times the dice in each."""
        multisets = prod(comb(len(set(pool.die.faces)) + pool.count - 1, pool.count) for pool in self.pools)
        return multisets * (1 + sum(pool.count for pool in self.pools))

    def read(self, faces: Faces) -> T_co:
        """The function of these faces, in any order."""
        pairs = zip(self.pools, faces, strict=True)
        return self.function(tuple(tuple(sorted(shown, key=pool.die.faces.index)) for pool, shown in pairs))

    def odds(self, fractions: bool = False) -> Distribution[T_co]:
        """The function of every multiset of faces, with the number of rolls that show it."""
        total = prod(len(pool.die.faces) ** pool.count for pool in self.pools)
        ways = collect(
            (self.function(tuple(faces for faces, _ in multisets)), prod(rolls for _, rolls in multisets))
            for multisets in product(*map(_multisets, self.pools))
        )
        if fractions:
            return Distribution(ways.values, ways.weights, total)
        return Distribution(ways.values, tuple(count / total for count in ways.weights))


def _multisets(pool: Pool) -> Iterator[tuple[tuple[Face, ...], int]]:
    """Every multiset of faces of a pool, in the order of the die's faces, with the number of rolls that show it."""
    repeats = Counter(pool.die.faces)
    for faces in combinations_with_replacement(repeats, pool.count):
        rolls = factorial(pool.count)
        for face, count in Counter(faces).items():
            rolls = rolls // factorial(count) * repeats[face] ** count
        yield faces, rolls
