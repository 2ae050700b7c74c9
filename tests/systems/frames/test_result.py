"""What an attack is worth, what people ask of it, and what the file says afterwards."""

from typing import Any

import pytest

from grognard.core.rules import End
from grognard.core.systems import Json
from grognard.files import battle
from grognard.plays.play import Play
from grognard.systems.frames import SYSTEM

from ..playing import choice, dice, played
from .battles import COVER, GUNNER, TARGET, WALL, activation, attack, frame


def objectives(play: Play) -> dict[str, int]:
    return {name: one.of(play.battle.setup, play.result) for name, one in SYSTEM.objectives.items()}


def asked(play: Play) -> dict[str, object]:
    return {measure.name: measure.of(play.result) for measure in SYSTEM.measures(play.battle.setup)}


OWN = frame("cover", "Red", [])


@pytest.mark.parametrize(
    ("source", "answers", "expected"),
    [
        (attack(frame("target", systems=["hand"])), [[6, 6, 1, 1, 1]], {"swing": 2, "kill": 0}),
        (attack(frame("target", systems=["hand"])), [[6, 6, 6, 1, 1]], {"swing": 3, "kill": 1}),
        (attack(TARGET, OWN, GUNNER, by="gunner", cover="cover"), [[5, 5, 1, 1, 1]], {"swing": -2, "kill": 0}),
        (attack(TARGET, OWN, cover="cover"), [[5, 5, 1, 1, 1]], {"swing": 2, "kill": 0}),
        (attack(WALL, on="wall"), [[6, 1, 1, 1, 1]], {"swing": 0, "kill": 1}),
        (attack({"id": "wall", "hits": 2}, on="wall"), [[6, 1, 1, 1, 1]], {"swing": 0, "kill": 0}),
    ],
)
def test_objectives(source: Json, answers: list[Any], expected: dict[str, int]) -> None:
    assert objectives(played(source, *answers)) == expected


def test_measures_of_an_attack_in_cover() -> None:
    fight = attack(frame("target", systems=[]), COVER, WALL, cover=["wall", "cover"], near_station=1)
    play = played(fight, "wall", [4, 5, 6, 1, 1], "yes")
    assert asked(play) == {
        "target loses": 1,
        "target destroyed": False,
        "target abandons": True,
        "wall loses": 1,
        "wall destroyed": True,
        "cover loses": 0,
        "cover destroyed": False,
    }
    measures = SYSTEM.measures(play.battle.setup)
    assert [(measure.role, measure.side, measure.label) for measure in measures] == [
        ("defender", "Blue", "Blue's target: losses"),
        ("defender", "Blue", "Blue's target: destroyed"),
        ("defender", "Blue", "Blue's target: abandons its position"),
        (None, None, "The wall: hits taken"),
        (None, None, "The wall: no cover any more"),
        ("defender", "Blue", "Blue's cover: losses"),
        ("defender", "Blue", "Blue's cover: destroyed"),
    ]


def test_hand_to_hand_only_the_target_can_lose_something() -> None:
    fight = attack(TARGET, COVER, WALL, cover=["wall", "cover"], range="hand")
    names = [measure.name for measure in SYSTEM.measures(battle(fight).setup)]
    assert names == ["target loses", "target destroyed"]


def test_measures_of_a_turn_end_with_what_it_sets() -> None:
    play = played(activation(frame("gunner", "Red", ["direct"], white=1), TARGET, defense=6), [3, 1, 2], "R2")
    assert list(asked(play).items())[-4:] == [
        ("defense after the turn", 3),
        ("move after the turn", 0),
        ("spot after the turn", 0),
        ("rockets after the turn", 0),
    ]


def after(source: Json, *answers: Any) -> Json:
    play = played(source, *answers)
    assert isinstance(play.pending, End)
    return SYSTEM.after(play.battle.setup, play.battle.source, play.pending.state)


def test_after_an_attack_frames_and_terrain_are_as_it_left_them() -> None:
    fight = attack(TARGET, WALL, cover="wall")
    assert after(fight, [4, 6, 1, 1, 1], "movement") == {
        "system": "frames",
        "frames": [{**TARGET, "systems": ["defense", "spotting", "direct"], "white": 2, "defense": 0}],
        "terrain": [{"id": "wall", "hits": 0}],
    }


def test_after_an_attack_systems_keep_their_names_and_loadouts_their_notation() -> None:
    named = [{"kind": "direct", "name": "gun"}, "hand", {"kind": "direct", "name": "gun"}]
    assert after(attack(frame("target", systems=named)), [6, 1, 1, 1, 1], "gun")["frames"] == [
        {**TARGET, "systems": ["hand", {"kind": "direct", "name": "gun"}], "white": 2, "defense": 0}
    ]
    word = {"id": "target", "player": "Blue", "loadout": "WWRdRdR8dR8r", "white": 2}
    left = after(attack(word), [6, 6, 6, 1, 1])["frames"]
    assert left == [{"id": "target", "player": "Blue", "loadout": "WG8R8r", "defense": 0}]


