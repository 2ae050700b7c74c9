"""The chapter sentence by sentence; the tests are named after its headings."""

import json
from pathlib import Path
from typing import Any

import pytest

from grognard.api import odds
from grognard.core.rules import End
from grognard.core.systems import Json
from grognard.files import battle, load
from grognard.systems.frames import SYSTEM
from grognard.systems.frames.charts import CHART_1, CHART_2, CHART_3, CHART_4, CHART_5, Chart

from ..playing import choice, dice, played, sentences
from .battles import COVER, FULL, GUNNER, TARGET, WALL, activation, attack, frame

EXAMPLE: Json = json.loads(Path(__file__).with_name("example.json").read_text("utf-8"))
TWO_SHIELDS = frame("cover", systems=["defense", "defense"])
SINGLE = frame("cover", systems=[], white=1)


def left(source: Json, *answers: Any) -> dict[str, Any]:
    """What is left of each frame, as systems and white dice together, and of each terrain."""
    result = played(source, *answers).result.to_dict()
    frames = {name: len(one["systems"]) + one["white"] for name, one in result["frames"].items()}
    return frames | {name: one["hits"] for name, one in result["terrain"].items()}


# Does the Attack Strike Home?


def test_strike_home_the_attacker_may_add_the_spot() -> None:
    fight = attack(TARGET, GUNNER, by="gunner", attack=3, defense=5, spot=5)
    question = choice(played(fight))
    assert (question.by, question.optional) == ("Red", True)
    assert question.prompt == "Add the spot of 5 to the attack of 3?"
    assert dice(played(fight, "yes")) == ["3 d6"]
    assert played(fight, "no").question is None


def test_strike_home_the_spot_is_used_up_hit_or_miss() -> None:
    fight = activation(frame("gunner", "Red", ["direct"], white=1), TARGET, spot=2, defense=6)
    rolled = played(fight, [1, 1, 2], "R2", "yes")
    assert rolled.result.to_dict()["activation"]["spot"] == 0
    assert played(fight, [1, 1, 2], "R2", "no").result.to_dict()["activation"]["spot"] == 2


@pytest.mark.parametrize("fields", [{}, {"by": "gunner"}])
def test_strike_home_it_does_not_matter_who_placed_the_spot(fields: Json) -> None:
    assert dice(played(attack(TARGET, GUNNER, spot=3, **fields), "yes")) == ["8 d6"]


@pytest.mark.parametrize("defense", [5, 6])
def test_strike_home_a_defense_that_equals_or_beats_the_attack_is_a_miss(defense: int) -> None:
    assert left(attack(TARGET, defense=defense)) == {"target": 6}


def test_strike_home_an_attack_that_beats_the_defense_hits() -> None:
    assert dice(played(attack(TARGET, defense=4))) == ["1 d6"]


# How Much Damage?


@pytest.mark.parametrize(("attack_die", "spot", "defense"), [(8, 6, 0), (3, 5, 5), (1, 6, 6)])
def test_how_much_damage_as_many_dice_as_attack_with_spot_beats_defense(
    attack_die: int, spot: int, defense: int
) -> None:
    rolled = played(attack(TARGET, attack=attack_die, spot=spot, defense=defense), "yes")
    assert dice(rolled) == [f"{attack_die + spot - defense} d6"]


@pytest.mark.parametrize("faces", [[1, 1, 1, 1, 1], [1, 1, 5, 1, 1], [6, 5, 5, 6, 1]])
def test_how_much_damage_each_die_might_inflict_damage(faces: list[int]) -> None:
    hits = sum(face >= 5 for face in faces)
    assert left(attack(TARGET), faces, *["defense", "movement", "spotting"][:hits]) == {"target": 6 - hits}


