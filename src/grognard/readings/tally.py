"""Tally: the number of dice in each band of faces."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import comb

from grognard.core.distributions import Distribution, collect
from grognard.core.readings import Face, Faces, Fate, Pool, Reading, d
from grognard.readings.face_walk import check_dice

Band = tuple[int, int]
"""The first and the last face. A band beyond the faces of the die is empty."""


@dataclass(frozen=True, slots=True)
class Tally(Reading[tuple[int, ...]]):
    """The number of dice in each band; bands do not overlap."""

    count: int
    die: int
    bands: tuple[Band, ...]

    def __post_init__(self) -> None:
        check_dice(self.count, self.die)
        if len(self.bands) > 1:
            on_die = sorted(band for band in map(self._on_die, self.bands) if band[0] <= band[1])
            if any(later[0] <= earlier[1] for earlier, later in pairwise(on_die)):
                raise ValueError(f"bands overlap: {self.bands}")

    @property
    def dice(self) -> tuple[Pool, ...]:
        """One pool."""
        return (Pool(self.count, d(self.die)),)

    @property
    def size(self) -> int:
        """The number of different tallies, each counted in integers as long as all the dice."""
        bits = self.count * self.die.bit_length()
        return comb(self.count + len(self.bands), len(self.bands)) * (1 + bits // 16)

    def read(self, faces: Faces) -> tuple[int, ...]:
        """The number of dice in each band."""
        return tuple(sum(_is_in(face, band) for face in faces[0]) for band in self.bands)

    def odds(self, fractions: bool = False) -> Distribution[tuple[int, ...]]:
        """The multinomial distribution."""
        total = self.die**self.count
        widths = [max(0, last - first + 1) for first, last in map(self._on_die, self.bands)]
        tallies = _tallies(self.count, widths, self.die - sum(widths))
        if fractions:
            return collect(tallies, total)
        return collect((tally, ways / total) for tally, ways in tallies)

    def fates(self, faces: Faces) -> tuple[tuple[Fate, ...], ...]:
        """A die in any band wins; the others are unused."""
        return (tuple(Fate.WINS if any(_is_in(face, b) for b in self.bands) else Fate.UNUSED for face in faces[0]),)

    def _on_die(self, band: Band) -> Band:
        return max(band[0], 1), min(band[1], self.die)


def _is_in(face: Face, band: Band) -> bool:
    return band[0] <= int(face) <= band[1]


def _tallies(count: int, widths: list[int], outside: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Each tally of this number of dice, with the number of rolls that have it."""
    if not widths:
        yield (), outside**count
        return
    for first in range(count + 1):
        ways = comb(count, first) * widths[0] ** first
        if ways:
            for others, other_ways in _tallies(count - first, widths[1:], outside):
                yield (first, *others), ways * other_ways
