"""The result of an attack, the state as data and as text, objectives, measures, and the battle file after it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from grognard.board.tiles import Tile
from grognard.core.systems import Change, Json, Mark, Measure, Objective, Role
from grognard.core.turns import clear_marks, loss_contribution, loss_measures, role_of, side_losses, turn_measures
from grognard.core.wording import capitalized, the, tile_name
from grognard.systems.tower.attacks import declared
from grognard.systems.tower.rules import directions_of, friends_in_reach, push_line, units_in_line, with_direction
from grognard.systems.tower.setup import Declared, Setup, State, first_state

MARKS = ("attacked", "defended")


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """Every unit's Health and tile; the dead have 0 and none."""

    ids: tuple[str, ...]
    health: tuple[int, ...]
    at: tuple[Tile | None, ...]

    def to_dict(self) -> Json:
        units = zip(self.ids, self.health, self.at, strict=True)
        return {"units": {name: {"health": health, "at": tile and list(tile)} for name, health, tile in units}}


def result(setup: Setup, final: State) -> Result:
    return Result(ids=tuple(unit.id for unit in setup.units), health=final.health, at=final.at)


def snapshot(setup: Setup, state: State) -> Json:
    """Every unit's Health, tile and side, what it has done this turn, and who strikes whom now."""
    roles = {side: role_of(setup, side).value for side in {unit.side for unit in setup.units}}
    attacked, defended = set(state.attacked), set(state.defended)
    return {
        "units": {
            unit.id: {
                "side": unit.side,
                "role": roles[unit.side],
                "health": health,
                "at": tile and list(tile),
                "attacked": number in attacked,
                "defended": number in defended,
            }
            for number, (unit, health, tile) in enumerate(zip(setup.units, state.health, state.at, strict=True))
        },
        "attack": state.attack and current_strike(setup, state.attack),
    }


def current_strike(setup: Setup, attack: Declared) -> Json:
    """Who strikes whom, as JSON."""
    by, on = (attack.on, attack.by) if attack.is_countered else (attack.by, attack.on)
    return {"by": setup.units[by].id, "on": setup.units[on].id}


def changes(setup: Setup, before: State, after: State) -> Iterator[Change]:
    """Which units lost Health, died or moved."""
    attack = after.attack or before.attack
    for number, unit in enumerate(setup.units):
        had, has, tile = before.health[number], after.health[number], after.at[number]
        name = capitalized(the(unit.id))
        if has < had and tile is None:
            yield Change(f"{name} dies", unit.side)
        elif has < had:
            yield Change(f"{name} loses {had - has} Health, {has} left", unit.side)
        elif tile is not None and tile != before.at[number]:
            yield Change(f"{name} {_movement(number, attack)} to {tile_name(tile)}", unit.side)


def _movement(number: int, attack: Declared | None) -> str:
    if attack is None or number not in (attack.by, attack.on):
        return "is bumped"
    return "advances" if number == attack.by else "is pushed"


def lost(setup: Setup, result: Result, role: Role) -> int:
    """The Health that the attacking side, or all other sides, have lost."""
    side, of_attacker = setup.side, role is Role.ATTACKER
    units = zip(setup.units, result.health, strict=True)
    return sum(unit.health - left for unit, left in units if (unit.side == side) == of_attacker)


def swing(setup: Setup, result: Result) -> int:
    """Health that enemies of the attacker lose, less what its own side loses."""
    return lost(setup, result, Role.DEFENDER) - lost(setup, result, Role.ATTACKER)


def kill(setup: Setup, result: Result) -> int:
    """1 if the target is dead; in a turn without a target, how many enemies are."""
    return enemies_destroyed(setup, result) if setup.target is None else int(not result.health[setup.target])


def enemies_destroyed(setup: Setup, result: Result) -> int:
    units = zip(setup.units, result.health, strict=True)
    return sum(not left for unit, left in units if unit.side != setup.side)


def ground(setup: Setup, result: Result) -> int:
    """1 if the primary attacker is on the tile that was the primary defender's."""
    by, on = setup.number(setup.declared.by), setup.number(setup.declared.on)
    return int(result.at[by] == setup.units[on].at)


OBJECTIVES = {
    "swing": Objective("Health that enemies of the attacker lose, less what its own side loses", swing),
    "kill": Objective("the primary defender dies", kill),
    "ground": Objective("the primary attacker ends on the primary defender's tile", ground, in_turns=False),
}


def measures(setup: Setup) -> list[Measure]:
    """Losses and destruction of the primary units, losses of the sides, the tile; then all other units at risk."""
    if setup.turn:
        return [*unit_measures(setup), *side_losses(setup, lost), *turn_measures(setup, swing, enemies_destroyed)]
    attacker, target, *others = units_at_risk(setup)
    unit = setup.units[attacker]
    return [
        *reversed(_loss_measures(setup, target)),
        *side_losses(setup, lost),
        *_loss_measures(setup, attacker),
        Measure(
            f"{unit.id} takes the tile",
            lambda result: bool(ground(setup, result)),
            what="takes the tile",
            owner=str(unit),
        ),
        *(measure for other in others for measure in _loss_measures(setup, other)),
    ]


def unit_measures(setup: Setup) -> Iterator[Measure]:
    return (measure for unit in range(len(setup.units)) for measure in _loss_measures(setup, unit))


