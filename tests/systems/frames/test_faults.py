"""What makes a battle illegal."""

from collections.abc import Mapping
from typing import Any

import pytest

from grognard.core.errors import BattleError, Fault
from grognard.core.systems import Json
from grognard.files import battle

from .battles import COVER, GUNNER, TARGET, WALL, activation, attack, battle_of, frame

RUIN = {"id": "ruin", "hits": 0}


def faults(source: Mapping[str, object]) -> list[Fault]:
    with pytest.raises(BattleError) as refused:
        battle(source)
    return refused.value.faults


def loaded(**fields: Any) -> Json:
    return attack({"id": "target", "player": "Blue", **fields})


def test_ids_are_unique_in_their_list() -> None:
    assert faults(attack(TARGET, GUNNER, TARGET, WALL, WALL)) == [
        Fault("frames[2].id", '"target" is already the id of frames[0]'),
        Fault("terrain[1].id", '"wall" is already the id of terrain[0]'),
    ]


def test_a_name_that_means_a_frame_and_a_terrain_is_refused_where_it_is_used() -> None:
    both = frame("wall")
    assert faults(attack(TARGET, both, WALL, cover="wall")) == [
        Fault("attack.cover", '"wall" is the id of a frame and of a terrain: which is meant?')
    ]
    assert battle(attack(TARGET, both, WALL)).setup.target == 0


@pytest.mark.parametrize(
    ("systems", "message"),
    [
        (["hand"] * 3, "3 hand systems, but a frame carries at most 2 of a kind"),
        (["hand", "hand", "direct", "direct", "defense"], "5 systems, but a frame carries at most 4"),
    ],
)
def test_a_frame_carries_no_more_than_frames_can(systems: list[str], message: str) -> None:
    assert faults(loaded(systems=systems)) == [Fault("frames[0].systems", message)]


def test_systems_of_one_name_are_of_one_kind() -> None:
    systems = [{"kind": "direct", "name": "gun"}, "hand", {"kind": "artillery", "name": "gun"}]
    assert faults(loaded(systems=systems)) == [
        Fault(
            "frames[0].systems[2]",
            'two systems are called "gun", one direct, one artillery: give one another name',
        )
    ]


def test_no_system_is_called_like_the_white_dice() -> None:
    assert faults(loaded(systems=[{"kind": "direct", "name": "white"}])) == [
        Fault("frames[0].systems[0].name", '"white" is the name of the white dice')
    ]


def test_an_illegal_loadout_is_refused_with_all_reasons() -> None:
    assert faults(loaded(loadout="WWWBBBRd")) == [
        Fault("frames[0].loadout", "1 Rd: one direct weapon is RdRd, two are RdRdR8d"),
        Fault("frames[0].loadout", "3 defense systems, but a frame carries at most 2 of a kind"),
        Fault("frames[0].loadout", "3 white dice, but a frame has 1 or 2 (W, WW)"),
    ]


@pytest.mark.parametrize("word", ["WWBBGGY", "WWBBBBB", "WWWBBBGGRd"])
def test_a_loadout_with_too_many_systems_is_only_that_fault(word: str) -> None:
    (fault,) = faults(loaded(loadout=word))
    assert fault.message.endswith("systems, but a frame carries at most 4")
    (fault,) = faults(activation({"id": "gunner", "player": "Red", "loadout": word}, TARGET))
    assert (fault.place, fault.message[2:]) == ("frames[0].loadout", "systems, but a frame carries at most 4")


def test_a_frame_that_has_acted_may_not_attack() -> None:
    tired = {**GUNNER, "acted": True}
    message = "gunner has acted already: it may not attack again this turn"
    assert faults(attack(TARGET, tired, by="gunner")) == [Fault("attack.by", message)]
    assert faults(activation(TARGET, tired)) == [Fault("activation.by", message)]
    assert battle(attack(TARGET, tired)).setup.target == 0


def test_an_attack_does_not_contradict_the_dice_on_its_target() -> None:
    target = {**TARGET, "spot": 3, "defense": 2}
    assert faults(attack(target, defense=4, spot=5)) == [
        Fault("attack.defense", "found 4, but target has a defense of 2: leave it out"),
        Fault("attack.spot", "found 5, but target has a spot of 3: leave it out"),
    ]
    assert faults(activation(target, GUNNER, defense="not yet")) == [
        Fault("activation.defense", "found not yet, but target has a defense of 2: leave it out")
    ]
    assert battle(attack(target, defense=2, spot=3)).setup.spot == 3


