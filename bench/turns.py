"""How long whole turns take to solve, beside a plain memoised recursion over the same turn of supply.

    PYTHONPATH=src python bench/turns.py "supply 6 v 4"

Without a name every turn is solved. The recursion knows values only: it is memoised over who has yet to fire and what
each target has left, and takes attackers that are alike, and targets that are alike, as one case.
"""

import resource
import sys
import time
from functools import cache
from typing import Any

import grognard
from grognard.readings.matching import Matching

Json = dict[str, Any]


def supply(attackers: int, targets: int) -> Json:
    """Units of 4 and 5 d6 with two supplies, everybody in range of everybody."""
    plain = {"die": 6, "range": 99, "ammo": 1, "supply": 2}
    sides = [("red", 1, attackers), ("blue", 2, targets)]
    units = [
        {"id": f"{side} {n}", "side": side, "strength": 4 + n % 2, "at": [column, n + 1], **plain}
        for side, column, number in sides
        for n in range(number)
    ]
    return {"system": "supply", "units": units, "turn": {"side": "red"}}


def tower(attackers: int, targets: int) -> Json:
    """Two ranks that face each other; everybody can reinforce somebody."""
    plain = {"attack": 2, "defense": 3, "health": 3, "speed": 2, "range": 0}
    sides = [("red", 4, attackers), ("blue", 5, targets)]
    units = [
        {"id": f"{side} {n}", "side": side, "at": [n + 3, row], **plain}
        for side, row, number in sides
        for n in range(number)
    ]
    return {"system": "tower", "board": {"size": [10, 10]}, "units": units, "turn": {"side": "red"}}


TURNS = {
    "supply 4 v 3": supply(4, 3),
    "supply 5 v 4": supply(5, 4),
    "supply 6 v 4": supply(6, 4),
    "tower 2 v 2": tower(2, 2),
    "tower 3 v 2": tower(3, 2),
    "tower 3 v 3": tower(3, 3),
    "tower 4 v 3": tower(4, 3),
}


def plain_recursion(source: Json) -> tuple[float, int]:
    """The value of such a turn of supply, and how many states it came to."""
    fresh = tuple(sorted(unit["strength"] for unit in source["units"] if unit["side"] == "red"))
    targets = tuple(sorted((unit["strength"], unit["supply"]) for unit in source["units"] if unit["side"] == "blue"))

    @cache
    def losses(attack: int, defence: int) -> list[tuple[int, float]]:
        counts: dict[int, float] = {}
        for left, p in Matching(attack=attack, attack_die=6, defence=defence, defence_die=6).odds(False):
            counts[min(left, defence)] = counts.get(min(left, defence), 0) + p
        return list(counts.items())

    @cache
    def countered(strength: int, attacker: int) -> float:
        return sum(lost * p for lost, p in losses(strength, attacker))

    @cache
    def value(fresh: tuple[int, ...], targets: tuple[tuple[int, int], ...]) -> float:
        best = 0.0
        for by, attacker in enumerate(fresh):
            if by and fresh[by - 1] == attacker:
                continue
            rest = fresh[:by] + fresh[by + 1 :]
            for on, (strength, tokens) in enumerate(targets):
                if on and targets[on - 1] == targets[on]:
                    continue
                others = targets[:on] + targets[on + 1 :]
                total = 0.0
                for lost, p in losses(attacker, strength):
                    left = strength - lost
                    if not left:
                        total += p * (lost + value(rest, others))
                        continue
                    after = value(rest, tuple(sorted((*others, (left, tokens)))))
                    if tokens:
                        paid = value(rest, tuple(sorted((*others, (left, tokens - 1)))))
                        after = min(after, paid - countered(left, attacker))
                    total += p * (lost + after)
                best = max(best, total)
        return best

    return value(fresh, targets), value.cache_info().currsize


def main(names: list[str]) -> None:
    """Time these turns, or all."""
    for name in names or TURNS:
        begin = time.process_time()
        solution = grognard.solve(grognard.battle(TURNS[name]))
        solved = time.process_time()
        value, results = solution.value, solution.odds.to_dict()["results"]
        done = time.process_time()
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(f"{name}: value {value:.6f}, {solved - begin:.2f} s, odds {done - solved:.2f} s, {results} results")
        print(f"  {solution!r}, at most {memory} MB so far")
        if name.startswith("supply"):
            value, states = plain_recursion(TURNS[name])
            print(f"  plain recursion: {value:.6f}, {time.process_time() - done:.2f} s, {states:,} states")


if __name__ == "__main__":
    main(sys.argv[1:])
