"""Ranked losses: ranks are compared as in Risk, and attack dice that meet nobody strike home."""

from dataclasses import dataclass

from grognard.core.distributions import Distribution
from grognard.core.readings import Faces, Fate, Pool, Reading
from grognard.readings.ranked_pairs import RankedPairs


@dataclass(frozen=True, slots=True)
class RankedLosses(Reading[int]):
    """What the defence loses: every attack die that no defence die of its rank meets or exceeds."""

    attack: int
    attack_die: int
    defence: int
    defence_die: int

    def __post_init__(self) -> None:
        self._pairs.__post_init__()

    @property
    def dice(self) -> tuple[Pool, ...]:
        """The attack, then the defence."""
        return self._pairs.dice

    @property
    def size(self) -> int:
        """As for ranked pairs."""
        return self._pairs.size

    def read(self, faces: Faces) -> int:
        """All attack dice but those that lose their pair."""
        return self.attack - self._pairs.read(faces).attack

    def odds(self, fractions: bool = False) -> Distribution[int]:
        """From those of ranked pairs."""
        return self._pairs.odds(fractions).map(lambda losses: self.attack - losses.attack)

    def fates(self, faces: Faces) -> tuple[tuple[Fate, ...], ...]:
        """An attack die without a partner wins."""
        attack, defence = self._pairs.fates(faces)
        return tuple(Fate.WINS if fate is Fate.UNUSED else fate for fate in attack), defence

    @property
    def _pairs(self) -> RankedPairs:
        return RankedPairs(self.attack, self.defence, self.attack_die, self.defence_die)
