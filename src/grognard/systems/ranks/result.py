"""What a combat comes to: the result, what it is worth, what people ask of it, and the battle file after it."""

from dataclasses import dataclass

from grognard.core.systems import Json, Measure, Objective, Role
from grognard.systems.ranks.setup import Setup
from grognard.systems.ranks.state import Resolved


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """Every player's units, who possesses the Location, and whose armies return."""

    armies: tuple[tuple[str, int], ...]
    possession: str | None
    returns: tuple[str, ...]

    def to_dict(self) -> Json:
        """The result as other programs read it."""
        return {"armies": dict(self.armies), "possession": self.possession, "returns": list(self.returns)}


def result(setup: Setup, final: Resolved) -> Result:
    """The result with players for armies."""
    players = [army.player for army in setup.armies]
    return Result(
        armies=tuple(zip(players, final.units, strict=True)),
        possession=None if final.possessor is None else players[final.possessor],
        returns=tuple(players[army] for army in final.returns),
    )


def lost(setup: Setup, result: Result, side: str) -> int:
    """The units that a side has lost."""
    of_defender = setup.defender.units - result.armies[0][1] if side == "defend" else 0
    came_and_left = zip(setup.arrivals, result.armies[1:], strict=True)
    return of_defender + sum(army.units - left for army, (_, left) in came_and_left if army.side == side)


def swing(setup: Setup, result: Result) -> int:
    """Units the defending side loses, less those the attacking side loses."""
    return lost(setup, result, "defend") - lost(setup, result, "attack")


def ground(setup: Setup, result: Result) -> int:
    """1 if a player of the attacking side possesses the Location."""
    return int(any(army.player == result.possession and army.side == "attack" for army in setup.arrivals))


def kill(setup: Setup, result: Result) -> int:
    """1 if no defending unit is left: attackers possess the Location, or nobody does, or a Defender without units."""
    units: dict[str | None, int] = dict(result.armies)
    return int(bool(ground(setup, result)) or not units.get(result.possession))


OBJECTIVES = {
    "swing": Objective("units the defending side loses, less those the attacking side loses", swing),
    "kill": Objective("no defending unit is left at the Location", kill),
    "ground": Objective("a player of the attacking side possesses the Location", ground),
}


def measures(setup: Setup) -> list[Measure]:
    """Whose the Location is, what each side loses, what each player has left."""
    return [
        Measure("Location held by", lambda result: result.possession or "nobody"),
        Measure("attacking side loses", lambda result: lost(setup, result, "attack"), Role.ATTACKER),
        Measure("defending side loses", lambda result: lost(setup, result, "defend"), Role.DEFENDER),
        *(_units_left(army, entry.player) for army, entry in enumerate(setup.armies)),
    ]


def _units_left(army: int, player: str) -> Measure:
    return Measure(f"{player} has left", lambda result: result.armies[army][1])


def after(setup: Setup, source: Json, final: Resolved) -> Json:
    """The Location after the round: whoever possesses it defends it, guests come to help first, all others are gone.

    Without a possessor the file has no defender, without guests no arrivals, so that people can append theirs. A
    Defender who keeps the Location without units is written down with 0 of them: such a file waits for a garrison
    before it is a battle again.
    """
    left: Json = {key: value for key, value in source.items() if key not in ("defender", "arrivals")}
    if final.possessor is not None:
        left["defender"] = {"player": setup.player(final.possessor), "units": final.units[final.possessor]}
    if final.guests:
        left["arrivals"] = [
            {"player": setup.player(army), "side": "defend", "units": final.units[army]} for army in final.guests
        ]
    return left


def end_turn(source: Json) -> Json:
    """This chapter marks nothing for the turn."""
    return source
