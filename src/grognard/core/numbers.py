"""Arithmetic on floats and Fractions alike: comparison up to rounding, sort keys, JSON."""

from enum import StrEnum
from fractions import Fraction
from typing import Any

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


def to_json(value: Any) -> Any:
    """A value for JSON: a Fraction or an enum as text, a tuple as a list, and what has a `to_dict` as that."""
    if isinstance(value, tuple):
        return [to_json(part) for part in value]
    if isinstance(value, Fraction | StrEnum):
        return str(value)
    return value.to_dict() if hasattr(value, "to_dict") else value


def fields_to_json(record: object, *names: str) -> dict[str, Any]:
    """These fields and properties of an object as JSON."""
    return {name: to_json(getattr(record, name)) for name in names}
