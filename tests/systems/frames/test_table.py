"""On the table: range, cover and stations are measured. The target stands at 10, 10, its attacker to the east."""

from collections.abc import Mapping
from typing import Any

import pytest

from grognard.core.errors import BattleError, Fault
from grognard.core.rules import End
from grognard.core.systems import Json
from grognard.files import battle
from grognard.systems.frames import SYSTEM
from grognard.systems.frames.setup import Setup

from ..playing import choice, dice, played, sentences
from .battles import FULL, frame

WHOLE = [1, 1, 1, 1, 1]


def table(*things: Json, distance: float = 5, size: list[float] | None = None, **fields: Any) -> Json:
    """A target and an attacker whose edges are so far apart, and whatever else stands there."""
    target = frame("target", at=[10, 10], defense=0)
    gunner = frame("gunner", "Red", at=[10.5 + distance, 10])
    given = {thing["id"] for thing in things}
    frames = [one for one in (target, gunner) if one["id"] not in given]
    tables: Json = {key: fields.pop(key) for key in ("rules", "scores") if key in fields}
    return {
        "system": "frames",
        "table": {"size": size or [48, 36]},
        "frames": [*(thing for thing in things if "player" in thing), *frames],
        "terrain": [thing for thing in things if "hits" in thing],
        "stations": [thing for thing in things if "player" not in thing and "hits" not in thing],
        "attack": {"by": "gunner", "on": "target", "attack": 5, **fields},
        **tables,
    }


def wall(x: float, y: float = 10, name: str = "wall", half: float = 0.1, **fields: Any) -> Json:
    """A small square wall around a point."""
    outline = [[x - half, y - half], [x + half, y - half], [x + half, y + half], [x - half, y + half]]
    return {"id": name, "hits": 1, "height": 3, "outline": outline, **fields}


def station(x: float, y: float = 10, name: str = "relay", **fields: Any) -> Json:
    return {"id": name, "at": [x, y], **fields}


def setup_of(source: Json) -> Setup:
    setup: Setup = battle(source).setup
    return setup


def covers(*things: Json, **fields: Any) -> tuple[str, ...]:
    return setup_of(table(*things, **fields)).covers


def faults(source: Mapping[str, object]) -> list[Fault]:
    with pytest.raises(BattleError) as refused:
        battle(source)
    return refused.value.faults


# Range


@pytest.mark.parametrize(
    ("distance", "expected"),
    [(0, "hand"), (1, "hand"), (1.01, "direct"), (8, "direct"), (8.01, "artillery"), (30, "artillery")],
)
def test_range_left_out_is_the_nearest_band_without_tolerance(distance: float, expected: str) -> None:
    assert setup_of(table(distance=distance)).range == expected


def test_range_is_measured_between_the_edges_of_the_bases() -> None:
    wide = frame("target", at=[10, 10], radius=2, defense=0)
    assert setup_of(table(wide, distance=9.5)).distance == pytest.approx(7.75)
    assert setup_of(table({"id": "target", "hits": 2, "outline": [[8, 8], [12, 8], [12, 12], [8, 12]]})).distance == (
        pytest.approx(3.25)
    )


@pytest.mark.parametrize(
    ("given", "distance", "is_legal"),
    [
        ("hand", 1.05, True),
        ("hand", 1.06, False),
        ("direct", 8.05, True),
        ("direct", 8.06, False),
        ("direct", 0.5, True),
        ("artillery", 7.95, True),
        ("artillery", 7.94, False),
    ],
)
def test_range_given_is_legal_within_a_twentieth_of_a_unit(given: str, distance: float, is_legal: bool) -> None:
    source = table(distance=distance, range=given)
    if is_legal:
        assert setup_of(source).range == given
    else:
        (fault,) = faults(source)
        assert fault.place == "attack.range"
        assert f"target is {distance:.2f} units away" in fault.message


def test_range_that_the_distance_contradicts_is_a_fault_that_says_the_distance() -> None:
    assert faults(table(distance=9.3, range="direct")) == [
        Fault("attack.range", "found direct, but target is 9.30 units away: direct range ends at 8")
    ]
    assert faults(table(distance=9.3, range="hand")) == [
        Fault("attack.range", "found hand, but target is 9.30 units away: hand-to-hand range ends at 1")
    ]
    assert faults(table(distance=3, range="artillery")) == [
        Fault("attack.range", "found artillery, but target is 3.00 units away: artillery range begins beyond 8")
    ]


def test_range_and_cover_need_the_attacker_unless_both_are_given() -> None:
    message = "is missing: range and cover are measured from the attacking frame; or give both"
    some: list[Json] = [{}, {"range": "direct"}, {"cover": []}]
    for given in some:
        assert faults(table(by=None, **given)) == [Fault("attack.by", message)]
    assert setup_of(table(by=None, range="artillery", cover=[])).range == "artillery"


