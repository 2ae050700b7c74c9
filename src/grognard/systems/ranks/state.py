"""What changes in a combat, and what it comes to in the end."""

from collections.abc import Iterable
from dataclasses import dataclass

from grognard.systems.ranks.setup import Faction, Setup


@dataclass(frozen=True, slots=True, kw_only=True)
class Combat:
    """How many arrivals have had their turn, the units of every army, and the armies that were held back."""

    turn: int
    units: tuple[int, ...]
    held_back: tuple[int, ...] = ()

    def after_turn(self, *, held_back: bool) -> "Combat":
        """The next army has had its turn."""
        turn = self.turn + 1
        return Combat(turn=turn, units=self.units, held_back=(*self.held_back, turn) if held_back else self.held_back)

    def without(self, losses: int, order: Iterable[int]) -> "Combat":
        """The first army in this order loses what it has, then the next one."""
        if not losses:
            return self
        units = list(self.units)
        for army in order:
            fallen = min(losses, units[army])
            units[army] -= fallen
            losses -= fallen
        return Combat(turn=self.turn, units=tuple(units), held_back=self.held_back)


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    """The units left, the army that possesses the Location, its guests there, and those that return."""

    units: tuple[int, ...]
    possessor: int | None
    guests: tuple[int, ...] = ()
    returns: tuple[int, ...] = ()


def at_location(setup: Setup, combat: Combat, side: Faction) -> tuple[int, ...]:
    """The armies of a side that are there and have units, in order of arrival."""
    units, held_back = combat.units, combat.held_back
    arrived = enumerate(setup.arrivals[: combat.turn], 1)
    allies = [army for army, entry in arrived if entry.side == side and units[army] and army not in held_back]
    return (0, *allies) if side == "defend" and units[0] else tuple(allies)


def is_attacker(setup: Setup, combat: Combat, army: int) -> bool:
    """Whether this army is the Attacker: the first to arrive on the attacking side."""
    earlier = (other for other in range(army) if other not in combat.held_back)
    return setup.side(army) == "attack" and all(setup.side(other) == "defend" for other in earlier)
