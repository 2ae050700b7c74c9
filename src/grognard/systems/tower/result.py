"""What an attack comes to: the result, what it is worth, what people ask of it, and the battle file after it."""

from dataclasses import dataclass
from typing import Any

from grognard.board.tiles import Tile
from grognard.core.systems import Json, Measure, Objective, Role
from grognard.systems.tower.setup import Setup, Unit
from grognard.systems.tower.state import State


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """Every unit's Health and tile; the dead have 0 and none."""

    ids: tuple[str, ...]
    health: tuple[int, ...]
    at: tuple[Tile | None, ...]

    def to_dict(self) -> Json:
        """The result as other programs read it."""
        units = zip(self.ids, self.health, self.at, strict=True)
        return {"units": {name: {"health": health, "at": tile and list(tile)} for name, health, tile in units}}


def result(setup: Setup, final: State) -> Result:
    """The result that a final state means."""
    return Result(ids=tuple(unit.id for unit in setup.units), health=final.health, at=final.at)


def lost(setup: Setup, result: Result, *, by_attacker: bool) -> int:
    """The Health lost on the attacker's side, or on all others."""
    side = setup.attacker.side
    units = zip(setup.units, result.health, strict=True)
    return sum(unit.health - left for unit, left in units if (unit.side == side) == by_attacker)


def swing(setup: Setup, result: Result) -> int:
    """Health that enemies of the attacker lose, less what its own side loses."""
    return lost(setup, result, by_attacker=False) - lost(setup, result, by_attacker=True)


def kill(setup: Setup, result: Result) -> int:
    """1 if the primary defender is dead."""
    return int(not result.health[setup.number(setup.attack.on)])


def ground(setup: Setup, result: Result) -> int:
    """1 if the primary attacker is on the tile that was the primary defender's."""
    return int(result.at[setup.number(setup.attack.by)] == setup.defender.at)


OBJECTIVES = {
    "swing": Objective("Health that enemies of the attacker lose, less what its own side loses", swing),
    "kill": Objective("the primary defender dies", kill),
    "ground": Objective("the primary attacker ends on the primary defender's tile", ground),
}


def measures(setup: Setup) -> list[Measure]:
    """Whether the target dies and is moved from its tile, and what each side loses."""
    by, on = setup.attack.by, setup.attack.on
    attacker = setup.number(by)
    return [
        Measure(f"{on} dies", lambda result: bool(kill(setup, result)), Role.DEFENDER),
        Measure("defending side loses", lambda result: lost(setup, result, by_attacker=False), Role.DEFENDER),
        Measure("attacking side loses", lambda result: lost(setup, result, by_attacker=True), Role.ATTACKER),
        Measure(f"{by} dies", lambda result: not result.health[attacker], Role.ATTACKER),
        Measure(f"{by} takes the tile", lambda result: bool(ground(setup, result))),
    ]


def after(setup: Setup, source: Json, final: State) -> Json:
    """The board after the attack, for the next one of the turn: without the dead, and with what everybody did."""
    number_of = {unit.id: number for number, unit in enumerate(setup.units)}
    numbered = [(number_of[entry["id"]], entry) for entry in source["units"]]
    units = [{**entry, **_now(setup, final, number)} for number, entry in numbered if final.health[number]]
    return {**{key: value for key, value in source.items() if key != "attack"}, "units": units}


def _now(setup: Setup, final: State, number: int) -> dict[str, Any]:
    """What has changed of a unit that lives, as the file writes it."""
    unit, tile, health = setup.units[number], final.at[number], final.health[number]
    now: dict[str, Any] = {}
    if health != unit.health:
        now |= {"health": health, "full_health": unit.unhurt}
    if tile is not None and tile != unit.at:
        now["at"] = list(tile)
    mark = mark_of(setup, final, number)
    return {**now, mark: True} if mark else now


def mark_of(setup: Setup, final: State, number: int) -> str | None:
    """What a unit did in this attack: it attacked or defended, as primary unit or in reinforcement, or nothing."""
    unit: Unit = setup.units[number]
    if unit.id not in (setup.attack.by, setup.attack.on) and number not in final.reinforced:
        return None
    return "attacked" if unit.side == setup.attacker.side else "defended"


def end_turn(source: Json) -> Json:
    """Every unit may attack and defend again."""
    marks = ("attacked", "defended")
    units = [{key: value for key, value in unit.items() if key not in marks} for unit in source.get("units", [])]
    return {**source, "units": units}