def test_range_and_cover_need_places_unless_both_are_given() -> None:
    nowhere = frame("target", defense=0)
    assert faults(table(nowhere)) == [
        Fault("attack.on", "target has no place on the table: give it one, or give range and cover")
    ]
    assert setup_of(table(nowhere, range="direct", cover=[])).covers == ()


def test_an_activation_is_measured_too() -> None:
    source = table(wall(11), distance=5)
    source["activation"] = {"by": "gunner", "on": "target"}
    del source["attack"]
    assert (setup_of(source).range, setup_of(source).covers) == ("direct", ("wall",))
    far = table(distance=9)
    far["activation"] = {"by": "gunner", "on": "target"}
    del far["attack"]
    assert faults(far) == [
        Fault("activation.range", "gunner has no weapon for artillery range, and target is 9.00 units away")
    ]


def test_places_need_a_table() -> None:
    source = table(wall(11), station(12))
    del source["table"]
    message = "there is no table: add `[table]` with its `size`"
    assert [fault for fault in faults(source) if fault.message == message] == [
        Fault(place, message)
        for place in ("frames[0].at", "frames[1].at", "terrain[0].outline", "terrain[0].height", "stations")
    ]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("at", [1]),
        ("at", [1, "2"]),
        ("at", [1, float("nan")]),
        ("at", [float("inf"), 1]),
        ("at", [True, 1]),
        ("at", [10**400, 1]),
        ("radius", -0.1),
    ],
)
def test_places_are_numbers(field: str, value: Any) -> None:
    (fault,) = faults(table(frame("other", **{"at": [1, 1], field: value})))
    assert fault.place.startswith(f"frames[0].{field}")


def test_a_place_that_is_wrong_is_only_that_fault() -> None:
    (fault,) = faults(table(frame("gunner", "Red", at=[1])))
    assert fault == Fault("frames[0].at", "found [1], expected x and y, each a number")


def test_an_outline_has_at_least_three_corners() -> None:
    (fault,) = faults(table({"id": "wall", "hits": 1, "outline": [[1, 1], [2, 2]]}))
    assert fault.place == "terrain[0].outline"


# Cover


def test_cover_is_within_one_unit_of_the_target_and_close_calls_go_to_the_defender() -> None:
    assert covers(wall(10.25 + 1.04 + 0.1)) == ("wall",)
    assert covers(wall(10.25 + 1.06 + 0.1)) == ()
    assert covers(frame("other", at=[10.5 + 1.04, 10])) == ("other",)
    assert covers(frame("other", at=[10.5 + 1.06, 10])) == ()


def test_cover_may_lie_between_in_part() -> None:
    assert covers(wall(10.8, 10.25 + 0.1 + 0.04)) == ("wall",)
    assert covers(wall(10.8, 10.25 + 0.1 + 0.06)) == ()
    assert covers(frame("other", at=[10.8, 10.5 + 0.04])) == ("other",)
    assert covers(frame("other", at=[10.8, 10.5 + 0.06])) == ()


def test_cover_is_on_the_attackers_side_of_the_target() -> None:
    assert covers(wall(10 - 0.1 - 0.04)) == ("wall",)
    assert covers(wall(10 - 0.1 - 0.06)) == ()
    assert covers(wall(9)) == ()
    assert covers(frame("other", at=[9.5, 10])) == ()


def test_cover_widens_towards_an_attacker_with_a_wider_base() -> None:
    giant = frame("gunner", "Red", at=[15, 10], radius=3)
    assert covers(wall(10.8, 10.6)) == ()
    assert covers(giant, wall(10.8, 10.6)) == ("wall",)


@pytest.mark.parametrize(("height", "hits", "expected"), [(2, 1, ()), (3, 1, ("wall",)), (9, 0, ())])
def test_cover_is_at_least_three_bricks_high_and_not_ruined(height: int, hits: int, expected: tuple[str, ...]) -> None:
    assert covers(wall(11, height=height, hits=hits)) == expected


def test_cover_is_no_frame_that_attacks_or_is_attacked() -> None:
    assert covers(distance=0.5) == ()


def test_cover_given_by_the_file_overrides_what_is_measured() -> None:
    far = wall(40, name="far")
    assert covers(wall(11), far, cover="far") == ("far",)
    assert covers(wall(11), far, cover=[]) == ()


def test_cover_is_not_measured_for_terrain() -> None:
    target = wall(10, name="target")
    assert covers(target, wall(11)) == ()


