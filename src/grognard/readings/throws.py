"""Throws of symbol dice by one side alone, some of which are rolled again or set aside."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import prod
from typing import NamedTuple

from grognard.core.distributions import Distribution, collect
from grognard.core.readings import Face, Faces, Handful, Reading
from grognard.readings.symbols import NO_SYMBOLS, SymbolPool, Symbols, counted, strongest


class Thrown(NamedTuple):
    """What a throw comes to: how many dice of each handful are picked, and the symbols of all others."""

    picked: tuple[int, ...]
    symbols: Symbols


@dataclass(frozen=True, slots=True)
class Throw(Reading[Thrown]):
    """Dice thrown alone. A die is picked, to be rolled once more, by the strongest symbol that it shows."""

    handfuls: tuple[Handful, ...]
    picks: tuple[str, ...] = ()
    stronger_only: bool = False

    @property
    def dice(self) -> tuple[Handful, ...]:
        """The handfuls."""
        return self.handfuls

    @property
    def size(self) -> int:
        """The totals, times the ways to pick dice."""
        return SymbolPool(self.handfuls).most * prod(handful.count + 1 for handful in self.handfuls)

    def read(self, faces: Faces) -> Thrown:
        """Picked dice by handful; the symbols of the others together."""
        picked = tuple(sum(self.is_picked(face) for face in handful) for handful in faces)
        others = tuple(tuple(face for face in handful if not self.is_picked(face)) for handful in faces)
        return Thrown(picked, SymbolPool(stronger_only=self.stronger_only).total(others))

    def odds(self, exact: bool = False) -> Distribution[Thrown]:
        """Die by die, each picked or counted."""
        ways: dict[Thrown, int] = {Thrown((), NO_SYMBOLS): 1}
        for handful in self.handfuls:
            ways = {Thrown((*thrown.picked, 0), thrown.symbols): count for thrown, count in ways.items()}
            for _ in range(handful.count):
                ways = self._one_more(ways, handful.die.faces)
        rolls = SymbolPool(self.handfuls).rolls
        if exact:
            return collect(ways.items(), rolls)
        return collect((thrown, count / rolls) for thrown, count in ways.items())

    def is_picked(self, face: Face) -> bool:
        """Whether a die that shows this face is rolled once more."""
        return strongest(face) in self.picks

    def _one_more(self, ways: dict[Thrown, int], faces: Iterable[Face]) -> dict[Thrown, int]:
        more: dict[Thrown, int] = {}
        for face in faces:
            symbols, is_picked = counted(face, self.stronger_only), self.is_picked(face)
            for (picked, shown), count in ways.items():
                one_more = (
                    Thrown((*picked[:-1], picked[-1] + 1), shown) if is_picked else Thrown(picked, shown.plus(symbols))
                )
                more[one_more] = more.get(one_more, 0) + count
        return more
