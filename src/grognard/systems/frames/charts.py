"""The five damage charts of the chapter."""

from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

from grognard.readings.mapped import Mapped
from grognard.readings.tally import Tally


class Hit(StrEnum):
    """What a damage die does."""

    MISS = "miss"
    COVER = "hit cover"
    TARGET = "hit target"


MISS, HIT_COVER, HIT_TARGET = Hit


@dataclass(frozen=True, slots=True)
class Chart:
    """What each face of a damage die does, from 1 to 6, and the bands of faces that are counted together."""

    results: tuple[Hit, ...]
    bands: tuple[tuple[int, int], ...]

    def __getitem__(self, face: int) -> Hit:
        return self.results[face - 1]

    def success(self, target: str, cover: str = "") -> str:
        """What its faces do, for people: `a 4 or 5 damages the wall, a 6 damages osprey`."""
        parts = []
        for hit, name in ((HIT_COVER, cover), (HIT_TARGET, target)):
            faces = [str(face) for face, result in enumerate(self.results, 1) if result is hit]
            if faces and name:
                listed = " or ".join([", ".join(faces[:-1]), faces[-1]]) if faces[1:] else faces[0]
                parts.append(f"a {listed} damages {name}")
        return ", ".join(parts)

    def tally(self, dice: int) -> Tally:
        """The reading that counts damage dice by the bands of this chart. The colour of the dice does not matter."""
        return Tally(dice, len(self.results), self.bands)

    def reading(self, dice: int, *most: int) -> Mapped[tuple[int, ...], tuple[int, ...]]:
        """The reading of the number of dice in each band, up to the most that can matter."""
        return Mapped(self.tally(dice), Capped(most))


@dataclass(frozen=True, slots=True)
class Capped:
    """Numbers, each capped at its largest value that matters."""

    most: tuple[int, ...]

    def __call__(self, numbers: tuple[int, ...]) -> tuple[int, ...]:
        """The numbers, capped."""
        return tuple(map(min, numbers, self.most))


def chart(*rows: tuple[str, Hit], when_cover_goes: Chart | None = None) -> Chart:
    """A chart from its rows. Faces that hit the same are one band, unless they differ once the cover is gone."""
    results = [hit for roll, hit in rows for _ in range(int(roll[0]), int(roll[-1]) + 1)]
    faces = [face for face, hit in enumerate(results, 1) if hit is not MISS]
    alike = groupby(faces, lambda face: (results[face - 1], when_cover_goes and when_cover_goes[face]))
    runs = [list(run) for _, run in alike]
    return Chart(tuple(results), tuple((run[0], run[-1]) for run in runs))


# Damage chart 1: hand-to-hand attacks
CHART_1 = chart(
    # Roll, result
    ("1-3", MISS),
    ("4-6", HIT_TARGET),
)

# Damage chart 2: ranged attack, no cover
CHART_2 = chart(
    # Roll, result
    ("1-4", MISS),
    ("5-6", HIT_TARGET),
)

# Damage chart 3: ranged attack, normal cover
CHART_3 = chart(
    # Roll, result
    ("1-3", MISS),
    ("4-5", HIT_COVER),
    ("6", HIT_TARGET),
    when_cover_goes=CHART_2,
)

# Damage chart 4: ranged attack, covered by a mobile frame
CHART_4 = chart(
    # Roll, result
    ("1-4", MISS),
    ("5", HIT_COVER),
    ("6", HIT_TARGET),
    when_cover_goes=CHART_2,
)

# Damage chart 5: attacks against terrain
CHART_5 = chart(
    # Roll, result
    ("1-3", MISS),
    ("4-6", HIT_TARGET),
)


@dataclass(frozen=True, slots=True)
class BehindTerrain:
    """Chart 3 against cover with this number of hits, and a target that can take at most this much damage."""

    hits: int
    most: int

    def __call__(self, rolled: tuple[int, ...]) -> tuple[int, int]:
        """The hits that the cover can still take, and the damage to the target.

        Low dice come first. Once the cover is gone, chart 2 counts: 5s left blow through, 4s left miss.
        """
        chart, hits, damage = CHART_3, self.hits, 0
        for (face, _), count in zip(CHART_3.bands, rolled, strict=True):
            for _ in range(count):
                damage += chart[face] is HIT_TARGET
                hits -= chart[face] is HIT_COVER
                chart = CHART_3 if hits else CHART_2
        return hits, min(damage, self.most)
