"""Face walks: two pools of dice placed face by face, from the highest down, to find what each side loses.

One walk answers for all smaller pools too. Entry [i, j] of its table says what i attack and j defence dice come to if
all of them show the present face or more. Entries are floats, or integers for exact fractions.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product
from math import prod
from typing import Generic, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from grognard.core.readings import Face, Pool, d

Number = TypeVar("Number", np.float64, np.object_)
Step = Callable[[NDArray[Number], int], NDArray[Number]]
"""From a table and a face to the table with the dice of that face placed."""
Weights = list[tuple[tuple[int, ...], float]]
"""Losses, one number an axis, with their weights."""
PIECE = 250_000
"""How many products one call of the matrix library may take before it wakes threads, which cost more than they do."""
SMALL = 100_000
"""Pools whose joined table has no more numbers are walked together, however little they have in common."""
ROOM = 4_000_000
"""How many numbers the tables that one kind of walk keeps may hold together."""


@dataclass(frozen=True, slots=True)
class Pools:
    """So many dice of one kind against so many of another."""

    attack: int
    attack_die: int
    defence: int
    defence_die: int

    @property
    def dice(self) -> tuple[Pool, Pool]:
        """The two pools, the attack first."""
        return Pool(self.attack, d(self.attack_die)), Pool(self.defence, d(self.defence_die))

    @property
    def total(self) -> int:
        """In how many ways these dice can fall."""
        return int(self.attack_die**self.attack * self.defence_die**self.defence)

    @property
    def faces(self) -> range:
        """The faces of all these dice, from the highest down."""
        return range(max(self.attack_die, self.defence_die), 0, -1)

    @property
    def swapped(self) -> "Pools":
        """The defence as the attack, and the other way round."""
        return Pools(self.defence, self.defence_die, self.attack, self.attack_die)

    def cover(self, other: "Pools") -> bool:
        """Whether neither pool of the other is larger."""
        return self.attack >= other.attack and self.defence >= other.defence

    def joined(self, other: "Pools") -> "Pools":
        """The smallest pools that cover both."""
        return Pools(
            max(self.attack, other.attack), self.attack_die, max(self.defence, other.defence), self.defence_die
        )


def check(count: int, die: int) -> None:
    """Refuse dice that cannot be."""
    if count < 0 or die < 1:
        raise ValueError(f"{count} dice with {die} faces cannot be rolled")


def high_to_low(faces: tuple[Face, ...]) -> list[int]:
    """The places of numbered dice in their order, from the one that shows most to the one that shows least."""
    return sorted(range(len(faces)), key=lambda place: -int(faces[place]))


class Arithmetic(ABC, Generic[Number]):
    """What a face walk does to its table. An entry holds a weight for every loss below `bounds`, one bound an axis."""

    def __init__(self, pools: Pools, bounds: tuple[int, ...]) -> None:
        attack, defence = np.arange(pools.attack + 1), np.arange(pools.defence + 1)
        self.pools = pools
        self.bounds = bounds
        self.pairs = np.minimum.outer(attack, defence)
        self.lead = np.subtract.outer(attack, defence)

    @abstractmethod
    def start(self) -> NDArray[Number]:
        """No die is placed yet, nothing is lost."""

    @abstractmethod
    def attack(self, table: NDArray[Number], face: int) -> NDArray[Number]:
        """Place the attack dice of this face."""

    @abstractmethod
    def defence(self, table: NDArray[Number], face: int) -> NDArray[Number]:
        """Place the defence dice of this face."""

    @abstractmethod
    def losing(self, step: Step[Number], axis: int) -> Step[Number]:
        """The step in which the dice placed lose, on this axis, every pair that they complete.

        It leaves pairs less losses as they are: it is the plain step, with losses counted down from the pairs.
        """

    @abstractmethod
    def rising(self, step: Step[Number]) -> Step[Number]:
        """The step after which losses are no fewer than the attack dice that outnumber the defence dice."""

    @abstractmethod
    def behind(self, table: NDArray[Number]) -> NDArray[Number]:
        """Only the entries with fewer attack dice than defence dice."""

    @abstractmethod
    def weights(self, table: NDArray[Number], attack: int, defence: int) -> Weights:
        """What pools of this size come to."""

    def _losses(self) -> Iterator[tuple[int, ...]]:
        return product(*map(range, self.bounds))


class FloatArithmetic(Arithmetic[np.float64]):
    """In floats: an entry is a distribution, given that no die shows less than the present face.

    Chances are only multiplied and added, so that the smallest comes out as precise as the largest.
    """

    def __init__(self, pools: Pools, bounds: tuple[int, ...]) -> None:
        super().__init__(pools, bounds)
        self._attack = _placing(pools.attack, pools.attack_die)
        self._defence = _placing(pools.defence, pools.defence_die)

    def start(self) -> NDArray[np.float64]:
        """The axes of losses come after those of dice."""
        table = np.zeros((*self.pairs.shape, *self.bounds))
        table.flat[0] = 1.0
        return table

    def attack(self, table: NDArray[np.float64], face: int) -> NDArray[np.float64]:
        """A matrix for the face, along the first axis."""
        return _along(0, self._attack[face - 1], table) if face <= self.pools.attack_die else table

    def defence(self, table: NDArray[np.float64], face: int) -> NDArray[np.float64]:
        """A matrix for the face, along the second axis."""
        return _along(1, self._defence[face - 1], table) if face <= self.pools.defence_die else table

    def losing(self, step: Step[np.float64], axis: int) -> Step[np.float64]:
        """Turn the axis end for end, entry by entry, before and after the step."""
        shape = *self.pairs.shape, *self.bounds
        losses = np.arange(self.bounds[axis]).reshape([-1 if other == axis else 1 for other in range(len(self.bounds))])
        # More losses than pairs weigh nothing, so what wraps round is zero, and turning twice is turning back.
        other_end = (self._spread(self.pairs) - losses) % self.bounds[axis]
        turned = np.take_along_axis(np.arange(prod(shape)).reshape(shape), other_end, axis + 2)
        return lambda table, face: step(table.take(turned), face).take(turned)

    def rising(self, step: Step[np.float64]) -> Step[np.float64]:
        """Add what has too few losses to what has just enough."""
        low = (np.arange(self.bounds[0]) < self._spread(self.lead)).astype(np.float64)
        high = 1.0 - low
        attack, defence = np.nonzero(self.lead > 0)

        def risen(table: NDArray[np.float64], face: int) -> NDArray[np.float64]:
            placed = step(table, face)
            raised = placed * high
            raised[attack, defence, attack - defence] += np.einsum("ijk,ijk->ij", placed, low)[attack, defence]
            return raised

        return risen

    def behind(self, table: NDArray[np.float64]) -> NDArray[np.float64]:
        """With zeros elsewhere."""
        return np.where(self._spread(self.lead) < 0, table, 0.0)

    def weights(self, table: NDArray[np.float64], attack: int, defence: int) -> Weights:
        """The entry, which rounding may have left a little off 1, so that what is certain comes out as 1.0."""
        entry = table[attack, defence].ravel()
        return list(zip(self._losses(), (entry / entry.sum()).tolist(), strict=True))

    def _spread(self, numbers: NDArray[np.int_]) -> NDArray[np.int_]:
        return numbers.reshape(*numbers.shape, *(1 for _ in self.bounds))


class IntegerArithmetic(Arithmetic[np.object_]):
    """In whole numbers: an entry is one integer, each digit of which counts the ways to one loss."""

    def __init__(self, pools: Pools, bounds: tuple[int, ...]) -> None:
        super().__init__(pools, bounds)
        self._bytes = pools.total.bit_length() // 8 + 1
        self._width = 8 * self._bytes
        self._highest_digit = (1 << self._width) - 1

    def start(self) -> NDArray[np.object_]:
        """The lowest digit counts the ways to lose nothing."""
        table = np.zeros(self.pairs.shape, np.object_)
        table[0, 0] = 1
        return table

    def attack(self, table: NDArray[np.object_], face: int) -> NDArray[np.object_]:
        """Row by row."""
        return _placed(table) if face <= self.pools.attack_die else table

    def defence(self, table: NDArray[np.object_], face: int) -> NDArray[np.object_]:
        """Column by column."""
        return _placed(table.T).T if face <= self.pools.defence_die else table

    def losing(self, step: Step[np.object_], axis: int) -> Step[np.object_]:
        """Shift the digits up by the pairs still to come, so that the same digit means the same pairs less losses."""
        digits = (self.bounds[axis] - 1 - self.pairs) * prod(self.bounds[axis + 1 :])
        shift = digits.astype(np.object_) * self._width
        return lambda table, face: step(table << shift, face) >> shift

    def rising(self, step: Step[np.object_]) -> Step[np.object_]:
        """Add the digits that are too low to the first that is not."""
        shift = np.maximum(self.lead, 0).astype(np.object_) * self._width

        def risen(table: NDArray[np.object_], face: int) -> NDArray[np.object_]:
            placed = step(table, face)
            high: NDArray[np.object_] = placed >> shift << shift
            # Casting out the highest digit adds up the digits, as casting out nines does in decimals.
            raised: NDArray[np.object_] = high + ((placed - high) % self._highest_digit << shift)
            return raised

        return risen

    def behind(self, table: NDArray[np.object_]) -> NDArray[np.object_]:
        """With zeros elsewhere."""
        return np.where(self.lead < 0, table, 0)

    def weights(self, table: NDArray[np.object_], attack: int, defence: int) -> Weights:
        """Digit by digit."""
        packed = int(table[attack, defence]).to_bytes(prod(self.bounds) * self._bytes, "little")
        digits = (packed[place : place + self._bytes] for place in range(0, len(packed), self._bytes))
        return [(losses, int.from_bytes(ways, "little")) for losses, ways in zip(self._losses(), digits, strict=True)]


class Walk(Protocol):
    """A way of comparing dice: what is done to the table on each face."""

    def __call__(self, arithmetic: Arithmetic[Number]) -> NDArray[Number]:
        """The table after the lowest face."""
        ...


class LossTable(NamedTuple):
    """What a face walk found: the pools it was made for, and the weights of losses of any pools up to these."""

    pools: Pools
    weights: Callable[[int, int], Weights]


class FaceWalk:
    """One kind of face walk. The largest table made with a pair of dice is kept, and serves every smaller pool."""

    def __init__(self, walk: Walk, bounds: Callable[[Pools], tuple[int, ...]]) -> None:
        self._walk = walk
        self._bounds = bounds
        self._kept: dict[tuple[int, int, bool], LossTable] = {}

    def size(self, pools: Pools) -> int:
        """How many numbers it takes: the table, and the chances of placing dice."""
        attack, defence = pools.attack + 1, pools.defence + 1
        placing = attack**2 * pools.attack_die + defence**2 * pools.defence_die
        return attack * defence * prod(self._bounds(pools)) + placing

    def weights(self, pools: Pools, fractions: bool) -> Weights:
        """The weights of the losses of these pools; with `fractions` they are integers."""
        key = pools.attack_die, pools.defence_die, fractions
        table = self._kept.get(key)
        if table is None or not table.pools.cover(pools):
            joined = table.pools.joined(pools) if table else pools
            fits = self.size(joined) <= max(SMALL, 2 * self.size(pools))
            table = self._table(joined if fits else pools, fractions)
            self._keep(key, table)
        return table.weights(pools.attack, pools.defence)

    def _table(self, pools: Pools, fractions: bool) -> LossTable:
        bounds = self._bounds(pools)
        if fractions:
            integers = IntegerArithmetic(pools, bounds)
            return LossTable(pools, partial(integers.weights, self._walk(integers)))
        floats = FloatArithmetic(pools, bounds)
        return LossTable(pools, partial(floats.weights, self._walk(floats)))

    def _keep(self, key: tuple[int, int, bool], newest: LossTable) -> None:
        """Keep the newest, and of the others those it leaves room for; threads see the old ones or the new."""
        kept = {key: newest}
        room = ROOM - self.size(newest.pools)
        for other_key, other in self._kept.items():
            if other_key != key and self.size(other.pools) <= room:
                room -= self.size(other.pools)
                kept[other_key] = other
        self._kept = kept


def _placing(count: int, die: int) -> NDArray[np.float64]:
    """Entry [face − 1, i, k]: the chance that just k of i dice show more than the face, if none shows less."""
    left = np.arange(die, 0.0, -1.0)[:, None]
    more, level = (left - 1) / left, 1 / left
    chances = np.zeros((die, count + 1, count + 1))
    chances[:, 0, 0] = 1.0
    for i in range(1, count + 1):
        chances[:, i] = level * chances[:, i - 1]
        chances[:, i, 1:] += more * chances[:, i - 1, :-1]
    return chances


def _along(axis: int, matrix: NDArray[np.float64], table: NDArray[np.float64]) -> NDArray[np.float64]:
    """The matrix times the table, along an axis; in pieces so small that no threads are woken for them."""
    placed = np.empty_like(table)
    columns = max(1, PIECE // matrix.size)
    for start in range(0, table.shape[-1], columns):
        piece = slice(start, start + columns)
        np.matmul(matrix, table[..., piece].swapaxes(axis, -2), out=placed[..., piece].swapaxes(axis, -2))
    return placed


def _placed(table: NDArray[np.object_]) -> NDArray[np.object_]:
    """Row i becomes the sum of C(i, k) times row k: which i − k of the i dice are those of the face."""
    placed = table.copy()
    for k in range(1, len(placed)):
        placed[k:] = placed[k:] + placed[k - 1 : -1]
    return placed
