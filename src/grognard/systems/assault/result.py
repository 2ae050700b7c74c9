"""The result of an attack, the objectives, the measures, and the battle file after it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from grognard.board.tiles import Tile
from grognard.core.systems import Json, Measure, Objective, Role
from grognard.core.turns import role_of, turn_measures
from grognard.core.wording import of_side
from grognard.systems.assault.facts import profile
from grognard.systems.assault.setup import Fire, Setup, Unit
from grognard.systems.assault.state import MARKS, Condition, Hand, Standing, Standings, State, Status

TURN_MARKS = ("fired_this_turn", "activated", "fast", "delayed", "hiding", "digging_in")
"""What is over when the turn is."""
COVER = ("digging_in", "dug_in", "hiding", "hidden", "ambush")
"""What a unit leaves behind that falls back."""
SECRECY = ("hiding", "hidden", "ambush")
"""What a unit gives up that fires."""
LASTING = ("fast", "delayed")
"""Marks of a unit that no attack changes."""


class Fared(NamedTuple):
    """How one unit came out of the attack."""

    damage: int
    status: Status
    immobilized: bool
    is_placed: bool = False
    """Whether it stood on a board."""
    at: Tile | None = None

    def to_dict(self) -> Json:
        """The unit as JSON."""
        fared: Json = {"damage": self.damage, "status": str(self.status), "immobilized": self.immobilized}
        return {**fared, "at": list(self.at) if self.at else None} if self.is_placed else fared


@dataclass(frozen=True, slots=True)
class Result:
    """Every unit's id and how it came out, in the file's order."""

    units: tuple[tuple[str, Fared], ...]

    def to_dict(self) -> Json:
        """The result as JSON."""
        return {"units": {name: fared.to_dict() for name, fared in self.units}}

    def of(self, name: str) -> Fared:
        """How the unit of this id came out."""
        return next(fared for its, fared in self.units if its == name)


def first_standings(setup: Setup) -> Standings:
    """How everything stands before the attack, or when the turn begins."""
    units = tuple(Standing.of(unit) for unit in setup.units)
    return Standings(units, (True,) * len(setup.command_cards), setup.command_points.get(setup.side))


def standings(setup: Setup, state: State | Standings) -> Standings:
    """How everything stands at this moment."""
    if isinstance(state, Standings):
        return state
    before, now = (state.stage.before, state.stage.setup) if state.stage else (first_standings(setup), setup)
    attack = now.declared
    changed = (attack.by, attack.on, attack.joint)
    units = tuple(
        _standing(now, state, now.unit(unit.id), standing) if unit.id in changed else standing
        for unit, standing in zip(setup.units, before.units, strict=True)
    )
    held = [number for number, is_held in enumerate(before.cards) if is_held]
    played = {held[number] for number in state.played}
    cards = tuple(is_held and number not in played for number, is_held in enumerate(before.cards))
    return Standings(units, cards, before.points if state.points is None else state.points)


def _standing(setup: Setup, state: State, unit: Unit, before: Standing) -> Standing:
    """A unit that takes part in the attack, at this moment."""
    changed = changed_marks(setup, state, unit)
    marks = tuple(mark for mark in MARKS if changed.get(mark, mark in before.marks))
    return Standing(state.target if unit.id == setup.declared.on else before.condition, marks)


def result(setup: Setup, final: State | Standings) -> Result:
    """How all units came out."""
    pairs = zip(setup.units, standings(setup, final).units, strict=True)
    return Result(tuple((unit.id, _fared(unit, standing.condition)) for unit, standing in pairs))


def _fared(unit: Unit, now: Condition) -> Fared:
    return Fared(now.damage, now.status, now.immobilized, is_placed=unit.at is not None, at=now.at)


def swing(setup: Setup, result: Result) -> int:
    """Strength that enemies lose, less what the attacking side loses."""
    lost = ((unit, after.damage - unit.damage) for unit, (_, after) in zip(setup.units, result.units, strict=True))
    return sum(-points if role_of(setup, unit.side) is Role.ATTACKER else points for unit, points in lost)


def kill(setup: Setup, result: Result) -> int:
    """1 if the target is eliminated; in a turn without a target, how many enemies are."""
    target = setup.objective_target
    return enemies_destroyed(setup, result) if target is None else int(result.of(target).status is Status.ELIMINATED)


def enemies_destroyed(setup: Setup, result: Result) -> int:
    """How many enemy units are eliminated."""
    units = zip(setup.units, result.units, strict=True)
    return sum(after.status is Status.ELIMINATED for unit, (_, after) in units if unit.side != setup.side)


OBJECTIVES = {
    "swing": Objective("strength that enemies lose, less what the attacking side loses", swing),
    "kill": Objective("the target is eliminated", kill),
}


def measures(setup: Setup) -> list[Measure]:
    """How much the target is hurt, how it is marked, and if it is a vehicle whether it can still move.

    In a turn, the same of every enemy; what its own side loses.
    """
    if not setup.turn:
        return [*_measures(setup, setup.target), *_marks(setup, setup.target)]
    enemies = [unit for unit in setup.units if unit.side != setup.side]
    return [
        *unit_measures(setup),
        *(measure for unit in enemies for measure in _marks(setup, unit)),
        *turn_measures(setup, swing, enemies_destroyed),
    ]


def unit_measures(setup: Setup) -> Iterator[Measure]:
    """What every unit loses, and whether it is eliminated."""
    return (measure for unit in setup.units for measure in _measures(setup, unit))


def _measures(setup: Setup, unit: Unit) -> Iterator[Measure]:
    yield _measure(setup, unit, "loses", "losses", lambda fared: fared.damage - unit.damage)
    yield _measure(setup, unit, "destroyed", "destroyed", lambda fared: fared.status is Status.ELIMINATED)


def _marks(setup: Setup, unit: Unit) -> Iterator[Measure]:
    yield _measure(setup, unit, "status", "status", lambda fared: str(fared.status))
    if profile(setup, unit).is_vehicle:
        yield _measure(setup, unit, "immobilized", "immobilized", lambda fared: fared.immobilized)


def _measure(setup: Setup, unit: Unit, name: str, what: str, of: Callable[[Fared], int | str | bool]) -> Measure:
    number = setup.units.index(unit)
    return Measure(
        f"{unit.id} {name}",
        lambda result: of(result.units[number][1]),
        role_of(setup, unit.side),
        unit.side,
        what,
        number,
        of_side(unit.side, unit.id),
    )


def contribution(setup: Setup, objective: str, number: int, part: Any) -> int:
    """What a unit adds to an objective of a turn, or to a sum over units, if it stays as it is."""
    if number >= len(setup.units):
        return 0
    unit, is_enemy = setup.units[number], setup.units[number].side != setup.side
    condition: Condition = part.condition
    if objective == "swing":
        return (condition.damage - unit.damage) * (1 if is_enemy else -1)
    if objective == "attacking side loses":
        return 0 if is_enemy else condition.damage - unit.damage
    target = None if objective == "enemies destroyed" else setup.objective_target
    return int(condition.is_eliminated and (is_enemy if target is None else unit.id == target))


def snapshot(setup: Setup, state: State | Standings) -> Json:
    """The state as data: all units with their marks, the dice in hand, the symbols on the table, the step."""
    now = standings(setup, state)
    units = {}
    for unit, standing in zip(setup.units, now.units, strict=True):
        marks = {mark: mark in standing.marks for mark in MARKS} | {mark: getattr(unit, mark) for mark in LASTING}
        its = _fared(unit, standing.condition).to_dict()
        units[unit.id] = {**its, **marks, "side": unit.side, "role": str(role_of(setup, unit.side))}
    points = {} if now.points is None else {setup.side: now.points}
    return {
        "units": units,
        **(_nothing() if isinstance(state, Standings) else _attack(setup, state)),
        "cards_played": [number for number, is_held in enumerate(now.cards) if not is_held],
        "command_points": {**setup.command_points, **points},
    }


def _attack(setup: Setup, state: State) -> Json:
    """The attack that is being resolved."""
    attack = (state.stage.setup if state.stage else setup).declared
    return {
        "attack": {"by": attack.by, "on": attack.on},
        "step": state.step,
        "fire": str(attack.fire) if state.has_fired else None,
        "spotted": state.spotted,
        "attack_dice": _letters(state.attack),
        "defense_dice": _letters(state.defense),
        "added_x": state.attack.added_x,
        "symbols": dict(zip("CDX", state.symbols, strict=True)) if state.symbols is not None else None,
        "loose_dice": [{"die": str(die.colour), "face": die.face, "count": die.number} for die in state.loose],
    }


def _nothing() -> Json:
    """Between two attacks of a turn."""
    nothing = dict.fromkeys(("attack", "step", "fire", "spotted", "symbols"))
    return {**nothing, "attack_dice": "", "defense_dice": "", "added_x": 0, "loose_dice": []}


def _letters(hand: Hand) -> str:
    return "".join(colour.letter * count for colour, count in hand.counts.items())


def changed_marks(setup: Setup, state: State, unit: Unit) -> dict[str, bool]:
    """The marks of a unit that the attack has set or taken so far."""
    attack = setup.declared
    if unit.id == attack.on:
        has_left = state.target.status is Status.FALLBACK and unit.status != "fallback"
        return dict.fromkeys(COVER, False) if has_left else {}
    if unit.id not in (attack.by, attack.joint) or not state.has_fired:
        return {}
    has_moved_on = unit.id == attack.by and attack.fire is Fire.FIRE_AND_MOVE
    fired = {} if has_moved_on else {"fired_this_turn": True}
    return {**dict.fromkeys(SECRECY, False), "activated": True, **fired}


def after(setup: Setup, source: Json, final: State | Standings) -> Json:
    """The battle after the attack: eliminated units are gone, marks are up to date, cards and points are spent."""
    now = standings(setup, final)
    remaining: Json = {key: value for key, value in source.items() if key not in ("attack", "turn")}
    standing_of = {unit.id: standing for unit, standing in zip(setup.units, now.units, strict=True)}
    pairs = ((unit, standing_of[unit["id"]]) for unit in source.get("units", []))
    remaining["units"] = [
        _after(setup, unit, standing) for unit, standing in pairs if not standing.condition.is_eliminated
    ]
    if not all(now.cards):
        held = zip(source["command_cards"], now.cards, strict=True)
        remaining["command_cards"] = [card for card, is_held in held if is_held]
    if now.points is not None:
        remaining["command_points"] = {**source["command_points"], setup.side: now.points}
    return remaining


def _after(setup: Setup, unit: Json, standing: Standing) -> Json:
    """One unit of the file after the attack. A mark that is taken is left out."""
    before = setup.unit(unit["id"])
    marks: dict[str, Any] = {mark: mark in standing.marks for mark in MARKS}
    changed = {mark: value for mark, value in marks.items() if value != getattr(before, mark)}
    is_target = setup.attack is not None and before.id == setup.attack.on
    if is_target or standing.condition != Condition.of(before):
        target = standing.condition
        changed |= {"damage": target.damage, "status": str(target.status)}
        changed |= {"immobilized": True} if target.immobilized else {}
        changed |= {"at": list(target.at)} if target.at else {}
    return {**_without(unit, changed), **{mark: value for mark, value in changed.items() if value is not False}}


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
