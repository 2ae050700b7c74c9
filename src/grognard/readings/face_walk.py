"""Face walks: a dynamic programme over faces that places the dice of two pools, from the highest face down.

Its table serves all smaller pools too: entry [i, j] is the distribution of the losses of i attack and j defence dice,
given that all of them show the present face or more. Small pools are computed in integers, even if floats are wanted.
Larger pools are computed in floats by NumPy (`float_walk.py`), which is imported only then.
"""

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from math import prod
from operator import add, lshift, rshift
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from grognard.core.readings import Face, Pool, Reading, T_co, d

Table = TypeVar("Table")
Step = Callable[[Table, int], Table]
"""A function that places the dice of one face: from the table before to the table after."""
Rows = Sequence[Sequence[int]]
"""A table of integers, with a row for each number of attack dice."""
Weights = list[tuple[tuple[int, ...], float]]
"""Losses, one number for each axis, with their weights; losses of weight zero are left out."""
ALWAYS_SHARED = 100_000
"""Pools of any sizes share one table if it has no more numbers than this."""
MOST_KEPT = 4_000_000
"""The largest total size of the tables that one kind of walk keeps."""
COST_OF_ADDITION = 400
"""The overhead of an addition of integers, as the number of bytes that could be added in the same time."""
INTEGER_WORK = 10_000_000
"""Up to this amount of work, integers are faster than NumPy's floats."""
LOADING_WORK = 1_000_000_000
"""Up to this amount of work, integers are faster than loading NumPy."""


@dataclass(frozen=True, slots=True)
class Pools:
    """Two pools: the numbers and the faces of the attack dice and of the defence dice."""

    attack: int
    attack_die: int
    defence: int
    defence_die: int

    @property
    def dice(self) -> tuple[Pool, Pool]:
        return Pool(self.attack, d(self.attack_die)), Pool(self.defence, d(self.defence_die))

    @property
    def total(self) -> int:
        """The number of rolls of all these dice."""
        return int(self.attack_die**self.attack * self.defence_die**self.defence)

    @property
    def bytes(self) -> int:
        """The number of bytes that can hold any number of these rolls."""
        return self.total.bit_length() // 8 + 1

    @property
    def faces(self) -> range:
        """The faces of all these dice, from the highest down."""
        return range(max(self.attack_die, self.defence_die), 0, -1)

    @property
    def swapped(self) -> "Pools":
        """The defence as the attack, and the other way round."""
        return Pools(self.defence, self.defence_die, self.attack, self.attack_die)

    def covers(self, other: "Pools") -> bool:
        """Whether neither pool of the other is larger."""
        return self.attack >= other.attack and self.defence >= other.defence

    def union(self, other: "Pools") -> "Pools":
        """The smallest pools that cover both."""
        return Pools(
            max(self.attack, other.attack), self.attack_die, max(self.defence, other.defence), self.defence_die
        )


def check_dice(count: int, die: int) -> None:
    """Raise an error for a negative number of dice or a die without faces."""
    if count < 0 or die < 1:
        raise ValueError(f"{count} dice with {die} faces cannot be rolled")


class TwoPools(Reading[T_co]):
    """Base class of readings of attack dice against defence dice."""

    __slots__ = ()

    attack: int
    attack_die: int
    defence: int
    defence_die: int

    def __post_init__(self) -> None:
        check_dice(self.attack, self.attack_die)
        check_dice(self.defence, self.defence_die)

    @property
    def pools(self) -> Pools:
        return Pools(self.attack, self.attack_die, self.defence, self.defence_die)

    @property
    def dice(self) -> tuple[Pool, Pool]:
        """The attack, then the defence."""
        return self.pools.dice


def high_to_low(faces: tuple[Face, ...]) -> list[int]:
    """The places of numbered dice in their order, from the one that shows most to the one that shows least."""
    return sorted(range(len(faces)), key=lambda place: -int(faces[place]))


