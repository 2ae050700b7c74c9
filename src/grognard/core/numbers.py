"""Numbers that are floats or Fractions: which are zero but for rounding, which come first, how JSON has them."""

from fractions import Fraction

from grognard.core.distributions import Probability

ROUNDING = 1e-9
"""A difference of floats below this is rounding."""


def zero_like(number: Probability) -> Probability:
    """Zero, a Fraction if the number is one."""
    return Fraction(0) if isinstance(number, Fraction) else 0.0


def is_zero(difference: Probability) -> bool:
    """Whether a difference is none: exactly in fractions, else but for rounding."""
    return not difference if isinstance(difference, Fraction) else -ROUNDING < difference < ROUNDING


def distance(one: Probability, other: Probability) -> Probability:
    """How far two numbers lie apart."""
    return one - other if one > other else other - one


def descending(number: Probability) -> float:
    """A sort key that puts large numbers first, and treats those that differ by rounding as equal."""
    return -round(float(number), 12)


def to_json_number(number: Probability) -> float | str:
    """A number for JSON: a Fraction as a text such as "7/36"."""
    return str(number) if isinstance(number, Fraction) else number
