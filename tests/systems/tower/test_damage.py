"""Steps 3 to 5: dice, hits, and where damage goes."""

from fractions import Fraction
from typing import Any

import pytest

from grognard import odds
from grognard.files import battle
from grognard.systems.tower import SYSTEM
from grognard.systems.tower.rules import with_capital_bonus
from tests.systems.tower.battles import Json, attack, left, prompt, unit

HERO: Json = {"attack": 3, "defense": 3, "health": 5}


def lost(source: Json, name: str, attacker: str = "eager", defender: str = "cautious") -> Any:
    """The mean Health that a unit loses."""
    before = {entry["id"]: entry["health"] for entry in source["units"]}
    actual = odds(battle(source), attacker, defender, fractions=True)
    return actual.mean(lambda result: before[name] - result.to_dict()["units"][name]["health"])


def test_3_one_die_for_each_attack_point_of_the_attacker_and_its_reinforcements() -> None:
    source = attack(unit("red", 4, 4, attack=3), unit("blue", 5, 4), unit("r1", 3, 4, attack=2), unit("r2", 4, 3))
    assert prompt(source, "yes", "yes") == "Attack roll: roll red 6 d6"
    assert prompt(source, "yes", "no") == "Attack roll: roll red 5 d6"
    assert prompt(source, "no", "no") == "Attack roll: roll red 3 d6"


def test_3_without_attack_points_no_die_is_rolled() -> None:
    source = attack(unit("red", 4, 4, attack=0), unit("blue", 5, 4))
    assert prompt(source) == 'blue decides: Does the blue counterattack? ("yes", "no")'


def test_4_check_value_hero_on_regular_three_dice_at_2_or_more() -> None:
    source = attack(unit("red", 4, 4, **HERO), unit("blue", 5, 4, health=99))
    assert lost(source, "blue") == Fraction(5, 2)


def test_4_check_value_regular_on_hero_one_die_at_3_or_more() -> None:
    source = attack(unit("red", 4, 4), unit("blue", 5, 4, **HERO))
    assert lost(source, "blue") == Fraction(4, 6)


def test_4_a_die_hits_that_meets_or_exceeds_the_highest_defense_among_those_who_defend() -> None:
    source = attack(unit("red", 4, 4, attack=3), unit("blue", 5, 4, defense=3), unit("b1", 6, 4, defense=5))
    assert left(source, "no", [2, 3, 4])["blue"] == (1, [6, 4])
    assert left(source, "yes", [4, 5, 4])["blue"] == (2, [5, 4])


def test_4_the_defense_of_a_lower_reinforcement_does_not_count() -> None:
    source = attack(unit("red", 4, 4), unit("blue", 5, 4, defense=4), unit("b1", 6, 4, defense=1))
    assert left(source, "yes", [3])["blue"] == (3, [5, 4])


@pytest.mark.parametrize(("defense", "faces"), [(0, 6), (1, 6), (2, 5), (6, 1), (7, 0), (9, 0)])
def test_4_a_number_above_6_cannot_be_hit_and_one_below_2_cannot_be_missed(defense: int, faces: int) -> None:
    source = attack(unit("red", 4, 4), unit("blue", 5, 4, defense=defense))
    assert lost(source, "blue") == Fraction(faces, 6)


def test_4_the_capital_adds_2_up_to_6_and_never_lowers() -> None:
    assert {number: with_capital_bonus(number) for number in (0, 3, 4, 5, 6, 7)} == {0: 2, 3: 5, 4: 6, 5: 6, 6: 6, 7: 7}


@pytest.mark.parametrize("column", [5, 6])
def test_4_a_primary_defender_or_a_reinforcement_in_its_home_capital_adds_2(column: int) -> None:
    source = attack(unit("red", 4, 4), unit("blue", 5, 4), unit("b1", 6, 4), capitals={"blue": [column, 4]})
    assert lost(source, "blue", defender="eager") == Fraction(3, 6)


def test_4_a_friend_in_the_capital_that_does_not_take_part_adds_nothing() -> None:
    source = attack(unit("red", 4, 4), unit("blue", 5, 4), unit("b1", 6, 4), capitals={"blue": [6, 4]})
    assert lost(source, "blue", defender="cautious") == Fraction(5, 6)


def test_4_somebody_elses_capital_adds_nothing() -> None:
    source = attack(unit("red", 4, 4), unit("blue", 5, 4), capitals={"red": [5, 4], "green": [5, 4]})
    assert lost(source, "blue") == Fraction(5, 6)


def test_5_damage_goes_to_the_primary_defender_first() -> None:
    source = attack(unit("red", 4, 4, attack=2), unit("blue", 5, 4), unit("b1", 6, 4, health=9))
    assert left(source, "yes", [6, 6])["b1"][0] == 9


def test_5_the_defender_spreads_the_rest_among_reinforcements_point_by_point() -> None:
    source = attack(
        unit("red", 4, 4, attack=6), unit("blue", 5, 4), unit("b1", 6, 4), unit("b2", 5, 3), unit("b3", 5, 5)
    )
    begun = ("yes", "yes", "no", [6] * 6)
    assert prompt(source, *begun) == 'blue decides: Which reinforcement takes a point of damage? ("b1", "b2")'
    units = left(source, *begun, "b1", "b2", "b1", "no")
    assert [units[name][0] for name in ("blue", "b1", "b2", "b3")] == [0, 1, 2, 3]


def test_5_no_unit_takes_more_than_its_health_and_the_dead_are_removed_from_the_board() -> None:
    source = attack(
        unit("red", 4, 4, attack=6), unit("blue", 5, 4), unit("b1", 6, 4, health=1), unit("b2", 5, 3, health=4)
    )
    units = left(source, "yes", "yes", [6] * 6, "b1", "no")  # b2 alone can take the last two
    assert units == {"red": (3, [4, 4]), "blue": (0, None), "b1": (0, None), "b2": (2, [5, 3])}


def test_5_what_nobody_can_take_is_lost() -> None:
    source = attack(unit("red", 4, 4, attack=9), unit("blue", 5, 4), unit("b1", 6, 4, health=2), unit("b2", 5, 3))
    units = left(source, "yes", "no", [6] * 9)
    assert units == {"red": (3, [4, 4]), "blue": (0, None), "b1": (0, None), "b2": (3, [5, 3])}


def test_5_health_that_was_lost_before_is_not_there_to_take_damage() -> None:
    source = attack(unit("red", 4, 4, attack=2), unit("blue", 5, 4, health=1, full_health=9), unit("b1", 6, 4))
    assert left(source, "yes", [6, 6])["b1"][0] == 2


def test_2_the_best_defender_commits_whom_it_needs() -> None:
    both = attack(unit("red", 4, 4, attack=4), unit("blue", 5, 4), unit("b1", 6, 4, defense=6))
    actual = odds(battle(both), objective="kill", fractions=True)
    assert actual.value == Fraction(4 * 5 + 1, 6**4)  # b1 helps: three or four sixes


def test_the_starting_units_are_the_roster() -> None:
    assert SYSTEM.roster() == {
        "Hero": {"attack": 3, "defense": 3, "health": 5, "speed": 2, "range": 0},
        "Regular": {"attack": 1, "defense": 2, "health": 3, "speed": 2, "range": 0},
    }
    assert [source.what for source in SYSTEM.sources()] == ["Hero", "Regular"]