@pytest.mark.parametrize(
    ("fields", "paragraph"),
    [
        ({"range": "hand"}, "Damage chart 1: hand-to-hand attacks"),
        ({"range": "hand", "cover": "wall"}, "Damage chart 1: hand-to-hand attacks"),
        ({"range": "direct"}, "Damage chart 2: ranged attack, no cover"),
        ({"range": "artillery"}, "Damage chart 2: ranged attack, no cover"),
        ({"range": "direct", "cover": "wall"}, "Damage chart 3: ranged attack, normal cover"),
        ({"range": "artillery", "cover": "wall"}, "Damage chart 3: ranged attack, normal cover"),
        ({"range": "direct", "cover": "cover"}, "Damage chart 4: ranged attack, covered by a mobile frame"),
        ({"range": "artillery", "cover": "cover"}, "Damage chart 4: ranged attack, covered by a mobile frame"),
        ({"range": "direct", "on": "wall"}, "Damage chart 5: attacks against terrain"),
        ({"range": "hand", "on": "wall"}, "Damage chart 5: attacks against terrain"),
        ({"range": "direct", "cover": "ruin"}, "Damage chart 2: ranged attack, no cover"),
        ({"range": "direct", "cover": ["ruin", "cover"]}, "Damage chart 4: ranged attack, covered by a mobile frame"),
    ],
)
def test_how_much_damage_range_and_cover_choose_the_chart(fields: Json, paragraph: str) -> None:
    rolled = played(attack(TARGET, COVER, WALL, {"id": "ruin", "hits": 0}, **fields), [1] * 5)
    assert [event.rule for event in rolled.events if event.kind == "roll"] == [paragraph]


def test_how_much_damage_of_terrain_and_a_frame_the_targets_owner_picks_in_the_files_order() -> None:
    fight = attack(TARGET, COVER, WALL, GUNNER, by="gunner", cover=["cover", "wall"])
    question = choice(played(fight))
    assert (question.by, question.optional, [option.id for option in question.options]) == (
        "Blue",
        False,
        ["cover", "wall"],
    )
    assert left(fight, "wall", [5, 1, 1, 1, 1]) == {"target": 6, "cover": 4, "gunner": 6, "wall": 0}
    assert left(fight, "cover", [5, 1, 1, 1, 1], "hand") == {"target": 6, "cover": 3, "gunner": 6, "wall": 1}


@pytest.mark.parametrize(("counts", "hurt"), [("terrain", "wall"), ("frame", "cover")])
def test_how_much_damage_a_table_may_say_which_of_two_covers_counts(counts: str, hurt: str) -> None:
    fight = attack(TARGET, COVER, WALL, rules={"both_covers": counts}, cover=["wall", "cover"])
    whole = left(fight, [1] * 5)
    answers = ["hand"] if hurt == "cover" else []
    assert left(fight, [5, 1, 1, 1, 1], *answers) == {**whole, hurt: whole[hurt] - 1}


# Damage charts 1 to 5


@pytest.mark.parametrize(
    ("chart", "page"),
    [
        (CHART_1, "miss miss miss target target target"),
        (CHART_2, "miss miss miss miss target target"),
        (CHART_3, "miss miss miss cover cover target"),
        (CHART_4, "miss miss miss miss cover target"),
        (CHART_5, "miss miss miss target target target"),
    ],
)
def test_damage_charts_are_those_of_the_page(chart: Chart, page: str) -> None:
    assert [chart[face].split()[-1] for face in range(1, 7)] == page.split()


def test_damage_chart_1_hand_to_hand_ignores_cover() -> None:
    weak = frame("target", systems=[])
    fight = attack(weak, COVER, WALL, range="hand", attack=1, cover=["wall", "cover"])
    assert [left(fight, [face])["target"] for face in range(1, 7)] == [2, 2, 2, 1, 1, 1]
    assert left(fight, [5]) == {"target": 1, "cover": 4, "wall": 1}


@pytest.mark.parametrize("reach", ["direct", "artillery"])
def test_damage_chart_2_fives_and_sixes_hit(reach: str) -> None:
    fight = attack(frame("target", systems=[]), range=reach, attack=1)
    assert [left(fight, [face])["target"] for face in range(1, 7)] == [2, 2, 2, 2, 1, 1]


@pytest.mark.parametrize(
    ("hits", "faces", "target", "wall"),
    [
        (1, [1, 4, 5], 1, 0),
        (1, [2, 2, 4, 5, 6], 2, 0),
        (3, [2, 2, 4, 5, 6], 1, 1),
        (2, [6, 5, 4, 1, 1], 1, 0),
        (1, [6, 5, 4, 4, 4], 2, 0),
        (1, [5, 5, 5, 5, 5], 4, 0),
        (2, [4, 4, 4, 4, 4], 0, 0),
        (9, [4, 5, 4, 5, 6], 1, 5),
        (1, [6, 6, 6, 1, 1], 3, 1),
    ],
)
def test_damage_chart_3_fours_and_fives_hit_cover_first_and_fives_blow_through_once_it_is_gone(
    hits: int, faces: list[int], target: int, wall: int
) -> None:
    fight = attack(frame("target", systems=["direct"]), {"id": "wall", "hits": hits}, attack=len(faces), cover="wall")
    assert left(fight, faces) == {"target": max(0, 3 - target), "wall": wall}


