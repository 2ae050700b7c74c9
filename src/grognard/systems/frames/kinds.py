"""The kinds of system that a frame can carry, and the ranges at which it can attack."""

from enum import StrEnum


class Range(StrEnum):
    """Hand to hand within one unit of the ruler, direct fire up to the ruler's eight, artillery beyond."""

    HAND = "hand"
    DIRECT = "direct"
    ARTILLERY = "artillery"


class Kind(StrEnum):
    """What a system is for. A weapon has the name of its range."""

    DEFENSE = "defense"
    MOVEMENT = "movement"
    SPOTTING = "spotting"
    HAND = "hand"
    DIRECT = "direct"
    ARTILLERY = "artillery"


SYSTEMS = 4
"""A frame carries at most so many systems,"""
ALIKE = 2
"""at most so many of a kind,"""
ROCKETS = 3
"""and at most so many single-shot rockets, which are no systems."""
WHITE = 2
"""The white dice of a whole frame."""
