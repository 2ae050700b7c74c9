"""Mapped: another reading, and what a rule makes of it before anything else happens."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

from grognard.core.distributions import Distribution
from grognard.core.readings import Faces, Fate, Pool, Reading

T = TypeVar("T", bound=Hashable)
U_co = TypeVar("U_co", bound=Hashable, covariant=True)


@dataclass(frozen=True, slots=True)
class Mapped(Reading[U_co], Generic[T, U_co]):
    """A function of another reading: rolls with the same value of the function are merged at once.

    The function is a value too: named in a module, or a frozen object that can be called.
    """

    reading: Reading[T]
    function: Callable[[T], U_co]

    @property
    def dice(self) -> tuple[Pool, ...]:
        """The same dice."""
        return self.reading.dice

    @property
    def size(self) -> int:
        """The same work."""
        return self.reading.size

    def read(self, faces: Faces) -> U_co:
        """What the function makes of the reading."""
        return self.function(self.reading.read(faces))

    def odds(self, fractions: bool = False) -> Distribution[U_co]:
        """How likely each value of the function is."""
        return self.reading.odds(fractions).map(self.function)

    def fates(self, faces: Faces) -> tuple[tuple[Fate, ...], ...]:
        """Those of the reading itself."""
        return self.reading.fates(faces)