@pytest.mark.parametrize(
    ("faces", "target", "cover"),
    [([5], 3, 0), ([6], 2, 1), ([4], 3, 1), ([5, 5], 2, 0), ([6, 5], 2, 0), ([6, 5, 5], 1, 0), ([5, 4, 4, 4], 3, 0)],
)
def test_damage_chart_4_fives_hit_the_covering_frame_first_and_the_target_once_it_is_destroyed(
    faces: list[int], target: int, cover: int
) -> None:
    fight = attack(frame("target", systems=["direct"]), SINGLE, attack=len(faces), cover="cover")
    assert left(fight, faces) == {"target": target, "cover": cover}


def test_damage_chart_4_the_covering_frame_decides_before_the_target() -> None:
    fight = attack(TARGET, COVER, cover="cover")
    prompts = [choice(played(fight, [6, 5, 1, 1, 1], *answers)).prompt for answers in ([], ["hand"])]
    assert prompts == ["What does cover lose?", "What does target lose?"]


def test_damage_chart_4_with_two_defensive_systems_it_takes_no_damage_and_fives_do_nothing() -> None:
    fight = attack(frame("target", systems=[]), TWO_SHIELDS, cover="cover")
    assert left(fight, [5, 5, 5, 5, 6]) == {"target": 1, "cover": 4}


def test_damage_chart_4_two_defensive_systems_count_whatever_they_are_called() -> None:
    named = [{"kind": "defense", "name": "shield"}, {"kind": "defense", "name": "armor"}]
    assert left(attack(TARGET, frame("cover", systems=named), cover="cover"), [5] * 5) == {"target": 6, "cover": 4}


@pytest.mark.parametrize("reach", ["hand", "direct", "artillery"])
def test_damage_chart_5_four_and_up_hit_whatever_is_no_frame(reach: str) -> None:
    fight = attack({"id": "target", "hits": 2}, range=reach, attack=1)
    assert [left(fight, [face])["target"] for face in range(1, 7)] == [2, 2, 2, 1, 1, 1]


# When Terrain Takes Damage


def test_terrain_loses_six_pieces_for_each_damage() -> None:
    fight = attack({"id": "target", "hits": 3})
    assert sentences(played(fight, [4, 6, 1, 1, 1])) == ["target takes 2 damage and loses 12 pieces"]


def test_terrain_that_has_lost_its_height_is_no_cover_and_loses_no_more() -> None:
    fight = attack({"id": "target", "hits": 1})
    rolled = played(fight, [6] * 5)
    assert sentences(rolled) == ["target takes 1 damage and loses 6 pieces: it is no cover any more"]
    assert rolled.result.to_dict()["terrain"] == {"target": {"hits": 0}}


# When a Mobile Frame Takes Damage


def test_frame_damage_each_costs_one_system_and_its_owner_chooses() -> None:
    fight = attack(TARGET, GUNNER, by="gunner")
    question = choice(played(fight, [6, 6, 1, 1, 1]))
    assert (question.by, question.optional, [option.id for option in question.options]) == ("Blue", False, FULL)
    result = played(fight, [6, 6, 1, 1, 1], "spotting", "defense").result.to_dict()
    assert result["frames"]["target"] == {"systems": ["direct", "movement"], "white": 2}


def test_frame_damage_equal_systems_are_offered_once() -> None:
    fight = attack(frame("target", systems=["hand", "direct", "hand"]))
    hit = [6, 6, 6, 1, 1]
    assert [option.id for option in choice(played(fight, hit)).options] == ["hand", "direct"]
    assert [option.id for option in choice(played(fight, hit, "hand")).options] == ["direct", "hand"]
    assert left(fight, hit, "hand", "hand") == {"target": 2}


def test_frame_damage_a_lost_system_gives_no_dice_in_future_turns() -> None:
    first = played(attack(TARGET, GUNNER, by="gunner", attack=1), [6], "defense")
    assert isinstance(first.pending, End)
    after = SYSTEM.after(first.battle.setup, first.battle.source, first.pending.state)
    turn = {"by": "target", "on": "gunner", "range": "direct", "defense": 1}
    assert dice(played({**after, "activation": turn})) == ["2 white d6", "1 green d6", "1 yellow d6", "2 red direct d6"]


