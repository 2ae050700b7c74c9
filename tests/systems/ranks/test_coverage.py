"""Every paragraph of the chapter, and the tests that cover it."""

from pathlib import Path

from grognard.systems.ranks import SYSTEM

from ..coverage import Covered, check_coverage

CHAPTER = (
    "1.1.00: every unit takes part",
    "1.1.00: a die a unit",
    "1.1.00: ranks are paired",
    "1.1.00 example",
    "1.1.00: until everybody has had their turn",
    "1.1.01",
    "1.1.01 example",
    "1.1.02: an ally may come",
    "1.1.02: reinforcements fall first",
    "1.1.02 example",
    "1.1.03: the Attacker takes the Location",
    "1.1.03: else the first reinforcement",
    "1.1.03 example",
    "1.1.03 example: attackers return",
    "1.1.03: launch Locations",
)
COVERED: Covered = {
    "1.1.00: whose units fall": ["test_1_1_00_every_unit_rolls_the_die"],
    "1.1.02: allies": ["test_1_1_02_an_optional_army_is_its_players_decision"],
    "1.1.03: launch Locations": ["test_1_1_03_attackers_return_in_order_of_arrival"],
    "1.1.00: every unit takes part": [
        "test_1_1_00_every_unit_rolls_the_die",
        "test_1_1_01_all_attackers_roll_and_the_attacker_falls_last",
    ],
    "1.1.00: a die a unit": ["test_1_1_00_every_unit_rolls_the_die"],
    "1.1.00: ranks are paired": ["test_1_1_00_the_odds_of_one_exchange", "test_1_1_00_ties"],
    "1.1.00: until everybody has had their turn": [
        "test_1_1_00_to_the_death_the_survivors_roll_again",
        "test_1_1_00_to_the_death_a_roll_in_which_nobody_falls_is_rolled_again",
        "test_1_1_01_no_exchange_without_a_defending_unit",
        "test_beside_each_step_stands_the_paragraph_it_comes_from",
    ],
    "1.1.00 example": ["test_a_worked_example_ends_as_its_rows_say"],
    "1.1.01": [
        "test_1_1_01_earlier_attackers_sit_the_exchange_out",
        "test_1_1_01_all_attackers_roll_and_the_attacker_falls_last",
        "test_1_1_01_the_attacker_is_the_first_that_was_not_held_back",
        "test_1_1_01_no_exchange_without_a_defending_unit",
    ],
    "1.1.01 example": ["test_a_worked_example_ends_as_its_rows_say"],
    "1.1.02: an ally may come": [
        "test_1_1_02_a_defending_ally_joins_without_dice",
        "test_1_1_02_an_optional_army_is_its_players_decision",
        "test_1_1_02_any_arrival_makes_the_last_attacker_with_units_roll_again",
        "test_1_1_02_an_army_held_back_keeps_its_units_and_never_returns",
    ],
    "1.1.02: reinforcements fall first": [
        "test_1_1_02_reinforcements_fall_before_the_defender",
        "test_1_1_02_then_the_defender_falls",
        "test_1_1_02_the_owner_chooses_one_loss_at_a_time",
    ],
    "1.1.02 example": ["test_a_worked_example_ends_as_its_rows_say"],
    "1.1.03: the Attacker takes the Location": [
        "test_1_1_03_the_attacker_with_units_takes_the_location",
        "test_1_1_03_a_defending_reinforcement_holds_it_for_a_defender_without_units",
    ],
    "1.1.03: else the first reinforcement": [
        "test_1_1_03_else_the_first_reinforcement_with_units_takes_it",
        "test_1_1_03_nobody_left",
    ],
    "1.1.03 example: attackers return": ["test_1_1_03_attackers_return_in_order_of_arrival"],
    "1.1.03 example": ["test_a_worked_example_ends_as_its_rows_say"],
}


def test_every_paragraph_is_covered() -> None:
    check_coverage(SYSTEM, CHAPTER, COVERED, Path(__file__).parent)
