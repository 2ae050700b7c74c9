"""The result of an attack, the objectives, the measures, and the battle file after it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from grognard.board.tiles import Tile
from grognard.core.systems import Json, Measure, Objective, Role
from grognard.core.turns import loss_contribution, role_of, turn_measures
from grognard.core.wording import of_side
from grognard.systems.assault.facts import profile
from grognard.systems.assault.setup import Fire, Setup, Unit
from grognard.systems.assault.state import MARKS, Condition, Hand, State, Status, TurnState, UnitState

TURN_MARKS = ("fired_this_turn", "activated", "fast", "delayed", "hiding", "digging_in")
"""The marks that are cleared at the end of a turn."""
COVER = ("digging_in", "dug_in", "hiding", "hidden", "ambush")
"""The marks that a unit loses when it falls back."""
SECRECY = ("hiding", "hidden", "ambush")
"""The marks that a unit loses when it fires."""
LASTING = ("fast", "delayed")
"""The marks that no attack changes."""


class UnitResult(NamedTuple):
    """A unit after the attack."""

    damage: int
    status: Status
    immobilized: bool
    is_placed: bool = False
    """Whether the file places it on a board."""
    at: Tile | None = None

    def to_dict(self) -> Json:
        unit_result: Json = {"damage": self.damage, "status": str(self.status), "immobilized": self.immobilized}
        return {**unit_result, "at": list(self.at) if self.at else None} if self.is_placed else unit_result


@dataclass(frozen=True, slots=True)
class Result:
    """Every unit by its id, in the file's order."""

    units: tuple[tuple[str, UnitResult], ...]

    def to_dict(self) -> Json:
        return {"units": {name: unit_result.to_dict() for name, unit_result in self.units}}

    def of(self, name: str) -> UnitResult:
        """The unit with this id."""
        return next(unit_result for its, unit_result in self.units if its == name)


def first_turn_state(setup: Setup) -> TurnState:
    """The state before the attack, or at the start of the turn."""
    units = tuple(UnitState.of(unit) for unit in setup.units)
    return TurnState(units, (True,) * len(setup.command_cards), setup.command_points.get(setup.side))


def turn_state(setup: Setup, state: State | TurnState) -> TurnState:
    """The state of all units, cards and command points now."""
    if isinstance(state, TurnState):
        return state
    attack = state.turn_attack
    before, now = (attack.before, attack.setup) if attack else (first_turn_state(setup), setup)
    changed = (now.declared.by, now.declared.on, now.declared.joint)
    units = tuple(
        _unit_state(now, state, now.unit(unit.id), unit_state) if unit.id in changed else unit_state
        for unit, unit_state in zip(setup.units, before.units, strict=True)
    )
    held = [number for number, is_held in enumerate(before.cards) if is_held]
    played = {held[number] for number in state.played}
    cards = tuple(is_held and number not in played for number, is_held in enumerate(before.cards))
    return TurnState(units, cards, before.points if state.points is None else state.points)


def _unit_state(setup: Setup, state: State, unit: Unit, before: UnitState) -> UnitState:
    """The state now of a unit that takes part in the attack."""
    changed = changed_marks(setup, state, unit)
    marks = tuple(mark for mark in MARKS if changed.get(mark, mark in before.marks))
    return UnitState(state.target if unit.id == setup.declared.on else before.condition, marks)


def result(setup: Setup, final: State | TurnState) -> Result:
    pairs = zip(setup.units, turn_state(setup, final).units, strict=True)
    return Result(tuple((unit.id, _unit_result(unit, unit_state.condition)) for unit, unit_state in pairs))


def _unit_result(unit: Unit, now: Condition) -> UnitResult:
    return UnitResult(now.damage, now.status, now.immobilized, is_placed=unit.at is not None, at=now.at)


def swing(setup: Setup, result: Result) -> int:
    lost = ((unit, after.damage - unit.damage) for unit, (_, after) in zip(setup.units, result.units, strict=True))
    return sum(-points if role_of(setup, unit.side) is Role.ATTACKER else points for unit, points in lost)


def kill(setup: Setup, result: Result) -> int:
    """1 if the target is eliminated; in a turn without a target, how many enemies are."""
    target = setup.objective_target
    return enemies_destroyed(setup, result) if target is None else int(result.of(target).status is Status.ELIMINATED)


def enemies_destroyed(setup: Setup, result: Result) -> int:
    units = zip(setup.units, result.units, strict=True)
    return sum(after.status is Status.ELIMINATED for unit, (_, after) in units if unit.side != setup.side)


OBJECTIVES = {
    "swing": Objective("strength that enemies lose, less what the attacking side loses", swing),
    "kill": Objective("the target is eliminated", kill),
}