def test_several_covers_are_one_choice_terrain_before_frames_in_the_files_order() -> None:
    things = [frame("b", at=[11, 10]), frame("a", at=[11.2, 10]), wall(11.1, name="z"), wall(10.9, name="y")]
    question = choice(played(table(*things)))
    assert (question.by, [option.id for option in question.options]) == ("Blue", ["z", "y", "b", "a"])
    hurt = played(table(*things), "a", [5, 1, 1, 1, 1])
    assert choice(hurt).prompt == "What does a lose?"
    ruined = played(table(*things), "y", [5, 1, 1, 1, 1]).result.to_dict()["terrain"]
    assert ruined == {"z": {"hits": 1}, "y": {"hits": 0}}


@pytest.mark.parametrize(("rule", "expected"), [("terrain", ["z", "y"]), ("frame", ["b", "a"])])
def test_several_covers_of_both_kinds_a_house_rule_strikes_one_kind(rule: str, expected: list[str]) -> None:
    things = [frame("b", at=[11, 10]), frame("a", at=[11.2, 10]), wall(11.1, name="z"), wall(10.9, name="y")]
    source = table(*things, rules={"both_covers": rule})
    assert [option.id for option in choice(played(source)).options] == expected
    alone = table(*things[2:], rules={"both_covers": "frame"})
    assert [option.id for option in choice(played(alone)).options] == ["z", "y"]


def test_a_measured_cover_with_two_meanings_is_a_fault() -> None:
    source = table(wall(11, name="other"), frame("other", at=[11, 10]))
    assert faults(source) == [Fault("attack.cover", '"other" is the id of a frame and of a terrain: which is meant?')]


def test_hand_to_hand_a_measured_cover_does_not_count() -> None:
    rolled = played(table(wall(10.5), distance=0.9), WHOLE)
    assert [event.rule for event in rolled.events if event.kind == "roll"] == ["Damage chart 1: hand-to-hand attacks"]


# Stations


def wounded(*things: Json, **fields: Any) -> Json:
    """A target with two white dice only, so that whoever stays loses one."""
    return table(frame("target", systems=[], at=[10, 10], defense=0, radius=0.25), *things, **fields)


def moved(source: Json, *answers: Any) -> Json:
    result: Json = played(source, [6, 6, 1, 1, 1], *answers).result.to_dict()
    return result


@pytest.mark.parametrize(("x", "is_near"), [(11.25, True), (11.26, False), (10, True), (8.75, True)])
def test_stations_are_near_within_one_unit_of_the_base(x: float, is_near: bool) -> None:
    question = played(wounded(station(x)), [6, 1, 1, 1, 1]).question
    assert (question is not None) == is_near


def test_stations_a_frame_that_abandons_moves_one_unit_along_the_line_from_the_station() -> None:
    assert moved(wounded(station(9.5)), "yes")["frames"]["target"]["at"] == [11.0, 10.0]
    assert moved(wounded(station(9.7, 9.6)), "yes")["frames"]["target"]["at"] == [10.6, 10.8]
    assert moved(wounded(station(9.3, 9.6)), "yes")["frames"]["target"]["at"] == [10.868, 10.496]
    assert moved(wounded(station(9.5)), "no", "no")["frames"]["target"]["at"] is None


def test_stations_a_frame_on_the_station_moves_away_from_the_attacker() -> None:
    assert moved(wounded(station(10)), "yes")["frames"]["target"]["at"] == [9.0, 10.0]


def test_stations_a_frame_that_abandons_is_kept_on_the_table() -> None:
    assert moved(wounded(station(9.5), size=[10.25, 20]), "yes")["frames"]["target"]["at"] == [10.25, 10.0]


def test_stations_the_nearest_is_abandoned_first_and_then_the_next() -> None:
    rules = {"abandon_per_attack": "once_per_station"}
    things = [station(10, 9.2, "far", holder="Blue"), station(9.5, name="near", holder="Blue")]
    once = moved(wounded(*things), "yes")
    assert (once["frames"]["target"]["at"], once["stations"]) == (
        [11.0, 10.0],
        {"far": {"holder": "Blue"}, "near": {"holder": None}},
    )
    twice = moved(wounded(*things, rules=rules), "yes", "yes")
    assert twice["frames"]["target"]["at"] == [11.781, 10.625]
    assert twice["stations"] == {"far": {"holder": None}, "near": {"holder": None}}


def test_stations_are_held_on_while_another_frame_of_the_holder_is_near() -> None:
    relay = station(9.5, holder="Blue")
    comrade = frame("comrade", at=[8.6, 10])
    assert moved(wounded(relay), "yes")["stations"] == {"relay": {"holder": None}}
    assert moved(wounded(relay, comrade), "yes")["stations"] == {"relay": {"holder": "Blue"}}
    away = {**comrade, "at": [8, 10]}
    assert moved(wounded(relay, away), "yes")["stations"] == {"relay": {"holder": None}}


