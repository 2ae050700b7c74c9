"""The chapter once more, as one plain recursion over fractions: shares no code with the package.

`solve(battle, attacker, defender, objective)` takes a battle as a dictionary without a board, and gives the value and
the probability of each result, keyed by the result's JSON.
"""

import json
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from math import factorial, prod
from typing import Any

Json = dict[str, Any]
Solved = tuple[Fraction, dict[str, Fraction]]
Totals = Counter[tuple[int, int, int]]

FACES = {
    "transcribed": {"R": "DD DX DD DD CD -", "Y": "X D D DD CD XD", "G": "X D D CD D -", "B": "X D D - - -"},
    "alternative": {"R": "- D DX DD DD CD", "Y": "- D D DD CD CD", "G": "- - D D D CD", "B": "- - - - D D"},
}
TERRAIN = {  # infantry, vehicle, artillery
    "clear": ("G", "", ""),
    "rocky": ("BY", "G", "G"),
    "brush": ("GB", "G", "G"),
    "light forest": ("YG", "G", "B"),
    "heavy forest": ("GYY", "G", "G"),
    "single-storey building": ("BYY", "B", "G"),
}
CARDS: dict[str, Json] = {
    "US Rifles 43": {
        "kind": "infantry",
        "strength": 4,
        "defense": "Y",
        "v_infantry": {(1, 3): "RRY", (4, 6): "RR", (7, 10): "YG"},
        "v_armour": {(1, 1): "YB", (2, 2): "GB"},
    },
    "US Bazooka": {
        "kind": "infantry",
        "strength": 2,
        "defense": "Y",
        "v_infantry": {(1, 2): "YY", (3, 6): "BB", (7, 9): "B"},
        "v_armour": {(1, 1): "Y", (2, 2): "RY", (3, 5): "R"},
    },
    "US 81 mm mortar": {
        "kind": "artillery",
        "strength": 2,
        "defense": "Y",
        "v_infantry": {(1, 3): "RB", (4, 5): "YB", (6, 9): "GB"},
        "v_armour": {},
        "v_indirect": {(3, 11): "GGG"},
    },
    "IT Solothurn ATR": {
        "kind": "infantry",
        "strength": 2,
        "defense": "Y",
        "v_infantry": {(1, 3): "YYB", (4, 6): "GGB", (7, 9): "BB"},
        "v_armour": {(1, 3): "YGB", (4, 6): "GGB", (7, 9): "GBB"},
    },
    "light tank": {
        "kind": "vehicle",
        "strength": 2,
        "turret": True,
        "defense": {"front": "G", "flank": "B", "rear": "B", "above": "B"},
        "v_infantry": {(1, 3): "RY", (4, 7): "YG", (8, 12): "GB"},
        "v_armour": {(1, 3): "YG", (4, 7): "GG", (8, 12): "GB"},
    },
    "medium tank": {
        "kind": "vehicle",
        "strength": 4,
        "turret": True,
        "defense": {"front": "YG", "flank": "G", "rear": "B", "above": "B"},
        "v_infantry": {(1, 3): "RYG", (4, 7): "YG", (8, 12): "GB"},
        "v_armour": {(1, 3): "RY", (4, 7): "YG", (8, 12): "GB"},
    },
}
COMMAND: dict[str, Json] = {
    "steady aim": {"attack": "B"},
    "rain of fire": {"x": 1},
    "second magazine": {"again": "attack"},
    "smashed cover": {"take": ("defense", "G")},
    "take cover": {"defense": "G"},
    "dust and glare": {"take": ("attack", "B")},
    "hold your nerve": {"x": -1},
    "lucky escape": {"cancel": 1},
    "keep your head down": {"again": "defense"},
}
FIRE = {  # normal, fast vehicle, unspotted infantry or artillery, unspotted vehicle
    "firing": ("", "B", "G", "Y"),
    "indirect": ("", "B", "G", "Y"),
    "turret_firing": ("B", "G", "Y", "R"),
    "move_and_fire": ("G", "Y", "R", "RB"),
    "fire_and_move": ("G", "Y", "R", "RB"),
}


def symbols(face: str, half: bool) -> tuple[int, int, int]:
    if half and len(face) == 2:
        face = min(face, key="CDX".index)
    return face.count("C"), face.count("D"), face.count("X")


