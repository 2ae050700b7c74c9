"""What an attack comes to: the result, what it is worth, what people ask of it, and the battle file after it."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from grognard.core.systems import Json, Measure, Objective, Role
from grognard.systems.assault.profile import profile
from grognard.systems.assault.setup import Fire, Setup, role_of
from grognard.systems.assault.state import Condition, State, Status

TURN_MARKS = ("fired_this_turn", "activated", "fast", "delayed", "hiding")
"""What is over when the turn is."""
COVER = ("digging_in", "dug_in", "hiding", "hidden", "ambush")
"""What a unit leaves behind that falls back."""
SECRECY = ("hiding", "hidden", "ambush")
"""What a unit gives up that fires."""


class Fared(NamedTuple):
    """How one unit came out of the attack."""

    damage: int
    status: Status
    immobilized: bool


@dataclass(frozen=True, slots=True)
class Result:
    """Every unit's id and how it came out."""

    units: tuple[tuple[str, Fared], ...]

    def to_dict(self) -> Json:
        """The result as other programs read it."""
        return {
            "units": {
                name: {"damage": fared.damage, "status": str(fared.status), "immobilized": fared.immobilized}
                for name, fared in self.units
            }
        }

    def of(self, name: str) -> Fared:
        """How the unit of this id came out."""
        return dict(self.units)[name]


def result(setup: Setup, final: State) -> Result:
    """Only the target changes."""
    fates = {unit.id: Condition.of(unit) for unit in setup.units} | {setup.attack.on: final.target}
    return Result(tuple((name, Fared(fate.damage, fate.status, fate.immobilized)) for name, fate in fates.items()))


def swing(setup: Setup, result: Result) -> int:
    """Strength that enemies lose, less what the attacking side loses."""
    return sum(
        (-1 if role_of(setup, unit.side) is Role.ATTACKER else 1) * (result.of(unit.id).damage - unit.damage)
        for unit in setup.units
    )


def kill(setup: Setup, result: Result) -> int:
    """1 if the target is eliminated."""
    return int(result.of(setup.attack.on).status is Status.ELIMINATED)


OBJECTIVES = {
    "swing": Objective("strength that enemies lose, less what the attacking side loses", swing),
    "kill": Objective("the target is eliminated", kill),
}


def measures(setup: Setup) -> list[Measure]:
    """How the target is marked, how much it is hurt, and if it is a vehicle whether it can still move."""
    name = setup.attack.on
    asked = [
        Measure(f"{name} is", lambda result: str(result.of(name).status), Role.DEFENDER),
        Measure(f"{name} loses", lambda result: result.of(name).damage - setup.target.damage, Role.DEFENDER),
        Measure(f"{name} eliminated", lambda result: result.of(name).status is Status.ELIMINATED, Role.DEFENDER),
    ]
    if profile(setup, setup.target).is_vehicle:
        asked.append(Measure(f"{name} immobilized", lambda result: result.of(name).immobilized, Role.DEFENDER))
    return asked


def after(setup: Setup, source: Json, final: State) -> Json:
    """The battle after the attack: eliminated units are gone, marks are up to date, cards and points are spent."""
    attack, side = setup.attack, setup.attacker.side
    left: Json = {key: value for key, value in source.items() if key != "attack"}
    units = [_marked(setup, unit, final.target) for unit in source.get("units", [])]
    left["units"] = [unit for unit in units if unit["id"] != attack.on or not final.target.is_eliminated]
    if final.played:
        held = enumerate(source["command_cards"])
        left["command_cards"] = [card for number, card in held if number not in final.played]
    if side in setup.command_points:
        left["command_points"] = {**source["command_points"], side: setup.command_points[side] - 1}
    return left


def _marked(setup: Setup, unit: Json, target: Condition) -> Json:
    """One unit of the file after the attack."""
    attack = setup.attack
    if unit["id"] == attack.on:
        marks: dict[str, Any] = {"damage": target.damage, "status": str(target.status)}
        marks |= {"immobilized": True} if target.immobilized else {}
        marks |= {"at": list(target.at)} if target.at else {}
        has_left = target.status is Status.FALLBACK and setup.target.status != "fallback"
        return {**_without(unit, COVER if has_left else ()), **marks}
    if unit["id"] not in (attack.by, attack.joint):
        return unit
    has_moved_on = unit["id"] == attack.by and attack.fire is Fire.FIRE_AND_MOVE
    fired = {} if has_moved_on else {"fired_this_turn": True}
    return {**_without(unit, SECRECY), "activated": True, **fired}


def end_turn(source: Json) -> Json:
    """The next turn begins: what units did in this one is past."""
    return {**source, "units": [_without(unit, TURN_MARKS) for unit in source.get("units", [])]}


def _without(unit: Json, marks: tuple[str, ...]) -> Json:
    return {key: value for key, value in unit.items() if key not in marks}
