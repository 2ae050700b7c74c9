"""The chapter once more, as one plain recursion over fractions: shares no code with the package.

`solve(battle, attacker, defender, objective)` takes a battle as a dictionary, and gives the value and the
probability of each result, keyed by the result's JSON.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache, partial
from itertools import combinations_with_replacement
from math import factorial
from typing import Any

Json = dict[str, Any]
Solved = tuple[Fraction, dict[str, Fraction]]
Leaf = Callable[[], Solved]
Card = tuple[int, int]
"""A unit's strength and supply."""


def hands(dice: int, faces: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Every hand of dice, high to low, with the number of rolls that give it."""
    for hand in combinations_with_replacement(range(faces, 0, -1), dice):
        ways = factorial(dice)
        for repeats in Counter(hand).values():
            ways //= factorial(repeats)
        yield hand, ways


def unmatched(attack: tuple[int, ...], defence: tuple[int, ...]) -> int:
    """Each defence die, from the lowest up, takes off the highest attack die that it meets."""
    left = sorted(attack)
    for die in sorted(defence):
        met = [a for a in left if a <= die]
        if met:
            left.remove(met[-1])
    return len(left)


def ranked(attack: tuple[int, ...], defence: tuple[int, ...]) -> int:
    """High against high; an attack die without an opponent hits."""
    wins = sum(a > d for a, d in zip(attack, defence, strict=False))
    return wins + max(0, len(attack) - len(defence))


@cache
def losses(attack: int, attack_die: int, defence: int, defence_die: int, cancelling: str) -> dict[int, Fraction]:
    compare = unmatched if cancelling == "matching" else ranked
    chances: dict[int, Fraction] = {}
    total = attack_die**attack * defence_die**defence
    for mine, my_ways in hands(attack, attack_die):
        for yours, your_ways in hands(defence, defence_die):
            lost = compare(mine, yours)
            chances[lost] = chances.get(lost, Fraction(0)) + Fraction(my_ways * your_ways, total)
    return chances


def mix(branches: list[tuple[Fraction, Solved]]) -> Solved:
    value, outcomes = Fraction(0), dict[str, Fraction]()
    for chance, (worth, results) in branches:
        value += chance * worth
        for result, p in results.items():
            outcomes[result] = outcomes.get(result, Fraction(0)) + chance * p
    return value, outcomes


def decide(policy: str, best: Callable[..., Solved], optional: bool, leaves: list[Leaf]) -> Solved:
    """What a policy makes of its options; of an optional question the first one is yes."""
    if policy == "eager" or len(leaves) == 1:
        return leaves[0]()
    if policy == "cautious":
        return leaves[-1 if optional else 0]()
    if policy == "random":
        return mix([(Fraction(1, len(leaves)), leaf()) for leaf in leaves])
    return best([leaf() for leaf in leaves], key=lambda one: one[0])


def ways_open(battle: Json) -> list[str]:
    """The ids of the units that could fire in this attack: the attacking unit itself, and those it could call in."""
    units = {unit["id"]: unit for unit in battle["units"]}
    attack = battle["attack"]
    by, on = units[attack["by"]], units[attack["on"]]
    diagonal = battle.get("rules", {}).get("distance") == "diagonal"

    def could_fire(unit: Json) -> bool:
        return not unit.get("fired") and unit["supply"] >= unit["ammo"] and in_range(unit, on, diagonal)

    if by.get("fired") or not in_range(by, on, diagonal):
        return []
    direct = [by["id"]] if could_fire(by) and attack.get("how") != "call in" and "through" not in attack else []
    called = [
        unit["id"]
        for unit in battle["units"]
        if unit is not by and unit["side"] == by["side"] and unit.get("indirect") and could_fire(unit)
        if attack.get("how") != "direct" and attack.get("through") in (None, unit["id"])
    ]
    return direct + called


def in_range(unit: Json, other: Json, diagonal: bool) -> bool:
    across, down = (abs(a - b) for a, b in zip(unit["at"], other["at"], strict=True))
    steps = max(across, down) if diagonal else across + down
    return bool(steps <= unit["range"])


def solve(battle: Json, attacker: str, defender: str, objective: str) -> Solved:
    units = {unit["id"]: unit for unit in battle["units"]}
    rules = battle.get("rules", {})
    cancelling = rules.get("cancelling", "matching")
    by, on = units[battle["attack"]["by"]], units[battle["attack"]["on"]]

    def after(cards: dict[str, Card], firer: str, target: str, lost: int) -> dict[str, Card]:
        strength, supply = cards[target]
        if lost < strength:
            return {**cards, target: (strength - lost, supply)}
        own_strength, own_supply = cards[firer]
        captured = supply if rules.get("destroyed_supplies") == "captured" else 0
        return {**cards, target: (0, 0), firer: (own_strength, own_supply + captured)}

    def paid(cards: dict[str, Card], unit: Json) -> dict[str, Card]:
        strength, supply = cards[unit["id"]]
        return {**cards, unit["id"]: (strength, supply - unit["ammo"])}

    def fire(firer: str) -> Solved:
        unit = units[firer]
        start = paid({one["id"]: (one["strength"], one["supply"]) for one in battle["units"]}, unit)
        branches = []
        for lost, p in losses(unit["strength"], unit["die"], on["strength"], on["die"], cancelling).items():
            branches.append((p, answer(after(start, firer, on["id"], lost), firer)))
        return mix(branches)

    def answer(cards: dict[str, Card], firer: str) -> Solved:
        strength, supply = cards[on["id"]]
        barred = (
            firer != by["id"]
            or (rules.get("indirect_can_be_countered") is False and by.get("indirect"))
            or (rules.get("counters_per_turn") == "one" and on.get("countered"))
            or (rules.get("counter_counts_as_fired") and on.get("fired"))
        )
        reach = in_range(on, by, rules.get("distance") == "diagonal")
        if barred or not strength or supply < on["ammo"] or not reach:
            return end(cards)
        return decide(defender, min, True, [lambda: counter(cards), lambda: end(cards)])

    def counter(cards: dict[str, Card]) -> Solved:
        dice = on["strength"] if rules.get("counter_timing") == "simultaneous" else cards[on["id"]][0]
        cards = paid(cards, on)
        chances = losses(dice, on["die"], cards[by["id"]][0], by["die"], cancelling)
        return mix([(p, end(after(cards, on["id"], by["id"], lost))) for lost, p in chances.items()])

    def end(cards: dict[str, Card]) -> Solved:
        result = {"units": {name: {"strength": card[0], "supply": card[1]} for name, card in cards.items()}}
        swing = 0
        for name, unit in units.items():
            swing += (1 if unit["side"] != by["side"] else -1) * (unit["strength"] - cards[name][0])
        value = swing if objective == "swing" else int(cards[on["id"]][0] == 0)
        return Fraction(value), {json.dumps(result, sort_keys=True): Fraction(1)}

    return decide(attacker, max, False, [partial(fire, firer) for firer in ways_open(battle)])


TurnCard = tuple[int, int, bool, bool]
"""Strength, supply, whether it has fired, whether it has countered."""
TurnCards = tuple[TurnCard, ...]


def solve_turn(battle: Json, attacker: str, defender: str, objective: str) -> Solved:
    """A whole turn of one side: one attack after the other, each with all its decisions, until the side ends it."""
    units, rules, turn = battle["units"], battle.get("rules", {}), battle["turn"]
    everyone, diagonal = range(len(units)), rules.get("distance") == "diagonal"
    is_ours = [unit["side"] == turn["side"] for unit in units]

    def with_card(cards: TurnCards, n: int, **new: Any) -> TurnCards:
        card = dict(zip(("strength", "supply", "fired", "countered"), cards[n], strict=True)) | new
        return (*cards[:n], tuple(card.values()), *cards[n + 1 :])

    def could_fire(cards: TurnCards, n: int, on: int) -> bool:
        strength, supply, fired, _ = cards[n]
        return bool(strength and not fired and supply >= units[n]["ammo"] and in_range(units[n], units[on], diagonal))

    def ways(cards: TurnCards, by: int, on: int) -> list[int]:
        if not cards[by][0] or not cards[on][0] or cards[by][2] or not in_range(units[by], units[on], diagonal):
            return []
        called = [n for n in everyone if n != by and is_ours[n] and units[n].get("indirect")]
        return [n for n in (by, *called) if could_fire(cards, n, on)]

    @cache
    def next_attack(cards: TurnCards) -> Solved:
        leaves: list[Leaf] = []
        for by in everyone:
            for on in everyone:
                if is_ours[by] and not is_ours[on] and ways(cards, by, on):
                    leaves.append(partial(attack, cards, by, on))
        return decide(attacker, max, False, [*leaves, lambda: end(cards)])

    def attack(cards: TurnCards, by: int, on: int) -> Solved:
        leaves: list[Leaf] = [partial(fire, cards, by, on, n) for n in ways(cards, by, on)]
        return decide(attacker, max, False, leaves)

    def roll(cards: TurnCards, firing: int, dice: int, at: int, then: Callable[[TurnCards], Solved]) -> Solved:
        """So many dice of one unit against all of another; what happens then with each number of losses."""
        strength, supply = cards[at][:2]
        branches = []
        chances = losses(dice, units[firing]["die"], strength, units[at]["die"], rules.get("cancelling", "matching"))
        for lost, p in chances.items():
            after = with_card(cards, at, strength=strength - lost)
            if lost >= strength:
                after = with_card(cards, at, strength=0, supply=0, fired=False, countered=False)
                captured = supply if rules.get("destroyed_supplies") == "captured" else 0
                after = with_card(after, firing, supply=cards[firing][1] + captured)
            branches.append((p, then(after)))
        return mix(branches)

    def fire(cards: TurnCards, by: int, on: int, firing: int) -> Solved:
        cards = with_card(cards, firing, supply=cards[firing][1] - units[firing]["ammo"], fired=True)
        if firing != by and not rules.get("caller_keeps_attack"):
            cards = with_card(cards, by, fired=True)
        before = cards[on][0]
        return roll(cards, firing, cards[firing][0], on, lambda after: answer(after, by, on, firing, before))

    def answer(cards: TurnCards, by: int, on: int, firing: int, before: int) -> Solved:
        strength, supply, fired, countered = cards[on]
        barred = (
            firing != by
            or (rules.get("indirect_can_be_countered") is False and units[by].get("indirect"))
            or (rules.get("counters_per_turn") == "one" and countered)
            or (rules.get("counter_counts_as_fired") and fired)
        )
        if barred or not strength or supply < units[on]["ammo"] or not in_range(units[on], units[by], diagonal):
            return next_attack(cards)
        dice = before if rules.get("counter_timing") == "simultaneous" else strength
        paid = with_card(cards, on, supply=supply - units[on]["ammo"], countered=True)
        if rules.get("counter_counts_as_fired"):
            paid = with_card(paid, on, fired=True)
        counter = partial(roll, paid, on, dice, by, next_attack)
        return decide(defender, min, True, [counter, partial(next_attack, cards)])

    def end(cards: TurnCards) -> Solved:
        left = {unit["id"]: {"strength": card[0], "supply": card[1]} for unit, card in zip(units, cards, strict=True)}
        lost = [unit["strength"] - card[0] for unit, card in zip(units, cards, strict=True)]
        swing = sum(-points if ours else points for points, ours in zip(lost, is_ours, strict=True))
        gone = [unit["id"] for unit, card, ours in zip(units, cards, is_ours, strict=True) if not card[0] and not ours]
        kills = int(turn["target"] in gone) if "target" in turn else len(gone)
        value = swing if objective == "swing" else kills
        return Fraction(value), {json.dumps({"units": left}, sort_keys=True): Fraction(1)}

    marks = [(unit.get("fired", False), unit.get("countered", False)) for unit in units]
    return next_attack(
        tuple((unit["strength"], unit["supply"], *mark) for unit, mark in zip(units, marks, strict=True))
    )
