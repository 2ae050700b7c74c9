"""Steps 1 and 2: who may reinforce, who is asked, and in which order."""

from random import Random

import pytest

from grognard.core.positions import Pending
from grognard.core.rules import End
from grognard.files import battle
from grognard.systems.tower import SYSTEM
from grognard.systems.tower.setup import State
from tests.soak import cases
from tests.systems.playing import played
from tests.systems.tower.battles import Json, attack, helpers_asked, prompt, random_battle, unit
from tests.systems.walking import final_state

PRIMARY = unit("red", 4, 4), unit("blue", 5, 4)


def state_after(source: Json, *answers: str) -> State:
    due = played(source, *answers).pending
    assert isinstance(due, Pending)
    assert isinstance(due.position.state, State)
    return due.position.state


def test_1_the_attacker_declares_reinforcements_one_by_one_in_the_files_order() -> None:
    source = attack(*PRIMARY, unit("r2", 5, 3), unit("r1", 3, 4))
    assert prompt(source) == 'red decides: Does the r2 reinforce the attack? ("yes", "no")'
    assert prompt(source, "no") == 'red decides: Does the r1 reinforce the attack? ("yes", "no")'


def test_1_a_unit_that_has_attacked_or_reinforced_an_attack_this_turn_may_not() -> None:
    source = attack(*PRIMARY, unit("r1", 3, 4, attacked=True), unit("r2", 4, 3))
    assert helpers_asked(source, "red") == ["r2"]


def test_1_a_unit_that_has_defended_this_turn_may_still_reinforce_an_attack() -> None:
    assert helpers_asked(attack(*PRIMARY, unit("r1", 3, 4, defended=True)), "red") == ["r1"]


@pytest.mark.parametrize(
    ("column", "row", "reach", "may"),
    [
        (3, 4, 0, True),  # adjacent to the attacker
        (6, 4, 0, True),  # adjacent to the defender
        (3, 3, 0, False),  # a diagonal is no neighbour
        (3, 3, 1, True),  # one tile between it and the attacker
        (2, 4, 0, False),
        (2, 4, 1, True),
        (7, 4, 1, True),  # one tile between it and the defender
        (8, 4, 1, False),
        (8, 4, 2, True),
        (7, 6, 2, False),  # three tiles between, on the shortest way
        (7, 6, 3, True),
    ],
)
def test_1_a_reinforcement_is_adjacent_to_or_has_in_its_range_either_primary_unit(
    column: int, row: int, reach: int, may: bool
) -> None:
    source = attack(*PRIMARY, unit("r1", column, row, range=reach))
    assert helpers_asked(source, "red") == (["r1"] if may else [])
    as_defender = attack(*PRIMARY, unit("b1", column, row, range=reach))
    assert helpers_asked(as_defender, "blue") == (["b1"] if may else [])


def test_1_the_range_of_the_primary_units_does_not_help_others() -> None:
    source = attack(unit("red", 4, 4, range=3), unit("blue", 5, 4, range=3), unit("r1", 4, 6))
    assert helpers_asked(source, "red") == []


@pytest.mark.parametrize(("column", "row", "may"), [(3, 3, True), (5, 5, True), (2, 3, False), (6, 5, False)])
def test_1_on_hexes_there_are_six_neighbours(column: int, row: int, may: bool) -> None:
    source = attack(*PRIMARY, unit("r1", column, row), board="hexes")
    assert helpers_asked(source, "red") == (["r1"] if may else [])


def test_1_other_sides_reinforce_nobody() -> None:
    source = attack(*PRIMARY, unit("g1", 4, 3), unit("g2", 5, 3))
    assert helpers_asked(source, "red") == helpers_asked(source, "blue") == []


def test_2_the_defender_declares_after_the_attacker_has() -> None:
    source = attack(*PRIMARY, unit("b1", 6, 4), unit("r1", 3, 4))
    assert prompt(source, "yes") == 'blue decides: Does the b1 reinforce the defense? ("yes", "no")'


def test_2_a_unit_that_has_defended_or_reinforced_a_defense_this_turn_may_not() -> None:
    source = attack(*PRIMARY, unit("b1", 6, 4, defended=True), unit("b2", 5, 3))
    assert helpers_asked(source, "blue") == ["b2"]


def test_2_a_unit_that_has_attacked_this_turn_may_still_reinforce_a_defense() -> None:
    assert helpers_asked(attack(*PRIMARY, unit("b1", 6, 4, attacked=True)), "blue") == ["b1"]


def test_2_a_target_that_has_defended_is_attacked_again_and_others_may_help_it() -> None:
    source = attack(unit("red", 4, 4), unit("blue", 5, 4, defended=True), unit("b1", 6, 4))
    assert helpers_asked(source, "blue") == ["b1"]


def test_2_nobody_is_asked_about_units_that_are_too_far_away() -> None:
    assert prompt(attack(*PRIMARY, unit("r1", 1, 1), unit("b1", 9, 9))) == "Attack roll: roll red 1 d6"


def test_1_and_2_positions_with_other_reinforcements_differ_but_are_one_for_the_odds() -> None:
    source = attack(*PRIMARY, unit("r1", 3, 4), unit("r2", 4, 3))
    fight = battle(source)
    first, second = (state_after(source, *answers) for answers in (["yes", "no"], ["no", "yes"]))
    assert [first.attacked, second.attacked] == [(0, 2), (0, 3)]
    assert first != second
    assert SYSTEM.relevant is not None
    assert SYSTEM.relevant(fight.setup, first) == SYSTEM.relevant(fight.setup, second)


@pytest.mark.parametrize(
    ("answers", "attacked", "defended"),
    [
        (["yes", "no", "no", "yes"], ["red", "r1"], ["blue", "b2"]),
        (["no", "yes", "yes", "no"], ["red", "r2"], ["blue", "b1"]),
    ],
)
def test_1_and_2_in_the_battle_after_those_who_reinforced_are_marked_and_no_others(
    answers: list[str], attacked: list[str], defended: list[str]
) -> None:
    source = attack(*PRIMARY, unit("r1", 3, 4), unit("r2", 4, 3), unit("b1", 6, 4), unit("b2", 5, 3))
    due = played(source, *answers, [1, 1], "no").pending
    assert isinstance(due, End)
    left = SYSTEM.after(battle(source).setup, source, due.state)["units"]
    assert [entry["id"] for entry in left if entry.get("attacked")] == attacked
    assert [entry["id"] for entry in left if entry.get("defended")] == defended


@pytest.mark.soak("equal states leave equal files")
@pytest.mark.parametrize("seed", range(cases(60)))
def test_1_and_2_final_states_that_are_equal_leave_the_same_battle(seed: int) -> None:
    fight = battle(source := random_battle(Random(seed)))
    left: dict[State, Json] = {}
    for walk in range(60):
        state = final_state(fight, Random(walk))
        after = SYSTEM.after(fight.setup, source, state)
        assert left.setdefault(state, after) == after
