"""The chapter once more, as one plain recursion over fractions: shares no code with the package.

`solve(battle, attacker, defender, objective)` takes a battle as a dictionary, and gives the value and the
probability of each result, keyed by the result's JSON. Distances are walked, hexes are points in the plane, dice are
added one by one, and nothing is remembered from one branch to the next.
"""

import json
from collections.abc import Callable
from fractions import Fraction
from functools import cache, partial
from math import hypot
from typing import Any

Json = dict[str, Any]
Solved = tuple[Fraction, dict[str, Fraction]]
Leaf = Callable[[], Solved]
Place = tuple[int, int]

SQUARE_WAYS = {"north": (0, -1), "east": (1, 0), "south": (0, 1), "west": (-1, 0)}
HEX_WAYS = {  # where a neighbour's centre lies, in hex widths
    "northeast": (0.5, -(0.75**0.5)),
    "east": (1.0, 0.0),
    "southeast": (0.5, 0.75**0.5),
    "southwest": (-0.5, 0.75**0.5),
    "west": (-1.0, 0.0),
    "northwest": (-0.5, -(0.75**0.5)),
}


@cache
def neighbours(kind: str, place: Place) -> dict[str, Place]:
    column, row = place
    if kind == "squares":
        return {way: (column + east, row + south) for way, (east, south) in SQUARE_WAYS.items()}
    left, right = (column, column + 1) if row % 2 else (column - 1, column)
    return {
        "northeast": (right, row - 1),
        "east": (column + 1, row),
        "southeast": (right, row + 1),
        "southwest": (left, row + 1),
        "west": (column - 1, row),
        "northwest": (left, row - 1),
    }


@cache
def distance(kind: str, start: Place, goal: Place) -> int:
    seen, steps = {start}, 0
    while goal not in seen:
        seen |= {beside for place in seen for beside in neighbours(kind, place).values()}
        steps += 1
    return steps


def plain_way(kind: str, start: Place, goal: Place) -> str | None:
    """The one way that leads closest to the goal; None if two are as good."""
    if kind == "squares":
        (column, row), (east, south) = start, goal
        offsets = {"east": east - column, "west": column - east, "south": south - row, "north": row - south}
    else:

        def centre(place: Place) -> tuple[float, float]:
            return place[0] + place[1] % 2 / 2, place[1] * 0.75**0.5

        (x, y), (u, v) = centre(start), centre(goal)
        offsets = {way: round(((u - x) * e + (v - y) * s) / hypot(e, s), 9) for way, (e, s) in HEX_WAYS.items()}
    best = [way for way, offset in offsets.items() if offset == max(offsets.values())]
    return best[0] if len(best) == 1 else None


@cache
def successes(dice: int, faces: int) -> list[Fraction]:
    """How likely each number of successes is, when so many of the six faces are one."""
    chances = [Fraction(1)]
    for _ in range(dice):
        longer = [Fraction(0)] * (len(chances) + 1)
        for number, chance in enumerate(chances):
            for face in range(1, 7):
                longer[number + (face <= faces)] += chance / 6
        chances = longer
    return chances


def mix(branches: list[tuple[Fraction, Solved]]) -> Solved:
    value, outcomes = Fraction(0), dict[str, Fraction]()
    for chance, (worth, results) in branches:
        value += chance * worth
        for result, p in results.items():
            outcomes[result] = outcomes.get(result, Fraction(0)) + chance * p
    return value, outcomes


