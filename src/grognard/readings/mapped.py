"""Mapped: a function of another reading."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

from grognard.core.distributions import Distribution
from grognard.core.readings import Faces, Fate, Pool, Reading

T = TypeVar("T", bound=Hashable)
U_co = TypeVar("U_co", bound=Hashable, covariant=True)


@dataclass(frozen=True, slots=True)
class Mapped(Reading[U_co], Generic[T, U_co]):
    """A function of another reading, so that rolls with the same value of the function are one answer.

    The function has to be a value: a function of a module, or a frozen callable object.
    """

    reading: Reading[T]
    function: Callable[[T], U_co]

    @property
    def dice(self) -> tuple[Pool, ...]:
        return self.reading.dice

    @property
    def size(self) -> int:
        return self.reading.size

    def read(self, faces: Faces) -> U_co:
        return self.function(self.reading.read(faces))

    def odds(self, fractions: bool = False) -> Distribution[U_co]:
        return self.reading.odds(fractions).map(self.function)

    def fates(self, faces: Faces) -> tuple[tuple[Fate, ...], ...]:
        return self.reading.fates(faces)
