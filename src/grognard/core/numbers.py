"""Arithmetic on floats and Fractions alike: comparison up to rounding, sort keys, JSON."""

from fractions import Fraction

from grognard.core.distributions import Probability

ROUNDING = 1e-9
"""A difference of floats below this is rounding."""


def zero_like(number: Probability) -> Probability:
    """Zero of the same type as the number: a Fraction or a float."""
    return Fraction(0) if isinstance(number, Fraction) else 0.0


def is_zero(difference: Probability) -> bool:
    """Whether a difference is zero: exactly for a Fraction, up to rounding for a float."""
    return not difference if isinstance(difference, Fraction) else -ROUNDING < difference < ROUNDING


def absolute_difference(first: Probability, second: Probability) -> Probability:
    """The absolute difference; `abs` of a union of types has no type of its own."""
    return first - second if first > second else second - first


def descending_key(number: Probability) -> float:
    """A sort key that puts large numbers first, and treats those that differ by rounding as equal."""
    return -round(float(number), 12)


def to_json_number(number: Probability) -> float | str:
    """A number for JSON: a Fraction as a text such as "7/36"."""
    return str(number) if isinstance(number, Fraction) else number