class Brute:
    """One battle under two policies."""

    def __init__(self, battle: Json, attacker: str, defender: str, objective: str) -> None:
        self.units = {unit["id"]: unit for unit in battle["units"]}
        self.first, self.target = self.units[battle["attack"]["by"]], self.units[battle["attack"]["on"]]
        self.rules = battle.get("rules", {})
        self.kind = self.rules.get("board", "squares")
        self.size, self.capitals = battle["board"]["size"], battle["board"].get("capitals", {})
        here, there = self.first["at"], self.target["at"]
        self.gap = distance(self.kind, tuple(here), tuple(there))
        self.way = battle["attack"].get("direction") or plain_way(self.kind, tuple(here), tuple(there))
        self.policies = {"attacker": attacker, "defender": defender}
        self.objective = objective

    def decide(self, side: str, optional: bool, leaves: list[Leaf]) -> Solved:
        policy = self.policies[side]
        if policy == "eager" or len(leaves) == 1:
            return leaves[0]()
        if policy == "cautious":
            return leaves[-1 if optional else 0]()
        if policy == "random":
            return mix([(Fraction(1, len(leaves)), leaf()) for leaf in leaves])
        solved = [leaf() for leaf in leaves]
        return (max if side == "attacker" else min)(solved, key=lambda one: one[0])

    def helpers(self, primary: Json, mark: str) -> list[str]:
        """Steps 1 and 2: who may be asked to help."""
        names = []
        for name, unit in self.units.items():
            near = [distance(self.kind, tuple(unit["at"]), tuple(other["at"])) for other in (self.first, self.target)]
            adjacent_or_in_range = min(near) == 1 or min(near) - 1 <= unit["range"]
            is_fresh_friend = unit["side"] == primary["side"] and name != primary["id"] and not unit.get(mark)
            if is_fresh_friend and adjacent_or_in_range:
                names.append(name)
        return names

    def solve(self) -> Solved:
        attackers = self.helpers(self.first, "attacked")
        return self.ask_helpers("attacker", attackers, [], lambda helping: self.ask_defenders(helping))

    def ask_defenders(self, attacking: list[str]) -> Solved:
        defenders = self.helpers(self.target, "defended")
        return self.ask_helpers("defender", defenders, [], lambda helping: self.attack(attacking, helping))

    def ask_helpers(self, side: str, left: list[str], yes: list[str], then: Callable[[list[str]], Solved]) -> Solved:
        if not left:
            return then(yes)
        return self.decide(
            side,
            True,
            [
                lambda: self.ask_helpers(side, left[1:], [*yes, left[0]], then),
                lambda: self.ask_helpers(side, left[1:], yes, then),
            ],
        )

    def number(self, names: list[str], at: dict[str, Place | None]) -> int:
        """Step 4: the highest Defense with the capital's two."""
        home = {name: at[name] is not None and list(at[name] or ()) == self.home(name) for name in names}
        plus = {n: n + 2 if n <= 4 else 6 if n == 5 else n for n in range(100)}
        if self.rules.get("capital_bonus") == "to_that_unit":
            return max(plus[self.units[n]["defense"]] if home[n] else self.units[n]["defense"] for n in names)
        highest: int = max(self.units[name]["defense"] for name in names)
        return plus[highest] if any(home.values()) else highest

    def home(self, name: str) -> list[int] | None:
        capital = self.capitals.get(self.units[name]["side"])
        return None if capital is None else list(capital)

    def attack(self, attacking: list[str], helping: list[str]) -> Solved:
        """Steps 3 to 5."""
        dice = self.first["attack"] + sum(self.units[name]["attack"] for name in attacking)
        health = {name: unit["health"] for name, unit in self.units.items()}
        at: dict[str, Place | None] = {name: tuple(unit["at"]) for name, unit in self.units.items()}
        needed = self.number([self.target["id"], *helping], at)
        branches = []
        for hits, chance in enumerate(successes(dice, sum(face >= needed for face in range(1, 7)))):
            if chance:
                branches.append((chance, self.damage(hits, helping, health, at)))
        return mix(branches)

    def damage(self, hits: int, helping: list[str], health: dict[str, int], at: dict[str, Place | None]) -> Solved:
        name = self.target["id"]
        taken = min(hits, health[name])
        health = {**health, name: health[name] - taken}
        at = {**at, name: at[name] if health[name] else None}
        return self.spread(hits - taken, helping, health, at)

    def spread(self, left: int, helping: list[str], health: dict[str, int], at: dict[str, Place | None]) -> Solved:
        able = [name for name in self.units if name in helping and health[name] > 0]
        if not left or not able:
            return self.push(helping, health, at)

        def hurt(name: str) -> Leaf:
            now = {**health, name: health[name] - 1}
            tiles = {**at, name: at[name] if now[name] else None}
            return lambda: self.spread(left - 1, helping, now, tiles)

        return self.decide("defender", False, [hurt(name) for name in able])

    def push(self, helping: list[str], health: dict[str, int], at: dict[str, Place | None]) -> Solved:
        """Step 6."""
        name = self.target["id"]
        before, now = self.target["health"], health[name]
        full = self.target.get("full_health", before)
        half = Fraction(before if self.rules.get("half_of") == "health_before_this_attack" else full, 2)
        may_push = self.rules.get("ranged_push", True) or self.gap == 1
        if 0 < now < before and now <= half and may_push:
            health, at = self.shove(name, health, at)
        return self.counter(helping, health, at)

    def next_place(self, place: Place) -> Place | None:
        column, row = neighbours(self.kind, place)[self.way or ""]
        columns, rows = self.size
        if self.rules.get("off_the_board") == "wraps":
            column = columns if column == 0 else 1 if column == columns + 1 else column
            row = rows if row == 0 else 1 if row == rows + 1 else row
        return (column, row) if column in range(1, columns + 1) and row in range(1, rows + 1) else None

    def shove(
        self, name: str, health: dict[str, int], at: dict[str, Place | None]
    ) -> tuple[dict[str, int], dict[str, Place | None]]:
        """Who is where after the push of one unit and of all that it bumps."""
        start = at[name]
        assert start is not None
        on = {place: other for other, place in at.items() if place is not None}
        moves, mover, place = dict[str, Place | None](), name, start
        dead = ({**health, name: 0}, {**at, name: None})
        while True:
            ahead = self.next_place(place)
            if ahead is None:
                return dead if self.rules.get("off_the_board", "dies") == "dies" else (health, at)
            if ahead == start:
                return health, at
            moves[mover] = ahead
            if ahead not in on:
                return health, {**at, **moves}
            if self.units[on[ahead]]["side"] != self.target["side"]:
                if mover == name or self.rules.get("bumped_into_enemy", "primary_dies") == "primary_dies":
                    return dead
                return {**health, mover: 0}, {**at, **moves, mover: None}
            mover, place = on[ahead], ahead

    def counter(self, helping: list[str], health: dict[str, int], at: dict[str, Place | None]) -> Solved:
        """Steps 7 and 8."""
        name = self.target["id"]
        now = at[name]
        if not health[name] or now is None:
            return self.advance(health, at)
        stand = tuple(self.target["at"]) if self.rules.get("counter_range") == "before_push" else now
        between = distance(self.kind, stand, tuple(self.first["at"])) - 1
        if between > self.target["range"]:
            return self.advance(health, at)
        counted = [name, *helping]
        if self.rules.get("counter_dice_from", "survivors") == "survivors":
            counted = [other for other in counted if health[other]]
        dice = self.number(counted, at)
        return self.decide(
            "defender", True, [lambda: self.strike_back(dice, health, at), lambda: self.advance(health, at)]
        )

    def strike_back(self, dice: int, health: dict[str, int], at: dict[str, Place | None]) -> Solved:
        name, branches = self.first["id"], []
        for hits, chance in enumerate(successes(dice, sum(face > self.first["speed"] for face in range(1, 7)))):
            left = max(0, health[name] - hits)
            if chance:
                tiles = {**at, name: at[name] if left else None}
                branches.append((chance, self.advance({**health, name: left}, tiles)))
        return mix(branches)

    def advance(self, health: dict[str, int], at: dict[str, Place | None]) -> Solved:
        """Step 9."""
        name, tile = self.first["id"], tuple(self.target["at"])
        near_enough = self.rules.get("ranged_advance", True) or self.gap == 1
        if not health[name] or tile in at.values() or not near_enough:
            return self.end(health, at)
        moved = {**at, name: tile}
        return self.decide("attacker", True, [lambda: self.end(health, moved), lambda: self.end(health, at)])

    def end(self, health: dict[str, int], at: dict[str, Place | None]) -> Solved:
        units = {name: {"health": health[name], "at": place and list(place)} for name, place in at.items()}
        if self.objective == "kill":
            value = int(health[self.target["id"]] == 0)
        elif self.objective == "ground":
            value = int(units[self.first["id"]]["at"] == list(self.target["at"]))
        else:
            value = sum(
                (self.units[name]["health"] - health[name]) * (-1 if unit["side"] == self.first["side"] else 1)
                for name, unit in self.units.items()
            )
        return Fraction(value), {json.dumps({"units": units}, sort_keys=True): Fraction(1)}


