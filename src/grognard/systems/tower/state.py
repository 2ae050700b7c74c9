"""What changes in an attack: the Health and the tile of every unit."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from grognard.board.tiles import Tile
from grognard.systems.tower.setup import Setup


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """Each unit's Health and tile; the dead have 0 and none.

    Who reinforced is kept for the next attack of the turn. Nothing in this attack depends on it, beyond the dice and
    the defending units that the rules hand on; so positions that differ in it alone are the same.
    """

    health: tuple[int, ...]
    at: tuple[Tile | None, ...]
    reinforced: tuple[int, ...] = field(default=(), compare=False)

    def with_reinforcement(self, unit: int) -> "State":
        """This unit reinforces its side."""
        return replace(self, reinforced=(*self.reinforced, unit))

    def damaged(self, unit: int, damage: int) -> "State":
        """The unit takes damage, no more than it has Health; at 0 it is dead and off the board."""
        left = max(0, self.health[unit] - damage)
        health = (*self.health[:unit], left, *self.health[unit + 1 :])
        return replace(self, health=health) if left else replace(self, health=health, at=_set(self.at, {unit: None}))

    def killed(self, unit: int) -> "State":
        """The unit is dead, whatever Health it had."""
        return self.damaged(unit, self.health[unit])

    def moved(self, to: Mapping[int, Tile]) -> "State":
        """All these units move at once."""
        return replace(self, at=_set(self.at, to))

    def living(self, units: Iterable[int]) -> tuple[int, ...]:
        """Those of the units that are not dead."""
        return tuple(unit for unit in units if self.health[unit])

    def unit_on(self, tile: Tile) -> int | None:
        """The unit on a tile, if there is one."""
        return self.at.index(tile) if tile in self.at else None


def _set(at: tuple[Tile | None, ...], to: Mapping[int, Tile | None]) -> tuple[Tile | None, ...]:
    return tuple(to.get(unit, tile) for unit, tile in enumerate(at))


def at_first(setup: Setup) -> State:
    """Every unit as the file has it."""
    return State(health=tuple(unit.health for unit in setup.units), at=tuple(unit.at for unit in setup.units))