def test_stations_of_others_stay_theirs() -> None:
    things = [station(9.5, holder="Red"), station(9.6, name="nobody's")]
    assert moved(wounded(*things), "yes")["stations"] == {"relay": {"holder": "Red"}, "nobody's": {"holder": None}}
    assert moved(wounded(station(9.5, holder="Blue")), "no", "no")["stations"] == {"relay": {"holder": "Blue"}}


def test_stations_given_by_the_file_move_nobody() -> None:
    result = moved(wounded(station(9.5, holder="Blue"), near_station=1), "yes")
    assert (result["frames"]["target"]["at"], result["abandoned"]) == ([10, 10], ["target"])
    assert result["stations"] == {"relay": {"holder": "Blue"}}
    assert played(wounded(station(9.5), near_station=0), [6, 1, 1, 1, 1]).question is None


def test_stations_a_covering_frame_abandons_its_own() -> None:
    cover = frame("cover", systems=[], at=[11, 10])
    source = table(cover, station(11.5))
    result = played(source, [5, 1, 1, 1, 1], "yes").result.to_dict()
    assert (result["abandoned"], result["frames"]["cover"]["at"]) == (["cover"], [10.0, 10.0])
    assert result["frames"]["target"]["at"] == [10, 10]


def test_the_result_rounds_places_to_thousandths_and_leaves_out_frames_that_are_not_on_the_table() -> None:
    source = wounded(frame("reserve"), frame("other", at=[1.23456, -0.00001]))
    result = played(source, WHOLE).result.to_dict()
    assert result["frames"]["other"]["at"] == [1.235, 0.0]
    assert str(result["frames"]["other"]["at"]) == "[1.235, 0.0]"
    assert "at" not in result["frames"]["reserve"]
    assert "stations" not in result


# Scores and the file afterwards


SCORES = {"Blue": {"frames": 3, "systems": 9}, "Red": {"frames": 2, "systems": 9}}


def test_scores_count_the_stations_on_the_table_and_change_when_one_is_given_up() -> None:
    source = wounded(station(9.5, holder="Blue"), station(30, name="depot", holder="Red"), scores=SCORES)
    assert played(source, WHOLE).result.to_dict()["scores"] == {"Blue": 4 * 4, "Red": 3 * 6}
    gone = played(source, [6, 1, 1, 1, 1], "yes")
    assert gone.result.to_dict()["scores"] == {"Blue": 3 * 4, "Red": 3 * 6}
    assert sentences(gone) == [
        "target (Blue) ignores one damage and abandons its position at relay: it moves to 11, 10",
        "Blue no longer holds relay",
        "Blue's score: 16 → 12",
    ]


def test_scores_with_another_number_of_stations_are_a_fault() -> None:
    scores = {**SCORES, "Blue": {**SCORES["Blue"], "stations": 2}}
    assert faults(wounded(station(9.5, holder="Blue"), scores=scores)) == [
        Fault("scores.Blue.stations", "found 2, but Blue holds 1 of the stations")
    ]
    assert faults(wounded(scores=SCORES)) == [
        Fault(f"scores.{player}.stations", "is missing: expected the stations that the player holds, or `[[stations]]`")
        for player in SCORES
    ]


def test_after_an_attack_the_file_has_the_new_places_and_holders() -> None:
    scores = {"Blue": {**SCORES["Blue"], "stations": 1}, "Red": SCORES["Red"]}
    play = played(wounded(station(9.5, holder="Blue"), scores=scores), [6, 1, 1, 1, 1], "yes")
    assert isinstance(play.pending, End)
    left = SYSTEM.after(play.battle.setup, play.battle.source, play.pending.state)
    assert [one["at"] for one in left["frames"]] == [[11.0, 10.0], [15.5, 10]]
    assert left["stations"] == [{"id": "relay", "at": [9.5, 10]}]
    assert left["scores"]["Blue"] == {**SCORES["Blue"], "stations": 0}
    again = {**left, "attack": {"by": "target", "on": "gunner", "attack": 3, "defense": 1}}
    assert setup_of(again).distance == pytest.approx(4)


def test_numbers_given_without_a_table_are_as_before() -> None:
    source = table(frame("cover", systems=["hand", "artillery"], at=[11, 10]), wall(10.8))
    plain: Json = {
        "system": "frames",
        "frames": [{key: value for key, value in one.items() if key != "at"} for one in source["frames"]],
        "terrain": [{"id": "wall", "hits": 1}],
        "attack": {**source["attack"], "range": "direct", "cover": ["wall", "cover"]},
    }
    here, there = played(source, "cover", [5, 6, 1, 1, 1]), played(plain, "cover", [5, 6, 1, 1, 1])
    assert here.question == there.question
    assert dice(played(source, "wall")) == dice(played(plain, "wall")) == ["5 d6"]
    assert [option.id for option in choice(played(source, "wall", [6, 1, 1, 1, 1])).options] == FULL
