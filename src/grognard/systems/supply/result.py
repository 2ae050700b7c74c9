"""The result of an attack, the state as data and as text, objectives, measures, and the battle file after it."""

from collections.abc import Iterator
from dataclasses import dataclass

from grognard.core.systems import Change, Json, Measure, Objective, Role
from grognard.core.turns import clear_marks, loss_contribution, loss_measures, role_of, side_losses, turn_measures
from grognard.systems.supply.setup import Card, Declared, Setup, State

MARKS = ("fired", "countered")


@dataclass(frozen=True, slots=True)
class Result:
    """Every unit's id, strength and supplies."""

    units: tuple[tuple[str, int, int], ...]

    def to_dict(self) -> Json:
        return {"units": {name: {"strength": strength, "supply": supply} for name, strength, supply in self.units}}


def result(setup: Setup, final: State) -> Result:
    pairs = zip(setup.units, final.cards, strict=True)
    return Result(tuple((unit.id, card.strength, card.supply) for unit, card in pairs))


def snapshot(setup: Setup, state: State) -> Json:
    """Every unit's card, square and side, and who fires on whom now."""
    roles = {side: role_of(setup, side).value for side in {unit.side for unit in setup.units}}
    return {
        "units": {
            unit.id: {
                "side": unit.side,
                "role": roles[unit.side],
                "strength": card.strength,
                "supply": card.supply,
                "at": list(unit.at) if card.strength else None,
                "fired": card.fired,
                "countered": card.countered,
            }
            for unit, card in zip(setup.units, state.cards, strict=True)
        },
        "attack": state.attack and current_fire(setup, state.attack),
    }


def current_fire(setup: Setup, attack: Declared) -> Json:
    """Who fires on whom, as JSON."""
    firing = attack.by if attack.firing is None else attack.firing
    by, on = (attack.on, attack.by) if attack.is_countered else (firing, attack.on)
    return {"by": setup.units[by].id, "on": setup.units[on].id}


def changes(setup: Setup, before: State, after: State) -> Iterator[Change]:
    for unit, had, has in zip(setup.units, before.cards, after.cards, strict=True):
        if had.strength and not has.strength:
            is_lost = had.supply and setup.rules.destroyed_supplies == "discarded"
            yield Change(f"{unit}: destroyed" + (f", and {had.supply} supply with it" if is_lost else ""), unit.side)
        elif had != has:
            yield from (Change(f"{unit}: {change}", unit.side) for change in changes_on_card(had, has))


def changes_on_card(had: Card, has: Card) -> Iterator[str]:
    """What a rule changed on the card of a surviving unit."""
    if has.strength < had.strength:
        yield f"strength {had.strength} → {has.strength}"
    if has.supply < had.supply:
        yield f"{had.supply - has.supply} supply paid, {has.supply} left"
    if has.supply > had.supply:
        yield f"{has.supply - had.supply} supply captured, {has.supply} now"
    if has.fired and not had.fired:
        yield "attack of this turn used"
    if has.countered and not had.countered:
        yield "counterattacks"


def lost(setup: Setup, result: Result, unit: int) -> int:
    return setup.units[unit].strength - result.units[unit][1]


def lost_by(setup: Setup, result: Result, role: Role) -> int:
    """The strength that the attacking side, or all others, have lost."""
    side = setup.side
    return sum(
        lost(setup, result, number)
        for number, unit in enumerate(setup.units)
        if (unit.side == side) == (role is Role.ATTACKER)
    )


def swing(setup: Setup, result: Result) -> int:
    side, pairs = setup.side, zip(setup.units, result.units, strict=True)
    return sum([(unit.strength - left) * (-1 if unit.side == side else 1) for unit, (_, left, _) in pairs])


def kill(setup: Setup, result: Result) -> int:
    """1 if the target is destroyed; in a turn without a target, how many enemies are."""
    return enemies_destroyed(setup, result) if setup.target is None else int(result.units[setup.target][1] == 0)


def enemies_destroyed(setup: Setup, result: Result) -> int:
    enemies = (left for unit, (_, left, _) in zip(setup.units, result.units, strict=True) if unit.side != setup.side)
    return sum(not left for left in enemies)


OBJECTIVES = {
    "swing": Objective("strength that enemies lose, less what the attacking side loses", swing),
    "kill": Objective("the target is destroyed", kill),
}


def measures(setup: Setup) -> list[Measure]:
    """Losses and destruction of target and attacker, in a turn of all units; then the losses of each side."""
    declared = [] if setup.turn else [setup.number(setup.declared.on), setup.number(setup.declared.by)]
    pairs = [_loss_measures(setup, unit) for unit in declared or range(len(setup.units))]
    return [
        *(losses for losses, _ in pairs),
        *(is_destroyed for _, is_destroyed in pairs),
        *side_losses(setup, lost_by),
        *turn_measures(setup, swing, enemies_destroyed),
    ]


def unit_measures(setup: Setup) -> Iterator[Measure]:
    for unit in range(len(setup.units)):
        yield from _loss_measures(setup, unit)


def _loss_measures(setup: Setup, number: int) -> tuple[Measure, Measure]:
    unit = setup.units[number]
    return loss_measures(
        unit.id,
        unit.side,
        role_of(setup, unit.side),
        str(unit),
        lambda result: lost(setup, result, number),
        lambda result: not result.units[number][1],
        number,
    )


def contribution(setup: Setup, objective: str, number: int, card: Card) -> int:
    """What a unit adds to an objective of a turn if its card stays as it is."""
    unit, target = setup.units[number], setup.target
    return loss_contribution(
        objective,
        unit.strength - card.strength,
        is_destroyed=not card.strength,
        is_enemy=unit.side != setup.side,
        is_target=None if target is None else number == target,
    )


def after(setup: Setup, source: Json, final: State) -> Json:
    """The battle file after the attack: without destroyed units, with the cards as they are, and without an attack."""
    left: Json = {key: value for key, value in source.items() if key not in ("attack", "turn")}
    left["units"] = []
    for unit, card in zip(source["units"], final.cards, strict=True):
        marks = {mark: True for mark in MARKS if getattr(card, mark)}
        if card.strength:
            left["units"].append({**unit, "strength": card.strength, "supply": card.supply, **marks})
    return left


def end_turn(source: Json) -> Json:
    """The battle file in which every unit may attack and counterattack again."""
    return clear_marks(source, MARKS)