@cache
def hands(dice: int, faces: str, half: bool) -> Counter[tuple[int, int, int]]:
    """Every hand of dice of one colour, with the number of rolls that give it: the symbols it shows."""
    found: Counter[tuple[int, int, int]] = Counter()
    for hand in combinations_with_replacement(range(6), dice):
        ways = factorial(dice)
        for repeats in Counter(hand).values():
            ways //= factorial(repeats)
        shown = [symbols(faces.split()[face], half) for face in hand]
        found[sum(s[0] for s in shown), sum(s[1] for s in shown), sum(s[2] for s in shown)] += ways
    return found


@cache
def rolled(dice: str, half: bool, faces: str) -> Totals:
    """All rolls of these dice: the symbols they show, in 6 ** dice ways."""
    found: Totals = Counter()
    colours = [hands(dice.count(die), FACES[faces][die], half) for die in "RYGB"]
    for hand in product(*colours):
        ways = prod(colour[shown] for colour, shown in zip(colours, hand, strict=True))
        found[sum(s[0] for s in hand), sum(s[1] for s in hand), sum(s[2] for s in hand)] += ways
    return found


@cache
def cancel(attack: tuple[int, int, int], defence: tuple[int, int, int]) -> tuple[int, int, int]:
    """Defending symbols, strongest first, each cross out the strongest attacking symbol that is not stronger."""
    left = list("C" * attack[0] + "D" * attack[1] + "X" * attack[2])
    for mine in "C" * defence[0] + "D" * defence[1] + "X" * defence[2]:
        met = [yours for yours in left if "CDX".index(yours) >= "CDX".index(mine)]
        if met:
            left.remove(met[0])
    return left.count("C"), left.count("D"), left.count("X")


@cache
def critical(count: int, faces: str) -> dict[str, Fraction]:
    found: dict[str, Fraction] = {}
    for a, p in rolled("G" * count, False, faces).items():
        for d, q in rolled("B" * count, False, faces).items():
            left = cancel(a, d)
            best = next((name for name, n in zip("CDX", left, strict=True) if n), "-")
            found[best] = found.get(best, Fraction(0)) + Fraction(p * q, 36**count)
    return found


def weakest(dice: str) -> str:
    return max(dice, key="RYGB".index)


def without(dice: str, die: str) -> str:
    return dice.replace(die, "", 1)


def mix(branches: list[tuple[Fraction, Solved]]) -> Solved:
    value, outcomes = Fraction(0), dict[str, Fraction]()
    for p, (worth, results) in branches:
        value += p * worth
        for key, q in results.items():
            outcomes[key] = outcomes.get(key, Fraction(0)) + p * q
    return value, outcomes


