"""What a battle file may say: the Defender of a Location, and the armies that arrive there in turn order.

Armies are counted as the file lists them: 0 is the Defender's, 1 the first to arrive.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated, Literal

from grognard.core.errors import Fault
from grognard.core.fields import AtLeast, Says
from grognard.core.systems import Json, Role
from grognard.systems.ranks.switches import Switches

Faction = Literal["attack", "defend"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Defender:
    """The army at the Location when the round begins."""

    player: Annotated[str, Says("who holds the Location")]
    units: Annotated[int, AtLeast(1), Says("how many units stand there")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """An army that comes to the Location at its player's turn."""

    player: Annotated[str, Says("whose army it is")]
    side: Annotated[Faction, Says("the side it fights on; the first that attacks is the Attacker")]
    units: Annotated[int, AtLeast(1), Says("how many units come")]
    optional: Annotated[bool, Says("whether its player decides, at that turn, to send it or to hold it back")] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """One combat: a Location and all who come to it in one round."""

    defender: Annotated[Defender, Says("the Defending Faction")]
    arrivals: Annotated[tuple[Arrival, ...], Says("the armies that arrive, in turn order")]
    rules: Annotated[Switches, Says("how this table reads the chapter")] = field(default_factory=Switches)

    @property
    def armies(self) -> tuple[Defender | Arrival, ...]:
        """The Defender's army and then the arrivals."""
        return (self.defender, *self.arrivals)

    def side(self, army: int) -> Faction:
        """The side on which an army fights."""
        return self.arrivals[army - 1].side if army else "defend"

    def player(self, army: int) -> str:
        """Whose army it is."""
        return self.armies[army].player


def role_of(setup: Setup, player: str) -> Role:
    """The side for which a player decides."""
    attacks = any(arrival.player == player and arrival.side == "attack" for arrival in setup.arrivals)
    return Role.ATTACKER if attacks else Role.DEFENDER


def faults(setup: Setup) -> Iterator[Fault]:
    """A player is in the combat once, and somebody attacks."""
    first_named = {setup.defender.player: "the Defender"}
    for number, arrival in enumerate(setup.arrivals):
        if arrival.player in first_named:
            message = f'"{arrival.player}" is already {first_named[arrival.player]}: every player has one army here'
            yield Fault(f"arrivals[{number}].player", message)
        first_named.setdefault(arrival.player, f"arrival {number + 1}")
    if not any(arrival.side == "attack" for arrival in setup.arrivals):
        yield Fault("arrivals", 'nobody attacks: at least one arrival needs side = "attack"')


EXAMPLE: Json = {
    "system": "ranks",
    "defender": {"player": "Blue", "units": 4},
    "arrivals": [
        {"player": "Red", "side": "attack", "units": 3},
        {"player": "Green", "side": "defend", "units": 2, "optional": True},
        {"player": "Yellow", "side": "attack", "units": 4},
    ],
}
