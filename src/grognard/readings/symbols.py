"""Symbol dice: faces that show Critical, Damage and Suppression symbols, one or two of them, or nothing.

A face is a text such as "CD", "X" or "". What a roll comes to depends on the numbers of symbols alone, so the dynamic
programme goes over these numbers, die by die, and never over faces thrown together.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from math import comb, prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grognard.core.distributions import Distribution, collect
from grognard.core.readings import Face, Faces, Fate, Pool, Reading

STRONG_TO_WEAK = "CDX"
BLANK = ""
AT_ONCE = 200_000
"""So many pairs of totals are compared in one go."""


class Symbols(NamedTuple):
    """How many symbols of each kind."""

    critical: int = 0
    damage: int = 0
    suppression: int = 0

    def plus(self, other: "Symbols") -> "Symbols":
        """These and those."""
        return Symbols(self[0] + other[0], self[1] + other[1], self[2] + other[2])

    @property
    def strongest(self) -> str:
        """The strongest symbol among them, or blank."""
        return next((symbol for symbol, count in zip(STRONG_TO_WEAK, self, strict=True) if count), BLANK)

    def without_strongest(self) -> "Symbols":
        """All but one of the strongest kind."""
        lost = self.strongest
        return Symbols(*(count - (symbol == lost) for symbol, count in zip(STRONG_TO_WEAK, self, strict=True)))


NO_SYMBOLS = Symbols()


def strongest(face: Face) -> str:
    """The strongest symbol that a face shows, or blank."""
    return min(str(face), key=STRONG_TO_WEAK.index, default=BLANK)


def counted(face: Face, stronger_only: bool = False) -> Symbols:
    """The symbols of a face; of two, perhaps the stronger only."""
    shown = strongest(face) if stronger_only else str(face)
    return Symbols(*(shown.count(symbol) for symbol in STRONG_TO_WEAK))


class Shown(NamedTuple):
    """A symbol, numbered from the strongest, and the die that shows it: its pool and place. None: it was added."""

    symbol: int
    die: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class SymbolPool:
    """The dice of one side, and what else bears on its symbols, in this order.

    `stronger_only`: a face of two symbols counts the stronger one. `added` come on top; so many Suppressions, if there
    are any, are lost as `x_lost` says; then so many of the strongest symbols are `cancelled`.
    """

    dice: tuple[Pool, ...] = ()
    stronger_only: bool = False
    added: Symbols = NO_SYMBOLS
    x_lost: int = 0
    cancelled: int = 0

    @property
    def rolls(self) -> int:
        """In how many ways the dice can fall."""
        return prod(len(pool.die.faces) ** pool.count for pool in self.dice)

    @property
    def most(self) -> int:
        """At least as many as there are different totals."""
        symbols = sum(pool.count * max(len(str(face)) for face in pool.die.faces) for pool in self.dice)
        return comb(symbols + len(STRONG_TO_WEAK), len(STRONG_TO_WEAK))

    def total(self, faces: Faces) -> Symbols:
        """What these faces come to."""
        shown = NO_SYMBOLS
        for face in chain.from_iterable(faces):
            shown = shown.plus(counted(face, self.stronger_only))
        return self.changed(shown)

    def changed(self, shown: Symbols) -> Symbols:
        """What the symbols on the dice come to."""
        critical, damage, suppression = shown.plus(self.added)
        symbols = Symbols(critical, damage, max(0, suppression - self.x_lost))
        for _ in range(min(self.cancelled, sum(symbols))):
            symbols = symbols.without_strongest()
        return symbols

    def on_dice(self, faces: Faces) -> list[Shown]:
        """The same total symbol by symbol, the strongest first; what is lost is lost from the last dice."""
        total = self.total(faces)
        shown = [Shown(symbol, None) for symbol, count in enumerate(self.added) for _ in range(count)]
        for number, pool in enumerate(faces):
            for place, face in enumerate(pool):
                symbols = counted(face, self.stronger_only)
                shown += [Shown(symbol, (number, place)) for symbol, count in enumerate(symbols) for _ in range(count)]
        kept = ([one for one in shown if one.symbol == symbol][:count] for symbol, count in enumerate(total))
        return [one for symbols in kept for one in symbols]


class Totals(NamedTuple):
    """Every total of a pool, a row each, with the number of rolls that give it."""

    symbols: NDArray[np.int64]
    ways: NDArray[Any]


@lru_cache(maxsize=256)
def totals(pool: SymbolPool) -> Totals:
    """What a pool can come to."""
    ways: dict[Symbols, int] = {}
    for shown, count in _shown(pool.dice, pool.stronger_only).items():
        total = pool.changed(shown)
        ways[total] = ways.get(total, 0) + count
    return Totals(np.array(list(ways)), np.array(list(ways.values()), dtype=_whole(pool.rolls)))


def _whole(rolls: int) -> type[Any]:
    """The numbers that can count so many rolls."""
    return np.int64 if rolls < 2**63 else object


@lru_cache(maxsize=256)
def _shown(dice: tuple[Pool, ...], stronger_only: bool) -> dict[Symbols, int]:
    """Everything that dice can show together, die by die."""
    ways: dict[Symbols, int] = {NO_SYMBOLS: 1}
    for pool in dice:
        faces = [counted(face, stronger_only) for face in pool.die.faces]
        for _ in range(pool.count):
            ways = _one_more(ways, faces)
    return ways


def _one_more(ways: dict[Symbols, int], faces: Iterable[Symbols]) -> dict[Symbols, int]:
    more: dict[Symbols, int] = {}
    for face in faces:
        for symbols, count in ways.items():
            total = symbols.plus(face)
            more[total] = more.get(total, 0) + count
    return more


@dataclass(frozen=True, slots=True)
class Comparison(Reading[Symbols]):
    """What is left of the attack's symbols when the defence has cancelled as many as it can.

    Each defending symbol cancels one attacking symbol as strong or weaker. The strongest go first, each taking the
    strongest that it can; no other way cancels more.
    """

    attack: SymbolPool
    defence: SymbolPool

    @property
    def dice(self) -> tuple[Pool, ...]:
        """The attack's pools, then the defence's."""
        return (*self.attack.dice, *self.defence.dice)

    @property
    def size(self) -> int:
        """The pairs of totals."""
        return self.attack.most * self.defence.most

    def read(self, faces: Faces) -> Symbols:
        """Total against total."""
        mine, yours = self._sides(faces)
        return left(self.attack.total(mine), self.defence.total(yours))

    def odds(self, fractions: bool = False) -> Distribution[Symbols]:
        """Every total of the attack against every total of the defence."""
        rolls = self.attack.rolls * self.defence.rolls
        ways = _compared(totals(self.attack), totals(self.defence), rolls)
        if fractions:
            return collect(ways.items(), rolls)
        return collect((symbols, count / rolls) for symbols, count in ways.items())

    def fates(self, faces: Faces) -> tuple[tuple[Fate, ...], ...]:
        """An attack die wins if a symbol of it is left and loses if none is; a defence die wins if it cancels one."""
        mine, yours = self._sides(faces)
        attack = self.attack.on_dice(mine)
        fates = [[Fate.LOSES if face else Fate.UNUSED for face in pool] for pool in mine]
        fates += [[Fate.UNUSED for _ in pool] for pool in yours]
        for symbol, die in self.defence.on_dice(yours):
            met = next((other for other in attack if other.symbol >= symbol), None)
            if met:
                attack.remove(met)
            if met and die:
                fates[len(mine) + die[0]][die[1]] = Fate.WINS
        for _, die in attack:
            if die:
                fates[die[0]][die[1]] = Fate.WINS
        return tuple(map(tuple, fates))

    def _sides(self, faces: Faces) -> tuple[Faces, Faces]:
        attacking = len(self.attack.dice)
        return faces[:attacking], faces[attacking:]


@lru_cache(maxsize=2**16)
def left(attack: Symbols, defence: Symbols) -> Symbols:
    """What the defence leaves of the attack."""
    open_ = list(attack)
    for mine, count in enumerate(defence):
        for yours in range(mine, len(open_)):
            taken = min(count, open_[yours])
            open_[yours] -= taken
            count -= taken
    return Symbols(*open_)


def _compared(attack: Totals, defence: Totals, rolls: int) -> dict[Symbols, int]:
    """What is left of every total of the attack against every total of the defence; the same as `left`, on arrays."""
    my_ways, your_ways = (side.ways.astype(_whole(rolls)) for side in (attack, defence))
    shape = tuple(attack.symbols.max(axis=0) + 1)
    ways = np.zeros(prod(shape), dtype=_whole(rolls))
    rows = max(1, AT_ONCE // len(my_ways))
    for first in range(0, len(your_ways), rows):
        some = slice(first, first + rows)
        places = np.ravel_multi_index(_left_of_all(attack.symbols, defence.symbols[some]), shape)
        np.add.at(ways, places.ravel(), np.outer(your_ways[some], my_ways).ravel())
    found = np.flatnonzero(ways)
    symbols = np.stack(np.unravel_index(found, shape), axis=1).tolist()
    return {Symbols(*counts): int(count) for counts, count in zip(symbols, ways[found].tolist(), strict=True)}


def _left_of_all(attack: NDArray[np.int64], defence: NDArray[np.int64]) -> tuple[NDArray[np.int64], ...]:
    """For each kind of symbol an array of what is left, a row for each total of the defence."""
    open_ = [attack[np.newaxis, :, symbol] for symbol in range(attack.shape[1])]
    for mine in range(attack.shape[1]):
        count = defence[:, mine, np.newaxis]
        for yours in range(mine, len(open_)):
            taken = np.minimum(count, open_[yours])
            open_[yours] = open_[yours] - taken
            count = count - taken
    return tuple(open_)


@dataclass(frozen=True, slots=True)
class Strongest(Reading[str]):
    """The strongest symbol that is left of the attack, or blank."""

    comparison: Comparison

    @property
    def dice(self) -> tuple[Pool, ...]:
        """Those of the comparison."""
        return self.comparison.dice

    @property
    def size(self) -> int:
        """That of the comparison."""
        return self.comparison.size

    def read(self, faces: Faces) -> str:
        """The strongest of what is left."""
        return self.comparison.read(faces).strongest

    def odds(self, fractions: bool = False) -> Distribution[str]:
        """Whatever else is left is the same."""
        return self.comparison.odds(fractions).map(lambda symbols: symbols.strongest)

    def fates(self, faces: Faces) -> tuple[tuple[Fate, ...], ...]:
        """Those of the comparison."""
        return self.comparison.fates(faces)
