"""A whole turn of one player: the shots of the file, each frame's activation once, what carries over."""

from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

import grognard
from grognard.core.errors import FaultCode
from grognard.core.rules import Choose, End, Roll
from grognard.core.systems import Json
from grognard.plays.play import Play
from grognard.solver.assumptions import Assumptions
from grognard.solver.plans import plan_turn
from tests.turns.random_turns import random_game
from tests.turns.test_against_brute import random_faces

from .battles import WALL, battle_of, frame

EXAMPLES = Path(__file__).parents[3] / "examples" / "frames"
SCOUT = frame("scout", "Red", ["spotting"], white=1)
GUNNER = frame("gunner", "Red", ["direct"], white=1)
SECOND = frame("second", "Red", ["direct"], white=1)
TARGET = frame("target", systems=["direct"], white=1, defense=2)
OTHER = frame("other", systems=[], white=1, defense=2)


def shot(by: str, on: str = "target", **fields: Any) -> Json:
    return {"by": by, "on": on, "range": "direct", **fields}


def turn(*things: Json, shots: list[Json], rules: Json | None = None, **fields: Any) -> Json:
    return battle_of(*things, rules=rules, turn={"player": "Red", "shots": shots, **fields})


def faults(source: Json) -> list[tuple[str, str, str]]:
    with pytest.raises(grognard.BattleError) as refused:
        grognard.battle(source)
    return [(fault.place, fault.message, fault.code) for fault in refused.value.faults]


def start(source: Json) -> Play:
    return grognard.start(grognard.battle(source))


def offered(play: Play) -> list[str]:
    return [option.id for option in play.question.options] if isinstance(play.question, Choose) else []


def fire(play: Play, name: str, attack: int, damage: list[int]) -> Play:
    """The shot of a frame with one white die and a direct weapon."""
    return play.choose(name).roll([1, attack, attack]).choose(f"R{attack}").roll(damage)


# the file


def test_turn_offers_its_shots_in_the_files_order_and_ends_last() -> None:
    shots = [shot("second"), shot("gunner", "other"), shot("gunner", id="kill it")]
    assert offered(start(turn(GUNNER, SECOND, TARGET, OTHER, shots=shots))) == [
        "second on target",
        "gunner on other",
        "kill it",
        "end",
    ]


def test_turn_shots_with_the_same_names_have_their_range_in_their_ids() -> None:
    shots = [shot("gunner"), shot("gunner", range="hand"), shot("gunner", id="again")]
    assert offered(start(turn(GUNNER, TARGET, shots=shots))) == [
        "gunner on target at direct",
        "gunner on target at hand",
        "again",
        "end",
    ]


def test_turn_shots_that_share_an_id_or_are_called_end_are_faults() -> None:
    shots = [shot("gunner"), shot("gunner"), shot("gunner", id="end")]
    assert [(place, code) for place, _, code in faults(turn(GUNNER, TARGET, shots=shots))] == [
        ("turn.shots[1].id", FaultCode.DUPLICATE),
        ("turn.shots[2].id", FaultCode.DUPLICATE),
    ]


def test_turn_of_an_unknown_player_or_with_an_unknown_target_is_a_fault() -> None:
    assert faults(turn(GUNNER, TARGET, shots=[], player="Green", target="gunman")) == [
        ("turn.player", 'there is no player "Green"; known: Red, Blue', FaultCode.UNKNOWN_NAME),
        (
            "turn.target",
            'there is no enemy frame or terrain "gunman", did you mean "gunner"? known: gunner, target',
            FaultCode.UNKNOWN_NAME,
        ),
    ]


def test_turn_faults_of_shots_have_their_places() -> None:
    unset = frame("unset", systems=[])
    shots: list[Json] = [
        shot("target", "unset"),
        shot("gunner", "second", defense=3),
        {"by": "gunner", "on": "target"},
        shot("gunner", "unset"),
        shot("gunner", "target", defense=4, id="other defense"),
        shot("gunner", "target", cover=["gunner"], id="behind itself"),
        shot("gunman", "wall", spot=3),
    ]
    actual = faults(turn(GUNNER, SECOND, TARGET, unset, WALL, shots=shots))
    assert [(place, code) for place, _, code in actual] == [
        ("turn.shots[0].on", "illegal"),
        ("turn.shots[0].by", "illegal"),
        ("turn.shots[1].on", "illegal"),
        ("turn.shots[2].range", FaultCode.MISSING),
        ("turn.shots[3].defense", FaultCode.MISSING),
        ("turn.shots[4].defense", FaultCode.CONFLICT),
        ("turn.shots[5].cover", "illegal"),
        ("turn.shots[6].by", FaultCode.UNKNOWN_NAME),
    ]
    assert actual[1][1] == "target is Blue's, but this is Red's turn"


def test_turn_beside_an_attack_or_an_activation_is_a_fault() -> None:
    source = turn(GUNNER, TARGET, shots=[shot("gunner")])
    message = "is there already: expected only one of them"
    assert faults({**source, "activation": shot("gunner")}) == [("turn", f"[activation] {message}", FaultCode.CONFLICT)]
    assert faults({**source, "attack": shot("gunner", attack=3)}) == [
        ("turn", f"[attack] {message}", FaultCode.CONFLICT)
    ]


