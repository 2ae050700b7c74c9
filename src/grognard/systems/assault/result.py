"""What an attack comes to: the result, what it is worth, what people ask of it, and the battle file after it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from grognard.board.tiles import Tile
from grognard.core.systems import Json, Measure, Objective, Role
from grognard.systems.assault.facts import profile
from grognard.systems.assault.setup import Fire, Setup, Unit, role_of
from grognard.systems.assault.state import Condition, Hand, State, Status

TURN_MARKS = ("fired_this_turn", "activated", "fast", "delayed", "hiding", "digging_in")
"""What is over when the turn is."""
COVER = ("digging_in", "dug_in", "hiding", "hidden", "ambush")
"""What a unit leaves behind that falls back."""
SECRECY = ("hiding", "hidden", "ambush")
"""What a unit gives up that fires."""
MARKS = (*COVER, "fast", "delayed", "activated", "fired_this_turn")
"""All marks of a unit that are either there or not, and are no part of a result."""


class Fared(NamedTuple):
    """How one unit came out of the attack."""

    damage: int
    status: Status
    immobilized: bool
    is_placed: bool = False
    """Whether it stood on a board."""
    at: Tile | None = None

    def to_dict(self) -> Json:
        """The unit as other programs read it."""
        fared: Json = {"damage": self.damage, "status": str(self.status), "immobilized": self.immobilized}
        return {**fared, "at": list(self.at) if self.at else None} if self.is_placed else fared


@dataclass(frozen=True, slots=True)
class Result:
    """Every unit's id and how it came out, in the file's order."""

    units: tuple[tuple[str, Fared], ...]

    def to_dict(self) -> Json:
        """The result as other programs read it."""
        return {"units": {name: fared.to_dict() for name, fared in self.units}}

    def of(self, name: str) -> Fared:
        """How the unit of this id came out."""
        return next(fared for its, fared in self.units if its == name)


def fared(setup: Setup, state: State, unit: Unit) -> Fared:
    """How a unit fares: only the target changes."""
    condition = state.target if unit.id == setup.attack.on else Condition.of(unit)
    return Fared(
        condition.damage, condition.status, condition.immobilized, is_placed=unit.at is not None, at=condition.at
    )


def result(setup: Setup, final: State) -> Result:
    """How all units came out."""
    return Result(tuple((unit.id, fared(setup, final, unit)) for unit in setup.units))


def swing(setup: Setup, result: Result) -> int:
    """Strength that enemies lose, less what the attacking side loses."""
    lost = ((unit, after.damage - unit.damage) for unit, (_, after) in zip(setup.units, result.units, strict=True))
    return sum(-points if role_of(setup, unit.side) is Role.ATTACKER else points for unit, points in lost)


def kill(setup: Setup, result: Result) -> int:
    """1 if the target is eliminated."""
    return int(result.of(setup.attack.on).status is Status.ELIMINATED)


OBJECTIVES = {
    "swing": Objective("strength that enemies lose, less what the attacking side loses", swing),
    "kill": Objective("the target is eliminated", kill),
}


def measures(setup: Setup) -> list[Measure]:
    """How much the target is hurt, how it is marked, and if it is a vehicle whether it can still move."""
    unit = setup.target
    name = unit.id

    def measure(what: str, label: str, of: Callable[[Fared], int | str | bool]) -> Measure:
        people = f"{unit.side[:1].upper()}{unit.side[1:]} {name}: {label}"
        return Measure(
            f"{name} {what}", lambda result: of(result.of(name)), role_of(setup, unit.side), unit.side, people
        )

    listed = [
        measure("loses", "losses", lambda fared: fared.damage - unit.damage),
        measure("destroyed", "destroyed", lambda fared: fared.status is Status.ELIMINATED),
        measure("status", "status", lambda fared: str(fared.status)),
    ]
    if profile(setup, unit).is_vehicle:
        listed.append(measure("immobilized", "immobilized", lambda fared: fared.immobilized))
    return listed


def snapshot(setup: Setup, state: State) -> Json:
    """The state as data: all units with their marks, the dice in hand, the symbols on the table, the step."""
    units = {}
    for unit in setup.units:
        marks = {mark: getattr(unit, mark) for mark in MARKS} | changed_marks(setup, state, unit)
        its = fared(setup, state, unit).to_dict()
        units[unit.id] = {**its, **marks, "side": unit.side, "role": str(role_of(setup, unit.side))}
    points = dict(setup.command_points)
    if state.points is not None:
        points[setup.attacker.side] = state.points
    return {
        "units": units,
        "step": state.step,
        "fire": str(setup.attack.fire) if state.has_fired else None,
        "spotted": state.spotted,
        "attack_dice": _letters(state.attack),
        "defense_dice": _letters(state.defense),
        "added_x": state.attack.added_x,
        "symbols": dict(zip("CDX", state.symbols, strict=True)) if state.symbols is not None else None,
        "loose_dice": [{"die": str(die.colour), "face": die.face, "count": die.number} for die in state.loose],
        "cards_played": list(state.played),
        "command_points": points,
    }


def _letters(hand: Hand) -> str:
    return "".join(colour.letter * count for colour, count in hand.counts.items())


def changed_marks(setup: Setup, state: State, unit: Unit) -> dict[str, bool]:
    """The marks of a unit that the attack has set or taken so far."""
    attack = setup.attack
    if unit.id == attack.on:
        has_left = state.target.status is Status.FALLBACK and unit.status != "fallback"
        return dict.fromkeys(COVER, False) if has_left else {}
    if unit.id not in (attack.by, attack.joint) or not state.has_fired:
        return {}
    has_moved_on = unit.id == attack.by and attack.fire is Fire.FIRE_AND_MOVE
    fired = {} if has_moved_on else {"fired_this_turn": True}
    return {**dict.fromkeys(SECRECY, False), "activated": True, **fired}


def after(setup: Setup, source: Json, final: State) -> Json:
    """The battle after the attack: eliminated units are gone, marks are up to date, cards and points are spent."""
    attack, side = setup.attack, setup.attacker.side
    remaining: Json = {key: value for key, value in source.items() if key != "attack"}
    units = [_after_attack(setup, unit, final) for unit in source.get("units", [])]
    remaining["units"] = [unit for unit in units if unit["id"] != attack.on or not final.target.is_eliminated]
    if final.played:
        held = enumerate(source["command_cards"])
        remaining["command_cards"] = [card for number, card in held if number not in final.played]
    if side in setup.command_points:
        remaining["command_points"] = {**source["command_points"], side: setup.command_points[side] - 1}
    return remaining


def _after_attack(setup: Setup, unit: Json, final: State) -> Json:
    """One unit of the file after the attack. A mark that is taken is left out."""
    marks: dict[str, Any] = changed_marks(setup, final, setup.unit(unit["id"]))
    if unit["id"] == setup.attack.on:
        target = final.target
        marks |= {"damage": target.damage, "status": str(target.status)}
        marks |= {"immobilized": True} if target.immobilized else {}
        marks |= {"at": list(target.at)} if target.at else {}
    return {**_without(unit, marks), **{mark: value for mark, value in marks.items() if value is not False}}


def end_turn(source: Json) -> Json:
    """The next turn begins: who was digging in is dug in, marks of the turn are gone, command points are new."""
    units = [
        {**_without(unit, TURN_MARKS), **({"dug_in": True} if unit.get("digging_in") else {})}
        for unit in source.get("units", [])
    ]
    points = source.get("command_points_per_turn")
    renewed = {"command_points": {**source.get("command_points", {}), **points}} if points else {}
    return {**source, **renewed, "units": units}


def _without(unit: Json, marks: Any) -> Json:
    return {key: value for key, value in unit.items() if key not in marks}