def solve(battle: Json, attacker: str, defender: str, objective: str) -> Solved:
    return Brute(battle, attacker, defender, objective).solve()


class Turn:
    """A whole turn of one side: one attack after the other, each with all its decisions, until the side ends it."""

    def __init__(self, battle: Json, attacker: str, defender: str, objective: str) -> None:
        self.battle, self.turn = battle, battle["turn"]
        self.attacker, self.defender, self.objective = attacker, defender, objective
        self.kind = battle.get("rules", {}).get("board", "squares")
        self.solved: dict[str, Solved] = {}

    def next_attack(self, units: list[Json]) -> Solved:
        key = json.dumps(units, sort_keys=True)
        if key not in self.solved:
            self.solved[key] = self.choose(units)
        return self.solved[key]

    def choose(self, units: list[Json]) -> Solved:
        pairs = [(by, on) for by in units for on in units if self.is_possible(by, on)]
        leaves: list[Leaf] = [partial(self.attack, units, by, on) for by, on in pairs]
        return self.decide([*leaves, lambda: self.end(units)])

    def is_possible(self, by: Json, on: Json) -> bool:
        ours = by["side"] == self.turn["side"] != on["side"]
        return bool(
            ours and not by.get("attacked") and distance(self.kind, tuple(by["at"]), tuple(on["at"])) <= by["range"] + 1
        )

    def attack(self, units: list[Json], by: Json, on: Json) -> Solved:
        """Where no way is the plain one, the attacker chooses between the two that are nearest."""
        here, there = tuple(by["at"]), tuple(on["at"])
        way = plain_way(self.kind, here, there)
        ways = [way] if way else nearest_ways(self.kind, here, there)
        return self.decide([partial(self.resolve, units, by["id"], on["id"], way) for way in ways])

    def resolve(self, units: list[Json], by: str, on: str, way: str) -> Solved:
        battle = {**self.battle, "units": units, "attack": {"by": by, "on": on, "direction": way}}
        return AttackInTurn(battle, self).solve()

    def decide(self, leaves: list[Leaf]) -> Solved:
        """A choice of the attacker that is not optional."""
        if self.attacker in ("eager", "cautious") or len(leaves) == 1:
            return leaves[0]()
        solved = [leaf() for leaf in leaves]
        if self.attacker == "random":
            return mix([(Fraction(1, len(solved)), one) for one in solved])
        return max(solved, key=lambda one: one[0])

    def end(self, units: list[Json]) -> Solved:
        left = {unit["id"]: unit for unit in units}
        gone = {"health": 0, "at": None}
        result = {u["id"]: {key: left.get(u["id"], gone)[key] for key in gone} for u in self.battle["units"]}
        swing, kills = 0, list[str]()
        for unit in self.battle["units"]:
            is_ours = unit["side"] == self.turn["side"]
            swing += (unit["health"] - result[unit["id"]]["health"]) * (-1 if is_ours else 1)
            kills += [unit["id"]] if not is_ours and unit["id"] not in left else []
        killed = int(self.turn["target"] in kills) if "target" in self.turn else len(kills)
        value = swing if self.objective == "swing" else killed
        return Fraction(value), {json.dumps({"units": result}, sort_keys=True): Fraction(1)}