def test_frame_damage_without_systems_it_loses_a_white_die() -> None:
    fight = attack(frame("target", systems=["hand"]))
    result = played(fight, [6, 6, 1, 1, 1]).result.to_dict()
    assert result["frames"]["target"] == {"systems": [], "white": 1}


def test_frame_damage_without_white_dice_it_is_destroyed_and_takes_no_more() -> None:
    rolled = played(attack(frame("target", systems=["hand"])), [6] * 5)
    assert rolled.result.to_dict()["frames"]["target"] == {"systems": [], "white": 0}
    assert sentences(rolled)[-1] == "target (Blue) loses its last white die and is destroyed"


def test_frame_damage_near_a_station_its_owner_may_ignore_one_and_abandon_the_position() -> None:
    fight = attack(frame("target", systems=[]), near_station=True)
    hit = [6, 6, 1, 1, 1]
    question = choice(played(fight, hit))
    assert (question.by, question.optional) == ("Blue", True)
    stays, goes = played(fight, hit, "no", "no").result.to_dict(), played(fight, hit, "yes").result.to_dict()
    assert (stays["frames"]["target"]["white"], stays["abandoned"]) == (0, [])
    assert (goes["frames"]["target"]["white"], goes["abandoned"]) == (1, ["target"])


def test_frame_damage_a_frame_that_stayed_may_still_abandon_at_the_next_damage() -> None:
    fight = attack(frame("target", systems=[]), near_station=1)
    assert left(fight, [6, 6, 1, 1, 1], "no", "yes") == {"target": 1}


def test_frame_damage_away_from_stations_nobody_is_asked() -> None:
    assert played(attack(frame("target", systems=[])), [6, 1, 1, 1, 1]).question is None


@pytest.mark.parametrize(
    ("stations", "rule", "asked"),
    [
        (1, "once", 1),
        (3, "once", 1),
        (1, "once_per_station", 1),
        (3, "once_per_station", 3),
        (0, "once_per_station", 0),
    ],
)
def test_frame_damage_abandoned_once_an_attack_or_once_for_each_station(stations: int, rule: str, asked: int) -> None:
    fight = attack(frame("target", systems=[]), rules={"abandon_per_attack": rule}, near_station=stations)
    assert left(fight, [6, 6, 6, 6, 6], *["yes"] * asked) == {"target": max(0, 2 - (5 - asked))}


def test_frame_damage_a_covering_frame_may_abandon_its_own_position_and_still_covers() -> None:
    fight = attack(frame("target", systems=[]), SINGLE, cover="cover", covering_near_station=1)
    assert left(fight, [5, 1, 1, 1, 1], "yes") == {"target": 2, "cover": 1}
    assert left(fight, [5, 5, 5, 1, 1], "yes") == {"target": 1, "cover": 0}


def test_frame_damage_a_table_may_forbid_covering_frames_to_abandon() -> None:
    rules = {"covering_frame_may_abandon": False}
    fight = attack(TARGET, SINGLE, rules=rules, cover="cover", covering_near_station=1, near_station=1)
    assert left(fight, [5, 1, 1, 1, 1]) == {"target": 6, "cover": 0}
    assert choice(played(fight, [6, 1, 1, 1, 1])).optional


def test_frame_damage_an_abandoned_target_is_still_in_cover_and_on_the_same_chart() -> None:
    fight = attack(frame("target", systems=[]), WALL, attack=4, cover="wall", near_station=1)
    assert left(fight, [5, 5, 6, 4], "yes") == {"target": 0, "wall": 0}
    assert left(fight, [6, 6, 4, 1], "yes") == {"target": 1, "wall": 0}


def test_frame_damage_a_table_may_let_a_white_die_go_first_but_never_the_last() -> None:
    fight = attack(frame("target", systems=["hand"]), rules={"drop_white_first": True})
    question = choice(played(fight, [6, 6, 1, 1, 1]))
    assert [option.id for option in question.options] == ["hand", "white"]
    result = played(fight, [6, 6, 1, 1, 1], "white").result.to_dict()
    assert result["frames"]["target"] == {"systems": [], "white": 1}


def test_frame_damage_does_not_change_dice_already_rolled() -> None:
    lone = frame("target", systems=["defense"])
    fight = activation(frame("gunner", "Red", ["direct"], white=1), lone, defense=2)
    assert dice(played(fight, [1, 6, 6], "R6")) == ["4 d6"]
    after_a_loss = played(fight, [1, 6, 6], "R6", [6, 1, 1, 1])
    assert after_a_loss.result.to_dict()["frames"]["target"] == {"systems": [], "white": 2}


