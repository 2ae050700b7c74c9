"""Every paragraph of the chapter, and the tests that cover it."""

from pathlib import Path

from grognard.systems.supply import SYSTEM

from ..coverage import check_coverage

COVERED = {
    "ammunition": [
        "test_ammunition_is_paid_before_any_die",
        "test_ammunition_defending_costs_nothing",
        "test_at_least_one_way_is_open",
    ],
    "range": [
        "test_range_is_counted_along_rows_and_columns_or_diagonally",
        "test_the_target_is_in_range_and_the_attack_unused",
    ],
    "comparing dice": [
        "test_comparing_dice",
        "test_comparing_dice_the_odds_of_equal_strengths",
        "test_comparing_dice_each_unit_rolls_its_own_die_for_each_point_of_strength",
    ],
    "destroyed": [
        "test_destroyed_losses_stop_at_the_strength_and_the_supplies_are_discarded",
        "test_destroyed_supplies_are_captured_by_the_unit_that_fired",
        "test_after_a_call_in_both_have_attacked_and_the_destroyed_are_gone",
    ],
    "counterattack": [
        "test_counterattack_is_the_defenders_option",
        "test_counterattack_rolls_what_is_left_against_the_attackers_full_strength",
        "test_counterattack_needs_supplies_and_range",
        "test_counterattack_is_not_countered",
    ],
    "call in": [
        "test_call_in_is_the_attackers_choice_in_the_files_order",
        "test_call_in_fires_the_other_units_dice_for_its_supplies_without_a_counterattack",
        "test_call_in_takes_a_friendly_indirect_unit_that_can_fire",
        "test_call_in_uses_the_callers_attack",
    ],
}


def test_every_paragraph_is_covered() -> None:
    check_coverage(SYSTEM, COVERED, Path(__file__).parent)
