"""The turns of supply once more, as plain enumeration: shares no code with the package."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

from tests.systems.supply.brute import in_range, losses, ranked, unmatched

from .tree import AttackOver, Dice, Json, Lazy, Tree, choice, yes_or_no


@dataclass(frozen=True)
class Card:
    """What can change of a unit."""

    strength: int
    supply: int
    fired: bool
    countered: bool


GONE = Card(0, 0, False, False)
Cards = tuple[Card, ...]


class Supply:
    def __init__(self, source: Json) -> None:
        self.source, self.units = source, source["units"]
        self.rules = source.get("rules", {})

    @cached_property
    def start(self) -> Cards:
        return tuple(
            Card(unit["strength"], unit["supply"], unit.get("fired", False), unit.get("countered", False))
            for unit in self.units
        )

    def left(self, state: Cards) -> dict[str, int]:
        return {unit["id"]: card.strength for unit, card in zip(self.units, state, strict=True)}

    def result(self, state: Cards) -> Json:
        cards = zip(self.units, state, strict=True)
        return {"units": {unit["id"]: {"strength": card.strength, "supply": card.supply} for unit, card in cards}}

    def reaches(self, one: int, other: int) -> bool:
        return in_range(self.units[one], self.units[other], self.rules.get("distance") == "diagonal")

    def attacks(self, state: Cards) -> dict[str, Lazy]:
        side = self.source["turn"]["side"]
        return {
            f"{unit['id']} on {target['id']}": partial(self.attack, state, by, on)
            for by, unit in enumerate(self.units)
            for on, target in enumerate(self.units)
            if unit["side"] == side != target["side"] and self.firing_units(state, by, on)
        }

    def firing_units(self, state: Cards, by: int, on: int) -> list[int]:
        """Who could fire in this attack: the attacking unit first, then those it could call in."""
        if not state[by].strength or not state[on].strength or state[by].fired or not self.reaches(by, on):
            return []
        friends = [
            one
            for one, unit in enumerate(self.units)
            if one != by and unit["side"] == self.units[by]["side"] and unit.get("indirect") and state[one].strength
        ]
        return [
            one
            for one in [by, *friends]
            if not state[one].fired and state[one].supply >= self.units[one]["ammo"] and self.reaches(one, on)
        ]

    def attack(self, state: Cards, by: int, on: int) -> Tree:
        ways = {
            "direct" if one == by else f"call in {self.units[one]['id']}": partial(self.fire, state, by, one, on)
            for one in self.firing_units(state, by, on)
        }
        return choice("attacker", ways)

    def fire(self, state: Cards, by: int, firing: int, on: int) -> Tree:
        state = self.pay(state, firing)
        state = change(state, firing, fired=True)
        if firing == by or not self.rules.get("caller_keeps_attack"):
            state = change(state, by, fired=True)
        dice = state[on].strength

        def then(lost: int) -> Tree:
            after = self.hurt(state, firing, on, lost)
            return self.answer(after, by, on, dice) if firing == by else AttackOver(after)

        return self.dice(state[firing].strength, firing, dice, on, then)

    def answer(self, state: Cards, by: int, on: int, dice_before: int) -> Tree:
        barred = (
            (self.rules.get("indirect_can_be_countered") is False and self.units[by].get("indirect"))
            or (self.rules.get("counters_per_turn") == "one" and state[on].countered)
            or (self.rules.get("counter_counts_as_fired") and state[on].fired)
            or state[on].supply < self.units[on]["ammo"]
        )
        if barred or not state[on].strength or not self.reaches(on, by):
            return AttackOver(state)
        dice = dice_before if self.rules.get("counter_timing") == "simultaneous" else state[on].strength
        return yes_or_no("defender", lambda: self.counter(state, by, on, dice), lambda: AttackOver(state))

    def counter(self, state: Cards, by: int, on: int, dice: int) -> Tree:
        state = change(self.pay(state, on), on, countered=True)
        if self.rules.get("counter_counts_as_fired"):
            state = change(state, on, fired=True)
        return self.dice(dice, on, state[by].strength, by, lambda lost: AttackOver(self.hurt(state, on, by, lost)))

    def dice(self, attack: int, firing: int, defence: int, on: int, then: Callable[[int], Tree]) -> Tree:
        cancelling = self.rules.get("cancelling", "matching")
        compare = unmatched if cancelling == "matching" else ranked
        chances = losses(attack, self.units[firing]["die"], defence, self.units[on]["die"], cancelling)

        def count(faces: Sequence[int]) -> int:
            mine, yours = (tuple(sorted(some, reverse=True)) for some in (faces[:attack], faces[attack:]))
            return compare(mine, yours)

        return Dice(chances, count, then)

    def pay(self, state: Cards, one: int) -> Cards:
        return change(state, one, supply=state[one].supply - self.units[one]["ammo"])

    def hurt(self, state: Cards, firing: int, on: int, lost: int) -> Cards:
        if lost < state[on].strength:
            return change(state, on, strength=state[on].strength - lost)
        if self.rules.get("destroyed_supplies") == "captured":
            state = change(state, firing, supply=state[firing].supply + state[on].supply)
        return (*state[:on], GONE, *state[on + 1 :])


def change(state: Cards, one: int, **marks: Any) -> Cards:
    return (*state[:one], replace(state[one], **marks), *state[one + 1 :])
