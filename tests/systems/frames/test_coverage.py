"""Every paragraph of the chapter, and the tests that cover its sentences."""

from pathlib import Path

from grognard.systems.frames import SYSTEM

from ..coverage import Covered, check_coverage

CHAPTER = (
    "Does the Attack Strike Home?: the spot may be added",
    "Does the Attack Strike Home?: whoever placed it",
    "Does the Attack Strike Home?: attack and defense are compared",
    "Does the Attack Strike Home?: a miss",
    "Does the Attack Strike Home?: a hit",
    "How Much Damage?: attack less defense, in dice",
    "How Much Damage?: each die might inflict damage",
    "How Much Damage?: the chart for range and cover",
    "How Much Damage?: what counts as cover",
    "Damage chart 1: hand-to-hand attacks",
    "Damage chart 2: ranged attack, no cover",
    "Damage chart 3: ranged attack, normal cover",
    "Damage chart 3: ranged attack, normal cover: cover is hit first",
    "Damage chart 4: ranged attack, covered by a mobile frame",
    "Damage chart 4: ranged attack, covered by a mobile frame: the covering frame is hit first",
    "Damage chart 4: ranged attack, covered by a mobile frame: two defensive systems",
    "Damage chart 5: attacks against terrain",
    "When Terrain Takes Damage: six pieces a damage",
    "When Terrain Takes Damage: pieces",
    "When Terrain Takes Damage: too low for cover",
    "When a Mobile Frame Takes Damage: a system a damage, by its owner",
    "When a Mobile Frame Takes Damage: the lost system",
    "When a Mobile Frame Takes Damage: no dice of it in future turns",
    "When a Mobile Frame Takes Damage: then a white die",
    "When a Mobile Frame Takes Damage: then it is destroyed",
    "When a Mobile Frame Takes Damage: abandoning the position at a station",
    "When a Mobile Frame Takes Damage: abandoning",
    "When a Mobile Frame Takes Damage: dice already rolled",
    "When one of your mobile frames is destroyed: the score",
    "When one of your mobile frames is destroyed: the attack is resolved",
    "Example Attack",
    "FAQ: close calls on attacks",
    "FAQ: close calls on cover",
)
COVERED: Covered = {
    "When a Mobile Frame Takes Damage: the lost system": "Decided at the table: the pieces drop where they drop.",
    "When a Mobile Frame Takes Damage: abandoning": [
        "test_stations_a_frame_that_abandons_moves_one_unit_along_the_line_from_the_station",
        "test_stations_given_by_the_file_move_nobody",
    ],
    "Does the Attack Strike Home?: the spot may be added": [
        "test_strike_home_the_attacker_may_add_the_spot",
        "test_strike_home_the_spot_is_used_up_hit_or_miss",
    ],
    "Does the Attack Strike Home?: whoever placed it": [
        "test_strike_home_it_does_not_matter_who_placed_the_spot",
    ],
    "Does the Attack Strike Home?: attack and defense are compared": [
        "test_strike_home_a_defense_that_equals_or_beats_the_attack_is_a_miss",
        "test_strike_home_an_attack_that_beats_the_defense_hits",
    ],
    "Does the Attack Strike Home?: a miss": [
        "test_strike_home_a_defense_that_equals_or_beats_the_attack_is_a_miss",
    ],
    "Does the Attack Strike Home?: a hit": [
        "test_strike_home_an_attack_that_beats_the_defense_hits",
    ],
    "How Much Damage?: attack less defense, in dice": [
        "test_how_much_damage_as_many_dice_as_attack_with_spot_beats_defense",
    ],
    "How Much Damage?: each die might inflict damage": [
        "test_how_much_damage_each_die_might_inflict_damage",
    ],
    "How Much Damage?: the chart for range and cover": [
        "test_how_much_damage_range_and_cover_choose_the_chart",
        "test_how_much_damage_of_terrain_and_a_frame_the_targets_owner_picks_in_the_files_order",
        "test_how_much_damage_a_table_may_say_which_of_two_covers_counts",
    ],
    "How Much Damage?: what counts as cover": [
        "test_how_much_damage_range_and_cover_choose_the_chart",
        "test_faq_whatever_the_file_calls_cover_is_cover",
        "test_cover_is_within_one_unit_of_the_target_and_close_calls_go_to_the_defender",
        "test_cover_may_lie_between_in_part",
        "test_cover_is_on_the_attackers_side_of_the_target",
        "test_cover_widens_towards_an_attacker_with_a_wider_base",
        "test_cover_given_by_the_file_overrides_what_is_measured",
        "test_several_covers_are_one_choice_terrain_before_frames_in_the_files_order",
        "test_several_covers_of_both_kinds_a_house_rule_strikes_one_kind",
    ],
    "Damage chart 1: hand-to-hand attacks": [
        "test_damage_charts_are_those_of_the_page",
        "test_damage_chart_1_hand_to_hand_ignores_cover",
        "test_chart_1_twelve_dice_destroy_a_full_frame",
    ],
    "Damage chart 2: ranged attack, no cover": [
        "test_damage_charts_are_those_of_the_page",
        "test_damage_chart_2_fives_and_sixes_hit",
    ],
    "Damage chart 3: ranged attack, normal cover": [
        "test_damage_charts_are_those_of_the_page",
        "test_chart_3_mean_damage_behind_cover_of_so_many_hits",
    ],
    "Damage chart 3: ranged attack, normal cover: cover is hit first": [
        "test_damage_chart_3_fours_and_fives_hit_cover_first_and_fives_blow_through_once_it_is_gone",
    ],
    "Damage chart 4: ranged attack, covered by a mobile frame": [
        "test_damage_charts_are_those_of_the_page",
        "test_chart_4_mean_damage_of_three_dice",
    ],
    "Damage chart 4: ranged attack, covered by a mobile frame: the covering frame is hit first": [
        "test_damage_chart_4_fives_hit_the_covering_frame_first_and_the_target_once_it_is_destroyed",
        "test_damage_chart_4_the_covering_frame_decides_before_the_target",
    ],
    "Damage chart 4: ranged attack, covered by a mobile frame: two defensive systems": [
        "test_damage_chart_4_with_two_defensive_systems_it_takes_no_damage_and_fives_do_nothing",
        "test_damage_chart_4_two_defensive_systems_count_whatever_they_are_called",
    ],
    "Damage chart 5: attacks against terrain": [
        "test_damage_charts_are_those_of_the_page",
        "test_damage_chart_5_four_and_up_hit_whatever_is_no_frame",
    ],
    "When Terrain Takes Damage: six pieces a damage": [
        "test_terrain_loses_six_pieces_for_each_damage",
    ],
    "When Terrain Takes Damage: pieces": [
        "test_terrain_loses_six_pieces_for_each_damage",
        "test_terrain_that_has_lost_its_height_is_no_cover_and_loses_no_more",
    ],
    "When Terrain Takes Damage: too low for cover": [
        "test_terrain_that_has_lost_its_height_is_no_cover_and_loses_no_more",
        "test_cover_is_at_least_three_bricks_high_and_not_ruined",
    ],
    "When a Mobile Frame Takes Damage: a system a damage, by its owner": [
        "test_frame_damage_each_costs_one_system_and_its_owner_chooses",
        "test_frame_damage_equal_systems_are_offered_once",
        "test_frame_damage_an_owner_on_the_attackers_side_decides_for_the_attacker",
    ],
    "When a Mobile Frame Takes Damage: no dice of it in future turns": [
        "test_frame_damage_a_lost_system_gives_no_dice_in_future_turns",
    ],
    "When a Mobile Frame Takes Damage: then a white die": [
        "test_frame_damage_without_systems_it_loses_a_white_die",
        "test_frame_damage_a_table_may_let_a_white_die_go_first_but_never_the_last",
    ],
    "When a Mobile Frame Takes Damage: then it is destroyed": [
        "test_frame_damage_without_white_dice_it_is_destroyed_and_takes_no_more",
    ],
    "When a Mobile Frame Takes Damage: abandoning the position at a station": [
        "test_frame_damage_near_a_station_its_owner_may_ignore_one_and_abandon_the_position",
        "test_frame_damage_a_frame_that_stayed_may_still_abandon_at_the_next_damage",
        "test_frame_damage_away_from_stations_nobody_is_asked",
        "test_frame_damage_abandoned_once_an_attack_or_once_for_each_station",
        "test_frame_damage_a_covering_frame_may_abandon_its_own_position_and_still_covers",
        "test_frame_damage_a_table_may_forbid_covering_frames_to_abandon",
        "test_frame_damage_an_abandoned_target_is_still_in_cover_and_on_the_same_chart",
        "test_stations_are_near_within_one_unit_of_the_base",
        "test_stations_a_frame_that_abandons_moves_one_unit_along_the_line_from_the_station",
        "test_stations_a_frame_on_the_station_moves_away_from_the_attacker",
        "test_stations_a_frame_that_abandons_is_kept_on_the_table",
        "test_stations_the_nearest_is_abandoned_first_and_then_the_next",
        "test_stations_given_by_the_file_move_nobody",
    ],
    "When a Mobile Frame Takes Damage: dice already rolled": [
        "test_frame_damage_does_not_change_dice_already_rolled",
    ],
    "When one of your mobile frames is destroyed: the score": [
        "test_destroyed_scores_are_carried_by_the_result_if_the_file_has_them",
        "test_destroyed_frames_lower_the_score_at_once",
        "test_destroyed_before_counts_too_and_points_per_asset_stay",
        "test_scores_count_the_stations_on_the_table_and_change_when_one_is_given_up",
    ],
    "When one of your mobile frames is destroyed: the attack is resolved": [
        "test_destroyed_or_not_the_attack_is_resolved_then",
    ],
    "Example Attack": [
        "test_example_attack_down_to_the_shield",
        "test_example_attack_is_measured_on_the_table_as_it_is_told",
    ],
    "FAQ: close calls on attacks": [
        "test_faq_an_attack_is_made_as_the_file_says_whatever_weapons_are_left",
        "test_range_given_is_legal_within_a_twentieth_of_a_unit",
    ],
    "FAQ: close calls on cover": [
        "test_faq_whatever_the_file_calls_cover_is_cover",
        "test_cover_is_within_one_unit_of_the_target_and_close_calls_go_to_the_defender",
    ],
    "The frame's turn: move": "Decided at the table: the turn says how far the frame may move.",
    "On the table: stations": [
        "test_stations_are_held_on_while_another_frame_of_the_holder_is_near",
        "test_stations_of_others_stay_theirs",
    ],
    "A player's turn": [
        "test_turn_offers_its_shots_in_the_files_order_and_ends_last",
        "test_turn_each_frame_acts_once_in_any_order",
        "test_turn_a_spot_that_is_placed_is_there_for_the_next_frame",
        "test_turn_a_defense_that_is_not_set_yet_is_rolled_once",
        "test_turn_what_is_destroyed_is_no_target_and_no_cover_any_more",
        "test_turn_abandoning_lowers_the_stations_that_later_shots_give",
        "test_turn_what_is_left_out_is_measured_where_frames_stand_then",
        "test_turn_goes_on_from_the_file_after_each_activation",
    ],
    "The frame's turn: roll": [
        "test_roll_the_whole_pool_by_loadout",
        "test_rockets_are_spent_when_assigned_or_when_rolled",
        "test_rockets_are_not_rolled_at_another_range",
        "test_rockets_are_never_lost_to_damage",
    ],
    "The frame's turn: defense": [
        "test_defense_is_a_blue_die_or_a_white_one_that_shows_more",
        "test_defense_without_blue_dice_is_a_white_die",
    ],
    "The frame's turn: assign dice": [
        "test_assign_an_attack_of_the_named_range_or_a_white_die_that_shows_more",
        "test_assign_two_weapons_of_a_range_add_a_d8",
        "test_assign_hand_to_hand_needs_no_weapon",
        "test_assign_each_white_die_only_once",
        "test_assign_at_most_one_die_each_and_perhaps_none",
        "test_assign_the_sprint_die_to_the_move",
        "test_assign_a_rocket_that_shows_more_than_the_weapons",
        "test_white_dice_with_a_rocket_only",
    ],
    "The frame's turn: attack": [
        "test_attack_is_resolved_by_the_chapter",
        "test_attack_may_be_forgone",
        "test_attack_of_terrain_has_no_spot",
    ],
    "The frame's turn: a target that has not had its own": [
        "test_a_target_that_has_not_had_its_turn_rolls_its_pool_and_its_owner_sets_its_defense",
        "test_a_target_that_has_not_had_its_turn_sets_its_defense_before_the_spot_is_used",
    ],
    "The frame's turn: spot": [
        "test_spot_reach_grows_with_the_spotting_systems",
        "test_spot_comes_last_when_the_cover_may_be_gone",
        "test_spot_replaces_an_old_one_only_if_it_is_higher",
        "test_spot_goes_with_a_target_that_is_destroyed",
    ],
}


def test_every_paragraph_is_covered() -> None:
    check_coverage(SYSTEM, CHAPTER, COVERED, Path(__file__).parent)
