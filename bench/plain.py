"""Yardsticks in plain NumPy: careful solutions of a single problem."""

from math import comb

import numpy as np
from numpy.typing import NDArray


def sweep(units: int, faces: int = 10) -> NDArray[np.float64]:
    """Ranked pairs, ties to the defender, for all pools up to `units` a side: [attackers, defenders, attack losses]."""
    size = units + 1
    add = np.array([[comb(i, k) / faces ** (i - k) if k <= i else 0.0 for k in range(size)] for i in range(size)])
    i, j, a = np.indices((size, size, size))
    mirror = np.minimum(i, j) - a  # the defence's losses instead of the attack's
    inside = mirror >= 0
    mirror[~inside] = 0
    ways = np.zeros((size, size, size))
    ways[0, 0, 0] = 1
    for _ in range(faces):
        ways = np.einsum("ab,ibx->iax", add, ways, optimize=True)  # the winner of ties is placed first
        ways = np.where(inside, ways[i, j, mirror], 0)
        ways = np.einsum("ab,bjx->ajx", add, ways, optimize=True)
        ways = np.where(inside, ways[i, j, mirror], 0)
    return ways


def monte_carlo(attack: int, defence: int, walks: int, seed: int, faces: int = 10) -> NDArray[np.int64]:
    """A sample of how many defending units fall in one exchange: how often each number comes up."""
    random = np.random.default_rng(seed)
    attackers = -np.sort(-random.integers(1, faces + 1, (walks, attack)), axis=1)
    defenders = -np.sort(-random.integers(1, faces + 1, (walks, defence)), axis=1)
    pairs = min(attack, defence)
    falls = (attackers[:, :pairs] > defenders[:, :pairs]).sum(axis=1)
    return np.bincount(falls, minlength=pairs + 1)
