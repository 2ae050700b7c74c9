"""Dice, pools, and the base class of readings: how the dice of a roll are interpreted."""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Generic, TypeVar

from grognard.core.distributions import Distribution
from grognard.core.errors import WrongAnswer

T_co = TypeVar("T_co", bound=Hashable, covariant=True)

Face = int | str
Faces = tuple[tuple[Face, ...], ...]
"""The faces rolled, one tuple for each pool."""


@dataclass(frozen=True, slots=True)
class Die:
    """A die with its name and its faces, which are equally likely and may repeat."""

    name: str
    faces: tuple[Face, ...]


@cache
def d(faces: int) -> Die:
    """The die numbered 1 to `faces`."""
    return Die(f"d{faces}", tuple(range(1, faces + 1)))


@dataclass(frozen=True, slots=True)
class Pool:
    """Dice of one kind that one side rolls together."""

    count: int
    die: Die


class Fate(StrEnum):
    """The effect of one die in a roll."""

    WINS = "wins"
    LOSES = "loses"
    TIES = "ties"
    UNUSED = "unused"


class Reading(ABC, Generic[T_co]):
    """One way of reading one roll: `read` for the faces rolled, `odds` for the distribution over all rolls.

    Readings are frozen values. They are cheap to build, and only the solver calls `odds`.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def dice(self) -> tuple[Pool, ...]:
        """The pools rolled, those of the side that attacks first."""

    @abstractmethod
    def read(self, faces: Faces) -> T_co:
        """What the rule needs to know of these faces: the value of the roll."""

    @abstractmethod
    def odds(self, fractions: bool = False) -> Distribution[T_co]:
        """The distribution of `read` over all rolls; with `fractions`, its weights are whole numbers."""

    @property
    def size(self) -> int:
        """The approximate number of values that `odds` computes: the solver refuses readings that are too large."""
        return sum(pool.count for pool in self.dice)

    def fates(self, faces: Faces) -> tuple[tuple[Fate, ...], ...]:
        """The fate of each die, for people; empty if the reading does not define it."""
        return ()

    def split(self, faces: Sequence[Face]) -> Faces:
        """Divide a flat list of faces among the pools; an error if the dice do not have these faces."""
        wanted = sum(pool.count for pool in self.dice)
        if len(faces) != wanted:
            dice = "1 die" if len(faces) == 1 else f"{len(faces)} dice"
            rolled = "1 is" if wanted == 1 else f"{wanted} are"
            raise WrongAnswer(f"{dice} given, but {rolled} rolled: {format_pools(self.dice)}")
        pools: list[tuple[Face, ...]] = []
        start = 0
        for pool in self.dice:
            shown = tuple(faces[start : start + pool.count])
            for place, face in enumerate(shown, start + 1):
                if isinstance(face, bool) or face not in pool.die.faces:
                    raise WrongAnswer(
                        f"die {place} shows {face!r}, but a {pool.die.name} has the faces "
                        f"{', '.join(_unique(pool.die.faces))}"
                    )
            pools.append(shown)
            start += pool.count
        return tuple(pools)


def format_pools(dice: Iterable[Pool]) -> str:
    """Pools as people write them: `3 d10, then 4 d10`."""
    return ", then ".join(f"{pool.count} {pool.die.name}" for pool in dice)


def _unique(faces: Iterable[Face]) -> list[str]:
    return list(dict.fromkeys(str(face) if face != "" else "blank" for face in faces))