class Arithmetic(ABC, Generic[Table]):
    """The operations of a face walk on its table. An entry has a weight for each loss below `bounds`, for each axis."""

    def __init__(self, pools: Pools, bounds: tuple[int, ...]) -> None:
        self.pools = pools
        self.bounds = bounds

    @abstractmethod
    def start(self) -> Table:
        """The table before any die is placed."""

    @abstractmethod
    def attack(self, table: Table, face: int) -> Table:
        """Place the attack dice of this face."""

    @abstractmethod
    def defence(self, table: Table, face: int) -> Table:
        """Place the defence dice of this face."""

    @abstractmethod
    def counting_losses(self, step: Step[Table], axis: int) -> Step[Table]:
        """The step in which the placed dice lose every pair that they complete; the losses are counted on this axis.

        The number of pairs minus losses stays the same. So this is the plain step on a table that counts this number.
        """

    @abstractmethod
    def raising_losses(self, step: Step[Table]) -> Step[Table]:
        """The step, after which losses are raised to at least the number of attack dice minus defence dice."""

    @abstractmethod
    def split_by_majority(self, table: Table) -> tuple[Table, Table]:
        """The entries with fewer attack dice than defence dice, and all other entries."""

    @abstractmethod
    def sum_of(self, one: Table, other: Table) -> Table:
        """The sum of two tables, entry by entry."""

    @abstractmethod
    def weights(self, table: Table, attack: int, defence: int) -> Weights:
        """The weights of the losses of pools of this size."""


class IntegerArithmetic(Arithmetic[Rows]):
    """Integer tables: an entry is one integer, each digit of which counts the rolls with one loss."""

    def __init__(self, pools: Pools, bounds: tuple[int, ...]) -> None:
        super().__init__(pools, bounds)
        self._bytes = pools.bytes
        self._width = 8 * self._bytes
        self._highest_digit = (1 << self._width) - 1

    def start(self) -> Rows:
        """The lowest digit counts the rolls without losses."""
        return self._for_each(lambda attack, defence: int(attack == defence == 0))

    def attack(self, table: Rows, face: int) -> Rows:
        """Each entry becomes a sum of entries with fewer attack dice."""
        return _placed(table) if face <= self.pools.attack_die else table

    def defence(self, table: Rows, face: int) -> Rows:
        """Each entry becomes a sum of entries with fewer defence dice."""
        return _transposed(_placed(_transposed(table))) if face <= self.pools.defence_die else table

    def counting_losses(self, step: Step[Rows], axis: int) -> Step[Rows]:
        """Shift the digits so that each counts a number of pairs minus losses, and back after the step."""
        most, width = self.bounds[axis] - 1, prod(self.bounds[axis + 1 :]) * self._width
        shifts = self._for_each(lambda attack, defence: (most - min(attack, defence)) * width)
        return lambda table, face: _entrywise(rshift, step(_entrywise(lshift, table, shifts), face), shifts)

    def raising_losses(self, step: Step[Rows]) -> Step[Rows]:
        """Add the digits of too few losses to the digit of the fewest that are allowed."""
        shifts = self._for_each(lambda attack, defence: max(0, attack - defence) * self._width)

        def raised(entry: int, shift: int) -> int:
            high = entry >> shift << shift
            # The remainder is the sum of the digits, as in casting out nines.
            return high + ((entry - high) % self._highest_digit << shift) if shift else entry

        return lambda table, face: _entrywise(raised, step(table, face), shifts)

    def split_by_majority(self, table: Rows) -> tuple[Rows, Rows]:
        """Two tables of the full size, with zeros at the entries of the other."""
        behind = [[entry if i < j else 0 for j, entry in enumerate(row)] for i, row in enumerate(table)]
        return behind, [[entry if i >= j else 0 for j, entry in enumerate(row)] for i, row in enumerate(table)]

    def sum_of(self, one: Rows, other: Rows) -> Rows:
        """The sum; no digit overflows, as the digits together count the rolls of these dice."""
        return _entrywise(add, one, other)

    def weights(self, table: Rows, attack: int, defence: int) -> Weights:
        """The digits of an entry, each with its losses."""
        packed = table[attack][defence].to_bytes(prod(self.bounds) * self._bytes, "little")
        digits = (packed[place : place + self._bytes] for place in range(0, len(packed), self._bytes))
        losses = product(*map(range, self.bounds))
        return [(lost, int.from_bytes(ways, "little")) for lost, ways in zip(losses, digits, strict=True) if any(ways)]

    def _for_each(self, entry: Callable[[int, int], int]) -> Rows:
        return [[entry(i, j) for j in range(self.pools.defence + 1)] for i in range(self.pools.attack + 1)]


