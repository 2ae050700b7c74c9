"""A state as data: whose everything is, what is lost, which dice lie where, and what is measured."""

import json
from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest

from grognard.core.positions import Pending, advance_to_question
from grognard.core.rules import Roll
from grognard.core.systems import Json, Role
from grognard.files import load

from ..playing import played
from ..walking import all_states, final_state, random_answer
from .battles import COVER, GUNNER, TARGET, WALL, activation, attack, frame
from .test_table import station, table, wall, wounded

EXAMPLES = sorted((Path(__file__).parents[3] / "examples" / "frames").glob("*.toml"))
IDS = [path.stem for path in EXAMPLES]


def contains(whole: object, part: object) -> bool:
    if isinstance(whole, Mapping) and isinstance(part, Mapping):
        return all(key in whole and contains(whole[key], value) for key, value in part.items())
    return whole == part


@pytest.mark.parametrize("path", EXAMPLES, ids=IDS)
def test_every_state_is_json_and_says_whose_everything_is(path: Path) -> None:
    battle = load(path)
    for seed in range(5):
        for state in all_states(battle, Random(seed)):
            shot = battle.system.snapshot(battle.setup, state)
            assert json.loads(json.dumps(shot)) == shot
            for entry in shot["frames"].values():
                assert entry["role"] == battle.system.role_of(battle.setup, entry["side"])
            assert all(entry["side"] is entry["role"] is None for entry in shot["terrain"].values())


@pytest.mark.parametrize("path", EXAMPLES, ids=IDS)
def test_the_snapshot_of_the_end_has_the_result_in_it(path: Path) -> None:
    battle = load(path)
    for seed in range(5):
        state = final_state(battle, Random(seed))
        result = battle.system.result(battle.setup, state).to_dict()
        assert contains(battle.system.snapshot(battle.setup, state), result)


@pytest.mark.parametrize("path", EXAMPLES, ids=IDS)
def test_every_roll_says_what_it_is_for_what_counts_and_whose_dice_they_are(path: Path) -> None:
    battle, random = load(path), Random(1)
    due = advance_to_question(battle.setup, battle.start())
    while isinstance(due, Pending):
        if isinstance(due.question, Roll):
            assert due.question.purpose
            assert due.question.success
            assert len(due.question.by) == len(due.question.reading.dice)
            assert {battle.system.role_of(battle.setup, roller.side) for roller in due.question.by} <= set(Role)
        due = advance_to_question(battle.setup, due.position.answered(random_answer(due, random)))


@pytest.mark.parametrize(
    ("fields", "success"),
    [
        ({"range": "hand"}, "a 4, 5 or 6 damages target"),
        ({}, "a 5 or 6 damages target"),
        (
            {"cover": "wall"},
            "a 4 or 5 damages wall, a 6 damages target; once wall is no cover any more, a 5 damages target too",
        ),
        ({"cover": "cover"}, "a 5 damages cover, a 6 damages target; once cover is destroyed, a 5 damages target too"),
        ({"cover": "tank"}, "a 6 damages target; tank has two defensive systems and takes no damage"),
        ({"on": "wall"}, "a 4, 5 or 6 damages wall"),
    ],
)
def test_the_damage_roll_says_what_each_face_does(fields: Json, success: str) -> None:
    tank = frame("tank", systems=["defense", "defense"])
    question = played(attack(TARGET, COVER, tank, WALL, GUNNER, by="gunner", **fields)).question
    assert isinstance(question, Roll)
    assert (question.purpose, question.success) == ("Damage roll", success)
    assert [(roller.name, roller.side) for roller in question.by] == [("gunner", "Red")]


