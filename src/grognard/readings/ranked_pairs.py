"""Ranked pairs: both pools are sorted from high to low, and dice of equal rank are compared."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from grognard.core.distributions import Distribution, collect
from grognard.core.readings import Faces, Fate
from grognard.readings.face_walk import Arithmetic, FaceWalk, Pools, Table, TwoPools, high_to_low

Ties = Literal["defender", "attacker", "both", "neither"]
"""The side that wins a tie; or both sides lose one, or neither does."""


class Losses(NamedTuple):
    """The number of pairs that each side has lost."""

    attack: int
    defence: int


def ties_to_defence(arithmetic: Arithmetic[Table]) -> Table:
    """Attack losses if the defence wins ties: on each face, the defence dice are placed before the attack dice."""
    attack_loses = arithmetic.counting_losses(arithmetic.attack, 0)
    table = arithmetic.start()
    for face in arithmetic.pools.faces:
        table = attack_loses(arithmetic.defence(table, face), face)
    return table


def ties_separate(arithmetic: Arithmetic[Table]) -> Table:
    """Losses of both sides to higher dice; all other pairs are ties.

    The side with fewer dice so far loses the pairs that it completes with dice of earlier faces. Pairs beyond those are
    completed by both sides on this face, and are ties.
    """
    attack_loses = arithmetic.counting_losses(arithmetic.attack, 0)
    defence_loses = arithmetic.counting_losses(arithmetic.defence, 1)
    table = arithmetic.start()
    for face in arithmetic.pools.faces:
        behind, others = arithmetic.split_by_majority(table)
        behind = arithmetic.defence(attack_loses(behind, face), face)
        table = arithmetic.sum_of(behind, arithmetic.attack(defence_loses(others, face), face))
    return table


def _bound(pools: Pools) -> int:
    return min(pools.attack, pools.defence) + 1


_RANKED = FaceWalk(ties_to_defence, lambda pools: (_bound(pools),))
_SEPARATE = FaceWalk(ties_separate, lambda pools: (_bound(pools), _bound(pools)))

_ATTACK_WINS = Fate.WINS, Fate.LOSES
_DEFENCE_WINS = Fate.LOSES, Fate.WINS
_TIES: dict[Ties, tuple[Fate, Fate]] = {
    "defender": _DEFENCE_WINS,
    "attacker": _ATTACK_WINS,
    "both": (Fate.LOSES, Fate.LOSES),
    "neither": (Fate.TIES, Fate.TIES),
}


@dataclass(frozen=True, slots=True)
class RankedPairs(TwoPools[Losses]):
    """The losses of both sides: the lower die of each pair loses, and `ties` says who loses a tie."""

    attack: int
    defence: int
    attack_die: int = 10
    defence_die: int = 10
    ties: Ties = "defender"

    @property
    def size(self) -> int:
        """The size of the face walk. If ties count apart, its table has an axis for the losses of each side."""
        return (_SEPARATE if self.ties in ("both", "neither") else _RANKED).size(self.pools)

    def read(self, faces: Faces) -> Losses:
        """One for every die that loses."""
        attack, defence = self.fates(faces)
        return Losses(attack.count(Fate.LOSES), defence.count(Fate.LOSES))

    def odds(self, fractions: bool = False) -> Distribution[Losses]:
        return collect(self._weights(fractions), self.pools.total if fractions else None)

    def fates(self, faces: Faces) -> tuple[tuple[Fate, ...], ...]:
        """Dice without a partner are unused."""
        attack, defence = ([Fate.UNUSED] * len(pool) for pool in faces)
        for a, d in zip(high_to_low(faces[0]), high_to_low(faces[1]), strict=False):
            attack[a], defence[d] = self._compare(int(faces[0][a]), int(faces[1][d]))
        return tuple(attack), tuple(defence)

    def _compare(self, attack: int, defence: int) -> tuple[Fate, Fate]:
        if attack != defence:
            return _ATTACK_WINS if attack > defence else _DEFENCE_WINS
        return _TIES[self.ties]

    def _weights(self, fractions: bool) -> Iterator[tuple[Losses, float]]:
        pairs = min(self.attack, self.defence)
        if self.ties == "defender":
            for (a,), weight in _RANKED.weights(self.pools, fractions):
                yield Losses(a, pairs - a), weight
        elif self.ties == "attacker":
            for (d,), weight in _RANKED.weights(self.pools.swapped, fractions):
                yield Losses(pairs - d, d), weight
        else:
            for (a, d), weight in _SEPARATE.weights(self.pools, fractions):
                tied = pairs - a - d if self.ties == "both" else 0
                yield Losses(a + tied, d + tied), weight


@dataclass(frozen=True, slots=True)
class RankedLosses(TwoPools[int]):
    """The losses of the defence: the attack dice that no defence die of their rank meets or exceeds."""

    attack: int
    attack_die: int
    defence: int
    defence_die: int

    @property
    def size(self) -> int:
        return self._pairs.size

    def read(self, faces: Faces) -> int:
        """The number of attack dice that do not lose their pair."""
        return self.attack - self._pairs.read(faces).attack

    def odds(self, fractions: bool = False) -> Distribution[int]:
        return self._pairs.odds(fractions).map(lambda losses: self.attack - losses.attack)

    def fates(self, faces: Faces) -> tuple[tuple[Fate, ...], ...]:
        """An attack die without a partner wins."""
        attack, defence = self._pairs.fates(faces)
        return tuple(Fate.WINS if fate is Fate.UNUSED else fate for fate in attack), defence

    @property
    def _pairs(self) -> RankedPairs:
        return RankedPairs(self.attack, self.defence, self.attack_die, self.defence_die)