def measures(setup: Setup) -> list[Measure]:
    """Losses, elimination and status of the target, and whether a vehicle is immobilised.

    In a turn, losses and elimination of all units, and the status of enemies.
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
    return (measure for unit in setup.units for measure in _measures(setup, unit))


def _measures(setup: Setup, unit: Unit) -> Iterator[Measure]:
    yield _measure(setup, unit, "loses", "losses", lambda now: now.damage - unit.damage)
    yield _measure(setup, unit, "destroyed", "eliminated", lambda now: now.status is Status.ELIMINATED)


def _marks(setup: Setup, unit: Unit) -> Iterator[Measure]:
    yield _measure(setup, unit, "status", "status", lambda now: str(now.status))
    if profile(setup, unit).is_vehicle:
        yield _measure(setup, unit, "immobilized", "immobilized", lambda now: now.immobilized)


def _measure(setup: Setup, unit: Unit, name: str, what: str, of: Callable[[UnitResult], int | str | bool]) -> Measure:
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
    unit, target = setup.units[number], setup.objective_target
    condition: Condition = part.condition
    return loss_contribution(
        objective,
        condition.damage - unit.damage,
        is_destroyed=condition.is_eliminated,
        is_enemy=unit.side != setup.side,
        is_target=None if target is None else unit.id == target,
    )


def snapshot(setup: Setup, state: State | TurnState) -> Json:
    """The state as data: all units with their marks, both sides' dice, the symbols on the table, the step."""
    now = turn_state(setup, state)
    units = {}
    for unit, unit_state in zip(setup.units, now.units, strict=True):
        marks = {mark: mark in unit_state.marks for mark in MARKS} | {mark: getattr(unit, mark) for mark in LASTING}
        its = _unit_result(unit, unit_state.condition).to_dict()
        units[unit.id] = {**its, **marks, "side": unit.side, "role": str(role_of(setup, unit.side))}
    points = {} if now.points is None else {setup.side: now.points}
    return {
        "units": units,
        **(_no_attack() if isinstance(state, TurnState) else _attack(setup, state)),
        "cards_played": [number for number, is_held in enumerate(now.cards) if not is_held],
        "command_points": {**setup.command_points, **points},
    }


def _attack(setup: Setup, state: State) -> Json:
    attack = (state.turn_attack.setup if state.turn_attack else setup).declared
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


def _no_attack() -> Json:
    """The same keys between two attacks of a turn."""
    empty = dict.fromkeys(("attack", "step", "fire", "spotted", "symbols"))
    return {**empty, "attack_dice": "", "defense_dice": "", "added_x": 0, "loose_dice": []}


def _letters(hand: Hand) -> str:
    return "".join(colour.letter * count for colour, count in hand.counts.items())


def changed_marks(setup: Setup, state: State, unit: Unit) -> dict[str, bool]:
    """The marks of a unit that the attack has changed so far."""
    attack = setup.declared
    if unit.id == attack.on:
        has_left = state.target.status is Status.FALLBACK and unit.status != "fallback"
        return dict.fromkeys(COVER, False) if has_left else {}
    if unit.id not in (attack.by, attack.joint) or not state.has_fired:
        return {}
    has_moved_on = unit.id == attack.by and attack.fire is Fire.FIRE_AND_MOVE
    fired = {} if has_moved_on else {"fired_this_turn": True}
    return {**dict.fromkeys(SECRECY, False), "activated": True, **fired}


def after(setup: Setup, source: Json, final: State | TurnState) -> Json:
    """The battle file after the attack: without eliminated units, spent cards and points, and with new marks."""
    now = turn_state(setup, final)
    remaining: Json = {key: value for key, value in source.items() if key not in ("attack", "turn")}
    state_of = {unit.id: unit_state for unit, unit_state in zip(setup.units, now.units, strict=True)}
    pairs = ((unit, state_of[unit["id"]]) for unit in source.get("units", []))
    remaining["units"] = [
        _after(setup, unit, unit_state) for unit, unit_state in pairs if not unit_state.condition.is_eliminated
    ]
    if not all(now.cards):
        held = zip(source["command_cards"], now.cards, strict=True)
        remaining["command_cards"] = [card for card, is_held in held if is_held]
    if now.points is not None:
        remaining["command_points"] = {**source["command_points"], setup.side: now.points}
    return remaining


def _after(setup: Setup, unit: Json, unit_state: UnitState) -> Json:
    """A unit's entry after the attack, without the marks that it has lost."""
    before = setup.unit(unit["id"])
    marks: dict[str, Any] = {mark: mark in unit_state.marks for mark in MARKS}
    changed = {mark: value for mark, value in marks.items() if value != getattr(before, mark)}
    is_target = setup.attack is not None and before.id == setup.attack.on
    if is_target or unit_state.condition != Condition.of(before):
        target = unit_state.condition
        changed |= {"damage": target.damage, "status": str(target.status)}
        changed |= {"immobilized": True} if target.immobilized else {}
        changed |= {"at": list(target.at)} if target.at else {}
    return {**_without(unit, changed), **{mark: value for mark, value in changed.items() if value is not False}}


def end_turn(source: Json) -> Json:
    """The battle file for the next turn: digging in becomes dug in, marks are cleared, command points are renewed."""
    units = [
        {**_without(unit, TURN_MARKS), **({"dug_in": True} if unit.get("digging_in") else {})}
        for unit in source.get("units", [])
    ]
    points = source.get("command_points_per_turn")
    renewed = {"command_points": {**source.get("command_points", {}), **points}} if points else {}
    return {**source, **renewed, "units": units}


def _without(unit: Json, marks: Any) -> Json:
    return {key: value for key, value in unit.items() if key not in marks}