def _entrywise(function: Callable[[int, int], int], one: Rows, other: Rows) -> Rows:
    return [list(map(function, *rows)) for rows in zip(one, other, strict=True)]


def _transposed(table: Rows) -> Rows:
    return list(zip(*table, strict=True))


def _placed(table: Rows) -> Rows:
    """Row i becomes the sum of C(i, k) times row k, where i − k of the i dice show the face."""
    placed = list(table)
    for k in range(1, len(placed)):
        for i in range(len(placed) - 1, k - 1, -1):
            placed[i] = list(map(add, placed[i], placed[i - 1]))
    return placed


class Walk(Protocol):
    """A way of comparing dice."""

    def __call__(self, arithmetic: Arithmetic[Table]) -> Table:
        """The table after all faces."""
        ...


class LossTable(NamedTuple):
    """The result of a face walk: its pools, its size, and the weights of losses for pools of at most these sizes."""

    pools: Pools
    size: int
    weights: Callable[[int, int], Weights]


class FaceWalk:
    """One kind of face walk, with a cache: the largest table for a pair of dice serves all smaller pools."""

    def __init__(self, walk: Walk, bounds: Callable[[Pools], tuple[int, ...]]) -> None:
        self._walk = walk
        self._bounds = bounds
        self._kept: dict[tuple[int, int, bool], LossTable] = {}

    def size(self, pools: Pools) -> int:
        """The size of the computation: of the table, and of the probabilities of placing dice."""
        attack, defence = pools.attack + 1, pools.defence + 1
        placing = attack**2 * pools.attack_die + defence**2 * pools.defence_die
        return attack * defence * prod(self._bounds(pools)) + placing

    def weights(self, pools: Pools, fractions: bool) -> Weights:
        """The weights of the losses of these pools; with `fractions` they are integers."""
        floats = None if fractions else self._kept_table(pools, is_integer=False) or self._float_table(pools)
        if floats:
            return floats.weights(pools.attack, pools.defence)
        table = self._kept_table(pools, is_integer=True) or self._new_table(pools, IntegerArithmetic)
        weights = table.weights(pools.attack, pools.defence)
        total = pools.total
        return weights if fractions else [(losses, ways / total) for losses, ways in weights]

    def _kept_table(self, pools: Pools, is_integer: bool) -> LossTable | None:
        """The cached table for these dice, if it is large enough."""
        table = self._kept.get((pools.attack_die, pools.defence_die, is_integer))
        return table if table and table.pools.covers(pools) else None

    def _float_table(self, pools: Pools) -> LossTable | None:
        """A new table by NumPy, if that is faster, including the time to load it."""
        if self._work(pools) <= (INTEGER_WORK if "numpy" in sys.modules else LOADING_WORK):
            return None
        try:
            from grognard.readings.float_walk import FloatArithmetic
        except ImportError:  # NumPy is optional, and missing in a browser
            return None
        return self._new_table(pools, FloatArithmetic)

    def _work(self, pools: Pools) -> int:
        """The approximate number of bytes that are added to compute the table in integers."""
        attack, defence = pools.attack + 1, pools.defence + 1
        additions = attack * defence * (attack * pools.attack_die + defence * pools.defence_die)
        return additions * (COST_OF_ADDITION + prod(self._bounds(pools)) * pools.bytes)

    def _new_table(self, pools: Pools, arithmetic: type[Arithmetic[Any]]) -> LossTable:
        """A table for these pools; also for those of the table that it replaces, if that costs little more."""
        key = pools.attack_die, pools.defence_die, arithmetic is IntegerArithmetic
        if former := self._kept.get(key):
            both = former.pools.union(pools)
            if self.size(both) <= max(ALWAYS_SHARED, 2 * self.size(pools)):
                pools = both
        chosen = arithmetic(pools, self._bounds(pools))
        table = LossTable(pools, self.size(pools), partial(chosen.weights, self._walk(chosen)))
        self._keep(key, table)
        return table

    def _keep(self, key: tuple[int, int, bool], newest: LossTable) -> None:
        """Cache the newest table, and the others while there is room. The cache is replaced as a whole, for threads."""
        kept = {key: newest}
        room = MOST_KEPT - newest.size
        for other_key, other in self._kept.items():
            if other_key != key and other.size <= room:
                room -= other.size
                kept[other_key] = other
        self._kept = kept