class Attack:
    """One attack, solved by hand."""

    def __init__(self, battle: Json, attacker: str, defender: str, objective: str) -> None:
        self.battle, self.objective = battle, objective
        self.policy = {"attacker": attacker, "defender": defender}
        self.attack: Json = battle["attack"]
        self.rules: Json = {
            "weakest_die_lost": "in_sequence",
            "elite_ignores_critical_x": True,
            "hindrance_dice": "each",
            "faces": "transcribed",
            **battle.get("rules", {}),
        }
        self.by, self.on = (self.unit(self.attack[key]) for key in ("by", "on"))
        self.fire: str = self.attack.get("fire", "firing")
        self.is_vehicle = self.on["kind"] == "vehicle"
        self.indirect_on_vehicle = self.fire == "indirect" and self.is_vehicle
        self.half = 2 * (self.by["strength"] - self.by.get("damage", 0)) <= self.by["strength"]

    def unit(self, name: str) -> Json:
        unit = next(unit for unit in self.battle["units"] if unit["id"] == name)
        return {"v_infantry": {}, "v_armour": {}, "defense": "", **CARDS.get(unit.get("card", ""), {}), **unit}

    # --- the attack sequence

    def row(self, unit: Json) -> dict[tuple[int, int], str]:
        if self.fire == "indirect" and unit is self.by:
            return dict(unit["v_indirect"])
        defense = self.on["defense"]
        dice = "".join(defense.values()) if isinstance(defense, dict) else defense
        armoured = self.is_vehicle and any(die in dice for die in "RYG")
        return dict(unit["v_armour"] if armoured else unit["v_infantry"])

    def solve(self) -> Solved:
        spotted = self.attack.get("spotted", "roll")
        if "defense" in self.attack or (spotted == "roll" and not self.must_roll()):
            spotted = True
        if spotted != "roll":
            return self.gather_attack(bool(spotted))
        reach = self.needed()
        seen = Fraction(sum(face >= reach for face in range(1, 7)), 6)
        return mix([(seen, self.gather_attack(True)), (1 - seen, self.gather_attack(False))])

    def must_roll(self) -> bool:
        on = self.on
        if on.get("fired_this_turn") or on.get("fast") or on.get("delayed"):
            return False
        secret = on.get("hidden") or on.get("ambush")
        if self.attack["range"] == 1 and not secret:
            return False
        if on.get("hiding") or secret or self.fire == "turret_firing" or self.attack.get("in_arc") is False:
            return True
        terrain = self.attack.get("terrain", "clear")
        return terrain != "clear" and self.terrain_dice() != ""

    def needed(self) -> int:
        on = self.on
        bands = sorted(self.row(self.by))
        number = next(n for n, (low, high) in enumerate(bands) if low <= self.attack["range"] <= high)
        minus = bool(self.attack.get("hindering")) + bool(on.get("hiding"))
        minus += 2 if on.get("hidden") or on.get("ambush") else 0
        return [2, 3, 4, 4, 4][number] + minus

    def terrain_dice(self) -> str:
        column = ["infantry", "vehicle", "artillery"].index(self.on["kind"])
        return TERRAIN[self.attack.get("terrain", "clear")][column]

    def gather_attack(self, spotted: bool) -> Solved:
        x = int(self.on.get("experience") == "recruit") + int(bool(self.by.get("ambush")))
        if "dice" in self.attack:
            return self.ask_attacker(self.attack["dice"], x, spotted)
        dice = self.dice_at(self.by, self.attack["range"])
        if "joint" in self.attack:
            friend = self.unit(self.attack["joint"])
            joint = {
                "joint_range": self.attack["range"],
                "joint_hindering": self.attack.get("hindering", 0),
                **self.attack,
            }
            best = min(self.dice_at(friend, joint["joint_range"]), key="RYGB".index)
            if friend.get("attack_die_minus", 0) > 0 or joint["joint_hindering"] > 0:
                best = {"R": "Y", "Y": "G", "G": "B", "B": "B"}[best]
            dice += best
        if self.by.get("experience") in ("veteran", "elite"):
            dice += "B"
        if self.rules["weakest_die_lost"] == "in_sequence":
            dice = self.attack_minus(dice)
        return self.ask_attacker(dice, x, spotted)

    def dice_at(self, unit: Json, hexes: int) -> str:
        return next(dice for (low, high), dice in self.row(unit).items() if low <= hexes <= high)

    def attack_minus(self, dice: str) -> str:
        for _ in range(self.by.get("attack_die_minus", 0)):
            if dice:
                dice = without(dice, weakest(dice))
        return dice

    def held(self, side: str) -> list[Json]:
        cards = [COMMAND[card["card"]] for card in self.battle.get("command_cards", []) if card["side"] == side]
        return [card for card in cards if not self.is_useless(card)]

    def is_useless(self, card: Json) -> bool:
        """It would only change dice that were gathered by hand."""
        changes = set(card) & {"attack", "defense"} | {card["take"][0] for _ in "1" if "take" in card}
        keys = {"attack": "dice", "defense": "defense"}
        return bool(changes) and all(keys[pool] in self.attack for pool in changes)

    def ask(self, side: str, cards: list[Json], go: Callable[[Json], Solved]) -> Solved:
        """Card by card, play it or not, until one is played."""
        if not cards:
            return go({})
        policy = self.policy[side]
        if policy == "eager":
            return go(cards[0])
        if policy == "cautious":
            return self.ask(side, cards[1:], go)
        yes, no = go(cards[0]), self.ask(side, cards[1:], go)
        if policy == "random":
            return mix([(Fraction(1, 2), yes), (Fraction(1, 2), no)])
        sign = 1 if side == "attacker" else -1
        return no if sign * no[0] > sign * yes[0] else yes

    def changed(self, dice: str, card: Json, pool: str) -> str:
        dice += card.get(pool, "")
        if card.get("take", ("", ""))[0] == pool:
            dice = without(dice, card["take"][1])
        return dice

    def ask_attacker(self, dice: str, x: int, spotted: bool) -> Solved:
        def go(card: Json) -> Solved:
            mine = dice
            if "dice" not in self.attack:
                mine = self.changed(mine, card, "attack")
                if self.rules["weakest_die_lost"] == "last":
                    mine = self.attack_minus(mine)
            return self.roll_early(mine, x, spotted, card)

        return self.ask("attacker", self.held(self.by["side"]), go)

    def throw(self, dice: str, half: bool, again: bool) -> Totals:
        """The symbols that dice come to, in 36 ** dice ways; with `again`, blanks are rolled once more."""
        faces = self.rules["faces"]
        if not again:
            return Counter({total: ways * 6 ** len(dice) for total, ways in rolled(dice, half, faces).items()})
        totals: Totals = Counter({(0, 0, 0): 1})
        for die in dice:
            more: Totals = Counter()
            for first, second in product(FACES[faces][die].split(), repeat=2):
                shown = symbols(second if first == "-" else first, half)
                for total, ways in totals.items():
                    more[total[0] + shown[0], total[1] + shown[1], total[2] + shown[2]] += ways
            totals = more
        return totals

    def roll_early(self, dice: str, x: int, spotted: bool, card: Json) -> Solved:
        """Indirect fire on a vehicle: sort the dice, and see where the rest strikes before the defence is gathered."""
        if not self.indirect_on_vehicle:
            return self.gather_defence(dice, None, x, spotted, card, self.attack.get("area", "front"))
        sorted_dice: dict[str, Fraction] = {dice: Fraction(1)}
        if "dice" not in self.attack:
            sorted_dice = {}
            for roll in product(*(FACES[self.rules["faces"]][die].split() for die in dice)):
                kept = "".join(die for die, face in zip(dice, roll, strict=True) if "D" in face or "C" in face)
                sorted_dice[kept] = sorted_dice.get(kept, Fraction(0)) + Fraction(1, 6 ** len(dice))
        branches = []
        for kept, p in sorted_dice.items():
            if "area" in self.attack or "defense" in self.attack:
                branches.append((p, self.gather_defence(kept, None, x, spotted, card, self.attack.get("area", ""))))
                continue
            for shown, ways in self.throw(kept, self.half, card.get("again") == "attack").items():
                q = Fraction(ways, 36 ** len(kept))
                area = "above" if shown[0] else "flank"
                spent = {key: value for key, value in card.items() if (key, value) != ("again", "attack")}
                branches.append((p * q, self.gather_defence("", shown, x, spotted, spent, area)))
        return mix(branches)

    # --- the defence sequence

    def gather_defence(
        self, attack: str, shown: tuple[int, int, int] | None, x: int, spotted: bool, card: Json, area: str
    ) -> Solved:
        by_hand = "defense" in self.attack
        dice = self.attack["defense"] if by_hand else self.defence_dice(area, spotted)
        if not by_hand:
            dice = self.changed(dice, card, "defense")

        def go(other: Json) -> Solved:
            mine, yours = attack, dice
            if "dice" not in self.attack:
                mine = self.changed(mine, other, "attack")
            if not by_hand:
                yours = self.changed(yours, other, "defense")
                if self.rules["weakest_die_lost"] == "last":
                    yours = self.lost_last(yours)
            return self.compare(mine, shown or (0, 0, 0), yours, x, [card, other])

        return self.ask("defender", self.held(self.on["side"]), go)

    def defence_dice(self, area: str, spotted: bool) -> str:
        on, in_sequence = self.on, self.rules["weakest_die_lost"] == "in_sequence"
        defense = on["defense"]
        dice: str = defense[area] if isinstance(defense, dict) else defense
        terrain = self.terrain_dice()
        if self.by.get("ambush") and terrain:
            terrain = without(terrain, weakest(terrain))
        dice += terrain
        hindering = self.attack.get("hindering", 0) if self.fire != "indirect" else 0
        dice += "G" * (min(hindering, 1) if self.rules["hindrance_dice"] == "once" else hindering)
        if on.get("digging_in") and in_sequence and len(dice) > 1:
            dice = without(dice, weakest(dice))
        if on.get("dug_in"):
            dice += "G"
        if on.get("fast") and not self.is_vehicle and in_sequence and len(dice) > 1:
            dice = without(dice, weakest(dice))
        if on.get("status") == "suppressed" and not self.is_vehicle:
            dice += "G"
        if on.get("hiding") or on.get("hidden") or on.get("ambush"):
            dice += "B"
        if on.get("experience") in ("hardened", "veteran", "elite"):
            dice += "B"
        normal, fast, unspotted, unspotted_vehicle = FIRE[self.fire]
        if spotted:
            dice += fast if self.is_vehicle and on.get("fast") else normal
        else:
            dice += unspotted_vehicle if self.is_vehicle else unspotted
        return dice + ("G" if self.indirect_on_vehicle else "")

    def lost_last(self, dice: str) -> str:
        losses = bool(self.on.get("digging_in")) + bool(self.on.get("fast") and not self.is_vehicle)
        for _ in range(losses):
            if len(dice) > 1:
                dice = without(dice, weakest(dice))
        return dice

    def compare(self, attack: str, shown: tuple[int, int, int], defence: str, x: int, cards: list[Json]) -> Solved:
        again = [card.get("again") for card in cards]
        more = sum(max(0, card.get("x", 0)) for card in cards) + x
        less = sum(max(0, -card.get("x", 0)) for card in cards)
        cancelled = sum(card.get("cancel", 0) for card in cards)
        attacking = self.throw(attack, self.half, "attack" in again)
        defending = self.throw(defence, False, "defense" in again)
        lefts: Totals = Counter()
        for now, ways in attacking.items():
            listed = [a + b for a, b in zip(now, shown, strict=True)]
            listed[2] = max(0, listed[2] + more - less)
            for _ in range(cancelled):
                best = next((n for n in range(3) if listed[n]), None)
                if best is not None:
                    listed[best] -= 1
            for theirs, other_ways in defending.items():
                lefts[cancel((listed[0], listed[1], listed[2]), theirs)] += ways * other_ways
        total = 36 ** (len(attack) + len(defence))
        return mix([(Fraction(ways, total), self.implement(left)) for left, ways in lefts.items()])

    # --- the result

    def implement(self, left: tuple[int, int, int]) -> Solved:
        c, d, x = left
        damage, status = self.on.get("damage", 0) + c + d, self.on.get("status", "none")
        stuck = self.on.get("immobilized", False)
        elite = self.on.get("experience") == "elite"
        if damage >= self.on["strength"]:
            return self.end(damage, "eliminated", stuck)
        if x and not elite:
            status = self.suppress(status, stuck)
        if status == "eliminated" or not c:
            return self.end(damage, status, stuck)
        branches = []
        for symbol, p in critical(c, self.rules["faces"]).items():
            now, then_stuck = status, stuck
            if symbol == "X" and elite and self.rules["elite_ignores_critical_x"]:
                pass
            elif symbol == "C" and self.is_vehicle:
                now, then_stuck = ("eliminated" if stuck else status), True
            elif symbol == "C" or (symbol == "D" and self.is_vehicle):
                now = self.fall_back(status, stuck)
            elif symbol in "DX":
                now = self.suppress(status, stuck)
            branches.append((p, self.end(damage, now, then_stuck)))
        return mix(branches)

    def suppress(self, status: str, stuck: bool) -> str:
        if status == "none" and not self.on.get("delayed"):
            return "suppressed"
        return self.fall_back(status, stuck)

    def fall_back(self, status: str, stuck: bool) -> str:
        return "eliminated" if status == "fallback" or stuck or self.on["kind"] == "artillery" else "fallback"

    def end(self, damage: int, status: str, stuck: bool) -> Solved:
        gone = status == "eliminated"
        damage = self.on["strength"] if gone else damage
        units = {}
        for unit in self.battle["units"]:
            hurt, mark, still = unit.get("damage", 0), unit.get("status", "none"), unit.get("immobilized", False)
            if unit["id"] == self.on["id"]:
                hurt, mark, still = damage, status, stuck
            units[unit["id"]] = {"damage": hurt, "status": mark, "immobilized": still}
        worth = Fraction(int(gone) if self.objective == "kill" else damage - self.on.get("damage", 0))
        return worth, {json.dumps({"units": units}, sort_keys=True): Fraction(1)}


def solve(battle: Json, attacker: str, defender: str, objective: str) -> Solved:
    """Value and results of a battle under two policies."""
    return Attack(battle, attacker, defender, objective).solve()
