"""The chapter once more, as one plain recursion over fractions: shares no code with the package.

`solve(battle, attacker, defender, objective)` takes a battle as a dictionary, and gives the value and the probability
of each result, keyed by the result's JSON. On a board everything is worked out in real coordinates, with angles.
"""

import json
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache, partial
from itertools import combinations_with_replacement, product
from math import atan2, degrees, factorial, prod, sqrt
from typing import Any

Json = dict[str, Any]
Solved = tuple[Fraction, dict[str, Fraction]]
Symbols = tuple[int, int, int]
Dice = tuple[tuple[str, str], ...]
"""Dice on the table: colour and face of each, sorted."""
Tile = tuple[int, int]
Played = tuple[int, ...]

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
    "multi-storey building": ("RGG", "B", "G"),
    "olive or vine": ("GG", "B", "B"),
    "vineyard": ("GG", "B", "B"),
    "gun position": ("YG", "", "YG"),
    "beach": ("G", "", ""),
    "shallow water": ("G", "", ""),
    "road": ("G", "", ""),
    "deep water": ("", "", ""),
}
OPEN = {"clear", "beach", "shallow water", "road"}
FORTS = {  # infantry alone: front, flank, rear, above
    "bunker": ("RRY", "RYY", "RR", "RRY"),
    "trench": ("Y", "Y", "G", "G"),
}
HINDERS = {"brush": 0, "light forest": 1, "olive or vine": 1, "vineyard": 1}  # levels high
BLOCKS = {"heavy forest": 1, "single-storey building": 1, "multi-storey building": 2}
CARDS: dict[str, Json] = {
    "US Rifles 43": {
        "kind": "infantry",
        "strength": 4,
        "move": 2,
        "defense": "Y",
        "v_infantry": {(1, 3): "RRY", (4, 6): "RR", (7, 10): "YG"},
        "v_armour": {(1, 1): "YB", (2, 2): "GB"},
    },
    "US Bazooka": {
        "kind": "infantry",
        "strength": 2,
        "move": 2,
        "defense": "Y",
        "v_infantry": {(1, 2): "YY", (3, 6): "BB", (7, 9): "B"},
        "v_armour": {(1, 1): "Y", (2, 2): "RY", (3, 5): "R"},
    },
    "US 81 mm mortar": {
        "kind": "artillery",
        "strength": 2,
        "move": 1,
        "defense": "Y",
        "v_infantry": {(1, 3): "RB", (4, 5): "YB", (6, 9): "GB"},
        "v_armour": {},
        "v_indirect": {(3, 11): "GGG"},
    },
    "IT Solothurn ATR": {
        "kind": "infantry",
        "strength": 2,
        "move": 2,
        "defense": "Y",
        "v_infantry": {(1, 3): "YYB", (4, 6): "GGB", (7, 9): "BB"},
        "v_armour": {(1, 3): "YGB", (4, 6): "GGB", (7, 9): "GBB"},
    },
    "GE HMG 42": {
        "kind": "infantry",
        "strength": 3,
        "move": 2,
        "defense": "Y",
        "v_infantry": {(1, 5): "RRYB", (6, 7): "RYGB", (8, 11): "YBB"},
        "v_armour": {},
    },
    "IT 20 mm Breda AA": {
        "kind": "artillery",
        "strength": 4,
        "move": 1,
        "defense": "Y",
        "v_infantry": {(1, 2): "RYB", (3, 6): "RGB", (7, 10): "YGB"},
        "v_armour": {(1, 3): "YG", (4, 6): "YB", (7, 10): "GB"},
    },
    "heavy tank": {
        "kind": "vehicle",
        "strength": 5,
        "move": 3,
        "turret": True,
        "defense": {"front": "RY", "flank": "Y", "rear": "G", "above": "G"},
        "v_infantry": {(1, 3): "RYG", (4, 7): "RG", (8, 12): "YB"},
        "v_armour": {(1, 3): "RRY", (4, 7): "RY", (8, 12): "YG"},
    },
    "light tank": {
        "kind": "vehicle",
        "strength": 2,
        "move": 4,
        "turret": True,
        "defense": {"front": "G", "flank": "B", "rear": "B", "above": "B"},
        "v_infantry": {(1, 3): "RY", (4, 7): "YG", (8, 12): "GB"},
        "v_armour": {(1, 3): "YG", (4, 7): "GG", (8, 12): "GB"},
    },
    "medium tank": {
        "kind": "vehicle",
        "strength": 4,
        "move": 3,
        "turret": True,
        "defense": {"front": "YG", "flank": "G", "rear": "B", "above": "B"},
        "v_infantry": {(1, 3): "RYG", (4, 7): "YG", (8, 12): "GB"},
        "v_armour": {(1, 3): "RY", (4, 7): "YG", (8, 12): "GB"},
    },
}
COMMAND: dict[str, Json] = {
    "steady aim": {"pool": "attack", "gains": "B"},
    "rain of fire": {"pool": "attack", "x": 1},
    "second magazine": {"pool": "attack", "rerolls": ["blank"]},
    "smashed cover": {"pool": "defense", "loses": "G"},
    "take cover": {"pool": "defense", "gains": "G"},
    "dust and glare": {"pool": "attack", "loses": "B"},
    "hold your nerve": {"pool": "attack", "x": -1},
    "lucky escape": {"pool": "attack", "cancels": 1},
    "keep your head down": {"pool": "defense", "rerolls": ["blank"]},
}
TABLES: Json = {
    "firing": {"normal": "", "fast_vehicle": "B", "unspotted": "G", "unspotted_vehicle": "Y"},
    "turret_firing": {"normal": "B", "fast_vehicle": "G", "unspotted": "Y", "unspotted_vehicle": "R"},
    "moving": {"normal": "G", "fast_vehicle": "Y", "unspotted": "R", "unspotted_vehicle": "RB"},
    "spotting": {"close": 2, "medium": 3, "long": 4},
    "hindered": {"dice": "G"},
    "dug_in": {"dice": "G"},
    "suppressed": {"dice": "G"},
    "hiding": {"dice": "B"},
    "indirect": {"dice": "G"},
    "move": {"number": 2},
}
FIRE = {"indirect": "firing", "move_and_fire": "moving", "fire_and_move": "moving"}