def nearest_ways(kind: str, here: Place, there: Place) -> list[str]:
    """The two ways that lead equally close to the goal: along the row first on squares, clockwise on hexes."""
    if kind == "squares":
        return ["east" if here[0] < there[0] else "west", "south" if here[1] < there[1] else "north"]
    beside = neighbours(kind, here)
    return [way for way in HEX_WAYS if distance(kind, beside[way], there) < distance(kind, here, there)]


class AttackInTurn(Brute):
    """One attack, after which the turn goes on."""

    def __init__(self, battle: Json, turn: Turn) -> None:
        super().__init__(battle, turn.attacker, turn.defender, turn.objective)
        self.whole, self.marks = turn, dict[str, str]()

    def attack(self, attacking: list[str], helping: list[str]) -> Solved:
        attacked, defended = [self.first["id"], *attacking], [self.target["id"], *helping]
        self.marks = dict.fromkeys(attacked, "attacked") | dict.fromkeys(defended, "defended")
        return super().attack(attacking, helping)

    def end(self, health: dict[str, int], at: dict[str, Place | None]) -> Solved:
        left = []
        for name, unit in self.units.items():
            full = {"full_health": unit.get("full_health", unit["health"])}
            mark = {self.marks[name]: True} if name in self.marks else {}
            if health[name]:
                left.append({**unit, **full, **mark, "health": health[name], "at": list(at[name] or ())})
        marks = dict(self.marks)
        solved = self.whole.next_attack(left)
        assert self.marks == marks
        return solved


def solve_turn(battle: Json, attacker: str, defender: str, objective: str) -> Solved:
    return Turn(battle, attacker, defender, objective).next_attack(battle["units"])
