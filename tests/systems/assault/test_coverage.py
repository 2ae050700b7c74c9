"""Every paragraph of the chapter, and the tests that cover it."""

from pathlib import Path

from grognard.systems.assault import SYSTEM

from ..coverage import Covered, check_coverage

CHAPTER = (
    "attack 1.0: unit and target",
    "attack 1.0: range",
    "attack 1.0: line of sight",
    "attack 2.0: command point",
    "attack 2.0: cards for the activation",
    "attack 3.0: fire status",
    "attack 3.0: turret fire",
    "attack 3.0: moving",
    "attack 4.0: spotting roll",
    "attack 4.0: special abilities",
    "attack 5.0: arc of fire",
    "attack 5.0: dice for the range",
    "attack 6.0",
    "attack 7.0",
    "attack 8.0: a die less",
    "attack 8.0: special abilities",
    "attack 8.0: command cards",
    "attack 9.0: the attack dice",
    "attack 9.0: half strength",
    "attack 10.0",
    "defence 1.0: inherent dice",
    "defence 1.0: area of impact",
    "defence 2.0",
    "defence 3.0",
    "defence 4.0: digging in",
    "defence 4.0: dug in",
    "defence 4.0: fast action",
    "defence 4.0: suppressed",
    "defence 5.0",
    "defence 6.0: fire status",
    "defence 6.0: failed spotting roll",
    "defence 7.0",
    "defence 8.0: the defence dice",
    "defence 8.0: special abilities",
    "defence 9.0",
    "defence 9.0: figures",
    "defence 9.0: falling back",
    "10.7.2",
    "10.7.5: a green die and a blue one for each critical",
    "10.7.5: the example of two criticals",
    "10.7.5: the strongest symbol counts",
    "10.7.5: critical",
    "10.7.5: damage",
    "10.7.5: suppression",
    "10.7.6: a green die and a blue one for each critical",
    "10.7.6: the strongest symbol counts",
    "10.7.6: critical",
    "10.7.6: damage",
    "10.7.6: suppression",
    "turn",
)
COVERED: Covered = {
    "attack 1.0: unit and target": [
        "test_attack_1_0_a_unit_fires_on_an_enemy",
    ],
    "attack 1.0: range": [
        "test_attack_1_0_range_and_line_of_sight_are_told",
        "test_attack_1_0_range_and_terrain_are_read_off_the_board",
        "test_attack_1_0_what_the_file_says_goes_before_the_board",
        "test_attack_1_0_the_range_is_known_and_reached",
        "test_attack_1_0_close_combat_is_not_covered",
    ],
    "attack 1.0: line of sight": [
        "test_attack_1_0_range_and_line_of_sight_are_told",
        "test_attack_1_0_a_blocked_line_of_sight_is_no_attack",
        "test_attack_1_0_indirect_fire_needs_no_line_of_sight",
    ],
    "attack 2.0: command point": [
        "test_attack_2_0_an_activation_costs_a_command_point",
        "test_attack_2_0_a_unit_is_activated_once_and_for_a_command_point",
    ],
    "attack 1.0: close combat": ["test_attack_1_0_close_combat_is_not_covered"],
    "attack 2.0: cards for the activation": [
        "test_a_card_is_asked_for_at_the_moment_its_effect_requires",
    ],
    "attack 3.0: moving": "Decided at the table: the file says how things stand when the unit fires.",
    "attack 8.0: attack die −1": ["test_attack_8_0_attack_die_minus_loses_the_weakest_to_none_if_need_be"],
    "attack 5.0: who joins": ["test_attack_5_0_a_friend_that_joins_adds_its_strongest_die"],
    "defence 9.0: figures": "Decided at the table: units lose strength points, and figures stand for them.",
    "defence 9.0: falling back": [
        "test_defence_9_0_the_way_back_bends_round_what_is_in_it",
    ],
    "attack 3.0: fire status": [
        "test_attack_3_0_the_attacker_is_marked_with_its_fire_status",
        "test_attack_3_0_the_fire_status_is_one_the_attacker_can_have",
    ],
    "attack 3.0: turret fire": [
        "test_attack_5_0_a_turret_fires_out_of_the_arc",
    ],
    "attack 4.0: spotting roll": [
        "test_attack_4_0_a_target_that_gave_itself_away_is_spotted_even_if_hidden",
        "test_attack_4_0_an_adjacent_target_is_spotted_unless_hidden_or_in_ambush",
        "test_attack_4_0_who_hides_must_be_spotted_even_in_the_open",
        "test_attack_4_0_a_target_out_of_arc_must_be_spotted_even_in_the_open",
        "test_attack_4_0_a_hex_without_a_die_or_open_ground_hides_nobody",
        "test_attack_4_0_the_number_needed_grows_with_range_hindrance_and_hiding",
        "test_attack_4_0_hide_action_and_hidden_are_added_up",
        "test_attack_4_0_the_file_may_settle_whether_the_target_was_spotted",
        "test_attack_4_0_a_spotting_roll_needs_range_bands",
    ],
    "attack 4.0: special abilities": [
        "test_attack_4_0_special_abilities_of_both_units_bear_on_spotting",
    ],
    "attack 5.0: arc of fire": [
        "test_attack_5_0_a_turret_fires_out_of_the_arc",
        "test_attack_5_0_who_does_not_say_how_it_faces_faces_the_enemy",
    ],
    "attack 5.0: dice for the range": [
        "test_attack_5_0_the_cards_dice_for_the_range_and_the_kind_of_target",
        "test_attack_5_0_the_attacker_has_dice_for_the_target",
        "test_attack_5_0_a_friend_that_joins_adds_its_strongest_die",
        "test_attack_5_0_a_friend_with_a_die_less_or_hindered_sight_adds_a_weaker_die",
        "test_attack_5_0_an_adjacent_friend_has_its_own_range_and_line_of_sight",
        "test_attack_5_0_who_joins_the_fire_is_a_friend_that_could_fire",
        "test_attack_5_0_nobody_joins_indirect_fire_or_his_own",
        "test_dice_gathered_by_hand_neither_gain_nor_lose_any",
        "test_dice_may_be_gathered_by_hand_on_one_side_only",
    ],
    "attack 6.0": [
        "test_attack_6_0_a_veteran_or_elite_attacker_has_a_blue_die_more",
    ],
    "attack 7.0": [
        "test_attack_7_0_a_recruit_defender_gets_a_suppression",
    ],
    "attack 8.0: a die less": [
        "test_attack_8_0_attack_die_minus_loses_the_weakest_to_none_if_need_be",
        "test_attack_8_0_a_lost_die_is_told",
        "test_attack_8_0_with_nothing_to_roll_nothing_happens",
        "test_weakest_die_lost_last_waits_for_dice_that_come_after_it",
    ],
    "attack 8.0: special abilities": [
        "test_attack_8_0_fire_from_ambush_adds_a_suppression",
        "test_attack_8_0_special_abilities_of_the_attacker_change_dice",
        "test_abilities_act_unasked_the_attackers_first_before_cards",
    ],
    "attack 8.0: command cards": [
        "test_attack_8_0_the_attacker_is_asked_first_then_the_defender_card_by_card",
        "test_attack_8_0_one_card_at_most_each",
        "test_attack_8_0_a_third_sides_cards_stay_where_they_are",
        "test_attack_8_0_a_die_more",
        "test_attack_8_0_a_suppression_more_or_one_less",
        "test_attack_8_0_the_defender_may_take_an_attack_die",
        "test_a_card_is_asked_for_at_the_moment_its_effect_requires",
        "test_a_card_that_takes_a_die_is_offered_only_if_there_is_one",
        "test_a_card_that_adds_a_die_which_is_lost_again_is_not_offered",
        "test_a_card_with_several_effects_is_played_at_the_earliest_and_later_ones_wait",
        "test_a_card_that_could_only_change_dice_gathered_by_hand_is_not_offered",
        "test_attack_8_0_cards_are_asked_between_the_two_rolls_of_indirect_fire_on_a_vehicle",
    ],
    "attack 9.0: the attack dice": [
        "test_attack_9_0_indirect_fire_on_a_vehicle_sets_aside_blanks_and_suppressions",
        "test_attack_9_0_indirect_fire_on_infantry_is_not_sorted",
        "test_attack_9_0_dice_gathered_by_hand_are_not_sorted",
        "test_attack_9_0_the_attack_dice_are_rolled_before_the_defence_begins",
    ],
    "attack 9.0: half strength": [
        "test_attack_9_0_at_half_strength_a_double_success_counts_its_stronger_symbol",
        "test_attack_9_0_half_strength_takes_nothing_from_defence",
    ],
    "attack 10.0": [
        "test_attack_10_0_indirect_fire_that_shows_a_critical_strikes_from_above",
        "test_attack_10_0_the_symbols_rolled_before_the_defence_are_compared_with_it",
        "test_attack_10_0_without_a_symbol_no_defence_card_is_asked_and_no_die_rolled",
        "test_attack_10_0_blank_attack_dice_are_rolled_once_more",
        "test_attack_10_0_above_or_flank_is_read_after_the_rerolls",
        "test_a_reroll_is_offered_only_if_a_die_shows_such_a_face",
    ],
    "defence 1.0: inherent dice": [
        "test_defence_1_0_the_cards_dice_where_the_shot_strikes",
    ],
    "defence 1.0: area of impact": [
        "test_defence_1_0_the_area_is_told",
        "test_defence_1_0_the_area_of_impact_is_where_the_line_of_sight_enters_and_the_weaker_on_a_boundary",
    ],
    "defence 2.0": [
        "test_defence_2_0_terrain_dice_for_the_kind_of_unit",
        "test_defence_2_0_fortifications_depend_on_the_area_of_impact",
        "test_defence_2_0_indirect_fire_strikes_fortifications_from_above",
        "test_defence_2_0_fire_from_ambush_takes_the_weakest_terrain_die",
        "test_defence_2_0_a_bunker_protects_as_its_unit_faces",
        "test_defence_2_0_on_a_boundary_the_area_with_fewer_symbols_expected_counts_card_and_terrain_by_themselves",
    ],
    "defence 3.0": [
        "test_defence_3_0_a_green_die_for_each_hindering_hex",
        "test_defence_3_0_a_hindered_line_of_sight_is_nothing_to_indirect_fire",
        "test_defence_3_0_hindering_hexes_and_smoke_between_are_counted",
        "test_defence_3_0_elevation_lets_units_see_over_what_hinders",
    ],
    "defence 4.0: digging in": [
        "test_defence_4_0_the_status_of_infantry",
        "test_defence_4_0_the_status_of_artillery_counts_as_that_of_infantry",
        "test_defence_4_0_the_status_of_vehicles",
    ],
    "defence 4.0: dug in": [
        "test_defence_4_0_the_status_of_infantry",
        "test_defence_4_0_the_status_of_artillery_counts_as_that_of_infantry",
        "test_defence_4_0_the_status_of_vehicles",
    ],
    "defence 4.0: fast action": [
        "test_defence_4_0_the_status_of_infantry",
        "test_defence_4_0_the_status_of_artillery_counts_as_that_of_infantry",
        "test_defence_4_0_the_status_of_vehicles",
        "test_defence_4_0_a_fast_vehicle_loses_no_die",
    ],
    "defence 4.0: suppressed": [
        "test_defence_4_0_the_status_of_infantry",
        "test_defence_4_0_the_status_of_artillery_counts_as_that_of_infantry",
        "test_defence_4_0_the_status_of_vehicles",
        "test_defence_4_0_losses_and_gains_are_told",
        "test_weakest_die_lost_last_waits_for_dice_that_come_after_it",
    ],
    "defence 5.0": [
        "test_defence_5_0_a_seasoned_defender_has_a_blue_die_more",
    ],
    "defence 6.0: fire status": [
        "test_defence_6_0_the_attackers_fire_status",
        "test_defence_6_0_a_vehicle_under_indirect_fire_has_a_green_die_more",
    ],
    "defence 6.0: failed spotting roll": [
        "test_defence_6_0_a_failed_spotting_roll_helps_the_defender",
    ],
    "defence 7.0": [
        "test_defence_7_0_the_attacker_may_take_a_defence_die_with_the_attack_roll_in_view",
        "test_a_card_on_defence_dice_gathered_by_hand_is_not_offered",
        "test_take_cover_or_lucky_escape",
        "test_a_card_may_be_written_out",
    ],
    "defence 8.0: the defence dice": [
        "test_defence_8_0_the_defence_rolls_strong_to_weak_against_the_symbols_on_the_table",
        "test_defence_8_0_blank_defence_dice_are_rolled_once_more",
    ],
    "defence 8.0: special abilities": [
        "test_defence_8_0_special_abilities_of_the_defender_change_dice",
        "test_defence_8_0_an_ability_of_the_attacker_on_the_defence_waits_for_it",
        "test_abilities_roll_dice_again_and_cancel_symbols_unasked",
        "test_defence_8_0_a_symbol_is_cancelled_the_strongest_left",
        "test_a_symbol_is_cancelled_only_if_one_is_left_after_comparison",
        "test_defence_8_0_a_cancelled_symbol_stays_cancelled_when_dice_are_rolled_again",
    ],
    "defence 9.0": [
        "test_defence_9_0",
        "test_defence_9_0_what_is_told",
        "test_defence_9_0_falling_back_is_base_move_and_one_more_hex_away_from_the_enemy",
        "test_defence_9_0_the_way_back_bends_round_what_is_in_it",
        "test_defence_9_0_who_cannot_fall_back_far_enough_stops_and_takes_a_damage",
        "test_defence_9_0_that_damage_may_eliminate_it",
        "test_defence_9_0_the_move_is_told",
        "test_defence_9_0_the_way_back_is_a_longest_one_and_as_straight_as_can_be",
        "test_fallback_way_owner_chooses_hex_by_hex_among_those_that_allow_the_longest_way",
    ],
    "10.7.5: a green die and a blue one for each critical": [
        "test_10_7_5_a_green_die_for_the_attacker_and_a_blue_one_for_the_defender_for_each_critical",
    ],
    "10.7.5: the example of two criticals": [
        "test_10_7_5_a_green_die_for_the_attacker_and_a_blue_one_for_the_defender_for_each_critical",
    ],
    "10.7.5: the strongest symbol counts": [
        "test_10_7_5_critical_hits_on_infantry_and_artillery",
        "test_the_odds_of_a_critical_roll",
    ],
    "10.7.5: critical": [
        "test_10_7_5_critical_hits_on_infantry_and_artillery",
    ],
    "10.7.5: damage": [
        "test_10_7_5_critical_hits_on_infantry_and_artillery",
    ],
    "10.7.5: suppression": [
        "test_10_7_5_critical_hits_on_infantry_and_artillery",
    ],
    "10.7.6: a green die and a blue one for each critical": [
        "test_the_odds_of_a_critical_roll",
    ],
    "10.7.6: the strongest symbol counts": [
        "test_10_7_6_critical_hits_on_vehicles",
        "test_the_odds_of_a_critical_roll",
    ],
    "10.7.6: critical": [
        "test_10_7_6_critical_hits_on_vehicles",
    ],
    "10.7.6: damage": [
        "test_10_7_6_critical_hits_on_vehicles",
    ],
    "10.7.6: suppression": [
        "test_10_7_6_critical_hits_on_vehicles",
        "test_critical_x_on_immobilised",
    ],
    "10.7.2": [
        "test_10_7_2_each_symbol_cancels_one_as_strong_or_weaker",
        "test_rry_against_yg_eliminates_fresh_infantry_of_strength_4_in_5_of_24",
    ],
    "turn": [
        "test_turn_off_the_board_the_listed_shots_are_offered_in_their_order_and_last_the_end",
        "test_turn_on_a_board_every_unit_may_fire_on_every_enemy_that_it_could_attack",
        "test_turn_a_shot_is_possible_exactly_if_its_attack_would_be_legal",
        "test_turn_who_has_fired_or_joined_the_fire_does_not_fire_again",
        "test_turn_damage_and_suppression_hold_for_the_next_attack",
        "test_turn_cards_are_spent_and_one_a_side_may_be_played_in_each_attack",
    ],
}


def test_every_paragraph_is_covered() -> None:
    check_coverage(SYSTEM, CHAPTER, COVERED, Path(__file__).parent)