def units_at_risk(setup: Setup) -> list[int]:
    """The units that may lose Health: the primary units, defending reinforcements, and units that may be bumped."""
    attack = declared(setup)
    state, on = first_state(setup)._replace(attack=attack), attack.on
    at_risk = {unit for unit in friends_in_reach(setup, state, on) if unit not in state.defended}
    if setup.rules.bumped_into_enemy == "bumped_unit_dies":
        for direction in directions_of(setup, state):
            at_risk.update(push_line(setup, with_direction(state, direction), on)[0])
    return [attack.by, on, *sorted(at_risk - {on})]


def _loss_measures(setup: Setup, number: int) -> tuple[Measure, Measure]:
    unit = setup.units[number]
    return loss_measures(
        unit.id,
        unit.side,
        role_of(setup, unit.side),
        str(unit),
        lambda result: unit.health - result.health[number],
        lambda result: not result.health[number],
        number,
    )


Body = tuple[int, bool]
"""A unit's Health in a turn, and whether the unit has attacked."""
Piece = tuple[Tile | None, bool, bool]
"""A unit's tile in a turn, and whether the unit has attacked and defended."""


def parts(state: State) -> tuple[Body | Piece, ...]:
    """The bodies of all units, then their pieces: a unit that has attacked cannot lose Health, but is in the way."""
    everyone = range(len(state.health))
    bodies = [(state.health[n], n in state.attacked) for n in everyone]
    return (*bodies, *((state.at[n], n in state.attacked, n in state.defended) for n in everyone))


def with_parts(state: State, units: tuple[Any, ...]) -> State:
    count = len(units) // 2
    at, attacked, defended = zip(*units[count:], strict=True)
    return State(tuple(health for health, _ in units[:count]), at, _marked(attacked), _marked(defended))


def is_settled(setup: Setup, number: int, part: Any) -> bool:
    """Whether a part can no longer change or matter: dead units, and the Health of units that have attacked."""
    if number >= len(setup.units):
        return part[0] is None
    health, has_attacked = part
    return not health or (has_attacked and setup.units[number].side == setup.side)


def involved_now(setup: Setup, state: State, attack: Declared) -> tuple[int, ...]:
    """The parts of the primary units and of all possible reinforcements, and the pieces in the way of the push.

    They depend on pieces alone.
    """
    by, on, count = attack.by, attack.on, len(setup.units)
    if state.at[by] is None or state.at[on] is None:
        return by, on
    state = state._replace(attack=attack)
    attackers = [unit for unit in friends_in_reach(setup, state, by) if unit not in state.attacked]
    defenders = [unit for unit in friends_in_reach(setup, state, on) if unit not in state.defended]
    in_line = {
        unit for way in directions_of(setup, state) for unit in units_in_line(setup, with_direction(state, way), on)
    }
    bumped = [unit for unit in in_line if setup.units[unit].side == setup.units[on].side]
    may_die = bumped if setup.rules.bumped_into_enemy == "bumped_unit_dies" else ()
    bodies = dict.fromkeys((by, on, *attackers, *defenders, *may_die))
    return (*bodies, *(count + unit for unit in dict.fromkeys((*bodies, *sorted(in_line)))))


def marks(setup: Setup, number: int, part: Any) -> list[Mark]:
    """Where a unit stands, and whether it has defended."""
    if number < len(setup.units):
        return []
    (tile, _, has_defended), name = part, setup.units[number - len(setup.units)].id
    where = "is dead" if tile is None else f"is at {tile_name(tile)}"
    return [Mark(name, where), Mark(name, "has defended" if has_defended else "has not defended")]


def _marked(marks: tuple[bool, ...]) -> tuple[int, ...]:
    return tuple(number for number, mark in enumerate(marks) if mark)


def contribution(setup: Setup, objective: str, number: int, part: Any) -> int:
    """What a unit adds to an objective of a turn, or to a sum over units, if it stays as it is."""
    if number >= len(setup.units):
        return 0
    unit, target = setup.units[number], setup.target
    return loss_contribution(
        objective,
        unit.health - part[0],
        is_destroyed=not part[0],
        is_enemy=unit.side != setup.side,
        is_target=None if target is None else number == target,
    )


def after(setup: Setup, source: Json, final: State) -> Json:
    """The battle file after the attack: without the dead, with the units' marks of this turn, and without an attack."""
    number_of = {unit.id: number for number, unit in enumerate(setup.units)}
    numbered = [(number_of[entry["id"]], entry) for entry in source["units"]]
    units = [{**entry, **_now(setup, final, number)} for number, entry in numbered if final.health[number]]
    return {**{key: value for key, value in source.items() if key not in ("attack", "turn")}, "units": units}


def _now(setup: Setup, final: State, number: int) -> dict[str, Any]:
    """The changed fields of a living unit, as the file writes them."""
    unit, tile, health = setup.units[number], final.at[number], final.health[number]
    now: dict[str, Any] = {}
    if health != unit.health:
        now |= {"health": health, "full_health": unit.unhurt}
    if tile is not None and tile != unit.at:
        now["at"] = list(tile)
    return now | {mark: True for mark in MARKS if number in getattr(final, mark)}


def end_turn(source: Json) -> Json:
    """The battle file in which every unit may attack and defend again."""
    return clear_marks(source, MARKS)
