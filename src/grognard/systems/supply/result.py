"""What an attack comes to: the result, what it is worth, what people ask of it, and the battle file after it."""

from dataclasses import dataclass

from grognard.core.systems import Json, Measure, Objective, Role
from grognard.systems.supply.setup import Setup
from grognard.systems.supply.state import Cards


@dataclass(frozen=True, slots=True)
class Result:
    """Every unit's id, strength and supplies."""

    units: tuple[tuple[str, int, int], ...]

    def to_dict(self) -> Json:
        """The result as other programs read it."""
        return {"units": {name: {"strength": strength, "supply": supply} for name, strength, supply in self.units}}


def result(setup: Setup, final: Cards) -> Result:
    """The result with ids for units."""
    pairs = zip(setup.units, final.cards, strict=True)
    return Result(tuple((unit.id, card.strength, card.supply) for unit, card in pairs))


def lost(setup: Setup, result: Result, unit: int) -> int:
    """The strength that a unit has lost."""
    return setup.units[unit].strength - result.units[unit][1]


def swing(setup: Setup, result: Result) -> int:
    """Strength that enemies lose, less what the attacking side loses."""
    attacking = setup.units[setup.attacker].side
    losses = ((unit.side, lost(setup, result, number)) for number, unit in enumerate(setup.units))
    return sum(-loss if side == attacking else loss for side, loss in losses)


def kill(setup: Setup, result: Result) -> int:
    """1 if the target is destroyed."""
    return int(result.units[setup.target][1] == 0)


OBJECTIVES = {
    "swing": Objective("strength that enemies lose, less what the attacking side loses", swing),
    "kill": Objective("the target is destroyed", kill),
}


def measures(setup: Setup) -> list[Measure]:
    """What target and attacker lose, and whether they are destroyed."""
    target, attacker = setup.target, setup.attacker
    return [
        Measure(f"{setup.units[target]} loses", lambda result: lost(setup, result, target), Role.DEFENDER),
        Measure(f"{setup.units[attacker]} loses", lambda result: lost(setup, result, attacker), Role.ATTACKER),
        _is_destroyed(setup, target),
        _is_destroyed(setup, attacker),
    ]


def _is_destroyed(setup: Setup, unit: int) -> Measure:
    return Measure(f"{setup.units[unit].id} destroyed", lambda result: not result.units[unit][1])


def after(setup: Setup, source: Json, final: Cards) -> Json:
    """The board after the attack: destroyed units are off it, cards are up to date, and no attack is declared."""
    left: Json = {key: value for key, value in source.items() if key != "attack"}
    left["units"] = []
    for unit, card in zip(source["units"], final.cards, strict=True):
        marks = {mark: True for mark in ("fired", "countered") if getattr(card, mark)}
        if card.strength:
            left["units"].append({**unit, "strength": card.strength, "supply": card.supply, **marks})
    return left


def end_turn(source: Json) -> Json:
    """Every unit may attack and counterattack again."""
    marks = ("fired", "countered")
    units = [{key: value for key, value in unit.items() if key not in marks} for unit in source.get("units", [])]
    return {**source, "units": units}