def test_turn_without_a_possible_shot_is_over_at_once() -> None:
    tired = {**GUNNER, "acted": True}
    unarmed = frame("unarmed", "Red", [])
    for source in (turn(tired, unarmed, TARGET, shots=[shot("gunner"), shot("unarmed")]), turn(GUNNER, shots=[])):
        solution = grognard.solve(grognard.battle(source), fractions=True)
        assert (solution.value, len(solution.odds.outcomes)) == (0, 1)
        assert start(source).question is None


# what carries over


def test_turn_each_frame_acts_once_in_any_order() -> None:
    shots = [shot("gunner"), shot("gunner", "other"), shot("second", "other")]
    play = start(turn(GUNNER, SECOND, TARGET, OTHER, shots=shots))
    play = fire(play, "second on other", 3, [1])
    assert offered(play) == ["gunner on target", "gunner on other", "end"]
    play = fire(play, "gunner on other", 3, [6])
    assert play.question is None
    assert [name for name, now in play.state["frames"].items() if now["acted"]] == ["gunner", "second"]


def test_turn_a_spot_that_is_placed_is_there_for_the_next_frame() -> None:
    play = start(turn(SCOUT, GUNNER, TARGET, shots=[shot("scout", range="hand"), shot("gunner")]))
    play = play.choose("scout on target").roll([1, 8, 4])
    assert play.state["frames"]["target"]["spot"] == 4
    play = play.choose("gunner on target").roll([1, 2, 2]).choose("R2")
    assert isinstance(play.question, Choose)
    assert play.question.prompt == "Add the spot of 4 to the attack of 2?"
    play = play.choose("yes").roll([1, 1, 1, 1])
    assert play.state["frames"]["target"]["spot"] is None


def test_turn_a_defense_that_is_not_set_yet_is_rolled_once() -> None:
    fresh = {key: value for key, value in TARGET.items() if key != "defense"}
    shots = [shot("gunner", defense="not yet"), shot("second", defense="not yet")]
    play = start(turn(GUNNER, SECOND, fresh, shots=shots))
    play = play.choose("gunner on target").roll([1, 6, 6]).choose("R6").roll([4, 1, 1]).roll([1, 1])
    assert play.state["frames"]["target"]["defense"] == 4
    play = play.choose("second on target").roll([1, 6, 6]).choose("R6")
    assert isinstance(play.question, Roll)
    assert [pool.count for pool in play.question.reading.dice] == [2]


def test_turn_what_is_destroyed_is_no_target_and_no_cover_any_more() -> None:
    shots = [shot("gunner", "wall"), shot("second", cover=["wall"]), shot("gunner", "other", id="it")]
    play = start(turn(GUNNER, SECOND, TARGET, OTHER, WALL, shots=shots))
    again = fire(play, "gunner on wall", 3, [6, 6, 6])
    assert again.state["terrain"]["wall"]["hits"] == 0
    again = again.choose("second on target").roll([1, 6, 6]).choose("R6")
    assert isinstance(again.question, Roll)
    assert again.question.success == "a 5 or 6 damages target"
    shots = [shot("gunner", "other"), shot("second", "other")]
    assert fire(start(turn(GUNNER, SECOND, OTHER, shots=shots)), "gunner on other", 3, [6]).question is None


def test_turn_abandoning_lowers_the_stations_that_later_shots_give() -> None:
    shots = [shot("gunner", near_station=1), shot("second", near_station=True)]
    play = fire(start(turn(GUNNER, SECOND, TARGET, shots=shots)), "gunner on target", 3, [6]).choose("yes")
    play = fire(play, "second on target", 3, [6])
    assert play.question is None
    assert play.result.to_dict()["frames"]["target"]["systems"] == []
    assert play.result.to_dict()["abandoned"] == ["target"]


def on_table(*shots: Json) -> Json:
    source = turn({**GUNNER, "at": [2, 5]}, {**SECOND, "at": [2, 6]}, {**TARGET, "at": [10.4, 5]}, shots=[*shots])
    station = {"id": "relay", "at": [10, 5], "holder": "Blue"}
    return {**source, "table": {"size": [24, 16]}, "stations": [station]}


def test_turn_what_is_left_out_is_measured_where_frames_stand_then() -> None:
    source = on_table({"by": "gunner", "on": "target"}, {"by": "second", "on": "target"})
    play = fire(start(source), "gunner on target", 3, [6]).choose("yes")
    assert play.state["frames"]["target"]["at"] == [11.4, 5]
    assert play.state["stations"]["relay"]["holder"] is None
    assert play.question is None  # more than a ruler away, and without an artillery weapon
    given = on_table({"by": "gunner", "on": "target"}, {"by": "second", "on": "target", "near_station": 0})
    play = fire(start(given), "gunner on target", 3, [6]).choose("no")
    assert offered(play) == ["second on target", "end"]