@pytest.mark.parametrize(("field", "value"), [("spot", 0), ("spot", 7), ("defense", -1), ("defense", 7), ("acted", 1)])
def test_the_marks_of_a_frame_have_bounds(field: str, value: Any) -> None:
    assert [fault.place for fault in faults(attack({**TARGET, field: value}))] == [f"frames[0].{field}"]


def test_large_files_are_taken_and_larger_ones_refused() -> None:
    name = "n" * 200
    large = attack(frame(name), {"id": "wall", "hits": 10**6}, on=name, near_station=10**6)
    assert battle(large).setup.target == 0
    assert [fault.place for fault in faults(attack(TARGET, {"id": "wall", "hits": 10**6 + 1}))] == ["terrain[0].hits"]
    assert [fault.place for fault in faults(attack(TARGET, frame("n" * 201)))] == ["frames[1].id"]
    many = [frame(f"frame {number}", systems=[]) for number in range(9_999)]
    assert len(battle(attack(TARGET, *many)).setup.frames) == 10_000
    assert [fault.place for fault in faults(attack(TARGET, TARGET, *many))] == ["frames"]


def test_a_loadout_says_it_all() -> None:
    assert faults(loaded(loadout="WBG8R8r", systems=["defense"], white=2, rockets=0)) == [
        Fault("frames[0].systems", "the loadout WBG8R8r says it already: give one or the other"),
        Fault("frames[0].white", "found 2, but the loadout WBG8R8r has 1"),
        Fault("frames[0].rockets", "found 0, but the loadout WBG8R8r has 1"),
    ]
    assert battle(loaded(loadout="WBG8R8r", white=1, rockets=1, systems=[])).setup.frames[0].strength == 2


def test_white_dice_rockets_and_hits_have_bounds() -> None:
    wrong = attack({**TARGET, "white": 0}, frame("other", white=3, rockets=4), {"id": "wall", "hits": -1})
    assert [fault.place for fault in faults(wrong)] == [
        "frames[0].white",
        "frames[1].white",
        "frames[1].rockets",
        "terrain[0].hits",
    ]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("attack", 0),
        ("attack", 9),
        ("spot", 0),
        ("spot", 7),
        ("defense", -1),
        ("defense", 7),
        ("near_station", -1),
        ("range", "melee"),
    ],
)
def test_the_numbers_of_an_attack_have_bounds(field: str, value: Any) -> None:
    assert [fault.place for fault in faults(attack(TARGET, **{field: value}))] == [f"attack.{field}"]


def test_a_file_has_an_attack_or_an_activation() -> None:
    both = {**attack(TARGET, GUNNER), "activation": activation()["activation"]}
    assert faults(both) == [Fault("activation", "[attack] is there already: expected only one of them")]
    assert faults(battle_of(TARGET)) == [Fault("attack", "is missing: expected [attack] or [activation] or [turn]")]


def test_an_attack_names_what_the_file_has() -> None:
    assert faults(attack(TARGET, WALL, by="gunman", on="targt", cover=["well", "sky"])) == [
        Fault("attack.by", 'there is no frame "gunman"; known: target'),
        Fault("attack.on", 'there is no frame or terrain "targt", did you mean "target"? known: target, wall'),
        Fault("attack.cover[0]", 'there is no frame or terrain "well", did you mean "wall"? known: target, wall'),
        Fault("attack.cover[1]", 'there is no frame or terrain "sky"; known: target, wall'),
    ]
    assert faults(attack(TARGET, by="wall", cover="wall")) == [
        Fault("attack.by", 'there is no frame "wall"; known: target'),
        Fault("attack.cover", 'there is no frame or terrain "wall"; known: target'),
    ]
    assert faults(battle_of(attack={"on": "wall", "range": "hand", "attack": 1})) == [
        Fault("attack.on", 'there is no frame or terrain "wall"; known: none')
    ]


def test_a_frame_cannot_attack_itself() -> None:
    assert faults(attack(TARGET, by="target")) == [Fault("attack.on", "target cannot attack itself")]


