"""Probability distributions."""

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import lcm, sqrt
from typing import Any, Generic, TypeVar

from grognard.core.lazy import NotebookDisplay

T_co = TypeVar("T_co", bound=Hashable, covariant=True)
U = TypeVar("U", bound=Hashable)

Probability = float | Fraction


def cap_at_one(probability: Probability) -> Probability:
    """At most 1: a sum of probabilities in floats may exceed it by rounding."""
    return probability if probability <= 1 else 1.0


@dataclass(frozen=True, slots=True)
class Distribution(NotebookDisplay, Generic[T_co]):
    """Distinct values with their weights: floats that sum to 1, or whole numbers over a common total.

    Iterating gives pairs of value and probability. A value of weight zero is not listed. `mean`, `quantile`, `+` and
    the like need values that are numbers; True counts as 1.
    """

    values: tuple[T_co, ...]
    weights: tuple[float, ...] | tuple[int, ...]
    total: int | None = None  # None: the weights are floats

    def __post_init__(self) -> None:
        if len(self.values) != len(self.weights):
            raise ValueError(f"{len(self.values)} values but {len(self.weights)} weights")

    @property
    def probabilities(self) -> tuple[Probability, ...]:
        """The probability of each value; Fractions if the weights are whole numbers."""
        if self.total is None:
            return self.weights
        return tuple(Fraction(int(weight), self.total) for weight in self.weights)

    def __iter__(self) -> Iterator[tuple[T_co, Probability]]:
        return zip(self.values, self.probabilities, strict=True)

    def __len__(self) -> int:
        return len(self.values)

    def map(self, function: "Callable[[T_co], U]") -> "Distribution[U]":
        """The distribution of the function's values; equal ones are merged."""
        return collect(((function(v), w) for v, w in zip(self.values, self.weights, strict=True)), self.total)

    def given(self, predicate: "Callable[[T_co], bool]") -> "Distribution[T_co]":
        """The distribution given that the predicate holds; an error if it never does."""
        kept = [(v, w) for v, w in zip(self.values, self.weights, strict=True) if predicate(v)]
        weight = sum(w for _, w in kept)
        if not weight:
            raise ValueError("the condition is never met")
        if self.total is None:
            return collect((v, w / weight) for v, w in kept)
        return collect(kept, int(weight))

    def probability(self, value: object) -> Probability:
        """The probability of a value, or that a predicate of the value holds."""
        return cap_at_one(self._sum(p for v, p in self if (value(v) if callable(value) else v == value)))

    @property
    def mean(self) -> Probability:
        """The mean of the values."""
        return self._sum(_number(v) * p for v, p in self)

    @property
    def variance(self) -> Probability:
        """The variance of the values."""
        mean = self.mean
        return self._sum((_number(v) - mean) ** 2 * p for v, p in self)

    @property
    def sd(self) -> float:
        """The standard deviation, always a float."""
        return sqrt(self.variance)

    def at_least(self, number: int | float) -> Probability:
        """The probability of this value or more."""
        return cap_at_one(self._sum(p for v, p in self if _number(v) >= number))

    def cdf(self, number: int | float) -> Probability:
        """The probability of this value or less."""
        return cap_at_one(self._sum(p for v, p in self if _number(v) <= number))

    def quantile(self, q: Probability) -> T_co:
        """The smallest value whose cumulative probability is at least q."""
        if not 0 <= q <= 1:
            raise ValueError(f"{q} is not a probability")
        pairs = sorted(self, key=lambda pair: _number(pair[0]))
        cumulative: Probability = self._sum(())
        for value, probability in pairs:
            cumulative += probability
            if cumulative >= q - (0 if self.total is not None else 1e-12):
                return value
        return pairs[-1][0]

    def __add__(self, other: "Distribution[Any] | int") -> "Distribution[Any]":
        """The distribution of the sum of two independent values."""
        if isinstance(other, int):
            return collect(
                (((_number(v) + other), w) for v, w in zip(self.values, self.weights, strict=True)), self.total
            )
        sums = [(_number(a) + _number(b), p * q) for a, p in self for b, q in other]
        if self.total is None or other.total is None:
            return collect((value, float(p)) for value, p in sums)
        total = self.total * other.total
        return collect(((value, int(p * total)) for value, p in sums), total)

    def _sum(self, numbers: Iterable[Probability]) -> Probability:
        return sum(numbers, 0.0 if self.total is None else Fraction(0))


def _number(value: Any) -> Any:
    if not isinstance(value, int | float | Fraction):
        raise TypeError(f"{value!r} is not a number")
    return int(value) if isinstance(value, bool) else value


def collect(pairs: Iterable[tuple[U, int | float]], total: int | None = None) -> Distribution[U]:
    """The distribution of weighted values: equal ones are merged, those of weight zero dropped."""
    merged: dict[U, int | float] = {}
    for value, weight in pairs:
        if weight:
            merged[value] = merged.get(value, 0) + weight
    return Distribution(tuple(merged), tuple(merged.values()), total)


def from_probabilities(pairs: Iterable[tuple[U, Probability]]) -> Distribution[U]:
    """The distribution of values with these probabilities. Fractions become weights over their common denominator."""
    listed = list(pairs)
    if not any(isinstance(p, Fraction) for _, p in listed):
        floats = collect((value, float(p)) for value, p in listed)
        return Distribution(floats.values, tuple(float(cap_at_one(p)) for p in floats.weights))
    fractions = [(value, Fraction(p)) for value, p in listed]
    total = lcm(*(p.denominator for _, p in fractions))
    return collect(((value, p.numerator * (total // p.denominator)) for value, p in fractions), total)
