"""Throws of symbol dice by one side alone, some of which are rolled again or set aside."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from typing import NamedTuple

from grognard.core.distributions import Distribution, collect
from grognard.core.readings import Face, Faces, Pool, Reading
from grognard.readings.symbols import NO_SYMBOLS, SymbolPool, Symbols, counted, left, strongest


class Thrown(NamedTuple):
    """What a throw comes to: how many dice of each pool are picked, and the symbols of all others."""

    picked: tuple[int, ...]
    symbols: Symbols


@dataclass(frozen=True, slots=True)
class Throw(Reading[Thrown]):
    """Dice thrown alone. A die is picked, to be rolled once more, by the strongest symbol that it shows."""

    pools: tuple[Pool, ...]
    picks: tuple[str, ...] = ()
    stronger_only: bool = False

    @property
    def dice(self) -> tuple[Pool, ...]:
        """The pools."""
        return self.pools

    @property
    def size(self) -> int:
        """The totals, times the ways to pick dice."""
        return SymbolPool(self.pools).most * prod(pool.count + 1 for pool in self.pools)

    def read(self, faces: Faces) -> Thrown:
        """Picked dice by pool; the symbols of the others together."""
        picked = tuple(sum(self.is_picked(face) for face in pool) for pool in faces)
        others = tuple(tuple(face for face in pool if not self.is_picked(face)) for pool in faces)
        return Thrown(picked, SymbolPool(stronger_only=self.stronger_only).total(others))

    def odds(self, fractions: bool = False) -> Distribution[Thrown]:
        """Die by die, each picked or counted."""
        rolls, ways = SymbolPool(self.pools).rolls, _thrown(self)
        if fractions:
            return collect(ways.items(), rolls)
        return collect((thrown, count / rolls) for thrown, count in ways.items())

    def is_picked(self, face: Face) -> bool:
        """Whether a die that shows this face is rolled once more."""
        return strongest(face) in self.picks


@lru_cache(maxsize=64)
def _thrown(throw: Throw) -> dict[Thrown, int]:
    """Everything that a throw can come to, with the number of rolls that do."""
    ways: dict[Thrown, int] = {Thrown((), NO_SYMBOLS): 1}
    for pool in throw.pools:
        ways = {Thrown((*thrown.picked, 0), thrown.symbols): count for thrown, count in ways.items()}
        for _ in range(pool.count):
            ways = _one_more(ways, throw, pool.die.faces)
    return ways


def _one_more(ways: dict[Thrown, int], throw: Throw, faces: Iterable[Face]) -> dict[Thrown, int]:
    more: dict[Thrown, int] = {}
    for face in faces:
        symbols, is_picked = counted(face, throw.stronger_only), throw.is_picked(face)
        for (picked, shown), count in ways.items():
            one_more = (
                Thrown((*picked[:-1], picked[-1] + 1), shown) if is_picked else Thrown(picked, shown.plus(symbols))
            )
            more[one_more] = more.get(one_more, 0) + count
    return more


@dataclass(frozen=True, slots=True)
class Parry(Reading[Thrown]):
    """A throw of defence dice against symbols on the table: the dice picked, and what is left of those symbols.

    Cancelling goes in any order to the same end, so nothing else need be known of the throw. Once nothing is left, it
    does not matter which dice are picked: none are.
    """

    attack: Symbols
    throw: Throw

    @property
    def dice(self) -> tuple[Pool, ...]:
        """Those of the throw."""
        return self.throw.dice

    @property
    def size(self) -> int:
        """That of the throw."""
        return self.throw.size

    def read(self, faces: Faces) -> Thrown:
        """The throw, and the symbols that it leaves."""
        picked, shown = self.throw.read(faces)
        remaining = left(self.attack, shown)
        return Thrown(picked if any(remaining) else self._none, remaining)

    def odds(self, fractions: bool = False) -> Distribution[Thrown]:
        """Every throw, those that come to the same merged."""
        rolls = SymbolPool(self.dice).rolls
        ways: list[tuple[Thrown, int]] = []
        for shown, picks in _by_symbols(self.throw).items():
            remaining = left(self.attack, shown)
            if any(remaining):
                ways += [(Thrown(picked, remaining), count) for picked, count in picks.items()]
            else:
                ways.append((Thrown(self._none, remaining), sum(picks.values())))
        merged = collect(ways, rolls)
        if fractions:
            return merged
        return Distribution(merged.values, tuple(count / rolls for count in merged.weights))

    @property
    def _none(self) -> tuple[int, ...]:
        return (0,) * len(self.dice)


@lru_cache(maxsize=64)
def _by_symbols(throw: Throw) -> dict[Symbols, dict[tuple[int, ...], int]]:
    """Everything that a throw can come to, sorted by the symbols shown."""
    found: dict[Symbols, dict[tuple[int, ...], int]] = {}
    for (picked, shown), count in _thrown(throw).items():
        found.setdefault(shown, {})[picked] = count
    return found
