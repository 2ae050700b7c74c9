"""Amounts that are floats or Fractions: their size, which of them are nothing, and which come first."""

from fractions import Fraction

from grognard.core.distributions import Probability

SAME = 1e-9
"""A difference of floats below this is rounding."""


def zero(number: Probability) -> Probability:
    """Nothing, in the numbers that this one is of."""
    return Fraction(0) if isinstance(number, Fraction) else 0.0


def size(number: Probability) -> Probability:
    """How large it is, whichever way it goes."""
    return -number if number < 0 else number


def is_nothing(change: Probability) -> bool:
    """Whether a change is none: exactly in fractions, else but for rounding."""
    return not change if isinstance(change, Fraction) else -SAME < change < SAME


def falling(number: Probability) -> float:
    """A key that sorts large numbers first, and those that differ by rounding as equal."""
    return -round(float(number), 12)