def test_frame_damage_an_owner_on_the_attackers_side_decides_for_the_attacker() -> None:
    own = frame("cover", "Red", ["hand"])
    fight = battle(attack(TARGET, own, GUNNER, by="gunner", attack=1, cover="cover"))
    assert str(SYSTEM.role_of(fight.setup, "Red")) == "attacker"
    assert str(SYSTEM.role_of(fight.setup, "Blue")) == "defender"
    assert odds(fight, fractions=True).value == 0


# When one of your mobile frames is destroyed

SCORES = {
    "Blue": {"frames": 5, "systems": 20, "stations": 2},
    "Red": {"frames": 4, "systems": 16, "stations": 2},
    "Theo": {"frames": 4, "systems": 15, "stations": 2},
}


def test_destroyed_scores_are_carried_by_the_result_if_the_file_has_them() -> None:
    result = played(attack(TARGET, scores=SCORES), [1] * 5).result.to_dict()
    assert result["scores"] == {"Blue": 21, "Red": 36, "Theo": 42}
    assert "scores" not in played(attack(TARGET), [1] * 5).result.to_dict()


def test_destroyed_frames_lower_the_score_at_once() -> None:
    rolled = played(attack(frame("target", systems=[], white=1), scores=SCORES), [6] * 5)
    assert rolled.result.to_dict()["scores"] == {"Blue": 18, "Red": 36, "Theo": 42}
    assert sentences(rolled)[-1] == "Blue's score: 21 → 18"


def test_destroyed_before_counts_too_and_points_per_asset_stay() -> None:
    scores = {**SCORES, "Blue": {**SCORES["Blue"], "lost": 3}}
    result = played(attack(frame("target", systems=[], white=1), scores=scores), [6] * 5).result.to_dict()
    assert result["scores"] == {"Blue": 9, "Red": 36, "Theo": 42}


def test_destroyed_or_not_the_attack_is_resolved_then() -> None:
    assert played(attack(frame("target", systems=[], white=1)), [6] * 5).question is None
    assert played(attack(frame("target", systems=[], white=1)), [1] * 5).question is None


# Example Attack, FAQ


def test_example_attack_down_to_the_shield() -> None:
    rolled = played(EXAMPLE["battle"], *EXAMPLE["answers"][:2])
    assert dice(played(EXAMPLE["battle"], EXAMPLE["answers"][0])) == EXAMPLE["expect"]["dice"]
    assert choice(rolled).by == "Joshua"
    assert [option.id for option in choice(rolled).options] == EXAMPLE["printed"]["systems to choose from"]
    finished = played(EXAMPLE["battle"], *EXAMPLE["answers"])
    assert finished.result.to_dict() == EXAMPLE["expect"]["result"]
    assert sentences(finished) == EXAMPLE["expect"]["sentences"]


def test_example_attack_is_measured_on_the_table_as_it_is_told() -> None:
    fight = load(Path(__file__).parents[3] / "examples" / "frames" / "10-ragged-wall-on-the-table.toml")
    assert (fight.setup.range, fight.setup.covers) == ("direct", ("wall",))
    assert dice(played(fight.source, "yes")) == ["3 d6"]
    finished = played(fight.source, "yes", [1, 4, 5], "shield")
    frames = finished.result.to_dict()["frames"]
    assert frames["Osprey"] == {"systems": ["body armor", "grenade launcher", "sensor pod"], "white": 2, "at": [20, 12]}
    assert finished.result.to_dict()["terrain"] == {"wall": {"hits": 0}}


@pytest.mark.parametrize("reach", ["hand", "direct", "artillery"])
def test_faq_an_attack_is_made_as_the_file_says_whatever_weapons_are_left(reach: str) -> None:
    unarmed = frame("gunner", "Red", [])
    assert dice(played(attack(TARGET, unarmed, by="gunner", range=reach))) == ["5 d6"]


def test_faq_whatever_the_file_calls_cover_is_cover() -> None:
    assert left(attack(TARGET, WALL, cover="wall"), [4, 1, 1, 1, 1]) == {"target": 6, "wall": 0}
    assert left(attack(TARGET, WALL), [4, 1, 1, 1, 1]) == {"target": 6, "wall": 1}
