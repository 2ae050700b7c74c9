"""Face walks in floats, by NumPy, for large pools."""

from itertools import product
from math import prod
from typing import Any

import numpy as np

from grognard.readings.face_walk import Arithmetic, Pools, Step, Weights

Floats = np.ndarray[Any, np.dtype[np.float64]]
"""The same as in numpy.typing, whose import takes longer than a large roll."""
Numbers = np.ndarray[Any, np.dtype[np.int_]]
MOST_PRODUCTS = 250_000
"""In a larger matrix product the library starts threads, which takes longer than the product."""


class FloatArithmetic(Arithmetic[Floats]):
    """Float tables: an entry is a distribution, given that no die shows less than the present face.

    Probabilities are only multiplied and added, so that small ones are as precise as large ones.
    """

    def __init__(self, pools: Pools, bounds: tuple[int, ...]) -> None:
        super().__init__(pools, bounds)
        attack, defence = np.arange(pools.attack + 1), np.arange(pools.defence + 1)
        self.pairs = np.minimum.outer(attack, defence)
        self.lead = np.subtract.outer(attack, defence)
        self._attack = _placing(pools.attack, pools.attack_die)
        self._defence = _placing(pools.defence, pools.defence_die)

    def start(self) -> Floats:
        """An array with an axis for each pool, then the axes of losses."""
        table = np.zeros((*self.pairs.shape, *self.bounds))
        table.flat[0] = 1.0
        return table

    def attack(self, table: Floats, face: int) -> Floats:
        """The first axis is multiplied by the matrix of this face."""
        return _along(0, self._attack[face - 1], table) if face <= self.pools.attack_die else table

    def defence(self, table: Floats, face: int) -> Floats:
        """The second axis is multiplied by the matrix of this face."""
        return _along(1, self._defence[face - 1], table) if face <= self.pools.defence_die else table

    def counting_losses(self, step: Step[Floats], axis: int) -> Step[Floats]:
        """The axis is reversed within each entry before the step, and reversed back after it."""
        shape = *self.pairs.shape, *self.bounds
        losses = np.arange(self.bounds[axis]).reshape([-1 if other == axis else 1 for other in range(len(self.bounds))])
        # There are never more losses than pairs, so the entries that wrap around are zero.
        opposite = (self._spread(self.pairs) - losses) % self.bounds[axis]
        reversal = np.take_along_axis(np.arange(prod(shape)).reshape(shape), opposite, axis + 2)
        return lambda table, face: step(table.take(reversal), face).take(reversal)

    def raising_losses(self, step: Step[Floats]) -> Step[Floats]:
        """Add the weights of too few losses to the weight of the fewest that are allowed."""
        low = (np.arange(self.bounds[0]) < self._spread(self.lead)).astype(np.float64)
        high = 1.0 - low
        attack, defence = np.nonzero(self.lead > 0)

        def step_and_raise(table: Floats, face: int) -> Floats:
            placed = step(table, face)
            raised = placed * high
            raised[attack, defence, attack - defence] += np.einsum("ijk,ijk->ij", placed, low)[attack, defence]
            return raised

        return step_and_raise

    def split_by_majority(self, table: Floats) -> tuple[Floats, Floats]:
        """Two tables of the full size, with zeros at the entries of the other."""
        behind = np.where(self._spread(self.lead) < 0, table, 0.0)
        return behind, table - behind

    def sum_of(self, one: Floats, other: Floats) -> Floats:
        """The sum of both arrays."""
        return one + other

    def weights(self, table: Floats, attack: int, defence: int) -> Weights:
        """The entry, normalised: rounding may have moved its total from 1."""
        entry = table[attack, defence].ravel().tolist()
        total = sum(entry)
        losses = product(*map(range, self.bounds))
        return [(lost, weight / total) for lost, weight in zip(losses, entry, strict=True) if weight]

    def _spread(self, numbers: Numbers) -> Numbers:
        return numbers.reshape(*numbers.shape, *(1 for _ in self.bounds))


def _placing(count: int, die: int) -> Floats:
    """Entry [face − 1, i, k]: the probability that k of i dice show more than the face, given that none shows less."""
    faces_left = np.arange(die, 0.0, -1.0)[:, None]
    more, equal = (faces_left - 1) / faces_left, 1 / faces_left
    table = np.zeros((die, count + 1, count + 1))
    table[:, 0, 0] = 1.0
    for i in range(1, count + 1):
        table[:, i] = equal * table[:, i - 1]
        table[:, i, 1:] += more * table[:, i - 1, :-1]
    return table


def _along(axis: int, matrix: Floats, table: Floats) -> Floats:
    """The matrix times the table, along an axis; in slices so small that the library starts no threads."""
    placed = np.empty_like(table)
    columns = max(1, MOST_PRODUCTS // matrix.size)
    for start in range(0, table.shape[-1], columns):
        part = slice(start, start + columns)
        np.matmul(matrix, table[..., part].swapaxes(axis, -2), out=placed[..., part].swapaxes(axis, -2))
    return placed
