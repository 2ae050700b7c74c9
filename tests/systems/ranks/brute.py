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
Units = tuple[int, ...]
Here = tuple[int, ...]


def ranked(dice: int, faces: int, ranks: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Every way the best dice of a pool can rank, high to low, with the number of rolls that give it."""
    count: Counter[tuple[int, ...]] = Counter()
    for hand in combinations_with_replacement(range(faces, 0, -1), dice):
        ways = factorial(dice)
        for repeats in Counter(hand).values():
            ways //= factorial(repeats)
        count[hand[:ranks]] += ways
    yield from count.items()


@cache
def fallen(attack: int, defence: int, faces: int, ties: str) -> dict[tuple[int, int], Fraction]:
    """How likely the attacking and the defending losses of one exchange are."""
    ranks = min(attack, defence)
    chances: dict[tuple[int, int], Fraction] = {}
    for mine, my_ways in ranked(attack, faces, ranks):
        for yours, your_ways in ranked(defence, faces, ranks):
            equal = sum(a == d for a, d in zip(mine, yours, strict=True))
            lost = sum(a < d for a, d in zip(mine, yours, strict=True)) + equal * (ties in ("defender", "both"))
            killed = sum(a > d for a, d in zip(mine, yours, strict=True)) + equal * (ties in ("attacker", "both"))
            chance = Fraction(my_ways * your_ways, faces ** (attack + defence))
            chances[lost, killed] = chances.get((lost, killed), Fraction(0)) + chance
    return chances


def mix(branches: list[tuple[Fraction, Solved]]) -> Solved:
    value, outcomes = Fraction(0), dict[str, Fraction]()
    for chance, (worth, results) in branches:
        value += chance * worth
        for result, p in results.items():
            outcomes[result] = outcomes.get(result, Fraction(0)) + chance * p
    return value, outcomes


def decide(side: str, optional: bool, policies: dict[str, str], leaves: list[Leaf]) -> Solved:
    """What the side's policy makes of its options; of an optional question the first one is yes."""
    policy = policies[side]
    if policy == "eager" or len(leaves) == 1:
        return leaves[0]()
    if policy == "cautious":
        return leaves[-1 if optional else 0]()
    if policy == "random":
        return mix([(Fraction(1, len(leaves)), leaf()) for leaf in leaves])
    solved = [leaf() for leaf in leaves]
    return (max if side == "attacker" else min)(solved, key=lambda one: one[0])


def solve(battle: Json, attacker: str, defender: str, objective: str) -> Solved:
    rules = battle.get("rules", {})
    ties, faces = rules.get("ties", "defender"), rules.get("die", 10)
    any_arrival = rules.get("exchange_on") == "any_arrival"
    all_attackers = rules.get("who_rolls") == "all_attackers"
    to_the_death = rules.get("duration") == "to_the_death"
    defending_losses = rules.get("defending_losses", "first_arrived")
    armies = [{"player": battle["defender"]["player"], "side": "defend", "units": battle["defender"]["units"]}]
    armies += battle["arrivals"]
    attacks = [army["side"] == "attack" for army in armies]
    policies = {"attacker": attacker, "defender": defender}

    def present(units: Units, here: Here, attacking: bool) -> list[int]:
        return [i for i in here if attacks[i] == attacking and units[i]]

    def without(units: Units, order: list[int], losses: int) -> Units:
        left = list(units)
        for i in order:
            fall = min(left[i], losses)
            left[i] -= fall
            losses -= fall
        return tuple(left)

    @cache
    def turn(at: int, units: Units, here: Here) -> Solved:
        if at == len(armies):
            return end(units, here)

        def held_back() -> Solved:
            return turn(at + 1, units, here)

        def sent() -> Solved:
            return arrive(at, units, (*here, at))

        if not armies[at].get("optional", False):
            return sent()
        return decide("attacker" if attacks[at] else "defender", True, policies, [sent, held_back])

    def arrive(at: int, units: Units, here: Here) -> Solved:
        if not attacks[at] and not any_arrival:
            return turn(at + 1, units, here)
        attackers = present(units, here, True)
        rolling = attackers if all_attackers else attackers[-1:]
        return exchange(at, units, here, tuple(rolling))

    @cache
    def exchange(at: int, units: Units, here: Here, rolling: tuple[int, ...]) -> Solved:
        attack = sum(units[i] for i in rolling)
        defence = sum(units[i] for i in present(units, here, False))
        if not attack or not defence:
            return turn(at + 1, units, here)
        chances = fallen(attack, defence, faces, ties)
        if to_the_death:  # a roll in which nobody falls is rolled again
            chances = {both: p / (1 - chances.get((0, 0), Fraction(0))) for both, p in chances.items() if any(both)}
        branches = []
        for (lost, killed), p in chances.items():
            leader = next(i for i in here if attacks[i])
            order = sorted(rolling, key=lambda i: (i == leader, i))
            branches.append((p, bear(at, without(units, order, lost), here, rolling, killed)))
        return mix(branches)

    @cache
    def bear(at: int, units: Units, here: Here, rolling: tuple[int, ...], killed: int) -> Solved:
        defenders = present(units, here, False)
        allies = [i for i in defenders if i]
        if killed and defending_losses == "owner_chooses":
            leaves: list[Leaf] = [
                partial(bear, at, without(units, [i], 1), here, rolling, killed - 1) for i in defenders
            ]
            return decide("defender", False, policies, leaves)
        if killed:
            order = allies if defending_losses == "first_arrived" else allies[::-1]
            return bear(at, without(units, [*order, 0], killed), here, rolling, 0)
        if to_the_death:
            return exchange(at, units, here, rolling)
        return turn(at + 1, units, here)

    def end(units: Units, here: Here) -> Solved:
        defenders, attackers = present(units, here, False), present(units, here, True)
        held = (defenders + attackers)[:1]
        if not held and rules.get("nobody_left") == "defender_keeps":
            held = [0]
        result = {
            "armies": {army["player"]: left for army, left in zip(armies, units, strict=True)},
            "possession": armies[held[0]]["player"] if held else None,
            "returns": [armies[i]["player"] for i in attackers] if defenders else [],
        }
        values = {
            "swing": sum(
                (-1 if attacking else 1) * (army["units"] - left)
                for army, left, attacking in zip(armies, units, attacks, strict=True)
            ),
            "kill": int(not defenders),
            "ground": int(bool(held) and attacks[held[0]]),
        }
        return Fraction(values[objective]), {json.dumps(result, sort_keys=True): Fraction(1)}

    return turn(1, tuple(army["units"] for army in armies), (0,))
