"""Whole turns: what is offered, what an attack leaves for the next, and the odds against the plain recursion."""

import json
from random import Random

import pytest

from grognard import odds
from grognard.core.systems import Json
from grognard.files import battle
from grognard.systems.supply import SYSTEM
from grognard.testing import rules_test
from tests.soak import cases

from ..playing import choice, dice, played
from .battles import GUNS, MORTAR, RIFLES, attack, unit
from .brute import solve_turn
from .test_against_brute import POLICIES, VALUES, random_unit

TURNS = cases(150)
ONCE_WRONG = {891, 948, 1171, 1302, 2791}
"""Turns that the engine has once got wrong: a unit was taken for another one like it."""
MISS, BOTH_HIT = [1, 1, 6, 6], [6, 6, 1, 1]
SCOUTS = unit("scouts", "blue", at=[2, 3], supply=0)


def turn(*units: Json, side: str = "red", rules: Json | None = None, **fields: str) -> Json:
    source = {key: table for key, table in attack(*units, rules=rules).items() if key != "attack"}
    return {**source, "turn": {"side": side, **fields}}


def offered(source: Json, *answers: list[int] | str) -> list[str]:
    return [option.id for option in choice(played(source, *answers)).options]


def test_turn_every_attack_that_is_possible_is_offered_in_the_files_order_and_last_the_end() -> None:
    source = turn(GUNS, RIFLES, MORTAR, SCOUTS)
    question = choice(played(source))
    assert (question.by, question.optional, question.prompt) == ("red", False, "Which attack is next?")
    assert offered(source) == ["guns on rifles", "guns on scouts", "mortar on rifles", "mortar on scouts", "end"]


def test_turn_who_has_attacked_and_who_is_gone_is_not_offered_again() -> None:
    source = turn(GUNS, RIFLES, MORTAR, SCOUTS, rules={"distance": "diagonal"})
    assert offered(source, "guns on scouts", "direct", BOTH_HIT) == ["mortar on rifles", "end"]


def test_turn_a_unit_that_was_called_in_has_attacked() -> None:
    source = turn(GUNS, RIFLES, MORTAR)
    assert played(source, "guns on rifles", "call in mortar", MISS).question is None
    assert offered(turn(GUNS, RIFLES, MORTAR, rules={"caller_keeps_attack": True}), *["guns on rifles"]) == [
        "direct",
        "call in mortar",
    ]


def test_turn_losses_and_supplies_stay_for_the_next_attack() -> None:
    source = turn(GUNS, {**RIFLES, "strength": 4, "supply": 1}, {**MORTAR, "indirect": False})
    hurt = played(source, "guns on rifles", [6, 1, 5, 5, 5, 5], "yes", [1, 1, 1, 6, 6], "mortar on rifles")
    assert dice(hurt) == ["2 d8", "3 d6"]
    over = hurt.roll([1, 1, 6, 6, 6])
    assert over.question is None  # the rifles cannot pay for a second counterattack
    assert over.result.to_dict()["units"]["rifles"] == {"strength": 3, "supply": 0}


def test_turn_is_over_when_its_side_ends_it() -> None:
    source = turn(GUNS, RIFLES)
    assert played(source, "end").result.to_dict()["units"]["rifles"] == {"strength": 2, "supply": 3}


def test_turn_without_any_possible_attack_is_legal_and_worth_nothing() -> None:
    actual = odds(battle(turn({**GUNS, "fired": True}, RIFLES)), fractions=True)
    assert (actual.value, len(actual.outcomes or ())) == (0, 1)


def test_turn_a_unit_that_has_fired_is_not_mixed_up_with_one_out_of_range() -> None:
    """Two mortars that differ only in their places: one has fired, the other is too far away to be called in."""
    fired = {**MORTAR, "id": "fired", "at": [2, 2], "range": 2, "fired": True}
    far = {**MORTAR, "id": "far", "at": [3, 1], "range": 2}
    source = turn(GUNS, RIFLES, far, fired, rules={"indirect_can_be_countered": False})
    assert offered(source) == ["guns on rifles", "end"]
    value, _ = solve_turn(source, "random", "best", "swing")
    assert odds(battle(source), "random", "best", fractions=True).value == value


def test_turn_at_the_same_moment_a_counterattack_rolls_the_strength_before_this_attack() -> None:
    second = unit("second", at=[1, 2])
    source = turn(GUNS, {**RIFLES, "strength": 4}, second, rules={"counter_timing": "simultaneous"})
    hit = [6, 1, 5, 5, 5]
    again = played(source, "guns on rifles", [*hit, 5], "no", "second on rifles", hit, "yes")
    assert dice(again) == ["3 d6", "2 d6"]


def random_turn(seed: int) -> Json:
    """Two or three units against one or two, a few points of strength each."""
    random = Random(seed)
    squares = random.sample([(column, row) for column in range(1, 4) for row in range(1, 4)], random.randint(3, 5))
    units = [random_unit(random, number, at) for number, at in enumerate(squares)]
    for unit_ in units:
        unit_.update(strength=random.randint(1, 2), die=random.choice([4, 6]))
        unit_["range"] = max(unit_["range"], unit_["side"] == "red" and 1)  # else few could attack at all
    rules = {name: random.choice(values) for name, values in VALUES.items() if random.random() < 0.5}
    target = {"target": "u1"} if random.random() < 0.3 else {}
    return {"system": "supply", "units": units, "turn": {"side": "red", **target}, "rules": rules}


@pytest.mark.soak("whole turns against plain enumeration")
@pytest.mark.parametrize("seed", sorted({*range(TURNS), *ONCE_WRONG}))
def test_turn_the_engine_agrees_with_plain_recursion(seed: int) -> None:
    source, random = random_turn(seed), Random(seed)
    for objective in ("swing", "kill"):
        attacker, defender = random.choice(POLICIES), random.choice(POLICIES)
        value, outcomes = solve_turn(source, attacker, defender, objective)
        actual = odds(battle(source), attacker, defender, objective, fractions=True)
        assert actual.value == value
        assert {json.dumps(result.to_dict(), sort_keys=True): p for p, result in actual.outcomes or ()} == outcomes
        for unit_ in source["units"]:
            lost = actual[f"{unit_['id']} loses"]
            mean = sum(p * (unit_["strength"] - left(result, unit_["id"])) for result, p in outcomes.items())
            assert lost.mean == mean


def left(result: str, name: str) -> int:
    strength: int = json.loads(result)["units"][name]["strength"]
    return strength


def test_turn_many_random_turns_have_several_attacks() -> None:
    assert sum(len(offered(random_turn(seed))) > 3 for seed in range(TURNS) if played(random_turn(seed)).question) > 40


@pytest.mark.parametrize("seed", range(4))
def test_turn_conformance(seed: int) -> None:
    rules_test(SYSTEM, [random_turn(seed)])
