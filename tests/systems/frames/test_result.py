"""What an attack is worth, what people ask of it, and what the file says afterwards."""

from typing import Any

import pytest

from grognard.core.rules import End
from grognard.core.systems import Json
from grognard.files import battle
from grognard.plays.play import Play
from grognard.systems.frames import SYSTEM

from ..playing import played
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
        "target (Blue) loses": 1,
        "target destroyed": False,
        "target abandons its position": True,
        "wall takes": 1,
        "wall is no cover any more": True,
        "cover (Blue) loses": 0,
        "cover destroyed": False,
    }
    sides = [measure.role for measure in SYSTEM.measures(play.battle.setup)]
    assert sides == ["defender", None, None, None, None, "defender", None]


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
        "frames": [{**TARGET, "systems": ["defense", "spotting", "direct"], "white": 2}],
        "terrain": [{"id": "wall", "hits": 0}],
    }


def test_after_an_attack_systems_keep_their_names_and_loadouts_their_notation() -> None:
    named = [{"kind": "direct", "name": "gun"}, "hand", {"kind": "direct", "name": "gun"}]
    assert after(attack(frame("target", systems=named)), [6, 1, 1, 1, 1], "gun")["frames"] == [
        {**TARGET, "systems": ["hand", {"kind": "direct", "name": "gun"}], "white": 2}
    ]
    word = {"id": "target", "player": "Blue", "loadout": "WWRdRdR8dR8r", "white": 2}
    left = after(attack(word), [6, 6, 6, 1, 1])["frames"]
    assert left == [{"id": "target", "player": "Blue", "loadout": "WG8R8r"}]


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
    assert left["frames"][0] == {**lone, "rockets": 1, "white": 2}
    assert "activation" not in left


def test_after_an_attack_another_can_be_declared() -> None:
    left = after(attack(TARGET, GUNNER, by="gunner"), [6, 1, 1, 1, 1], "defense")
    again = battle({**left, "attack": {"by": "target", "on": "gunner", "range": "hand", "attack": 1, "defense": 0}})
    assert again.setup.attacker == "Blue"


def test_the_end_of_a_turn_changes_nothing_in_the_file() -> None:
    fight = attack(TARGET, GUNNER)
    assert SYSTEM.end_turn(fight) == fight