def test_after_an_attack_destroyed_frames_are_gone_and_count_as_lost() -> None:
    scores = {
        "Blue": {"frames": 4, "systems": 9, "stations": 1, "lost": 1},
        "Red": {"frames": 3, "systems": 9, "stations": 0},
    }
    left = after(attack(frame("target", systems=[], white=1), COVER, scores=scores), [6, 1, 1, 1, 1])
    assert [one["id"] for one in left["frames"]] == ["cover"]
    assert left["scores"] == {**scores, "Blue": {**scores["Blue"], "lost": 2}}


def test_after_a_turn_the_rocket_is_gone() -> None:
    lone = frame("gunner", "Red", [], rockets=2)
    left = after(activation(lone, TARGET, defense=6), [2, 1, 1, 3, 2], "W2", "rocket 3", "none")
    assert left["frames"][0] == {**lone, "rockets": 1, "white": 2, "defense": 2, "acted": True}
    assert "activation" not in left


def test_after_an_attack_another_can_be_declared() -> None:
    left = after(attack(TARGET, GUNNER, by="gunner"), [6, 1, 1, 1, 1], "defense")
    again = battle({**left, "attack": {"by": "target", "on": "gunner", "range": "hand", "attack": 1, "defense": 0}})
    assert again.setup.side == "Blue"


# The battle after: spots, defense dice and who has acted


def marks(left: Json) -> dict[str, Json]:
    return {
        one["id"]: {key: value for key, value in one.items() if key in ("spot", "defense", "acted")}
        for one in left["frames"]
    }


@pytest.mark.parametrize(("used", "spot"), [("yes", {}), ("no", {"spot": 2})])
@pytest.mark.parametrize("on_frame", [True, False])
def test_after_an_attack_only_an_unused_spot_stays(used: str, spot: Json, on_frame: bool) -> None:
    fields: Json = {} if on_frame else {"spot": 2}
    target = {**TARGET, "spot": 2} if on_frame else TARGET
    fight = attack(target, GUNNER, by="gunner", attack=1, defense=3, **fields)
    assert marks(after(fight, used)) == {"target": {**spot, "defense": 3}, "gunner": {"acted": True}}


def test_after_an_attack_other_frames_keep_their_dice_and_marks() -> None:
    other = {**COVER, "spot": 4, "defense": 6, "acted": True}
    left = after(attack(TARGET, other, GUNNER, by="gunner", attack=1, defense=3))
    assert marks(left)["cover"] == {"spot": 4, "defense": 6, "acted": True}


def test_after_an_attack_by_nobody_nobody_has_acted() -> None:
    assert marks(after(attack(TARGET, GUNNER, attack=1, defense=3))) == {"target": {"defense": 3}, "gunner": {}}


def test_after_a_turn_both_have_set_their_defense_and_the_spot_lies_on_the_target() -> None:
    fight = activation(frame("gunner", "Red", ["spotting", "direct"], white=1), TARGET, defense="not yet")
    left = after(fight, [3, 5, 1, 1], "R1", [1, 1, 4, 1, 1, 1, 1])
    assert marks(left) == {"gunner": {"defense": 3, "acted": True}, "target": {"spot": 5, "defense": 4}}


def test_after_its_destruction_a_frame_leaves_no_dice() -> None:
    weak = frame("target", systems=[], white=1, spot=3)
    assert after(attack(weak, attack=1), "yes", [6, 1, 1, 1])["frames"] == []


def test_the_dice_on_a_frame_are_those_of_an_attack_that_leaves_them_out() -> None:
    target = {**TARGET, "spot": 5, "defense": 2}
    fight = attack(target, attack=3, defense=None)
    assert choice(played(fight)).prompt == "Add the spot of 5 to the attack of 3?"
    assert dice(played(fight, "no")) == ["1 d6"]
    same = attack(target, attack=3, defense=2, spot=5)
    assert dice(played(same, "yes")) == dice(played(fight, "yes")) == ["6 d6"]


def test_the_dice_on_a_frame_are_those_of_a_turn_that_leaves_them_out() -> None:
    fight = activation(frame("gunner", "Red", ["direct"], white=1), {**TARGET, "spot": 5, "defense": 2}, defense=None)
    rolled = played(fight, [1, 3, 1], "R3")
    assert choice(rolled).prompt == "Add the spot of 5 to the attack of 3?"
    assert dice(played(fight, [1, 3, 1], "R3", "no")) == ["1 d6"]


def test_the_end_of_a_turn_picks_up_defense_dice_and_lets_everybody_act_but_leaves_the_spots() -> None:
    fight = attack({**TARGET, "spot": 1, "defense": 2, "acted": True}, GUNNER)
    assert SYSTEM.end_turn(fight) == attack({**TARGET, "spot": 1}, GUNNER)
    assert SYSTEM.end_turn({"system": "frames"}) == {"system": "frames"}
