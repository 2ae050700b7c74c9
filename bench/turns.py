"""How long whole turns take to solve, compared with a plain memoised recursion over the same turn.

    PYTHONPATH=src python bench/turns.py "supply 6 v 4"
    PYTHONPATH=src python bench/turns.py growth

Without a name every turn is solved. The recursion computes only the value. Its memo is keyed by the attackers that have
not fired and by what each target has left; equal attackers count as one case, and so do equal targets. `growth` prints
how many choices a turn has, and its processor seconds, for several numbers of attackers and targets.
"""

import resource
import sys
import time
from collections import Counter
from collections.abc import Callable
from functools import cache, partial
from itertools import product
from math import comb
from typing import Any

import grognard
from grognard.core.readings import Die, Pool
from grognard.readings.matching import Matching
from grognard.readings.symbols import DefenceRoll, StrongestLeft, SymbolRoll, Symbols
from grognard.solver.turn_solution import TurnSolution

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


def tower(attackers: int, targets: int, reach: int = 0) -> Json:
    """Two ranks that face each other. Everybody can reinforce somebody; with a reach of 1, almost everybody."""
    plain = {"attack": 2, "defense": 3, "health": 3, "speed": 2, "range": reach}
    sides = [("red", 4, attackers), ("blue", 5, targets)]
    units = [
        {"id": f"{side} {n}", "side": side, "at": [n + 3, row], **plain}
        for side, row, number in sides
        for n in range(number)
    ]
    return {"system": "tower", "board": {"size": [10, 10]}, "units": units, "turn": {"side": "red"}}


SHARED_CARDS = (("us", "steady aim"), ("us", "rain of fire"), ("ge", "take cover"), ("ge", "lucky escape"))


def assault(attackers: int, targets: int, has_cards: bool = False, is_mixed: bool = False) -> Json:
    """Riflemen against riflemen in the clear, everybody at range 2 of everybody; or all of them different."""
    mine = ("US Rifles 43", "US Rangers 43", "US Bazooka", "GE HMG 42") if is_mixed else ("US Rifles 43",)
    theirs = ("GE Rifles 43", "GE HMG 42", "GE FJ Rifles 43") if is_mixed else ("GE Rifles 43",)
    us = [{"id": f"us {n}", "side": "us", "card": mine[n % len(mine)]} for n in range(attackers)]
    ge = [{"id": f"ge {n}", "side": "ge", "card": theirs[n % len(theirs)]} for n in range(targets)]
    shots = [{"by": by["id"], "on": on["id"], "range": 2} for by in us for on in ge]
    cards = [{"side": side, "card": card} for side, card in SHARED_CARDS if has_cards]
    turn = {"side": "us", "shots": shots}
    return {"system": "assault", "units": [*us, *ge], "turn": turn, "command_cards": cards}


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
    "tower 4 v 3, dense": tower(4, 3, reach=1),
    "assault 4 v 3": assault(4, 3),
    "assault 4 v 3, two cards a side": assault(4, 3, has_cards=True),
    "assault 4 v 3, all different": assault(4, 3, is_mixed=True),
    "assault 4 v 3, all different, two cards a side": assault(4, 3, has_cards=True, is_mixed=True),
    "frames 3 v 2, alike": frames([SOLDIER] * 3, [OSPREY, SOLDIER]),
    "frames 3 v 2": frames([SOLDIER, OSPREY, ANVIL], [OSPREY, SOLDIER]),
}


def recursion_of_supply(source: Json) -> tuple[float, int]:
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


Target = tuple[int, str]
"""Damage and status."""