def test_turn_the_file_afterwards_has_no_turn_and_may_be_attacked_again() -> None:
    source = on_table({"by": "gunner", "on": "target"})
    play = fire(start(source), "gunner on target", 3, [6]).choose("yes")
    assert isinstance(play.pending, End)
    after = play.battle.system.after(play.battle.setup, source, play.pending.state)
    assert "turn" not in after
    assert after["frames"][0] == {**GUNNER, "at": [2, 5], "defense": 1, "acted": True}
    assert after["frames"][2] == {**TARGET, "at": [11.4, 5.0]}
    assert "holder" not in after["stations"][0]


# against single activations, and against simpler ways to play


def test_turn_goes_on_from_the_file_after_each_activation() -> None:
    random = Random("after frames")
    for _ in range(12):
        source = random_game(random, "frames").source
        play = start(source)
        while isinstance(play.question, Choose):
            names = offered(play)
            name = random.choice(names[:-1])
            number = play.battle.setup.shot_ids.index(name)
            play = play.choose(name)
            aim = single_shot(source, number)
            single = start({key: value for key, value in source.items() if key != "turn"} | {"activation": aim})
            while single.question is not None:
                assert str(play.question) == str(single.question), source
                if isinstance(single.question, Choose):
                    answer = random.choice(single.question.options).id
                    play, single = play.choose(answer), single.choose(answer)
                else:
                    faces = random_faces(random, single.question)
                    play, single = play.roll(faces), single.roll(faces)
            assert isinstance(single.pending, End)
            after = single.battle.system.after(single.battle.setup, single.battle.source, single.pending.state)
            there = {entry["id"] for entry in after["frames"]}
            marks = ("systems", "white", "rockets", "spot", "defense", "acted", "at")
            assert {name: {mark: now.get(mark) for mark in marks} for name, now in living(play).items()} == {
                name: {mark: now.get(mark) for mark in marks} for name, now in living(single).items()
            }
            assert there == set(living(play))
            fled = single.result.to_dict()["abandoned"]
            source = {
                **after,
                "turn": {**source["turn"], "shots": stale_shots(source["turn"]["shots"], after["frames"], fled)},
            }
            source["turn"].pop("target", None)
            if "red" not in {entry["player"] for entry in source["frames"]}:
                break
            assert offered(play) == offered(start(source))


def living(play: Play) -> dict[str, Json]:
    return {name: now for name, now in play.state["frames"].items() if now["white"]}


def single_shot(source: Json, number: int) -> Json:
    """A shot as the activation of a file."""
    aim = {key: value for key, value in source["turn"]["shots"][number].items() if key != "id"}
    target: Json = next((entry for entry in source["frames"] if entry["id"] == aim["on"]), {})
    return {key: value for key, value in aim.items() if key != "defense"} if "defense" in target else aim


def stale_shots(shots: list[Json], frames: list[Json], fled: list[str]) -> list[Json]:
    """The shots that can still be written, with covers and stations as they are now."""
    there: dict[str, Json] = {entry["id"]: entry for entry in frames}
    kept = []
    for one in shots:
        left: Json = dict(one)
        target: Json | None = there.get(one["on"])
        if one["by"] not in there or (target is None and one["on"].startswith("f")):
            continue
        lies = {mark: target[mark] for mark in ("defense", "spot") if target and mark in target}
        if any(one.get(mark, value) not in (value, "not yet") for mark, value in lies.items()):
            continue
        if "cover" in one:
            left["cover"] = [name for name in one["cover"] if name in there or name.startswith("t")]
        if "near_station" in one and one["on"] in fled:
            left["near_station"] = max(0, int(one["near_station"]) - 1)
        kept.append(left)
    return kept


def test_turn_is_never_worth_less_than_simpler_ways_to_play_it() -> None:
    random = Random("plans of frames")
    for _ in range(12):
        battle = grognard.battle(random_game(random, "frames").source)
        plan = plan_turn(battle, Assumptions("best", "best", fractions=True))
        assert plan.value >= max(plan.order_value, plan.greedy_value, plan.stop_value)
        assert plan.order_value >= plan.stop_value == 0


# examples

SPOT_THEN_FIRE = Fraction(2530254817, 1451188224)
DRIVE_THEM_OFF = Fraction(24898667161, 26121388032)
DRIVE_THEM_OFF_KILL = Fraction(97280605, 1088391168)


def test_turn_of_the_scout_and_two_gunners() -> None:
    battle = grognard.load(EXAMPLES / "14-spot-then-fire.toml")
    solution = grognard.solve(battle, fractions=True)
    assert solution.value == SPOT_THEN_FIRE
    assert solution.advice().options[0].id == "scout on osprey"
    plan = plan_turn(battle, Assumptions("best", "best"))
    assert plan.order == ("scout on osprey", "gunner on recon", "veteran on osprey")


def test_turn_against_a_guard_at_a_station() -> None:
    battle = grognard.load(EXAMPLES / "15-drive-them-off.toml")
    assert grognard.solve(battle, fractions=True).value == DRIVE_THEM_OFF
    kill = grognard.solve(battle, objective="kill", fractions=True)
    assert kill.value == DRIVE_THEM_OFF_KILL == kill.odds["guard destroyed"].probability(True)
