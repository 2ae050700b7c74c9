"""The set-up (the Defender of a Location, and armies that arrive in turn order), and the states of a combat.

Rules refer to an army by a number: 0 is the Defender's, 1 the first to arrive.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Annotated, Literal, NamedTuple

from grognard.core.errors import Fault
from grognard.core.fields import Doc, Name, Positive
from grognard.core.systems import Json, Role
from grognard.readings.ranked_pairs import Ties

Faction = Literal["attack", "defend"]

DEFENDER = 0
"""The number of the Defender's army."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Switches:
    """The house rules. Each default is the chapter's literal interpretation."""

    ties: Annotated[Ties, Doc("who wins a pair of equal dice, or whether both or neither lose a unit", "1.1.00")] = (
        "defender"
    )
    die: Annotated[Literal[4, 6, 8, 10, 12, 20], Doc("the faces of the die that each unit rolls", "1.1.00")] = 10
    exchange_on: Annotated[
        Literal["attacker_arrives", "any_arrival"],
        Doc("whether the arrival of a defending ally makes the last attacker with units roll again", "1.1.01–02"),
    ] = "attacker_arrives"
    who_rolls: Annotated[
        Literal["arriving_army", "all_attackers"],
        Doc("whether only the arriving army rolls, or all attackers, and the Attacker's units fall last", "1.1.01"),
    ] = "arriving_army"
    defending_losses: Annotated[
        Literal["first_arrived", "last_arrived", "owner_chooses"],
        Doc("which Defending Reinforcements fall first, or whether the Defender's player picks an army", "1.1.02"),
    ] = "first_arrived"
    duration: Annotated[
        Literal["one_round", "to_the_death"],
        Doc("whether an exchange is rolled once, or until the army that rolls or the defence has no unit", "1.1.00"),
    ] = "one_round"
    nobody_left: Annotated[
        Literal["unowned", "defender_keeps"], Doc("who owns the Location when no unit is left there", "1.1.03")
    ] = "unowned"


@dataclass(frozen=True, slots=True, kw_only=True)
class Defender:
    """The army at the Location when the round begins."""

    player: Annotated[Name, Doc("who holds the Location")]
    units: Annotated[Positive, Doc("how many units stand there")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """An army that comes to the Location at its player's turn."""

    player: Annotated[Name, Doc("whose army it is")]
    side: Annotated[Faction, Doc("the side it fights on; the first that attacks is the Attacker")]
    units: Annotated[Positive, Doc("how many units come")]
    optional: Annotated[bool, Doc("whether its player decides, at that turn, to send it or to hold it back")] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """One combat: a Location, and all armies that come to it in one round."""

    defender: Annotated[Defender, Doc("the Defending Faction")]
    arrivals: Annotated[tuple[Arrival, ...], Doc("the armies that arrive, in turn order")]
    rules: Annotated[Switches, Doc("the house rules")] = field(default_factory=Switches)

    @property
    def armies(self) -> tuple[Defender | Arrival, ...]:
        """The Defender's army and then the arrivals."""
        return (self.defender, *self.arrivals)

    def side(self, army: int) -> Faction:
        return self.arrivals[army - 1].side if army else "defend"

    def role(self, army: int) -> Role:
        return Role.ATTACKER if self.side(army) == "attack" else Role.DEFENDER

    def player(self, army: int) -> str:
        return self.arrivals[army - 1].player if army else self.defender.player


def role_of(setup: Setup, player: str) -> Role:
    attacks = any(arrival.player == player and arrival.side == "attack" for arrival in setup.arrivals)
    return Role.ATTACKER if attacks else Role.DEFENDER


def faults(setup: Setup) -> Iterator[Fault]:
    """Every player has one army, and somebody attacks."""
    first_named = {setup.defender.player: "the Defender"}
    for number, arrival in enumerate(setup.arrivals):
        if arrival.player in first_named:
            message = f'"{arrival.player}" is already {first_named[arrival.player]}: every player has one army here'
            yield Fault(f"arrivals[{number}].player", message, "duplicate")
        first_named.setdefault(arrival.player, f"arrival {number + 1}")
    if not any(arrival.side == "attack" for arrival in setup.arrivals):
        yield Fault("arrivals", 'nobody attacks: at least one arrival needs side = "attack"')


class Combat(NamedTuple):
    """How many arrivals have had their turn, the units of every army, and the armies that were held back."""

    turn: int
    units: tuple[int, ...]
    held_back: tuple[int, ...] = ()

    def after_turn(self, *, held_back: bool) -> "Combat":
        """The state after the next army's turn."""
        turn = self.turn + 1
        return Combat(turn=turn, units=self.units, held_back=(*self.held_back, turn) if held_back else self.held_back)

    def total(self, armies: Iterable[int]) -> int:
        return sum(map(self.units.__getitem__, armies))

    def without(self, *losses: tuple[int, Iterable[int]]) -> "Combat":
        """The state after losses, each with the armies that take it in order: one loses all it has before the next."""
        units = list(self.units)
        for left, order in losses:
            for army in order:
                fallen = left if left < units[army] else units[army]
                units[army] -= fallen
                left -= fallen
        return Combat(self.turn, tuple(units), self.held_back)


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    """The units left, the army that possesses the Location, its guests there, those that return, those held back."""

    units: tuple[int, ...]
    possessor: int | None
    guests: tuple[int, ...] = ()
    returns: tuple[int, ...] = ()
    held_back: tuple[int, ...] = ()


def at_location(setup: Setup, combat: Combat, side: Faction) -> tuple[int, ...]:
    """The armies of a side that have arrived and have units, in order of arrival."""
    there = [army for army in range(combat.turn + 1) if combat.units[army] and setup.side(army) == side]
    return tuple([army for army in there if army not in combat.held_back] if combat.held_back else there)


def is_attacker(setup: Setup, combat: Combat, army: int) -> bool:
    """Whether this army is the Attacker: the first to arrive on the attacking side."""
    earlier = (other for other in range(army) if other not in combat.held_back)
    return setup.side(army) == "attack" and all(setup.side(other) == "defend" for other in earlier)


EXAMPLE: Json = {
    "system": "ranks",
    "defender": {"player": "Blue", "units": 4},
    "arrivals": [
        {"player": "Red", "side": "attack", "units": 3},
        {"player": "Green", "side": "defend", "units": 2, "optional": True},
        {"player": "Yellow", "side": "attack", "units": 4},
    ],
}
