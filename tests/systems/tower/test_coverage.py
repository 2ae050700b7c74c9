"""Every step of the chapter, and the tests that cover its sentences."""

from pathlib import Path

from grognard.systems.tower import SYSTEM
from tests.systems.coverage import Covered, check_coverage

CHAPTER = (
    "1: who attacks whom",
    "1: movement",
    "1: reinforcements are declared",
    "1: those who have not attacked",
    "1: those who are near",
    "2: the defender declares",
    "2: those who have not defended",
    "2: those who are near",
    "3",
    "4: the highest defense",
    "4: the home capital",
    "4: the capital's 2",
    "5: the primary defender first",
    "5: then as the defender wishes",
    "5: no more than its health",
    "6: half its health",
    "6: off its tile in the direction of the attack",
    "6: a friend in the way",
    "6: bumping",
    "6: an enemy in the way",
    "7: a survivor with the attacker in range may",
    "7: dice of the highest defense",
    "7: the home capital",
    "8",
    "9",
)
COVERED: Covered = {
    "1: movement": [
        "test_6_the_push_is_in_the_direction_of_the_attackers_movement",
        "test_6_of_a_shot_the_longer_axis_is_the_direction",
    ],
    "4: the capital's 2": [
        "test_4_the_capital_adds_2_up_to_6_and_never_lowers",
        "test_7_the_capital_adds_2_to_the_dice_up_to_6",
    ],
    "6: bumping": ["test_6_a_friend_in_the_way_is_bumped_and_so_on_down_the_line"],
    "1: who attacks whom": [
        "test_1_an_attacker_that_has_attacked_or_reinforced_an_attack_this_turn",
        "test_1_a_target_out_of_range",
        "test_1_a_target_in_range_is_none",
    ],
    "1: reinforcements are declared": [
        "test_1_the_attacker_declares_reinforcements_one_by_one_in_the_files_order",
        "test_1_other_sides_reinforce_nobody",
        "test_1_and_2_in_the_battle_after_those_who_reinforced_are_marked_and_no_others",
    ],
    "1: those who have not attacked": [
        "test_1_a_unit_that_has_attacked_or_reinforced_an_attack_this_turn_may_not",
        "test_1_a_unit_that_has_defended_this_turn_may_still_reinforce_an_attack",
    ],
    "1: those who are near": [
        "test_1_a_reinforcement_is_adjacent_to_or_has_in_its_range_either_primary_unit",
        "test_1_the_range_of_the_primary_units_does_not_help_others",
        "test_1_on_hexes_there_are_six_neighbours",
    ],
    "2: the defender declares": [
        "test_2_the_best_defender_commits_whom_it_needs",
        "test_2_the_defender_declares_after_the_attacker_has",
    ],
    "2: those who have not defended": [
        "test_2_a_unit_that_has_defended_or_reinforced_a_defense_this_turn_may_not",
        "test_2_a_unit_that_has_attacked_this_turn_may_still_reinforce_a_defense",
        "test_2_a_target_that_has_defended_is_attacked_again_and_others_may_help_it",
    ],
    "2: those who are near": [
        "test_2_nobody_is_asked_about_units_that_are_too_far_away",
    ],
    "3": [
        "test_3_one_die_for_each_attack_point_of_the_attacker_and_its_reinforcements",
        "test_3_without_attack_points_no_die_is_rolled",
    ],
    "4: the highest defense": [
        "test_4_check_value_hero_on_regular_three_dice_at_2_or_more",
        "test_4_check_value_regular_on_hero_one_die_at_3_or_more",
        "test_4_a_die_hits_that_meets_or_exceeds_the_highest_defense_among_those_who_defend",
        "test_4_the_defense_of_a_lower_reinforcement_does_not_count",
        "test_4_a_number_above_6_cannot_be_hit_and_one_below_2_cannot_be_missed",
    ],
    "4: the home capital": [
        "test_4_the_capital_adds_2_up_to_6_and_never_lowers",
        "test_4_a_primary_defender_or_a_reinforcement_in_its_home_capital_adds_2",
        "test_4_a_friend_in_the_capital_that_does_not_take_part_adds_nothing",
        "test_4_somebody_elses_capital_adds_nothing",
    ],
    "5: the primary defender first": [
        "test_5_damage_goes_to_the_primary_defender_first",
    ],
    "5: then as the defender wishes": [
        "test_5_the_defender_spreads_the_rest_among_reinforcements_point_by_point",
        "test_5_what_nobody_can_take_is_lost",
    ],
    "5: no more than its health": [
        "test_5_no_unit_takes_more_than_its_health_and_the_dead_are_removed_from_the_board",
        "test_5_health_that_was_lost_before_is_not_there_to_take_damage",
    ],
    "6: half its health": [
        "test_6_at_half_its_health_or_below_the_primary_defender_moves_one_tile_on",
        "test_6_only_damage_that_leaves_half_of_the_full_health_or_less_pushes",
        "test_6_reinforcements_are_not_pushed",
        "test_6_half_of_the_health_before_this_attack",
        "test_6_a_dead_defender_is_not_pushed_and_bumps_nobody",
    ],
    "6: off its tile in the direction of the attack": [
        "test_6_a_direction_that_must_be_given",
        "test_6_a_direction_that_the_board_has_not",
        "test_6_the_push_is_in_the_direction_of_the_attackers_movement",
        "test_6_of_a_shot_the_longer_axis_is_the_direction",
        "test_6_on_hexes_there_are_six_directions",
        "test_6_over_the_edge_is_death",
        "test_6_with_stays_nobody_moves_at_the_edge_and_the_tile_is_not_free",
        "test_6_with_wraps_the_opposite_edge_is_next",
        "test_6_with_wraps_an_enemy_at_the_opposite_edge_is_in_the_way",
        "test_6_with_wraps_a_line_that_comes_round_to_its_start_does_not_move",
        "test_6_without_ranged_push_only_an_adjacent_attacker_pushes",
    ],
    "6: a friend in the way": [
        "test_6_a_friend_in_the_way_is_bumped_and_so_on_down_the_line",
        "test_6_a_gap_ends_the_line",
        "test_6_a_bumped_friend_with_an_enemy_in_its_way",
        "test_6_a_friend_that_cannot_give_way_at_the_edge_stays_and_the_primary_defender_dies",
    ],
    "6: an enemy in the way": [
        "test_6_an_enemy_in_the_way_kills_the_primary_defender",
        "test_6_a_bumped_friend_with_an_enemy_in_its_way",
        "test_6_with_bumped_unit_dies_an_enemy_right_ahead_still_kills_the_primary_defender",
        "test_6_with_wraps_an_enemy_at_the_opposite_edge_is_in_the_way",
    ],
    "7: a survivor with the attacker in range may": [
        "test_7_a_primary_defender_that_survives_with_the_attacker_in_range_may_counterattack",
        "test_7_a_dead_one_may_not",
        "test_7_the_range_is_that_of_the_primary_defender_after_the_push",
        "test_7_who_shoots_from_further_than_the_defenders_range_is_safe",
        "test_7_before_push_counts_the_tile_it_defended",
        "test_7_a_push_towards_the_attackers_tile_can_bring_it_into_range",
    ],
    "7: dice of the highest defense": [
        "test_7_one_die_for_each_point_of_the_highest_defense_among_those_who_defended",
        "test_7_without_defense_there_is_no_die_to_counterattack_with",
        "test_7_whether_those_who_fell_count",
    ],
    "7: the home capital": [
        "test_7_the_capital_adds_2_to_the_dice_up_to_6",
        "test_7_a_unit_pushed_out_of_its_capital_has_left_it",
        "test_7_a_unit_pushed_or_bumped_into_its_capital_is_in_it",
        "test_7_one_who_fell_is_in_no_capital",
    ],
    "8": [
        "test_8_check_value_a_heros_counterattack_at_speed_2",
        "test_8_only_dice_above_the_attackers_speed_hurt_it",
        "test_8_a_speed_of_6_or_more_is_safe",
        "test_8_only_the_primary_attacker_is_hurt_and_it_may_die",
    ],
    "9": [
        "test_9_the_attacker_may_move_onto_the_tile_of_a_defender_that_was_pushed_off",
        "test_9_or_of_one_that_died",
        "test_9_but_not_where_the_defender_stands",
        "test_9_nor_if_it_died_in_the_counterattack",
        "test_9_from_afar_unless_the_table_says_otherwise",
    ],
    "turn": [
        "test_turn_every_attack_that_is_possible_is_offered_in_the_files_order_and_last_the_end",
        "test_turn_who_attacked_or_reinforced_an_attack_does_not_attack_again",
        "test_turn_a_direction_that_is_not_plain_is_chosen_after_declaring_the_one_along_the_row_first",
        "test_turn_a_unit_that_reinforced_a_defense_may_not_again",
        "test_turn_the_engine_agrees_with_plain_recursion",
    ],
}


def test_every_paragraph_is_covered() -> None:
    check_coverage(SYSTEM, CHAPTER, COVERED, Path(__file__).parent)
