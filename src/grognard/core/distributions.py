"""Distributions: how likely each value is."""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

T_co = TypeVar("T_co", bound=Hashable, covariant=True)
U = TypeVar("U", bound=Hashable)

Probability = float | Fraction


@dataclass(frozen=True, slots=True)
class Distribution(Generic[T_co]):
    """Different values with their weights: floats that sum to 1, or whole numbers over a common total.

    A value of weight zero is not listed.
    """

    values: tuple[T_co, ...]
    weights: tuple[float, ...] | tuple[int, ...]
    total: int | None = None  # None: the weights are floats

    def __post_init__(self) -> None:
        if len(self.values) != len(self.weights):
            raise ValueError(f"{len(self.values)} values but {len(self.weights)} weights")

    @property
    def probabilities(self) -> tuple[Probability, ...]:
        """One probability a value, as Fractions if the weights are whole."""
        if self.total is None:
            return self.weights
        return tuple(Fraction(int(weight), self.total) for weight in self.weights)

    def map(self, function: "Callable[[T_co], U]") -> "Distribution[U]":
        """The distribution of what the function makes of each value; equal results are merged."""
        return collect(((function(v), w) for v, w in zip(self.values, self.weights, strict=True)), self.total)


def collect(pairs: Iterable[tuple[U, int | float]], total: int | None = None) -> Distribution[U]:
    """Gather weighted values, merging equal ones and dropping those of weight zero."""
    merged: dict[U, int | float] = {}
    for value, weight in pairs:
        if weight:
            merged[value] = merged.get(value, 0) + weight
    return Distribution(tuple(merged), tuple(merged.values()), total)
