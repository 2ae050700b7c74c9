"""Matching: each defence die removes one attack die that it meets or exceeds, so that as many as possible go."""

from collections import deque
from dataclasses import dataclass

from grognard.core.distributions import Distribution, collect
from grognard.core.readings import Faces, Fate
from grognard.readings.face_walk import Arithmetic, FaceWalk, Table, TwoPools, high_to_low


def attack_dice_left(arithmetic: Arithmetic[Table]) -> Table:
    """The most, over all faces, by which attack dice of that face or more outnumber such defence dice."""
    attack = arithmetic.raising_losses(arithmetic.attack)
    table = arithmetic.start()
    for face in arithmetic.pools.faces:
        table = attack(arithmetic.defence(table, face), face)
    return table


_MATCHING = FaceWalk(attack_dice_left, lambda pools: (pools.attack + 1,))


@dataclass(frozen=True, slots=True)
class Matching(TwoPools[int]):
    """The number of attack dice that are left when the defence has removed as many as it can."""

    attack: int
    attack_die: int
    defence: int
    defence_die: int

    @property
    def size(self) -> int:
        return _MATCHING.size(self.pools)

    def read(self, faces: Faces) -> int:
        """The number of attack dice that are not removed."""
        return self.fates(faces)[0].count(Fate.WINS)

    def odds(self, fractions: bool = False) -> Distribution[int]:
        weights = _MATCHING.weights(self.pools, fractions)
        return collect(((left, weight) for (left,), weight in weights), self.pools.total if fractions else None)

    def fates(self, faces: Faces) -> tuple[tuple[Fate, ...], ...]:
        """An attack die loses to the defence die that removes it; defence dice that remove nothing are unused."""
        attack, defence = [Fate.WINS] * self.attack, [Fate.UNUSED] * self.defence
        removers = deque(high_to_low(faces[1]))
        # A die that can remove an attack die can also remove any lower one, so this greedy matching is largest.
        for a in high_to_low(faces[0]):
            if removers and int(faces[1][removers[0]]) >= int(faces[0][a]):
                attack[a], defence[removers.popleft()] = Fate.LOSES, Fate.WINS
        return tuple(attack), tuple(defence)
