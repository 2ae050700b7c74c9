"""What a battle file may say: units with their cards and squares, and one attack.

Units are counted as the file lists them, from 0.
"""

from dataclasses import dataclass, field
from typing import Annotated, Literal

from grognard.core.fields import AtLeast, Says
from grognard.core.systems import Json, Role
from grognard.systems.supply.switches import Switches

Coordinate = Annotated[int, AtLeast(1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """A unit on the board, and what stands on its Tracking Card."""

    id: Annotated[str, Says("the name by which the attack knows it")]
    side: Annotated[str, Says("who plays it")]
    die: Annotated[Literal[4, 6, 8, 10, 12, 20], Says("the faces of its Battle Die")]
    strength: Annotated[int, AtLeast(1), Says("its Troop Strength: health, and how many dice it rolls")]
    range: Annotated[int, AtLeast(0), Says("its Attack Range in squares")]
    ammo: Annotated[int, AtLeast(0), Says("its Ammunition Cost: the Supply Tokens that an attack takes")]
    supply: Annotated[int, AtLeast(0), Says("the Supply Tokens on its card")]
    at: Annotated[tuple[Coordinate, Coordinate], Says("its square: column and row")]
    indirect: Annotated[bool, Says("whether it has Indirect Fire, so that others may call it in")] = False
    fired: Annotated[bool, Says("whether it has attacked this turn")] = False
    countered: Annotated[bool, Says("whether it has counterattacked this turn")] = False

    def __str__(self) -> str:
        return f"{self.id} ({self.side})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """Who attacks whom; `how` and `through` advance_to_question what would else be asked."""

    by: Annotated[str, Says("the unit that attacks")]
    on: Annotated[str, Says("the enemy unit that is attacked")]
    how: Annotated[Literal["direct", "call in"] | None, Says("whether it fires itself or calls in another")] = None
    through: Annotated[str | None, Says("the Indirect Fire unit that it calls in")] = None

    @property
    def is_call_in(self) -> bool:
        """Whether it is settled that another unit fires."""
        return self.how == "call in" or self.through is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """One attack, and all units that have a part in it."""

    units: Annotated[tuple[Unit, ...], Says("the units, each on its own square")]
    attack: Annotated[Attack, Says("the attack to resolve")]
    rules: Annotated[Switches, Says("how this table reads the chapter")] = field(default_factory=Switches)

    @property
    def attacker(self) -> int:
        """The unit that attacks, or calls in another."""
        return self.place(self.attack.by)

    @property
    def target(self) -> int:
        """The unit that is attacked."""
        return self.place(self.attack.on)

    def place(self, name: str) -> int:
        """Where in the file the unit of this id is."""
        return [unit.id for unit in self.units].index(name)


def role_of(setup: Setup, player: str) -> Role:
    """The attacking unit's player attacks; whoever else decides something defends."""
    return Role.ATTACKER if player == setup.units[setup.attacker].side else Role.DEFENDER


EXAMPLE: Json = {
    "system": "supply",
    "units": [
        {"id": "guns", "side": "red", "die": 8, "strength": 4, "range": 3, "ammo": 1, "supply": 3, "at": [2, 3]},
        {"id": "rifles", "side": "blue", "die": 6, "strength": 5, "range": 3, "ammo": 1, "supply": 2, "at": [4, 3]},
        {
            "id": "mortar",
            "side": "red",
            "die": 10,
            "strength": 2,
            "range": 5,
            "ammo": 2,
            "supply": 4,
            "at": [1, 2],
            "indirect": True,
        },
    ],
    "attack": {"by": "guns", "on": "rifles"},
}
