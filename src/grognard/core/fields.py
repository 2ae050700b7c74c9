"""Marks on the fields of a set-up: bounds that the file reader enforces, and words for people.

A set-up is a frozen dataclass of plain types; `Annotated[int, AtLeast(1), Says("…")]` adds what types cannot say.
"""

from dataclasses import dataclass
from typing import Annotated


@dataclass(frozen=True, slots=True)
class AtLeast:
    """The smallest number allowed."""

    number: int


@dataclass(frozen=True, slots=True)
class AtMost:
    """The largest number allowed."""

    number: int


@dataclass(frozen=True, slots=True)
class Says:
    """What the field means, in a few words; on a switch also the paragraph it belongs to."""

    words: str
    paragraph: str = ""


LARGEST = 1_000_000
"""The largest number that a field without a bound of its own takes."""
MOST_ENTRIES = 10_000
"""The longest list."""
LONGEST_NAME = 200

Name = Annotated[str, AtMost(LONGEST_NAME)]
Count = Annotated[int, AtLeast(0), AtMost(LARGEST)]
Positive = Annotated[int, AtLeast(1), AtMost(LARGEST)]
