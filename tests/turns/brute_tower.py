"""The turns of tower once more, as plain enumeration: shares no code with the package."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from math import hypot
from typing import Any

from tests.systems.tower.brute import HEX_WAYS, distance, neighbours, successes

from .tree import AttackOver, Dice, Json, Lazy, Tree, choice, yes_or_no

Place = tuple[int, int]
PLUS_TWO = {number: max(number, min(6, number + 2)) for number in range(100)}


@dataclass(frozen=True)
class Piece:
    """What can change of a unit."""

    health: int
    at: Place | None
    attacked: bool
    defended: bool


DEAD = Piece(0, None, False, False)
Pieces = tuple[Piece, ...]


@dataclass(frozen=True)
class Attack:
    """What stays the same during one attack."""

    by: int
    on: int
    here: Place
    there: Place
    health: int
    way: str = ""
    attacking: tuple[int, ...] = ()
    helping: tuple[int, ...] = ()


def change(state: Pieces, one: int, **marks: Any) -> Pieces:
    return (*state[:one], replace(state[one], **marks), *state[one + 1 :])


def hurt(state: Pieces, one: int, hits: int) -> Pieces:
    left = state[one].health - hits
    return change(state, one, health=left) if left > 0 else kill(state, one)


def kill(state: Pieces, one: int) -> Pieces:
    return (*state[:one], DEAD, *state[one + 1 :])


def ways_between(kind: str, start: Place, goal: Place) -> list[str]:
    """The direction that leads closest to the goal, or the two it lies between."""
    if kind == "squares":
        (column, row), (east, south) = start, goal
        offsets: dict[str, float] = {
            "east": east - column,
            "west": column - east,
            "north": row - south,
            "south": south - row,
        }
    else:
        x, y = goal[0] - start[0] + (goal[1] % 2 - start[1] % 2) / 2, (goal[1] - start[1]) * 0.75**0.5
        offsets = {way: round((x * e + y * s) / hypot(e, s), 9) for way, (e, s) in HEX_WAYS.items()}
    return [way for way, offset in offsets.items() if offset == max(offsets.values())]


class Tower:
    def __init__(self, source: Json) -> None:
        self.source, self.units = source, source["units"]
        self.rules = source.get("rules", {})
        self.kind = self.rules.get("board", "squares")
        self.size, self.capitals = source["board"]["size"], source["board"].get("capitals", {})

    @cached_property
    def start(self) -> Pieces:
        return tuple(
            Piece(unit["health"], tuple(unit["at"]), unit.get("attacked", False), unit.get("defended", False))
            for unit in self.units
        )

    def left(self, state: Pieces) -> dict[str, int]:
        return {unit["id"]: piece.health for unit, piece in zip(self.units, state, strict=True)}

    def result(self, state: Pieces) -> Json:
        pieces = zip(self.units, state, strict=True)
        return {"units": {unit["id"]: {"health": one.health, "at": one.at and list(one.at)} for unit, one in pieces}}

    def between(self, one: Place, other: Place) -> int:
        return distance(self.kind, one, other) - 1

    def attacks(self, state: Pieces) -> dict[str, Lazy]:
        side = self.source["turn"]["side"]
        return {
            f"{unit['id']} on {target['id']}": partial(self.declare, state, by, on)
            for by, unit in enumerate(self.units)
            for on, target in enumerate(self.units)
            if unit["side"] == side != target["side"]
            if self.can_attack(state, by, on)
        }

    def can_attack(self, state: Pieces, by: int, on: int) -> bool:
        here, there = state[by].at, state[on].at
        if here is None or there is None or state[by].attacked:
            return False
        return bool(self.between(here, there) <= self.units[by]["range"])

    def declare(self, state: Pieces, by: int, on: int) -> Tree:
        here, there = state[by].at, state[on].at
        assert here is not None
        assert there is not None
        attack = Attack(by, on, here, there, state[on].health)
        ways = ways_between(self.kind, here, there)
        return choice("attacker", {way: partial(self.gather, state, replace(attack, way=way)) for way in ways})

    def helpers(self, state: Pieces, attack: Attack, primary: int) -> list[int]:
        """Steps 1 and 2: who may be asked to help."""
        names = []
        for one, piece in enumerate(state):
            if one == primary or piece.at is None or self.units[one]["side"] != self.units[primary]["side"]:
                continue
            near = min(self.between(piece.at, place) for place in (attack.here, attack.there))
            is_fresh = not (piece.attacked if primary == attack.by else piece.defended)
            if is_fresh and near <= self.units[one]["range"]:
                names.append(one)
        return names

    def gather(self, state: Pieces, attack: Attack) -> Tree:
        def with_attackers(attacking: tuple[int, ...]) -> Tree:
            defenders = self.helpers(state, attack, attack.on)
            return self.ask_helpers(
                "defender",
                defenders,
                (),
                lambda helping: self.strike(state, replace(attack, attacking=attacking, helping=helping)),
            )

        return self.ask_helpers("attacker", self.helpers(state, attack, attack.by), (), with_attackers)

    def ask_helpers(
        self, role: str, left: list[int], joined: tuple[int, ...], then: Callable[[tuple[int, ...]], Tree]
    ) -> Tree:
        if not left:
            return then(joined)
        return yes_or_no(
            role,
            lambda: self.ask_helpers(role, left[1:], (*joined, left[0]), then),
            lambda: self.ask_helpers(role, left[1:], joined, then),
        )

    def number(self, state: Pieces, counted: list[int]) -> int:
        """Step 4: the highest Defense with the capital's two."""
        defense = {one: self.units[one]["defense"] for one in counted}
        home = {one for one in counted if self.is_home(state, one)}
        if self.rules.get("capital_bonus") == "to_that_unit":
            return max(PLUS_TWO[number] if one in home else number for one, number in defense.items())
        highest = max(defense.values())
        return PLUS_TWO[highest] if home else highest

    def is_home(self, state: Pieces, one: int) -> bool:
        capital, at = self.capitals.get(self.units[one]["side"]), state[one].at
        return capital is not None and at is not None and tuple(capital) == at

    def strike(self, state: Pieces, attack: Attack) -> Tree:
        """Step 3. Who takes part is marked."""
        for one in (attack.by, *attack.attacking):
            state = change(state, one, attacked=True)
        for one in (attack.on, *attack.helping):
            state = change(state, one, defended=True)
        dice = sum(self.units[one]["attack"] for one in (attack.by, *attack.attacking))
        needed = self.number(state, [attack.on, *attack.helping])

        def then(hits: int) -> Tree:
            taken = min(hits, state[attack.on].health)
            return self.spread(hurt(state, attack.on, taken), attack, hits - taken)

        return d6(dice, needed, then)

    def spread(self, state: Pieces, attack: Attack, left: int) -> Tree:
        """Step 5: the defender spreads what the primary could not take."""
        able = [one for one in sorted(attack.helping) if state[one].health]
        if not left or not able:
            return self.push(state, attack)
        options: dict[str, Lazy] = {
            self.units[one]["id"]: partial(self.spread, hurt(state, one, 1), attack, left - 1) for one in able
        }
        return choice("defender", options)

    def push(self, state: Pieces, attack: Attack) -> Tree:
        """Step 6."""
        now, unit = state[attack.on].health, self.units[attack.on]
        full = unit.get("full_health", unit["health"])
        half = Fraction(attack.health if self.rules.get("half_of") == "health_before_this_attack" else full, 2)
        may_push = self.rules.get("ranged_push", True) or self.between(attack.here, attack.there) == 0
        if 0 < now < attack.health and now <= half and may_push:
            state = self.shove(state, attack)
        return self.counter(state, attack)

    def next_place(self, place: Place, way: str) -> Place | None:
        column, row = neighbours(self.kind, place)[way]
        columns, rows = self.size
        if self.rules.get("off_the_board") == "wraps":
            column, row = (column - 1) % columns + 1, (row - 1) % rows + 1
        return (column, row) if column in range(1, columns + 1) and row in range(1, rows + 1) else None

    def shove(self, state: Pieces, attack: Attack) -> Pieces:
        """Who is where after the push of the primary defender and of all that it bumps."""
        standing = {piece.at: one for one, piece in enumerate(state) if piece.at is not None}
        line = [attack.on]
        places = list[Place]()
        while True:
            ahead = self.next_place(places[-1] if places else attack.there, attack.way)
            if ahead is None:
                return kill(state, attack.on) if self.rules.get("off_the_board", "dies") == "dies" else state
            if ahead == attack.there:
                return state
            places.append(ahead)
            if ahead not in standing:
                break
            if self.units[standing[ahead]]["side"] != self.units[attack.on]["side"]:
                if len(line) == 1 or self.rules.get("bumped_into_enemy", "primary_dies") == "primary_dies":
                    return kill(state, attack.on)
                state = kill(state, line.pop())
                break
            line.append(standing[ahead])
        for one, place in zip(line, places, strict=False):
            state = change(state, one, at=place)
        return state

    def counter(self, state: Pieces, attack: Attack) -> Tree:
        """Steps 7 and 8."""
        now = state[attack.on].at
        if now is None:
            return self.advance(state, attack)
        stand = attack.there if self.rules.get("counter_range") == "before_push" else now
        if self.between(stand, attack.here) > self.units[attack.on]["range"]:
            return self.advance(state, attack)
        counted = [attack.on, *attack.helping]
        if self.rules.get("counter_dice_from", "survivors") == "survivors":
            counted = [one for one in counted if state[one].health]
        dice, speed = self.number(state, counted), self.units[attack.by]["speed"]
        if not dice:  # nobody is asked about a counterattack without dice
            return self.advance(state, attack)
        return yes_or_no(
            "defender",
            lambda: d6(dice, speed + 1, lambda hits: self.advance(hurt(state, attack.by, hits), attack)),
            lambda: self.advance(state, attack),
        )

    def advance(self, state: Pieces, attack: Attack) -> Tree:
        """Step 9."""
        near_enough = self.rules.get("ranged_advance", True) or self.between(attack.here, attack.there) == 0
        is_free = attack.there not in [piece.at for piece in state]
        if not state[attack.by].health or not is_free or not near_enough:
            return AttackOver(state)
        moved = change(state, attack.by, at=attack.there)
        return yes_or_no("attacker", lambda: AttackOver(moved), lambda: AttackOver(state))


def d6(dice: int, needed: int, then: Callable[[int], Tree]) -> Tree:
    """Dice that show the needed number or more; without dice nothing is rolled."""

    def count(faces: Sequence[int]) -> int:
        return sum(face >= needed for face in faces)

    chances = successes(dice, sum(face >= needed for face in range(1, 7)))
    return Dice(dict(enumerate(chances)), count, then) if dice else then(0)
