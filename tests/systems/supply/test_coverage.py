"""Every paragraph of the chapter, and the tests that cover it."""

from pathlib import Path

from grognard.systems.supply import SYSTEM

from ..coverage import Covered, check_coverage

CHAPTER = (
    "ammunition: a player decides to attack with a unit",
    "ammunition: paid first",
    "ammunition: too few supplies",
    "range: an enemy within it",
    "range: die and strength",
    "comparing dice: each side collects its own",
    "comparing dice: a die that meets or exceeds removes one",
    "comparing dice: which die removes which",
    "comparing dice: what remains are losses",
    "destroyed: strength is reduced",
    "destroyed: at zero the unit and its supplies are gone",
    "destroyed: the board",
    "counterattack: with supplies, in range, if the defender wants",
    "counterattack: an attack with the roles reversed",
    "call in: a friendly unit of Indirect Fire that has not fired",
    "call in: it pays and fires instead",
    "call in: no counterattack",
)
COVERED: Covered = {
    "ammunition: a player decides to attack with a unit": [
        "test_turn_every_attack_that_is_possible_is_offered_in_the_files_order_and_last_the_end",
        "test_turn_is_over_when_its_side_ends_it",
    ],
    "comparing dice: which die removes which": ["test_comparing_dice"],
    "destroyed: the board": ["test_after_a_call_in_both_have_attacked_and_the_destroyed_are_gone"],
    "before and after": "Beyond the chapter: the file says where units are and what they hold.",
    "ammunition: paid first": ["test_ammunition_is_paid_before_any_die", "test_ammunition_defending_costs_nothing"],
    "ammunition: too few supplies": ["test_at_least_one_way_is_open"],
    "range: an enemy within it": [
        "test_range_is_counted_along_rows_and_columns_or_diagonally",
        "test_the_target_is_in_range_and_the_attack_unused",
        "test_a_unit_cannot_attack_itself_or_a_friend",
    ],
    "range: die and strength": ["test_comparing_dice_each_unit_rolls_its_own_die_for_each_point_of_strength"],
    "comparing dice: each side collects its own": [
        "test_comparing_dice_each_unit_rolls_its_own_die_for_each_point_of_strength",
    ],
    "comparing dice: a die that meets or exceeds removes one": ["test_comparing_dice"],
    "comparing dice: what remains are losses": [
        "test_comparing_dice",
        "test_comparing_dice_the_odds_of_equal_strengths",
    ],
    "destroyed: strength is reduced": [
        "test_destroyed_losses_stop_at_the_strength_and_the_supplies_are_discarded",
        "test_after_an_attack_cards_are_up_to_date_and_marked",
    ],
    "destroyed: at zero the unit and its supplies are gone": [
        "test_destroyed_losses_stop_at_the_strength_and_the_supplies_are_discarded",
        "test_destroyed_supplies_are_captured_by_the_unit_that_fired",
        "test_after_a_call_in_both_have_attacked_and_the_destroyed_are_gone",
    ],
    "counterattack: with supplies, in range, if the defender wants": [
        "test_counterattack_is_the_defenders_option",
        "test_counterattack_needs_supplies_and_range",
        "test_counterattack_needs_a_survivor",
    ],
    "counterattack: an attack with the roles reversed": [
        "test_counterattack_rolls_what_is_left_against_the_attackers_full_strength",
        "test_counterattack_is_not_countered",
    ],
    "call in: a friendly unit of Indirect Fire that has not fired": [
        "test_call_in_is_the_attackers_choice_in_the_files_order",
        "test_call_in_takes_a_friendly_indirect_unit_that_can_fire",
        "test_call_in_never_goes_through_the_caller",
    ],
    "call in: it pays and fires instead": [
        "test_call_in_fires_the_other_units_dice_for_its_supplies_without_a_counterattack",
        "test_call_in_uses_the_callers_attack",
    ],
    "call in: no counterattack": [
        "test_call_in_fires_the_other_units_dice_for_its_supplies_without_a_counterattack",
        "test_call_in_indirect_fire_that_attacks_by_itself_can_be_countered",
    ],
    "turn": [
        "test_turn_every_attack_that_is_possible_is_offered_in_the_files_order_and_last_the_end",
        "test_turn_who_has_attacked_and_who_is_gone_is_not_offered_again",
        "test_turn_losses_and_supplies_stay_for_the_next_attack",
        "test_turn_is_over_when_its_side_ends_it",
        "test_turn_the_engine_agrees_with_plain_recursion",
    ],
}


def test_every_paragraph_is_covered() -> None:
    check_coverage(SYSTEM, CHAPTER, COVERED, Path(__file__).parent)
