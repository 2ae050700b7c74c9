"""How long whole turns take to solve, beside a plain memoised recursion over the same turn of supply or frames.

    PYTHONPATH=src python bench/turns.py "supply 6 v 4"

Without a name every turn is solved. The recursion knows values only: it is memoised over who has yet to fire and what
each target has left, and takes attackers that are alike, and targets that are alike, as one case.
"""

import resource
import sys
import time
from collections import Counter
from functools import cache
from itertools import product
from math import comb
from typing import Any

import grognard
from grognard.readings.matching import Matching

Json = dict[str, Any]
Targets = tuple[tuple[int, int], ...]
"""What each target has left, with the spot on it."""


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


def frames(shooters: list[str], targets: list[str]) -> Json:
    """Frames that can each fire at every target, whose defense is set."""
    own = [{"id": f"red {n}", "player": "Red", "loadout": word} for n, word in enumerate(shooters)]
    others = [
        {"id": f"blue {n}", "player": "Blue", "loadout": word, "defense": 3 + n % 2} for n, word in enumerate(targets)
    ]
    shots = [{"by": one["id"], "on": other["id"], "range": "direct"} for one in own for other in others]
    return {"system": "frames", "frames": [*own, *others], "turn": {"player": "Red", "shots": shots}}


SOLDIER, OSPREY, ANVIL = "WWBGYRdRd", "WWBBYRdRd", "WWBYRdRdR8d"
TURNS = {
    "supply 4 v 3": supply(4, 3),
    "supply 5 v 4": supply(5, 4),
    "supply 6 v 4": supply(6, 4),
    "tower 2 v 2": tower(2, 2),
    "tower 3 v 2": tower(3, 2),
    "tower 3 v 3": tower(3, 3),
    "tower 4 v 3": tower(4, 3),
    "frames 3 v 2, alike": frames([SOLDIER] * 3, [OSPREY, SOLDIER]),
    "frames 3 v 2": frames([SOLDIER, OSPREY, ANVIL], [OSPREY, SOLDIER]),
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


def plain_frames(source: Json) -> tuple[float, int]:
    """The value of such a turn of frames, and how many states it came to.

    Every pool is rolled out into the pairs of attack and spot dice that it allows. The states are who has yet to act,
    and what each target has left, with the spot on it.
    """
    shooters = [frame["loadout"] for frame in source["frames"] if frame["player"] == "Red"]
    blue = [frame for frame in source["frames"] if frame["player"] == "Blue"]
    defenses = [frame["defense"] for frame in blue]
    strength = {SOLDIER: 6, OSPREY: 6}

    @cache
    def menus(word: str) -> list[tuple[tuple[tuple[int, int], ...], float]]:
        counts: Counter[tuple[tuple[int, int], ...]] = Counter()
        colours = [word.count("B"), word.count("G"), word.count("Y")]
        red = [6, 6, 8] if "R8d" in word else [6, 6]
        sizes = [6, 6, *([6] * sum(colours)), *red]
        for faces in product(*(range(1, size + 1) for size in sizes)):
            left = list(faces[2:])
            best = [max([left.pop(0) for _ in range(number)], default=0) for number in colours]
            counts[menu(tuple(sorted(faces[:2])), *best, max(left))] += 1
        total = sum(counts.values())
        return [(pairs, ways / total) for pairs, ways in counts.items()]

    @cache
    def menu(white: tuple[int, ...], defense: int, move: int, spot: int, attack: int) -> tuple[tuple[int, int], ...]:
        """The pairs that the dice allow, after each way of setting defense and move."""

        def set_die(own: int, dice: tuple[int, ...], or_none: bool) -> list[tuple[int, tuple[int, ...]]]:
            better = [(die, tuple(x for n, x in enumerate(dice) if n != place)) for place, die in enumerate(dice)]
            options = [(own, dice)] if own or or_none else []
            return options + [(die, rest) for die, rest in better if die > own]

        pairs = set()
        for _, after_defense in set_die(defense, white, False):
            for die, rest in [*set_die(attack, after_defense, False), (0, after_defense)]:
                for _, after_move in set_die(move, rest, True):
                    pairs |= {(die, eye) for eye, _ in set_die(spot, after_move, True)}
        return tuple(sorted(pairs))

    @cache
    def hits(dice: int) -> list[tuple[int, float]]:
        return [(n, comb(dice, n) / 3**n * (2 / 3) ** (dice - n)) for n in range(dice + 1)]

    @cache
    def value(fresh: tuple[int, ...], targets: Targets) -> float:
        best = 0.0
        for by in fresh:
            rest = tuple(one for one in fresh if one != by)
            for on, (left, _) in enumerate(targets):
                if left:
                    worth = cache(lambda die, eye, on=on, rest=rest: fire(rest, targets, on, die, eye))
                    best = max(best, sum(p * max(worth(*pair) for pair in pairs) for pairs, p in menus(shooters[by])))
        return best

    def fire(rest: tuple[int, ...], targets: Targets, on: int, die: int, eye: int) -> float:
        left, spot = targets[on]
        if not die:
            return value(rest, (*targets[:on], (left, max(spot, eye)), *targets[on + 1 :]))
        ways = [(die, spot)] + ([(die + spot, 0)] if spot else [])
        return max(damage(rest, targets, on, attack - defenses[on], max(lies, eye)) for attack, lies in ways)

    def damage(rest: tuple[int, ...], targets: Targets, on: int, dice: int, spot: int) -> float:
        total, left = 0.0, targets[on][0]
        for number, p in hits(max(0, dice)):
            lost = min(number, left)
            now = (left - lost, spot if lost < left else 0)
            total += p * (lost + value(rest, (*targets[:on], now, *targets[on + 1 :])))
        return total

    first = tuple((strength[frame["loadout"]], 0) for frame in blue)
    return value(tuple(range(len(shooters))), first), value.cache_info().currsize


PLAIN = {"supply": plain_recursion, "frames": plain_frames}


def main(names: list[str]) -> None:
    """Time these turns, or all."""
    for name in names or TURNS:
        begin = time.process_time()
        solution = grognard.solve(grognard.battle(TURNS[name]))
        solved = time.process_time()
        value, results = solution.value, solution.odds.to_dict()["results"]
        solution.advice()
        done = time.process_time()
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        odds = f"odds and advice {done - solved:.2f} s, {results} results"
        print(f"{name}: value {value:.6f}, {solved - begin:.2f} s, {odds}")
        print(f"  {solution!r}, at most {memory} MB so far")
        if plain := PLAIN.get(name.split()[0]):
            value, states = plain(TURNS[name])
            print(f"  plain recursion: {value:.6f}, {time.process_time() - done:.2f} s, {states:,} states")


if __name__ == "__main__":
    main(sys.argv[1:])
