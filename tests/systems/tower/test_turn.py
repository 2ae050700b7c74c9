"""Whole turns: what is offered, what an attack leaves for the next, and the odds against the plain recursion."""

import json
from random import Random
from typing import Any

import pytest

from grognard import odds
from grognard.files import battle
from grognard.systems.tower import SYSTEM
from grognard.testing import rules_test
from tests.soak import cases
from tests.systems.playing import choice, played
from tests.systems.tower.battles import Json, attack, random_battle, unit
from tests.systems.tower.brute import solve_turn

TURNS = cases(120)
POLICIES = ["best", "eager", "cautious", "random"]


def turn(*units: Json, side: str = "red", **more: Any) -> Json:
    source = {key: table for key, table in attack(*units, **more).items() if key != "attack"}
    return {**source, "turn": {"side": side}}


def offered(source: Json, *answers: str | list[int]) -> list[str]:
    return [option.id for option in choice(played(source, *answers)).options]


SCENE = unit("red", 4, 4, attack=2), unit("blue", 5, 4), unit("r1", 5, 3), unit("b1", 4, 5, health=1)


def test_turn_every_attack_that_is_possible_is_offered_in_the_files_order_and_last_the_end() -> None:
    question = choice(played(turn(*SCENE)))
    assert (question.by, question.optional) == ("red", False)
    assert offered(turn(*SCENE)) == ["red on blue", "red on b1", "r1 on blue", "end"]


def test_turn_who_attacked_or_reinforced_an_attack_does_not_attack_again() -> None:
    killed: tuple[str | list[int], ...] = ("red on b1", "no", [6, 6], "no")
    assert offered(turn(*SCENE), *killed) == ["r1 on blue", "end"]
    assert played(turn(*SCENE), "red on blue", "yes", "no", [1, 1, 1], "no").question is None


def test_turn_a_direction_that_is_not_plain_is_chosen_after_declaring_the_one_along_the_row_first() -> None:
    archer = unit("red", 4, 4, range=2)
    source = turn(archer, unit("blue", 5, 5))
    question = choice(played(source, "red on blue"))
    assert (question.by, question.optional) == ("red", False)
    assert question.prompt == "In which direction does the red attack?"
    assert offered(source, "red on blue") == ["east", "south"]
    on_hexes = turn(unit("red", 4, 4, range=2), unit("blue", 4, 6), board="hexes")
    assert offered(on_hexes, "red on blue") == ["southeast", "southwest"]


def test_turn_the_second_attack_pushes_from_where_the_first_one_left_the_target() -> None:
    source = turn(unit("red", 4, 4, attack=1), unit("blue", 5, 4, health=4), unit("r1", 5, 3, attack=1))
    pushed = played(source, "red on blue", "no", [6], "no", "r1 on blue", [6])
    assert pushed.state["units"]["blue"] == {
        "health": 2,
        "at": [5, 5],
        "side": "blue",
        "role": "defender",
        "attacked": False,
        "defended": True,
    }


def test_turn_a_unit_that_reinforced_a_defense_may_not_again() -> None:
    source = turn(unit("red", 4, 4), unit("blue", 5, 4), unit("r1", 6, 3), unit("b1", 6, 4))
    asked = choice(played(source, "red on blue"))
    assert asked.prompt == "Does the b1 reinforce the defense?"
    again = played(source, "red on blue", "yes", [1], "no", "r1 on b1")
    assert again.question is not None
    assert "reinforce" not in str(again.question)


def test_turn_without_any_possible_attack_is_legal_and_worth_nothing() -> None:
    actual = odds(battle(turn(unit("red", 1, 1), unit("blue", 9, 9))), fractions=True)
    assert (actual.value, len(actual.outcomes or ())) == (0, 1)


def random_turn(seed: int) -> Json:
    """A small crowded board; three to five units."""
    random = Random(seed)
    while True:
        source = random_battle(random)
        if 3 <= len(source["units"]) <= 5 and sum(one["attack"] for one in source["units"]) <= 6:
            break
    source = {key: table for key, table in source.items() if key != "attack"}
    target = {"target": "u1"} if random.random() < 0.3 else {}
    return {**source, "turn": {"side": "red", **target}}


@pytest.mark.soak("whole turns against plain enumeration")
@pytest.mark.parametrize("seed", range(TURNS))
def test_turn_the_engine_agrees_with_plain_recursion(seed: int) -> None:
    source, random = random_turn(seed), Random(seed)
    for objective in ("swing", "kill"):
        attacker, defender = random.choice(POLICIES), random.choice(POLICIES)
        value, outcomes = solve_turn(source, attacker, defender, objective)
        actual = odds(battle(source), attacker, defender, objective, fractions=True)
        assert actual.value == value
        assert {json.dumps(result.to_dict(), sort_keys=True): p for p, result in actual.outcomes or ()} == outcomes


def test_turn_many_random_turns_have_several_attacks() -> None:
    assert sum(len(offered(random_turn(seed))) > 2 for seed in range(TURNS) if played(random_turn(seed)).question) > 30


@pytest.mark.parametrize("seed", range(4))
def test_turn_conformance(seed: int) -> None:
    rules_test(SYSTEM, [random_turn(seed)])