# --- the board: centres are 1 apart

ANGLES = {"east": 0, "southeast": 60, "southwest": 120, "west": 180, "northwest": 240, "northeast": 300}
ORDER = ["northeast", "east", "southeast", "southwest", "west", "northwest"]
FACING = {"southeast": 30, "south": 90, "southwest": 150, "northwest": 210, "north": 270, "northeast": 330}


def centre(tile: Tile) -> tuple[float, float]:
    return tile[0] + (0.5 if tile[1] % 2 else 0.0), tile[1] * sqrt(3) / 2


def tile_of(entry: Json) -> Tile:
    column, row = entry["at"]
    return column, row


def apart(a: Tile, b: Tile) -> float:
    (x, y), (u, v) = centre(a), centre(b)
    return sqrt((x - u) ** 2 + (y - v) ** 2)


def steps(a: Tile, b: Tile) -> int:
    """By cube coordinates."""
    (p, r), (q, s) = ((tile[0] - (tile[1] - tile[1] % 2) // 2, tile[1]) for tile in (a, b))
    return max(abs(p - q), abs(r - s), abs((p + r) - (q + s)))


def angle(a: Tile, b: Tile) -> float:
    (x, y), (u, v) = centre(a), centre(b)
    return degrees(atan2(v - y, u - x)) % 360


def turn(one: float, other: float) -> float:
    """How far two directions are apart, up to 180."""
    return abs((one - other + 180) % 360 - 180)


def neighbours(tile: Tile) -> dict[str, Tile]:
    around = [(tile[0] + c, tile[1] + r) for c in (-1, 0, 1) for r in (-1, 0, 1)]
    near = [other for other in around if other != tile and abs(apart(tile, other) - 1) < 1e-9]
    return {name: other for name in ORDER for other in near if turn(angle(tile, other), ANGLES[name]) < 1}


def areas(facing: str, at: Tile, enemy: Tile) -> list[str]:
    """By the angle between where it faces and where the shot comes from: 60 to each side is front, then flank."""
    off = turn(FACING[facing], angle(at, enemy))
    arcs = [("front", 0, 60), ("flank", 60, 120), ("rear", 120, 180)]
    return [name for name, low, high in arcs if low - 1e-6 < off < high + 1e-6]


def inside_hex(x: float, y: float) -> float:
    """How far a point is inside a hex around (0, 0); below 0, outside."""
    return min(0.5 - abs(x), 0.5 - abs(x / 2 + y * sqrt(3) / 2), 0.5 - abs(x / 2 - y * sqrt(3) / 2))


def chord(a: Tile, b: Tile, tile: Tile) -> tuple[float, float] | None:
    """Where the line is halfway through a hex, out of 1, and how far inside it then is; None if it misses it."""
    (x, y), (u, v), (p, q) = centre(a), centre(b), centre(tile)
    low, high = 0.0, 1.0
    for i, j in ((1.0, 0.0), (0.5, sqrt(3) / 2), (0.5, -sqrt(3) / 2)):
        start, slope = i * (x - p) + j * (y - q), i * (u - x) + j * (v - y)
        if abs(slope) < 1e-9:
            if abs(start) > 0.5 + 1e-9:
                return None
            continue
        ends = sorted([(-0.5 - start) / slope, (0.5 - start) / slope])
        low, high = max(low, ends[0]), min(high, ends[1])
    if high - low < 1e-7:
        return None
    middle = (low + high) / 2
    return middle, inside_hex(x + middle * (u - x) - p, y + middle * (v - y) - q)


class Map:
    """The board of a battle."""

    def __init__(self, battle: Json) -> None:
        self.columns, self.rows = battle["board"]["size"]
        self.hexes: dict[Tile, Json] = {tile_of(place): place for place in battle["board"].get("hexes", [])}

    def terrain(self, tile: Tile) -> str:
        return str(self.hexes.get(tile, {}).get("terrain", "clear"))

    def level(self, tile: Tile) -> int:
        return int(self.hexes.get(tile, {}).get("elevation", 0))

    def obstacle(self, a: Tile, b: Tile, tile: Tile) -> int:
        """0 nothing, 1 hinders, 2 blocks the line between two hexes."""
        terrain, near, far = self.terrain(tile), steps(a, tile), steps(tile, b)
        line = Fraction(self.level(a) * far + self.level(b) * near, near + far)
        if self.level(tile) > line:
            return 2
        kind, high = (
            (2, BLOCKS[terrain]) if terrain in BLOCKS else (1, HINDERS[terrain]) if terrain in HINDERS else (0, 0)
        )
        if self.hexes.get(tile, {}).get("smoke") and kind < 2:
            kind, high = 1, max(1, high)
        return kind if self.level(tile) + high >= line else 0

    def sight(self, a: Tile, b: Tile) -> int:
        """How many hexes hinder; 3 or more block."""
        met: dict[float, list[int]] = {}
        for tile in product(range(self.columns + 2), range(self.rows + 2)):
            crossing = chord(a, b, tile) if tile not in (a, b) else None
            if crossing:
                met.setdefault(round(crossing[0], 6), []).append(self.obstacle(a, b, tile))
        lesser = [min(both) for both in met.values()]
        return 9 if 2 in lesser else lesser.count(1)

    def is_free(self, tile: Tile, enemies: set[Tile]) -> bool:
        on_board = 1 <= tile[0] <= self.columns and 1 <= tile[1] <= self.rows
        return on_board and tile not in enemies and self.terrain(tile) != "deep water"

    def farther(self, tile: Tile, enemy: Tile, enemies: set[Tile]) -> dict[str, Tile]:
        return {
            name: other
            for name, other in neighbours(tile).items()
            if steps(enemy, other) > steps(enemy, tile) and self.is_free(other, enemies)
        }

    def longest(self, tile: Tile, enemy: Tile, enemies: set[Tile], hexes: int) -> int:
        if not hexes:
            return 0
        ahead = self.farther(tile, enemy, enemies).values()
        return max((1 + self.longest(other, enemy, enemies, hexes - 1) for other in ahead), default=0)

    def best(self, tile: Tile, enemy: Tile, enemies: set[Tile], hexes: int) -> dict[str, Tile]:
        """The next hexes of a longest way."""
        ahead = self.farther(tile, enemy, enemies)
        lengths = {name: self.longest(other, enemy, enemies, hexes - 1) for name, other in ahead.items()}
        return {name: ahead[name] for name, length in lengths.items() if length == max(lengths.values())}


# --- dice


def symbols(face: str, half: bool) -> Symbols:
    if half and len(face) == 2:
        face = min(face, key="CDX".index)
    return face.count("C"), face.count("D"), face.count("X")


def strongest(face: str) -> str:
    return next((symbol for symbol in "CDX" if symbol in face), "blank")


@cache
def total(dice: Dice, half: bool) -> Symbols:
    shown = [symbols(face, half) for _, face in dice]
    return sum(s[0] for s in shown), sum(s[1] for s in shown), sum(s[2] for s in shown)


@cache
def rolls(dice: str, faces: str) -> dict[Dice, Fraction]:
    """All rolls of these dice, each as sorted colours and faces."""
    hands: dict[Dice, Fraction] = {(): Fraction(1)}
    for colour in "RYGB":
        number, shown = dice.count(colour), Counter(FACES[faces][colour].split())
        more: dict[Dice, Fraction] = {}
        for hand in combinations_with_replacement(sorted(shown), number):
            ways = factorial(number) * prod(shown[face] for face in hand)
            for repeats in Counter(hand).values():
                ways //= factorial(repeats)
            for others, p in hands.items():
                more[(*others, *((colour, face) for face in hand))] = p * Fraction(ways, shown.total() ** number)
        hands = more
    return {tuple(sorted(hand)): p for hand, p in hands.items()}


@cache
def merged_rolls(dice: str, faces: str, half: bool) -> dict[Dice, Fraction]:
    """The same where nothing but the total matters: one hand for each, of imagined dice that show a symbol each."""
    totals: dict[Symbols, Fraction] = {}
    for hand, p in rolls(dice, faces).items():
        shown = total(hand, half)
        totals[shown] = totals.get(shown, Fraction(0)) + p
    return {imagined(shown): p for shown, p in totals.items()}


def imagined(shown: Symbols) -> Dice:
    """Dice that show a symbol each."""
    c, d, x = shown
    return tuple(("?", s) for s in "C" * c + "D" * d + "X" * x)


@cache
def cancel(attack: Symbols, defence: Symbols) -> Symbols:
    """Defending symbols, strongest first, each cross out the strongest attacking symbol that is not stronger."""
    left = list("C" * attack[0] + "D" * attack[1] + "X" * attack[2])
    for mine in "C" * defence[0] + "D" * defence[1] + "X" * defence[2]:
        met = [yours for yours in left if "CDX".index(yours) >= "CDX".index(mine)]
        if met:
            left.remove(met[0])
    return left.count("C"), left.count("D"), left.count("X")


@cache
def critical(count: int, faces: str) -> dict[str, Fraction]:
    strongest: dict[str, Fraction] = {}
    for a, p in rolls("G" * count, faces).items():
        for d, q in rolls("B" * count, faces).items():
            best = next(
                (name for name, n in zip("CDX", cancel(total(a, False), total(d, False)), strict=True) if n), "-"
            )
            strongest[best] = strongest.get(best, Fraction(0)) + p * q
    return strongest


def bands(row: dict[str, str]) -> dict[tuple[int, int], str]:
    """`{ "1-3" = "RRY" }` by the ends of the bands."""
    ends = {band: [int(end) for end in band.split("-")] for band in row}
    return {(ends[band][0], ends[band][-1]): dice for band, dice in row.items()}


def face_names(faces: str | Json) -> str:
    """The name of faces; those of a file's own become known by one."""
    if isinstance(faces, str):
        return faces
    name = json.dumps(faces)
    FACES[name] = {colour[0].upper(): " ".join(face or "-" for face in shown) for colour, shown in faces.items()}
    return name


def ordered(dice: str) -> str:
    return "".join(sorted(dice, key="RYGB".index))


def without(dice: str, die: str) -> str:
    return dice.replace(die, "", 1)


def lose(dice: str, number: int, keep: int) -> str:
    for _ in range(number):
        if len(dice) > keep:
            dice = without(dice, max(dice, key="RYGB".index))
    return dice


def mix(branches: list[tuple[Fraction, Solved]]) -> Solved:
    value, outcomes = Fraction(0), dict[str, Fraction]()
    for p, (worth, results) in branches:
        value += p * worth
        for key, q in results.items():
            outcomes[key] = outcomes.get(key, Fraction(0)) + p * q
    return value, outcomes


def moments(effect: Json) -> list[str]:
    """When the parts of a card act."""
    dice, again = effect.get("gains") or effect.get("loses"), effect.get("rerolls")
    steps = []
    if effect.get("x") or (dice and effect["pool"] == "attack"):
        steps.append("attack 8.0")
    if again and effect["pool"] == "attack":
        steps.append("attack 10.0")
    if dice and effect["pool"] == "defense":
        steps.append("defence 7.0")
    if (again and effect["pool"] == "defense") or effect.get("cancels"):
        steps.append("defence 8.0")
    return steps


class Attack:
    """One attack, solved by hand."""

    def __init__(self, battle: Json, attacker: str, defender: str, objective: str) -> None:
        self.battle, self.objective = battle, objective
        self.policy = {"attacker": attacker, "defender": defender}
        self.attack: Json = battle["attack"]
        self.rules: Json = {
            "weakest_die_lost": "in_sequence",
            "elite_ignores_critical_x": True,
            "critical_x_on_immobilised": "if_it_must_fall_back",
            "fallback_way": "straight",
            "hindrance_dice": "each",
            "faces": "transcribed",
            **battle.get("rules", {}),
        }
        self.tables: Json = {**TABLES, **battle.get("tables", {})}
        self.faces = face_names(self.rules["faces"])
        self.by, self.on = (self.unit(self.attack[key]) for key in ("by", "on"))
        self.fire: str = self.attack.get("fire", "firing")
        self.is_vehicle = self.on["kind"] == "vehicle"
        self.indirect_on_vehicle = self.fire == "indirect" and self.is_vehicle
        left = self.by["strength"] - self.by.get("damage", 0)
        self.half = left <= self.by["half"] if "half" in self.by else 2 * left <= self.by["strength"]
        self.map = Map(battle) if "board" in battle else None
        self.range: int = self.hexes_from(self.by, "range")
        self.hindering: int = self.hindering_from(self.by, "hindering")
        self.effects: list[tuple[int | None, Json]] = [
            (None, effect)
            for unit, when in ((self.by, "attacking"), (self.on, "defending"))
            for ability in unit.get("abilities", [])
            if ability["when"] == when and (effect := ability.get("effect"))
        ]
        cards = list(enumerate(battle.get("command_cards", [])))
        self.effects += [
            (number, held["effect"] if "effect" in held else COMMAND[held["card"]])
            for side in (self.by["side"], self.on["side"])
            for number, held in cards
            if held["side"] == side
        ]
        self.ends: dict[tuple[Symbols, Played], Solved] = {}

    def unit(self, name: str) -> Json:
        unit = next(unit for unit in self.battle["units"] if unit["id"] == name)
        rows = {key: bands(unit[key]) for key in ("v_infantry", "v_armour", "v_indirect") if key in unit}
        return {"v_infantry": {}, "v_armour": {}, "defense": "", **CARDS.get(unit.get("card", ""), {}), **unit, **rows}

    def hexes_from(self, unit: Json, key: str) -> int:
        if key in self.attack or not self.map or "at" not in unit or "at" not in self.on:
            return int(self.attack[key] if key in self.attack else self.attack.get("range", 0))
        return steps(tile_of(unit), tile_of(self.on))

    def hindering_from(self, unit: Json, key: str) -> int:
        if key in self.attack or not self.map or "at" not in unit or "at" not in self.on:
            return int(self.attack[key] if key in self.attack else self.attack.get("hindering", 0))
        return self.map.sight(tile_of(unit), tile_of(self.on))

    def is_in_arc(self) -> bool:
        if "in_arc" in self.attack:
            return bool(self.attack["in_arc"])
        if self.by["kind"] == "infantry":
            return True
        if self.map and "facing" in self.by:
            off = turn(FACING[self.by["facing"]], angle(tile_of(self.by), tile_of(self.on)))
            return off < 60 + 1e-6
        return self.fire != "turret_firing"

    def areas(self) -> list[str]:
        if "area" in self.attack:
            return [self.attack["area"]]
        if self.fire == "indirect":
            return ["above"]
        if self.map and "facing" in self.on and "at" in self.by:
            return areas(self.on["facing"], tile_of(self.on), tile_of(self.by))
        return ["front"]

    def terrain(self) -> str:
        if "terrain" in self.attack or not self.map:
            return str(self.attack.get("terrain", "clear"))
        return self.map.terrain(tile_of(self.on))

    # --- questions

    def roll(
        self, chances: dict[Any, Fraction], then: Callable[[Any], Solved], read: Callable[[list[Any]], Any]
    ) -> Solved:
        """What comes of each reading of some dice; `read` reads faces."""
        return mix([(p, then(shown)) for shown, p in chances.items()])

    def roll_hand(
        self, dice: str, hands: dict[Dice, Fraction], then: Callable[[Dice], Solved], half: bool = False
    ) -> Solved:
        """The same of symbol dice; without any there is nothing to roll."""

        def read(faces: list[str]) -> Dice:
            hand = tuple(sorted((die, face or "-") for die, face in zip(dice, faces, strict=True)))
            return hand if hand in hands else imagined(total(hand, half))

        return self.roll(hands, then, read) if dice else then(())

    def ask(self, side: str, named: dict[str, Callable[[], Solved]], is_optional: bool) -> Solved:
        """An optional question has yes first."""
        options = list(named.values())
        role = "attacker" if side == self.by["side"] else "defender"
        policy = self.policy[role]
        if policy == "best":
            solved = [option() for option in options]
            sign = 1 if role == "attacker" else -1
            return max(solved, key=lambda one: sign * one[0])  # the first of equals
        if policy == "random":
            return mix([(Fraction(1, len(options)), option()) for option in options])
        return options[-1]() if policy == "cautious" and is_optional else options[0]()

    def at(
        self,
        moment: str,
        now: Any,
        played: Played,
        can: Callable[[Json, Any], bool],
        act: Callable[[Json, Any, Callable[[Any], Solved]], Solved],
        then: Callable[[Any, Played], Solved],
        place: int = 0,
    ) -> Solved:
        """Abilities act, cards are asked for, one after the other."""
        if place == len(self.effects):
            return then(now, played)

        def go_on(later: Any, cards: Played) -> Solved:
            return self.at(moment, later, cards, can, act, then, place + 1)

        number, effect = self.effects[place]
        if moment not in moments(effect):
            return go_on(now, played)
        if number is None or number in played:
            return act(effect, now, lambda later: go_on(later, played))
        side = self.battle["command_cards"][number]["side"]
        has_played = any(self.battle["command_cards"][other]["side"] == side for other in played)
        if has_played or moments(effect)[0] != moment or not can(effect, now):
            return go_on(now, played)
        cards = (*played, number)
        yes = partial(act, effect, now, lambda later: go_on(later, cards))
        return self.ask(side, {"yes": yes, "no": partial(go_on, now, played)}, is_optional=True)

    # --- the attack sequence

    def row(self, unit: Json) -> dict[tuple[int, int], str]:
        if self.fire == "indirect" and unit is self.by:
            return dict(unit["v_indirect"])
        defense = self.on["defense"]
        dice = "".join(defense.values()) if isinstance(defense, dict) else defense
        armoured = self.is_vehicle and self.on.get("armoured", any(die in dice for die in "RYG"))
        return dict(unit["v_armour"] if armoured else unit["v_infantry"])

    def solve(self) -> Solved:
        spotted: bool | str = self.attack.get("spotted", "roll")
        if "defense" in self.attack or (spotted == "roll" and not self.must_roll()):
            spotted = True
        if spotted != "roll":
            return self.gather_attack(bool(spotted))
        reach = self.needed()
        seen = Fraction(sum(face >= reach for face in range(1, 7)), 6)
        return self.roll({True: seen, False: 1 - seen}, self.gather_attack, lambda faces: faces[0] >= reach)

    def must_roll(self) -> bool:
        on = self.on
        if on.get("fired_this_turn") or on.get("fast") or on.get("delayed"):
            return False
        secret = on.get("hidden") or on.get("ambush")
        if self.range == 1 and not secret:
            return False
        if on.get("hiding") or secret or not self.is_in_arc():
            return True
        return self.terrain() not in OPEN and self.terrain_dice(self.areas()) != ""

    def needed(self) -> int:
        on = self.on
        bands = sorted(self.row(self.by))
        number = next(n for n, (low, high) in enumerate(bands) if low <= self.range <= high)
        minus = bool(self.hindering) + bool(on.get("hiding"))
        minus += 2 if on.get("hidden") or on.get("ambush") else 0
        for unit, when in ((self.by, "attacking"), (self.on, "defending")):
            minus -= sum(one.get("spotting", 0) for one in unit.get("abilities", []) if one["when"] == when)
        return int([*self.tables["spotting"].values()][min(number, 2)]) + minus

    def weaker(self, dice: list[str]) -> str:
        """Fewer symbols expected, the first of equals."""

        def expected(one: str) -> Fraction:
            shown = [FACES[self.faces][die].split() for die in one]
            means = [Fraction(sum(len(face.strip("-")) for face in faces), len(faces)) for faces in shown]
            return sum(means, Fraction(0))

        return min(dice, key=expected)

    def terrain_dice(self, areas: list[str]) -> str:
        terrain, kind = self.terrain(), self.on["kind"]
        if terrain in FORTS:
            listed = [FORTS[terrain][["front", "flank", "rear", "above"].index(area)] for area in areas]
            return self.weaker(listed) if kind == "infantry" else ""
        return TERRAIN[terrain][["infantry", "vehicle", "artillery"].index(kind)]

    def dice_at(self, unit: Json, hexes: int) -> str:
        return next(dice for (low, high), dice in self.row(unit).items() if low <= hexes <= high)

    def gather_attack(self, spotted: bool) -> Solved:
        x = int(self.on.get("experience") == "recruit") + int(bool(self.by.get("ambush")))
        if "dice" in self.attack:
            return self.change_attack(ordered(self.attack["dice"]), x, spotted)
        dice = self.dice_at(self.by, self.range)
        if "joint" in self.attack:
            friend = self.unit(self.attack["joint"])
            best = min(self.dice_at(friend, self.hexes_from(friend, "joint_range")), key="RYGB".index)
            if friend.get("attack_die_minus", 0) > 0 or self.hindering_from(friend, "joint_hindering") > 0:
                best = {"R": "Y", "Y": "G", "G": "B", "B": "B"}[best]
            dice += best
        if self.by.get("experience") in ("veteran", "elite"):
            dice += "B"
        if self.rules["weakest_die_lost"] == "in_sequence":
            dice = lose(dice, self.by.get("attack_die_minus", 0), 0)
        if not self.indirect_on_vehicle:
            return self.change_attack(dice, x, spotted)
        kept: dict[str, Fraction] = {}
        for roll, p in rolls(ordered(dice), self.faces).items():
            hits = ordered("".join(die for die, face in roll if "D" in face or "C" in face))
            kept[hits] = kept.get(hits, Fraction(0)) + p

        def read(faces: list[str]) -> str:
            return ordered(
                "".join(die for die, face in zip(ordered(dice), faces, strict=True) if set(face) & set("CD"))
            )

        if not dice:
            return self.change_attack("", x, spotted)
        return self.roll(kept, lambda hits: self.change_attack(hits, x, spotted), read)

    def changed(self, effect: Json, pool: str, dice: str) -> str:
        if effect["pool"] != pool or ("dice" if pool == "attack" else "defense") in self.attack:
            return dice
        dice += effect.get("gains", "")
        for die in effect.get("loses", ""):
            dice = without(dice, die)
        return ordered(dice)

    def in_the_end(self, pool: str, dice: str) -> str:
        """The dice that are rolled, if nothing more changes them."""
        if (
            self.rules["weakest_die_lost"] == "in_sequence"
            or ("dice" if pool == "attack" else "defense") in self.attack
        ):
            return ordered(dice)
        if pool == "attack":
            return ordered(lose(dice, self.by.get("attack_die_minus", 0), 0))
        losses = bool(self.on.get("digging_in")) + bool(self.on.get("fast") and not self.is_vehicle)
        return ordered(lose(dice, losses, 1))

    def change_attack(self, dice: str, x: int, spotted: bool) -> Solved:
        def can(effect: Json, now: tuple[str, int]) -> bool:
            then = self.in_the_end("attack", self.changed(effect, "attack", now[0]))
            return bool(effect.get("x")) or then != self.in_the_end("attack", now[0])

        def act(effect: Json, now: tuple[str, int], go: Callable[[Any], Solved]) -> Solved:
            return go((self.changed(effect, "attack", now[0]), now[1] + effect.get("x", 0)))

        def then(now: tuple[str, int], played: Played) -> Solved:
            return self.roll_attack(self.in_the_end("attack", now[0]), now[1], spotted, played)

        return self.at("attack 8.0", (dice, x), (), can, act, then)

    def rolled(self, dice: str, pool: str, half: bool) -> dict[Dice, Fraction]:
        has_again = any(effect["pool"] == pool and effect.get("rerolls") for _, effect in self.effects)
        return rolls(dice, self.faces) if has_again else merged_rolls(dice, self.faces, half)

    def again(self, effect: Json, dice: Dice, then: Callable[[Dice], Solved]) -> Solved:
        picked = [one for one in dice if strongest(one[1]) in effect.get("rerolls", [])]
        rest = list(dice)
        for one in picked:
            rest.remove(one)
        again = ordered("".join(die for die, _ in picked))
        return self.roll_hand(again, rolls(again, self.faces), lambda hand: then(tuple(sorted([*rest, *hand]))))

    def roll_attack(self, dice: str, x: int, spotted: bool, played: Played) -> Solved:
        def can(effect: Json, now: Dice) -> bool:
            return any(strongest(face) in effect["rerolls"] for _, face in now)

        def act(effect: Json, now: Dice, go: Callable[[Any], Solved]) -> Solved:
            return self.again(effect, now, go)

        known: dict[tuple[Symbols, Played], Solved] = {}

        def then(now: Dice, cards: Played) -> Solved:
            c, d, rolled_x = total(now, self.half)
            left = (c, d, max(0, rolled_x + x))
            if (left, cards) not in known:
                known[left, cards] = (
                    self.defend(left, spotted, cards) if any(left) else self.implement((0, 0, 0), cards)
                )
            return known[left, cards]

        hands = self.rolled(dice, "attack", self.half)
        return self.roll_hand(dice, hands, lambda hand: self.at("attack 10.0", hand, played, can, act, then), self.half)

    # --- the defence sequence

    def defend(self, attack: Symbols, spotted: bool, played: Played) -> Solved:
        listed = self.areas()
        if self.indirect_on_vehicle and "area" not in self.attack:
            listed = ["above" if attack[0] else "flank"]
        dice: str = self.attack["defense"] if "defense" in self.attack else self.defence_dice(listed, spotted)

        def can(effect: Json, now: str) -> bool:
            then = self.in_the_end("defense", self.changed(effect, "defense", now))
            return then != self.in_the_end("defense", now)

        def act(effect: Json, now: str, go: Callable[[Any], Solved]) -> Solved:
            return go(self.changed(effect, "defense", now))

        def then(now: str, cards: Played) -> Solved:
            return self.roll_defence(attack, self.in_the_end("defense", now), cards)

        return self.at("defence 7.0", ordered(dice), played, can, act, then)

    def defence_dice(self, areas: list[str], spotted: bool) -> str:
        on, in_sequence = self.on, self.rules["weakest_die_lost"] == "in_sequence"
        defense = on["defense"]
        dice: str = self.weaker([defense[area] for area in areas]) if isinstance(defense, dict) else defense
        terrain = self.terrain_dice(areas)
        if self.by.get("ambush"):
            terrain = lose(terrain, 1, 0)
        dice += terrain
        hindering = self.hindering if self.fire != "indirect" else 0
        each = self.tables["hindered"]["dice"]
        dice += each * (min(hindering, 1) if self.rules["hindrance_dice"] == "once" else hindering)
        if on.get("digging_in") and in_sequence:
            dice = lose(dice, 1, 1)
        if on.get("dug_in"):
            dice += self.tables["dug_in"]["dice"]
        if on.get("fast") and not self.is_vehicle and in_sequence:
            dice = lose(dice, 1, 1)
        if on.get("status") == "suppressed" and not self.is_vehicle:
            dice += self.tables["suppressed"]["dice"]
        if on.get("hiding") or on.get("hidden") or on.get("ambush"):
            dice += self.tables["hiding"]["dice"]
        if on.get("experience") in ("hardened", "veteran", "elite"):
            dice += "B"
        row = self.tables[FIRE.get(self.fire, self.fire)]
        if spotted:
            dice += row["fast_vehicle" if self.is_vehicle and on.get("fast") else "normal"]
        else:
            dice += row["unspotted_vehicle" if self.is_vehicle else "unspotted"]
        return dice + (self.tables["indirect"]["dice"] if self.indirect_on_vehicle else "")

    def roll_defence(self, attack: Symbols, dice: str, played: Played) -> Solved:
        def left(now: tuple[Dice, Symbols]) -> Symbols:
            cancelling, removed = total(now[0], False), now[1]
            return cancel((attack[0] - removed[0], attack[1] - removed[1], attack[2] - removed[2]), cancelling)

        def can(effect: Json, now: tuple[Dice, Symbols]) -> bool:
            is_again = effect["pool"] == "defense" and any(
                strongest(face) in effect.get("rerolls", []) for _, face in now[0]
            )
            return is_again or bool(effect.get("cancels") and any(left(now)))

        def act(effect: Json, now: tuple[Dice, Symbols], go: Callable[[Any], Solved]) -> Solved:
            removed = now[1]  # the strongest that the dice leave now, whatever they show later
            for _ in range(effect.get("cancels", 0)):
                best = next((n for n, count in enumerate(left((now[0], removed))) if count), None)
                removed = (removed[0] + (best == 0), removed[1] + (best == 1), removed[2] + (best == 2))
            if effect["pool"] == "attack":
                return go((now[0], removed))
            return self.again(effect, now[0], lambda roll: go((roll, removed)))

        def then(now: tuple[Dice, Symbols], cards: Played) -> Solved:
            return self.implement(left(now), cards)

        hands, nothing = self.rolled(dice, "defense", False), (0, 0, 0)
        return self.roll_hand(dice, hands, lambda hand: self.at("defence 8.0", (hand, nothing), played, can, act, then))

    # --- the result

    def implement(self, left: Symbols, played: Played) -> Solved:
        if (left, played) not in self.ends:
            self.ends[left, played] = self.suffer(left, played)
        return self.ends[left, played]

    def suffer(self, left: Symbols, played: Played) -> Solved:
        c, d, x = left
        now: Json = {
            "damage": self.on.get("damage", 0) + c + d,
            "status": self.on.get("status", "none"),
            "stuck": self.on.get("immobilized", False),
            "at": self.on.get("at"),
            "played": played,
        }
        if now["damage"] >= self.on["strength"]:
            return self.end({**now, "status": "eliminated"})
        if x and self.on.get("experience") != "elite":
            return self.suppress(now, lambda later: self.criticals(later, c))
        return self.criticals(now, c)

    def criticals(self, now: Json, count: int) -> Solved:
        if now["status"] == "eliminated" or not count:
            return self.end(now)
        elite = self.on.get("experience") == "elite"

        def then(symbol: str) -> Solved:
            if symbol == "X" and elite and self.rules["elite_ignores_critical_x"]:
                return self.end(now)
            if symbol == "C" and self.is_vehicle:
                return self.end({**now, "stuck": True, "status": "eliminated" if now["stuck"] else now["status"]})
            if symbol == "C" or (symbol == "D" and self.is_vehicle):
                return self.fall_back(now, self.end)
            if symbol == "X" and now["stuck"] and self.rules["critical_x_on_immobilised"] == "eliminated":
                return self.end({**now, "status": "eliminated"})
            return self.suppress(now, self.end) if symbol in "DX" else self.end(now)

        def read(faces: list[str]) -> str:
            hands = [tuple(("?", face) for face in half) for half in (faces[:count], faces[count:])]
            left = cancel(total(hands[0], False), total(hands[1], False))
            return next((name for name, n in zip("CDX", left, strict=True) if n), "-")

        return self.roll(critical(count, self.faces), then, read)

    def suppress(self, now: Json, go: Callable[[Json], Solved]) -> Solved:
        if now["status"] == "none" and not self.on.get("delayed"):
            return go({**now, "status": "suppressed"})
        return self.fall_back(now, go)

    def fall_back(self, now: Json, go: Callable[[Json], Solved]) -> Solved:
        if now["status"] == "fallback" or now["stuck"] or self.on["kind"] == "artillery":
            return self.end({**now, "status": "eliminated"})
        now = {**now, "status": "fallback"}
        if not self.map or "at" not in self.by or "at" not in self.on:
            return go(now)
        return self.walk(now, self.on.get("move", self.tables["move"]["number"]) + 1, go)

    def walk(self, now: Json, hexes: int, go: Callable[[Json], Solved]) -> Solved:
        assert self.map
        if not hexes:
            return go(now)
        enemy, tile = tile_of(self.by), tile_of(now)
        enemies = {tile_of(unit) for unit in self.battle["units"] if "at" in unit and unit["side"] != self.on["side"]}
        ahead = self.map.best(tile, enemy, enemies, hexes)
        if not ahead:
            hurt = {**now, "damage": now["damage"] + 1}
            return self.end({**hurt, "status": "eliminated"}) if hurt["damage"] >= self.on["strength"] else go(hurt)

        def to(other: Tile) -> Solved:
            return self.walk({**now, "at": list(other)}, hexes - 1, go)

        if self.rules["fallback_way"] == "straight":
            return to(max(ahead.values(), key=lambda other: round(apart(enemy, other), 6)))
        if len(ahead) == 1:
            return to(next(iter(ahead.values())))
        ways: dict[str, Callable[[], Solved]] = {name: partial(to, other) for name, other in ahead.items()}
        return self.ask(self.on["side"], ways, is_optional=False)

    def end(self, now: Json) -> Solved:
        gone = now["status"] == "eliminated"
        damage = self.on["strength"] if gone else now["damage"]
        units = {}
        for unit in self.battle["units"]:
            entry = {
                "damage": unit.get("damage", 0),
                "status": unit.get("status", "none"),
                "immobilized": unit.get("immobilized", False),
            }
            if "at" in unit:
                entry["at"] = unit["at"]
            if unit["id"] == self.on["id"]:
                entry |= {"damage": damage, "status": now["status"], "immobilized": now["stuck"]}
                if "at" in unit:
                    entry["at"] = None if gone else now["at"]
            units[unit["id"]] = entry
        worth = Fraction(int(gone) if self.objective == "kill" else damage - self.on.get("damage", 0))
        return worth, {json.dumps({"units": units}, sort_keys=True): Fraction(1)}


def solve(battle: Json, attacker: str, defender: str, objective: str) -> Solved:
    """Value and results of a battle under two policies."""
    return Attack(battle, attacker, defender, objective).solve()
