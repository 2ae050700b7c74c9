"""The turns of assault once more, as plain enumeration: shares no code with the package.

A state is the battle file as it stands, as JSON, with those who are gone beside it.
"""

import json
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache, cached_property, partial
from typing import Any

from tests.systems.assault.brute import CARDS, Attack

from .tree import AttackOver, Decision, Dice, Json, Lazy, Tree

COVER = ("digging_in", "dug_in", "hiding", "hidden", "ambush")
SECRECY = ("hiding", "hidden", "ambush")


class AttackTree(Attack):
    """One attack as a tree: rolls and decisions are nodes instead of being solved at once."""

    def __init__(self, battle: Json, then: Callable[[Json], str]) -> None:
        super().__init__(battle, "", "", "")
        self.then = then

    def roll(self, chances: dict[Any, Fraction], then: Callable[[Any], Any], read: Callable[[list[Any]], Any]) -> Any:
        known: dict[Any, Tree] = {}

        def once(shown: Any) -> Tree:
            if shown not in known:
                known[shown] = then(shown)
            return known[shown]

        return Dice(chances, read, once)  # type: ignore[arg-type]  # it reads lists only

    def ask(self, side: str, named: dict[str, Lazy], is_optional: bool) -> Any:  # type: ignore[override]  # its options are trees
        once: dict[str, Lazy] = {name: cache(option) for name, option in named.items()}
        return Decision("attacker" if side == self.by["side"] else "defender", is_optional, once)

    def end(self, now: Json) -> Any:
        return AttackOver(self.then(now))


class Assault:
    def __init__(self, source: Json) -> None:
        self.source = source
        self.units = {unit["id"]: unit for unit in source["units"]}

    @cached_property
    def start(self) -> str:
        return json.dumps({**{key: value for key, value in self.source.items() if key != "turn"}, "gone": {}})

    def attacks(self, state: str) -> dict[str, Lazy]:
        now = json.loads(state)
        return {
            name: partial(self.attack, now, legal)
            for name, ways in self.declarations.items()
            for legal in [next((way for way in ways if is_legal({**now, "attack": way})), None)]
            if legal
        }

    @cached_property
    def declarations(self) -> dict[str, list[Json]]:
        """All attacks by id; where firing is not legal the turret may be."""
        shots = self.source["turn"].get("shots", [])
        if shots:
            plain = [f"{shot['by']} on {shot['on']}" for shot in shots if "id" not in shot]
            times = Counter(plain)
            names = [shot.get("id", f"{shot['by']} on {shot['on']}") for shot in shots]
            return {
                name if "id" in shot or times[name] == 1 else f"{name} at {shot['range']}": [shot]
                for name, shot in zip(names, shots, strict=True)
            }
        side, units = self.source["turn"]["side"], self.source["units"]
        pairs = [(by["id"], on["id"]) for by in units for on in units if by["side"] == side != on["side"]]
        on_board = pairs if "board" in self.source else []
        return {f"{by} on {on}": [{"by": by, "on": on, "fire": fire} for fire in FIRES] for by, on in on_board}

    def attack(self, now: Json, attack: Json) -> Tree:
        battle = {**now, "attack": attack}
        tree: Tree = AttackTree(battle, partial(self.after, now, attack)).solve()  # type: ignore[assignment]  # its values are trees
        return tree

    def after(self, now: Json, attack: Json, target: Json) -> str:
        """The file after an attack."""
        units, gone = [], dict(now["gone"])
        for unit in now["units"]:
            left = dict(unit)
            if unit["id"] in (attack["by"], attack.get("joint")):
                left |= {"activated": True, **dict.fromkeys(SECRECY, False)}
                if unit["id"] != attack["by"] or attack.get("fire") != "fire_and_move":
                    left["fired_this_turn"] = True
            if unit["id"] == attack["on"]:
                left |= {"damage": target["damage"], "status": target["status"], "immobilized": target["stuck"]}
                left |= {"at": target["at"]} if "at" in unit else {}
                if target["status"] == "fallback" != unit.get("status"):
                    left |= dict.fromkeys(COVER, False)
                if target["status"] == "eliminated":
                    gone[unit["id"]] = target["stuck"]
                    continue
            units.append(left)
        held = [card for number, card in enumerate(now.get("command_cards", [])) if number not in target["played"]]
        later = {**now, "units": units, "gone": gone, "command_cards": held}
        side = self.source["turn"]["side"]
        if side in now.get("command_points", {}):
            later["command_points"] = {**now["command_points"], side: now["command_points"][side] - 1}
        return json.dumps(later, sort_keys=True)

    def left(self, state: str) -> dict[str, int]:
        damage = {unit["id"]: unit.get("damage", 0) for unit in json.loads(state)["units"]}
        return {name: strength(unit) - damage.get(name, strength(unit)) for name, unit in self.units.items()}

    def result(self, state: str) -> Json:
        now = json.loads(state)
        standing, units = {unit["id"]: unit for unit in now["units"]}, {}
        for name, unit in self.units.items():
            left = standing.get(name, {"damage": strength(unit), "status": "eliminated", "at": None})
            units[name] = {
                "damage": left.get("damage", 0),
                "status": left.get("status", "none"),
                "immobilized": bool(now["gone"].get(name, left.get("immobilized", False))),
                **({"at": left["at"]} if "at" in unit else {}),
            }
        return {"units": units}


FIRES = ("firing", "turret_firing")


def strength(unit: Json) -> int:
    return int(unit["strength"] if "strength" in unit else CARDS[unit["card"]]["strength"])


def is_legal(battle: Json) -> bool:
    """Whether a battle whose names were once right is legal now."""
    declared, there = battle["attack"], {unit["id"]: unit for unit in battle["units"]}
    if not {declared["by"], declared["on"], declared.get("joint", declared["by"])} <= set(there):
        return False
    by = there[declared["by"]]
    if by.get("activated") or battle.get("command_points", {}).get(by["side"]) == 0:
        return False
    attack = Attack(battle, "", "", "")
    if attack.fire in ("move_and_fire", "fire_and_move") and (
        attack.by["kind"] == "artillery" or by.get("immobilized")
    ):
        return False
    is_blind = attack.fire != "indirect" and attack.hindering > 2
    return not is_blind and is_in_reach(attack, attack.by) and can_point(attack) and can_join(attack, there)


def is_in_reach(attack: Attack, unit: Json) -> bool:
    hexes = attack.range if unit is attack.by else attack.hexes_from(unit, "joint_range")
    row = attack.row(unit)
    return any(low <= hexes <= high for low, high in row) if row or "dice" not in attack.attack else True


def can_point(attack: Attack) -> bool:
    turret, is_ahead = attack.by.get("turret", False), attack.is_in_arc()
    if attack.fire == "turret_firing":
        return turret and not is_ahead
    return is_ahead or (turret and attack.fire != "firing")


def can_join(attack: Attack, there: dict[str, Json]) -> bool:
    if "joint" not in attack.attack:
        return True
    friend = attack.unit(attack.attack["joint"])
    if attack.fire == "indirect" or friend.get("activated") or friend.get("fired_this_turn"):
        return False
    return attack.hindering_from(friend, "joint_hindering") <= 2 and is_in_reach(attack, friend)
