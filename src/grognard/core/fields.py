"""Marks on the fields of a set-up: bounds that the file reader enforces, and words for people.

A set-up is a frozen dataclass of plain types; `Annotated[int, AtLeast(1), Says("…")]` adds what types cannot say.
"""

from dataclasses import dataclass


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