def test_a_frame_cannot_attack_another_of_its_own_player() -> None:
    mine = frame("target", "Red")
    message = "target is Red's own, as gunner is: expected an enemy"
    assert faults(attack(mine, GUNNER, by="gunner")) == [Fault("attack.on", message)]
    assert faults(activation(mine, GUNNER)) == [Fault("activation.on", message)]


def test_without_an_attacking_frame_nobody_is_called_the_attacker() -> None:
    same = frame("target", "attacker")
    assert faults(attack(same)) == [
        Fault("attack.by", 'is missing, but a player is called "attacker", as the attacking player is then')
    ]
    assert battle(attack(same, GUNNER, by="gunner")).setup.side == "Red"


def test_terrain_has_no_defense_takes_no_spot_and_no_cover() -> None:
    assert faults(attack(TARGET, WALL, on="wall", defense=2, spot=3, cover="target")) == [
        Fault("attack.defense", "found 2, but wall is terrain, which has no defense: leave it out"),
        Fault("attack.spot", "wall is terrain, which takes no spot: leave it out"),
        Fault("attack.cover", "wall is terrain, which takes no cover: leave it out"),
    ]
    assert faults(activation(GUNNER, WALL, on="wall", defense="not yet")) == [
        Fault("activation.defense", "found not yet, but wall is terrain, which has no defense: leave it out")
    ]
    assert battle(attack(WALL, on="wall", defense=0)).setup.target == -1


def test_a_frame_has_a_defense() -> None:
    assert faults(attack(TARGET, defense=None)) == [
        Fault("attack.defense", "is missing: expected the defense of target, from 0 to 6")
    ]
    assert faults(activation(GUNNER, TARGET, defense=None)) == [
        Fault("activation.defense", 'is missing: expected the defense of target, from 0 to 6 or "not yet"')
    ]


def test_neither_the_target_nor_the_attacking_frame_is_the_cover() -> None:
    assert faults(attack(TARGET, GUNNER, by="gunner", cover="target")) == [
        Fault("attack.cover", "target is the target: it cannot be the cover")
    ]
    assert faults(attack(TARGET, GUNNER, by="gunner", cover="gunner")) == [
        Fault("attack.cover", "gunner is the attacking frame: it cannot be the cover")
    ]


def test_at_most_one_terrain_and_one_frame_are_the_cover() -> None:
    assert faults(attack(TARGET, COVER, GUNNER, WALL, RUIN, cover=["cover", "wall", "gunner", "ruin"])) == [
        Fault("attack.cover", "found cover and gunner, expected at most one frame"),
        Fault("attack.cover", "found wall and ruin, expected at most one terrain"),
    ]


def test_nobody_has_more_frames_here_than_in_the_game() -> None:
    one = {"frames": 2, "systems": 4, "stations": 0}
    scores = {"Blue": {**one, "lost": 1}, "Red": one, "Captain Kader": {**one, "lost": 3}}
    assert faults(attack(TARGET, COVER, GUNNER, scores=scores)) == [
        Fault("scores.Blue.frames", "2 frames less 1 lost, but Blue has 2 in this file"),
        Fault('scores."Captain Kader".frames', "2 frames less 3 lost, but Captain Kader has 0 in this file"),
    ]


@pytest.mark.parametrize(
    ("fields", "reach", "is_legal"),
    [
        ({"systems": ["direct"]}, "direct", True),
        ({"systems": ["direct"]}, "artillery", False),
        ({"systems": ["artillery"]}, "direct", False),
        ({"systems": []}, "hand", True),
        ({"systems": []}, "direct", False),
        ({"systems": [], "rockets": 1}, "direct", True),
        ({"systems": [], "rockets": 1}, "artillery", False),
    ],
)
def test_a_turn_is_played_at_a_range_for_which_the_frame_has_a_weapon(fields: Json, reach: str, is_legal: bool) -> None:
    source = activation({"id": "gunner", "player": "Red", **fields}, TARGET, range=reach)
    if is_legal:
        assert battle(source).setup.active.id == "gunner"
    else:
        assert faults(source) == [Fault("activation.range", f"gunner has no weapon for {reach} range")]


def test_a_turn_needs_a_frame() -> None:
    assert faults(activation(TARGET, WALL, by="wall")) == [
        Fault("activation.by", 'there is no frame "wall"; known: target')
    ]
