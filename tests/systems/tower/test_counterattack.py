"""Steps 7 and 8: the counterattack."""

from fractions import Fraction

import pytest

from grognard import odds
from grognard.files import battle
from tests.systems.tower.battles import Json, attack, left, prompt, unit

RED, BLUE = unit("red", 4, 4, attack=2), unit("blue", 5, 4)
COUNTERATTACK = 'blue decides: Does the blue counterattack? ("yes", "no")'
ADVANCE = 'red decides: Does the red advance? ("yes", "no")'


def test_7_a_primary_defender_that_survives_with_the_attacker_in_range_may_counterattack() -> None:
    assert prompt(attack(RED, BLUE), [1, 1]) == COUNTERATTACK
    assert prompt(attack(RED, BLUE), [1, 1], "yes") == "Counterattack roll: roll blue 2 d6"


def test_7_a_dead_one_may_not() -> None:
    assert prompt(attack(unit("red", 4, 4, attack=3), BLUE), [6] * 3) == ADVANCE


def test_7_the_range_is_that_of_the_primary_defender_after_the_push() -> None:
    pushed_away = attack(RED, BLUE)
    assert prompt(pushed_away, [6, 6]) == ADVANCE
    with_range = attack(RED, unit("blue", 5, 4, range=1))
    assert prompt(with_range, [6, 6]) == COUNTERATTACK
    pushed_aside = attack(RED, unit("blue", 5, 4, range=1), direction="south")
    assert prompt(pushed_aside, [6, 6]) == COUNTERATTACK


def test_7_who_shoots_from_further_than_the_defenders_range_is_safe() -> None:
    shot = attack(unit("red", 4, 4, range=2), unit("blue", 6, 4))
    assert prompt(shot, [1]) == "over"
    in_range = attack(unit("red", 4, 4, range=2), unit("blue", 6, 4, range=1))
    assert prompt(in_range, [1]) == COUNTERATTACK


def test_7_before_push_counts_the_tile_it_defended() -> None:
    source = attack(RED, BLUE, counter_range="before_push")
    assert prompt(source, [6, 6]) == COUNTERATTACK


def test_7_a_push_towards_the_attackers_tile_can_bring_it_into_range() -> None:
    source = attack(unit("red", 4, 4, attack=2, range=1), unit("blue", 6, 4), direction="west")
    assert prompt(source, [6, 6]) == COUNTERATTACK
    before = attack(
        unit("red", 4, 4, attack=2, range=1), unit("blue", 6, 4), direction="west", counter_range="before_push"
    )
    assert prompt(before, [6, 6]) == ADVANCE


def test_7_one_die_for_each_point_of_the_highest_defense_among_those_who_defended() -> None:
    source = attack(RED, BLUE, unit("b1", 6, 4, defense=5), unit("b2", 5, 5, defense=9))
    assert prompt(source, "yes", "no", [1, 1], "yes") == "Counterattack roll: roll blue 5 d6"


def test_7_without_defense_there_is_no_die_to_counterattack_with() -> None:
    assert prompt(attack(RED, unit("blue", 5, 4, defense=0, health=9)), [1, 1]) == "over"


CAPITAL = {"blue": [5, 4]}


def test_7_the_capital_adds_2_to_the_dice_up_to_6() -> None:
    assert prompt(attack(RED, BLUE, capitals=CAPITAL), [1, 1], "yes") == "Counterattack roll: roll blue 4 d6"
    strong = attack(RED, unit("blue", 5, 4, defense=5), capitals=CAPITAL)
    assert prompt(strong, [1, 1], "yes") == "Counterattack roll: roll blue 6 d6"


def test_7_a_unit_pushed_out_of_its_capital_has_left_it() -> None:
    source = attack(RED, unit("blue", 5, 4, range=1), capitals=CAPITAL)
    assert prompt(source, [6, 6], "yes") == "Counterattack roll: roll blue 2 d6"


def test_7_a_unit_pushed_or_bumped_into_its_capital_is_in_it() -> None:
    source = attack(RED, unit("blue", 5, 4, range=1), unit("b1", 6, 4), capitals={"blue": [7, 4]})
    assert prompt(source, "yes", [6, 6], "yes") == "Counterattack roll: roll blue 4 d6"


LINE: Json = attack(
    RED,
    unit("blue", 5, 4, range=1),
    unit("b1", 6, 4, defense=4),
    unit("r1", 7, 4),
    bumped_into_enemy="bumped_unit_dies",
)
"""The push kills b1, which had reinforced the defense."""


@pytest.mark.parametrize(("switch", "dice"), [("survivors", 2), ("all_who_defended", 4)])
def test_7_whether_those_who_fell_count(switch: str, dice: int) -> None:
    source = {**LINE, "rules": {**LINE["rules"], "counter_dice_from": switch}}
    assert prompt(source, "yes", [6, 6], "yes") == f"Counterattack roll: roll blue {dice} d6"


def test_7_one_who_fell_is_in_no_capital() -> None:
    rules = {**LINE["rules"], "counter_dice_from": "all_who_defended", "capital_bonus": "to_that_unit"}
    for capitals in ({}, {"blue": [6, 4]}):
        source = {**LINE, "board": {"size": [9, 9], "capitals": capitals}, "rules": rules}
        assert prompt(source, "yes", [6, 6], "yes") == "Counterattack roll: roll blue 4 d6"


def test_8_check_value_a_heros_counterattack_at_speed_2() -> None:
    source = attack(unit("red", 4, 4, attack=0, health=99), unit("blue", 5, 4, defense=3, health=5))
    assert odds(battle(source), fractions=True).value == -3 * Fraction(4, 6)


def test_8_only_dice_above_the_attackers_speed_hurt_it() -> None:
    source = attack(unit("red", 4, 4, speed=4), unit("blue", 5, 4, defense=3))
    assert left(source, [1], "yes", [4, 5, 6])["red"] == (1, [4, 4])


def test_8_a_speed_of_6_or_more_is_safe() -> None:
    source = attack(unit("red", 4, 4, speed=6), unit("blue", 5, 4, defense=6))
    assert left(source, [1], "yes", [6] * 6)["red"] == (3, [4, 4])


def test_8_only_the_primary_attacker_is_hurt_and_it_may_die() -> None:
    source = attack(RED, unit("blue", 5, 4, defense=5), unit("r1", 3, 4))
    units = left(source, "yes", [1] * 3, "yes", [6] * 5)
    assert units == {"red": (0, None), "blue": (3, [5, 4]), "r1": (3, [3, 4])}
