"""Plain data that is equal but for rounding."""

from math import isclose


def is_nearly(one: object, other: object) -> bool:
    """Whether plain data is equal but for the rounding of floats, which other versions of Python sum differently."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(is_nearly(value, other[key]) for key, value in one.items())
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(is_nearly, one, other))
    if isinstance(one, float) and isinstance(other, int | float):
        return isclose(one, other, rel_tol=1e-12, abs_tol=1e-14)
    return one == other