def test_systems_without_names_are_struck_out_one_by_one() -> None:
    named = [{"kind": "direct", "name": "gun"}, "hand", "hand"]
    shot = played(attack(frame("target", systems=named)), [6, 6, 1, 1, 1], "hand", "hand").state["frames"]["target"]
    assert shot["carried"] == [
        {"name": "gun", "kind": "direct", "lost": False},
        {"name": "hand", "kind": "hand", "lost": True},
        {"name": "hand", "kind": "hand", "lost": True},
    ]
    once = played(attack(frame("target", systems=named)), [6, 6, 1, 1, 1], "hand").state["frames"]["target"]
    assert [part["lost"] for part in once["carried"]] == [False, True, False]


def test_dice_and_marks_are_as_they_are_at_the_moment() -> None:
    fight = attack({**TARGET, "spot": 4, "defense": 2}, GUNNER, by="gunner", defense=None, attack=1)

    def marks(*answers: str | list[int]) -> dict[str, tuple[object, ...]]:
        frames = played(fight, *answers).state["frames"]
        return {name: (one["spot"], one["defense"], one["acted"]) for name, one in frames.items()}

    assert marks() == {"target": (4, 2, False), "gunner": (None, None, False)}
    assert marks("yes") == {"target": (None, 2, False), "gunner": (None, None, False)}
    assert marks("yes", [1, 1, 1]) == {"target": (None, 2, False), "gunner": (None, None, True)}
    assert marks("no") == {"target": (4, 2, False), "gunner": (None, None, True)}


def test_a_turn_shows_the_dice_it_has_set() -> None:
    fight = activation(frame("gunner", "Red", ["spotting"], white=1, rockets=1), TARGET, defense=6)
    shot = played(fight, [3, 5, 4, 2], "rocket 2").state
    assert shot["activation"] == {"defense": 3, "move": 5, "spot": 4, "rockets": 0, "spot_die": 0}
    assert (shot["frames"]["gunner"]["defense"], shot["frames"]["target"]["spot"]) == (3, 4)


def test_places_and_stations_are_as_they_are_at_the_moment() -> None:
    source = wounded(station(9.5, holder="Blue"))
    shots = [played(source, [6, 1, 1, 1, 1], *answers).state for answers in ([], ["yes"])]
    assert [shot["frames"]["target"]["at"] for shot in shots] == [[10, 10], [11.0, 10.0]]
    assert [shot["stations"]["relay"]["holder"] for shot in shots] == ["Blue", None]
    assert shots[0]["stations"]["relay"] == {"holder": "Blue", "at": [9.5, 10], "side": "Blue", "role": "defender"}


def test_what_is_measured_is_there_to_be_drawn() -> None:
    low, far = wall(10.8, 10.2, "low", height=2), wall(13, name="far")
    aside = wall(10.5, 10.8, "aside")
    source = table(wall(11), low, far, aside, wall(40, name="elsewhere"), station(9.5))
    shown = played(source).state["geometry"]
    assert (shown["by"], shown["on"], shown["distance"], shown["range"]) == ("gunner", "target", 5.0, "direct")
    assert (shown["reach"], shown["tolerance"]) == ({"hand": 1.0, "direct": 8.0}, 0.05)
    assert (shown["covers"], shown["is_cover_given"]) == (["wall"], False)
    assert [(one["id"], one["covers"], one["why"]) for one in shown["pieces"]] == [
        ("wall", True, "0.65 from the target, in the line of attack"),
        ("low", False, "2 bricks high: cover has at least 3"),
        ("far", False, "in the line of attack, but 2.65 from the target: cover is within 1"),
        ("aside", False, "0.56 from the target, but 0.45 beside the line of attack"),
    ]
    assert shown["stations"] == {"target": ["relay"]}
    assert {(x, y) for x, y in shown["lane"] if x == 10} == {(10, 9.75), (10, 10.25)}
    assert max(x for x, _ in shown["lane"]) == 15.75


def test_nothing_is_measured_without_places() -> None:
    assert "geometry" not in played(attack(TARGET)).state
    nowhere = table(frame("target", defense=0), range="direct", cover=[])
    shown = played(nowhere).state["geometry"]
    assert (shown["distance"], shown["lane"], shown["pieces"]) == (None, None, [])
