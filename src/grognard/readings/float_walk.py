"""Face walks in floats, by NumPy: for pools so large that this is worth loading it."""

from itertools import product
from math import prod
from typing import Any

import numpy as np

from grognard.readings.face_walk import Arithmetic, Pools, Step, Weights

Floats = np.ndarray[Any, np.dtype[np.float64]]
"""As numpy.typing has it, whose import would take longer than a large roll."""
Numbers = np.ndarray[Any, np.dtype[np.int_]]
PIECE = 250_000
"""How many products one call of the matrix library may take before it wakes threads, which cost more than they do."""


class FloatArithmetic(Arithmetic[Floats]):
    """In floats: an entry is a distribution, given that no die shows less than the present face.

    Chances are only multiplied and added, so that the smallest comes out as precise as the largest.
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
        # More losses than pairs weigh nothing, so what wraps round is zero, and turning twice is turning back.
        other_end = (self._spread(self.pairs) - losses) % self.bounds[axis]
        turned = np.take_along_axis(np.arange(prod(shape)).reshape(shape), other_end, axis + 2)
        return lambda table, face: step(table.take(turned), face).take(turned)

    def raising_losses(self, step: Step[Floats]) -> Step[Floats]:
        """The weights of too few losses are added to that of the fewest allowed."""
        low = (np.arange(self.bounds[0]) < self._spread(self.lead)).astype(np.float64)
        high = 1.0 - low
        attack, defence = np.nonzero(self.lead > 0)

        def risen(table: Floats, face: int) -> Floats:
            placed = step(table, face)
            raised = placed * high
            raised[attack, defence, attack - defence] += np.einsum("ijk,ijk->ij", placed, low)[attack, defence]
            return raised

        return risen

    def split_by_majority(self, table: Floats) -> tuple[Floats, Floats]:
        """Two tables of the full size, with zeros at the entries of the other."""
        behind = np.where(self._spread(self.lead) < 0, table, 0.0)
        return behind, table - behind

    def sum_of(self, one: Floats, other: Floats) -> Floats:
        """The sum of both arrays."""
        return one + other

    def weights(self, table: Floats, attack: int, defence: int) -> Weights:
        """The entry, which rounding may have left a little off 1, so that what is certain comes out as 1.0."""
        entry = table[attack, defence].ravel().tolist()
        total = sum(entry)
        losses = product(*map(range, self.bounds))
        return [(lost, weight / total) for lost, weight in zip(losses, entry, strict=True) if weight]

    def _spread(self, numbers: Numbers) -> Numbers:
        return numbers.reshape(*numbers.shape, *(1 for _ in self.bounds))


def _placing(count: int, die: int) -> Floats:
    """Entry [face − 1, i, k]: the chance that just k of i dice show more than the face, if none shows less."""
    left = np.arange(die, 0.0, -1.0)[:, None]
    more, level = (left - 1) / left, 1 / left
    chances = np.zeros((die, count + 1, count + 1))
    chances[:, 0, 0] = 1.0
    for i in range(1, count + 1):
        chances[:, i] = level * chances[:, i - 1]
        chances[:, i, 1:] += more * chances[:, i - 1, :-1]
    return chances


def _along(axis: int, matrix: Floats, table: Floats) -> Floats:
    """The matrix times the table, along an axis; in pieces so small that no threads are woken for them."""
    placed = np.empty_like(table)
    columns = max(1, PIECE // matrix.size)
    for start in range(0, table.shape[-1], columns):
        piece = slice(start, start + columns)
        np.matmul(matrix, table[..., piece].swapaxes(axis, -2), out=placed[..., piece].swapaxes(axis, -2))
    return placed