def recursion_of_assault(source: Json) -> tuple[float, int]:
    """The value of such a turn of riflemen, and how many states it came to."""
    dice = {letter: Die(letter, tuple(faces.split("."))) for letter, faces in FACES.items()}
    strength = 3

    def pools(letters: str) -> tuple[Pool, ...]:
        return tuple(Pool(letters.count(letter), dice[letter]) for letter in FACES if letter in letters)

    @cache
    def attack_roll(letters: str) -> list[tuple[Symbols, float]]:
        return [(rolled.symbols, float(p)) for rolled, p in SymbolRoll(pools(letters)).odds(False)]

    @cache
    def defence_roll(attack: Symbols, letters: str) -> list[tuple[Symbols, float]]:
        return [(rolled.symbols, float(p)) for rolled, p in DefenceRoll(attack, pools(letters)).odds(False)]

    @cache
    def critical(count: int) -> list[tuple[str, float]]:
        green, blue = (Pool(count, dice[letter]) for letter in "GB")
        return [(symbol, float(p)) for symbol, p in StrongestLeft((green,), (blue,)).odds(False)]

    def shaken(status: str) -> str:
        return {"none": "suppressed", "suppressed": "fallback"}.get(status, "gone")

    @cache
    def suffer(target: Target, left: Symbols) -> list[tuple[float, int, Target | None]]:
        """Probability, damage, and the target after it."""
        damage, status = target[0] + left.critical + left.damage, target[1]
        status = shaken(status) if left.suppression and damage < strength else status
        if damage >= strength or status == "gone":
            return [(1.0, strength - target[0], None)]
        ends: list[tuple[float, int, Target | None]] = []
        for symbol, p in critical(left.critical) if left.critical else [("", 1.0)]:
            after = shaken("suppressed" if status == "none" and symbol == "C" else status) if symbol else status
            is_gone = after == "gone"
            ends.append((p, (strength if is_gone else damage) - target[0], None if is_gone else (damage, after)))
        return ends

    @cache
    def value(attackers: int, targets: tuple[Target, ...], mine: frozenset[str], theirs: frozenset[str]) -> float:
        if not attackers:
            return 0.0
        different = [on for on in range(len(targets)) if not on or targets[on] != targets[on - 1]]
        return max([0.0, *(attack(attackers, targets, on, mine, theirs) for on in different)])

    def attack(
        attackers: int, targets: tuple[Target, ...], on: int, mine: frozenset[str], theirs: frozenset[str]
    ) -> float:
        target, others = targets[on], targets[:on] + targets[on + 1 :]

        @cache
        def after(left: Symbols, mine: frozenset[str], theirs: frozenset[str]) -> float:
            total = 0.0
            for p, damage, then in suffer(target, left):
                standing = others if then is None else tuple(sorted((*others, then)))
                total += p * (damage + value(attackers - 1, standing, mine, theirs))
            return total

        def defend(symbols: Symbols, mine: frozenset[str]) -> float:
            letters = "YGG" if target[1] == "suppressed" else "YG"

            def escape(left: Symbols) -> float:
                plain = after(left, mine, theirs)
                if "lucky escape" not in theirs or not any(left):
                    return plain
                cancelled = after(cancel_one(left), mine, theirs - {"lucky escape"})
                return min(plain, cancelled)

            open_value = sum(p * escape(left) for left, p in defence_roll(symbols, letters))
            if "take cover" not in theirs:
                return open_value
            rolled = defence_roll(symbols, letters + "G")
            return min(open_value, sum(p * after(left, mine, theirs - {"take cover"}) for left, p in rolled))

        best = 0.0
        for card in ("", *mine):
            x, rest = int(card == "rain of fire"), mine - {card}
            total = 0.0
            for (critical, damage, suppression), p in attack_roll("RRYB" if card == "steady aim" else "RRY"):
                symbols = Symbols(critical, damage, suppression + x)
                total += p * (defend(symbols, rest) if any(symbols) else after(symbols, rest, theirs))
            best = max(best, total)
        return best

    held = [
        frozenset(card["card"] for card in source["command_cards"] if card["side"] == side) for side in ("us", "ge")
    ]
    numbers = [sum(unit["side"] == side for unit in source["units"]) for side in ("us", "ge")]
    return value(numbers[0], ((0, "none"),) * numbers[1], *held), value.cache_info().currsize


def cancel_one(left: Symbols) -> Symbols:
    """Without the strongest symbol."""
    first = next(place for place, count in enumerate(left) if count)
    return Symbols(*(count - (place == first) for place, count in enumerate(left)))


FACES = {"R": "DD.DX.DD.DD.CD.", "Y": "X.D.D.DD.CD.XD", "G": "X.D.D.CD.D.", "B": "X.D.D..."}
GROWTH: dict[str, Callable[[int, int], Json]] = {
    "supply": supply,
    "assault": assault,
    "assault, two cards a side": partial(assault, has_cards=True),
    "tower": tower,
    "tower, dense": partial(tower, reach=1),
    "frames": lambda shooters, targets: frames([SOLDIER] * shooters, [OSPREY] * targets),
}
SIZES = ((2, 2), (3, 2), (4, 2), (3, 3), (4, 3), (5, 3))


def growth(names: list[str]) -> None:
    """Print a table of choices and seconds, for these systems or for all."""
    print("| turn | " + " | ".join(f"{attackers} v {targets}" for attackers, targets in SIZES) + " |")
    for name in names or GROWTH:
        print(f"| {name} |", end="")
        for attackers, targets in SIZES:
            begin = time.process_time()
            try:
                solution = grognard.solve(grognard.battle(GROWTH[name](attackers, targets)))
            except grognard.TooLarge:
                print(" too large |", end="", flush=True)
                continue
            assert isinstance(solution, TurnSolution)
            seconds = time.process_time() - begin
            print(f" {len(solution.solver.values):,}, {seconds:.1f} s |", end="", flush=True)
        print()


def recursion_of_frames(source: Json) -> tuple[float, int]:
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


PLAIN = {"supply": recursion_of_supply, "assault": recursion_of_assault, "frames": recursion_of_frames}


def main(names: list[str]) -> None:
    """Time these turns, or all."""
    if names[:1] == ["growth"]:
        growth(names[1:])
        return
    for name in names or TURNS:
        begin = time.process_time()
        solution = grognard.solve(grognard.battle(TURNS[name]))
        solved = time.process_time()
        value, results = solution.value, solution.odds.to_dict()["results"]
        solution.advice()
        done = time.process_time()
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        seconds = f"{solved - begin:.2f} s, odds and advice {done - solved:.2f} s"
        print(f"{name}: value {value:.6f}, {seconds}, {results} results")
        print(f"  {solution!r}, at most {memory} MB so far")
        recursion = PLAIN.get(name.split()[0])
        if recursion and "all different" not in name:
            value, states = recursion(TURNS[name])
            print(f"  plain recursion: {value:.6f}, {time.process_time() - done:.2f} s, {states:,} states")


if __name__ == "__main__":
    main(sys.argv[1:])
