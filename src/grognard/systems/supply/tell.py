"""Attacks in words for people."""

from collections.abc import Iterator

from grognard.systems.supply.setup import Setup
from grognard.systems.supply.state import Card, Cards


def way(setup: Setup, firing: int) -> tuple[str, str]:
    """A way to attack: its id, and its label."""
    unit, caller = setup.units[firing], setup.units[setup.attacker]
    means = f"{unit.strength} d{unit.die}, for {unit.ammo} supply"
    if unit is caller:
        return "direct", f"{unit.id}, direct: {means}"
    return f"call in {unit.id}", f"{unit.id}, called in: {means}"


def invitation(setup: Setup, cards: Cards, dice: int) -> str:
    """The question to the defending player: counterattack."""
    unit, attacker = setup.units[setup.target], setup.units[setup.attacker]
    against = f"{cards[setup.attacker].strength} d{attacker.die}"
    return f"Counterattack {attacker.id} with {unit.id}: {dice} d{unit.die} against {against}, for {unit.ammo} supply?"


def changes(setup: Setup, before: Cards, after: Cards) -> Iterator[str]:
    """What a rule changed."""
    for unit, had, has in zip(setup.units, before.cards, after.cards, strict=True):
        if had.strength and not has.strength:
            is_lost = had.supply and setup.rules.destroyed_supplies == "discarded"
            yield f"{unit} is destroyed" + (f", and {had.supply} supply with it" if is_lost else "")
        elif had != has:
            yield from changed(str(unit), had, has)


def changed(name: str, had: Card, has: Card) -> Iterator[str]:
    """What a rule changed on the card of a unit that is still there."""
    if has.strength < had.strength:
        yield f"{name}: strength {had.strength} → {has.strength}"
    if has.supply < had.supply:
        yield f"{name} pays {had.supply - has.supply} supply, {has.supply} left"
    if has.supply > had.supply:
        yield f"{name} captures {has.supply - had.supply} supply, {has.supply} now"
    if has.fired and not had.fired:
        yield f"{name} has attacked this turn"
    if has.countered and not had.countered:
        yield f"{name} counterattacks"
