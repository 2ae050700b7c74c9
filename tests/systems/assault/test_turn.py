"""Whole turns: what is offered, what an attack leaves for the next, shots that have become stale, faults."""

import json
from random import Random
from typing import Any

import pytest

from grognard import BattleError, odds, solve
from grognard.core.rules import Choose, End
from grognard.core.systems import Json
from grognard.files import battle
from grognard.plays.play import Play, start
from grognard.systems.assault import SYSTEM
from grognard.testing import rules_test
from tests.turns.brute_assault import is_legal
from tests.turns.random_turns import random_game

from .battles import HMG, MORTAR, RIFLES, TANK, asked, letters, played, sentences

RANGERS: Json = {"id": "rangers", "side": "us", "card": "US Rangers 43"}
GUNS: Json = {"id": "guns", "side": "ge", "card": "GE Rifles 43"}
BY_HAND: Json = {"dice": "R", "defense": "B"}
MISS, HIT, DAZE = [["", "X"], ["DD", ""], ["DX", "D"]]


def shot(by: str, on: str, **fields: Any) -> Json:
    return {"by": by, "on": on, "range": 2, **fields}


def turn(*units: Json, shots: list[Json] | None = None, side: str = "us", **more: Any) -> Json:
    listed = {} if shots is None else {"shots": shots}
    return {"system": "assault", "units": list(units), "turn": {"side": side, **listed}, **more}


def on_board(*units: Json, size: tuple[int, int] = (9, 5), hexes: tuple[Json, ...] = (), **more: Any) -> Json:
    return turn(*units, board={"size": list(size), "hexes": list(hexes)}, **more)


def offered(source: Json, *answers: list[Any] | str) -> list[str] | None:
    question = played(source, *answers).question
    return [option.id for option in question.options] if isinstance(question, Choose) else None


def faults(source: Json) -> list[tuple[str, str, str]]:
    with pytest.raises(BattleError) as refused:
        battle(source)
    return [(fault.place, fault.message, str(fault.code)) for fault in refused.value.faults]


def at(unit: Json, column: int, row: int, **more: Any) -> Json:
    return {**unit, "at": [column, row], **more}


def test_turn_off_the_board_the_listed_shots_are_offered_in_their_order_and_last_the_end() -> None:
    source = turn(RIFLES, RANGERS, HMG, shots=[shot("rangers", "hmg"), shot("rifles", "hmg")])
    assert asked(played(source)) == "Which attack is next?"
    assert offered(source) == ["rangers on hmg", "rifles on hmg", "end"]


def test_turn_ids_are_given_or_made_of_the_names_and_where_these_are_the_same_of_the_range() -> None:
    shots = [
        shot("rifles", "hmg", range=3),
        shot("rifles", "hmg", range=5),
        shot("rifles", "hmg", id="quick", fire="move_and_fire"),
        shot("rangers", "hmg", id="covered", dice="R"),
        shot("rangers", "hmg"),
    ]
    ids = ["rifles on hmg at 3", "rifles on hmg at 5", "quick", "covered", "rangers on hmg", "end"]
    assert offered(turn(RIFLES, RANGERS, HMG, shots=shots)) == ids


def test_turn_ids_that_are_still_equal_or_end_the_turn_are_faults() -> None:
    shots = [shot("rifles", "hmg"), shot("rifles", "hmg"), shot("rifles", "hmg", id="end")]
    assert faults(turn(RIFLES, HMG, shots=shots)) == [
        (
            "turn.shots[1].id",
            '"rifles on hmg at 2" is already the id of turn.shots[0]',
            "duplicate",
        ),
        ("turn.shots[2].id", '"end" ends the turn: expected another id', "duplicate"),
    ]


def test_turn_names_that_are_not_there_and_shots_of_the_wrong_side_are_faults() -> None:
    shots = [
        shot("rifle", "hmg"),
        shot("rifles", "hgm"),
        shot("rifles", "hmg", joint="nobody"),
        shot("rifles", "hmg", terrain="swamp"),
        shot("hmg", "rifles"),
        shot("rifles", "rangers"),
        {"by": "rifles", "on": "hmg"},
        {"by": "rifles", "on": "hmg", "id": "by hand", "dice": "R", "defense": ""},
    ]
    actual = faults(turn(RIFLES, RANGERS, HMG, shots=shots))
    assert [(place, code) for place, _, code in actual] == [
        ("turn.shots[0].by", "unknown_name"),
        ("turn.shots[1].on", "unknown_name"),
        ("turn.shots[2].joint", "unknown_name"),
        ("turn.shots[3].terrain", "unknown_name"),
        ("turn.shots[4].by", "illegal"),
        ("turn.shots[5].on", "illegal"),
        ("turn.shots[6].range", "missing"),
    ]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"side": "uk"}, ("turn.side", "unknown_name")),
        ({"side": "us", "target": "rifles"}, ("turn.target", "unknown_name")),
        ({"side": "us", "shots": [{"by": "rifles"}]}, ("turn.shots[0].on", "missing")),
        ({"side": "us", "shots": [shot("rifles", "hmg", fire="wild")]}, ("turn.shots[0].fire", "not_allowed")),
        ({"side": "us", "shots": [shot("rifles", "hmg", dice="RX")]}, ("turn.shots[0].dice", "illegal")),
        ({"side": "us", "shot": []}, ("turn.shot", "unknown_key")),
    ],
)
def test_turn_each_fault_has_its_place_and_its_code(fields: Json, expected: tuple[str, str]) -> None:
    ((place, _, code),) = faults({**turn(RIFLES, HMG), "turn": fields})
    assert (place, code) == expected


def test_turn_and_attack_exclude_each_other_and_one_is_needed() -> None:
    both = {**turn(RIFLES, HMG), "attack": shot("rifles", "hmg")}
    assert [place for place, _, _ in faults(both)] == ["turn"]
    assert [place for place, _, _ in faults({"system": "assault", "units": [RIFLES, HMG]})] == ["attack"]


def test_turn_on_a_board_every_unit_may_fire_on_every_enemy_that_it_could_attack() -> None:
    units = [
        at(HMG, 4, 1),
        at(RANGERS, 1, 1),
        at(TANK, 9, 5),
        at(RIFLES, 3, 1),
        at({**RANGERS, "id": "tired", "activated": True}, 2, 1),
    ]
    assert offered(on_board(*units)) == ["rangers on hmg", "rifles on hmg", "end"]


def test_turn_on_a_board_the_turret_fires_only_where_nothing_else_is_legal() -> None:
    tank = at({**TANK, "side": "us"}, 3, 3, facing="northeast")
    ahead, behind = at(HMG, 5, 1), at({**GUNS}, 1, 3)
    source = on_board(tank, ahead, behind)
    assert played(source, "tank on hmg").state["fire"] == "firing"
    assert played(source, "tank on guns").state["fire"] == "turret_firing"


def test_turn_on_a_board_listed_shots_alone_are_offered() -> None:
    units = [at(RIFLES, 1, 1), at(RANGERS, 1, 2), at(HMG, 3, 1), at(MORTAR, 1, 3)]
    shots = [
        {"by": "rifles", "on": "hmg", "joint": "rangers"},
        {"by": "mortar", "on": "hmg", "fire": "indirect", "range": 3},
    ]
    source = on_board(*units)
    source["turn"]["shots"] = shots
    assert offered(source) == ["rifles on hmg", "mortar on hmg", "end"]


def test_turn_off_the_board_without_shots_there_is_no_attack() -> None:
    actual = odds(battle(turn(RIFLES, HMG)), fractions=True)
    assert (actual.value, len(actual.outcomes)) == (0, 1)


def test_turn_a_shot_is_possible_exactly_if_its_attack_would_be_legal() -> None:
    shots = [
        shot("rifles", "hmg", range=30),
        shot("rifles", "tank", range=3),
        shot("mortar", "hmg", fire="move_and_fire"),
        shot("rifles", "hmg", id="blind", hindering=3),
        shot("rifles", "hmg", id="good"),
    ]
    assert offered(turn(RIFLES, MORTAR, HMG, TANK, shots=shots)) == ["good", "end"]


def test_turn_who_has_fired_or_joined_the_fire_does_not_fire_again() -> None:
    shots = [
        shot("rifles", "hmg", id="joint", joint="rangers", **BY_HAND),
        shot("rangers", "hmg"),
        shot("mortar", "hmg"),
    ]
    units = [RIFLES, RANGERS, {**MORTAR, "v_infantry": {"1-9": "R"}}, HMG]
    source = turn(*units, shots=shots)
    assert offered(source, "joint", [""]) == ["mortar on hmg", "end"]
    assert offered(source, "rangers on hmg", ["", "X"], ["X", "X"]) == ["mortar on hmg", "end"]


def test_turn_a_shot_on_a_unit_that_is_gone_is_impossible_and_on_one_that_fell_back_stays_as_listed() -> None:
    weak = {**HMG, "damage": 2}
    shots = [shot("rifles", "hmg", **BY_HAND), shot("rangers", "hmg", terrain="brush", spotted=True)]
    gone = played(turn(RIFLES, RANGERS, weak, shots=shots), "rifles on hmg", [*HIT])
    assert gone.question is None
    assert gone.result.to_dict()["units"]["hmg"] == {"damage": 3, "status": "eliminated", "immobilized": False}
    back = {**HMG, "status": "suppressed"}
    source = turn(RIFLES, RANGERS, back, shots=shots)
    away = played(source, "rifles on hmg", [*DAZE])
    assert away.state["units"]["hmg"]["status"] == "fallback"
    assert offered(source, "rifles on hmg", [*DAZE]) == ["rangers on hmg", "end"]
    again = away.choose("rangers on hmg").roll(["DD", "D"])
    assert letters(again.question) == "YGB"


def test_turn_damage_and_suppression_hold_for_the_next_attack() -> None:
    shots = [shot("rifles", "hmg", dice="RR"), shot("rangers", "hmg", dice="R")]
    source = turn(RIFLES, RANGERS, HMG, shots=shots)
    second = played(source, "rifles on hmg", ["DX", "DX"], ["X", ""], "rangers on hmg", ["DD"])
    assert letters(second.question) == "YGG"
    assert second.state["units"]["hmg"]["damage"] == 2
    assert second.roll(["X", "", ""]).result.to_dict()["units"]["hmg"]["status"] == "eliminated"


def test_turn_on_a_board_who_fell_back_stands_elsewhere_for_the_next_attack() -> None:
    units = [at(RIFLES, 1, 1), at(RANGERS, 1, 2), at({**HMG, "status": "suppressed", "dug_in": True}, 3, 1)]
    source = on_board(*units)
    away = played(source, "rifles on hmg", ["DX", "", "X"], ["X", "", "", ""])
    hmg = away.state["units"]["hmg"]
    assert (hmg["status"], hmg["at"], hmg["dug_in"], hmg["damage"]) == ("fallback", [6, 1], False, 1)
    assert sentences(away.choose("rangers on hmg"), "attack 1.0")[-1].startswith("rangers on hmg: range 6")


def test_turn_on_a_board_who_fell_back_may_be_out_of_reach() -> None:
    units = [at(RIFLES, 1, 1), at({**RANGERS, "v_infantry": {"1-3": "R"}}, 1, 2), at(HMG, 3, 1, status="suppressed")]
    assert offered(on_board(*units), "rifles on hmg", ["DX", "", "X"], ["X", "", ""]) is None


def test_turn_cards_are_spent_and_one_a_side_may_be_played_in_each_attack() -> None:
    shots = [shot("rifles", "hmg", dice="R", defense=""), shot("rangers", "hmg", dice="R", defense="")]
    cards = [{"side": "us", "card": "rain of fire"}, {"side": "us", "card": "second magazine"}]
    source = turn(RIFLES, RANGERS, HMG, shots=shots, command_cards=cards)
    play = played(source, "rifles on hmg", "yes", [""])  # an X: suppressed
    assert play.state["cards_played"] == [0]
    assert play.state["units"]["hmg"]["status"] == "suppressed"
    second = play.choose("rangers on hmg").roll([""])
    assert asked(second).startswith("Play second magazine")
    assert second.choose("yes").roll([""]).state["cards_played"] == [0, 1]


def test_turn_each_attack_costs_a_command_point_and_without_one_there_is_none() -> None:
    shots = [shot("rifles", "hmg", **BY_HAND), shot("rangers", "hmg", **BY_HAND)]
    source = turn(RIFLES, RANGERS, HMG, shots=shots, command_points={"us": 1, "ge": 2})
    over = played(source, "rifles on hmg", [*MISS])
    assert over.question is None
    assert over.state["command_points"] == {"us": 0, "ge": 2}


def test_turn_a_snapshot_shows_every_unit_and_who_fires_on_whom() -> None:
    shots = [shot("rifles", "hmg", **BY_HAND), shot("rangers", "hmg", **BY_HAND)]
    play = played(turn({**RIFLES, "hidden": True}, RANGERS, HMG, shots=shots))
    assert (play.state["attack"], play.state["step"]) == (None, None)
    assert list(play.state["units"]) == ["rifles", "rangers", "hmg"]
    fires = play.choose("rifles on hmg")
    assert fires.state["attack"] == {"by": "rifles", "on": "hmg"}
    assert {mark for mark, is_set in fires.state["units"]["rifles"].items() if is_set is True} == {
        "activated",
        "fired_this_turn",
    }


def test_turn_the_file_after_it_has_all_that_it_changed() -> None:
    shots = [shot("rifles", "hmg", fire="fire_and_move", **BY_HAND), shot("rangers", "guns", **BY_HAND)]
    cards = [{"side": "us", "card": "rain of fire"}]
    source = turn(
        RIFLES, RANGERS, HMG, {**GUNS, "damage": 2}, shots=shots, command_cards=cards, command_points={"us": 3}
    )
    play = played(source, "rifles on hmg", "yes", [""], [""], "rangers on guns", [*HIT])
    assert file_after(play) == {
        "system": "assault",
        "units": [
            {**RIFLES, "activated": True},
            {**RANGERS, "activated": True, "fired_this_turn": True},
            {**HMG, "damage": 0, "status": "suppressed"},
        ],
        "command_cards": [],
        "command_points": {"us": 1},
    }


def file_after(play: Play) -> Json:
    assert isinstance(play.pending, End)
    return play.battle.system.after(play.battle.setup, play.battle.source, play.pending.state)


def random_answer(random: Random, play: Play) -> Play:
    question = play.question
    assert question is not None
    if isinstance(question, Choose):
        return play.choose(random.choice(question.options).id)
    return play.roll([random.choice(pool.die.faces) for pool in question.reading.dice for _ in range(pool.count)])


def test_turn_after_each_attack_it_goes_on_from_the_file_after_that_attack() -> None:
    random = Random("after assault")
    for _ in range(40):
        game = random_game(random, "assault")
        source: Json = game.source
        play = start(battle(source))
        while isinstance(play.question, Choose):
            *attacks, _ = (option.id for option in play.question.options)
            chosen = random.choice(attacks)
            rest = {key: value for key, value in source.items() if key != "turn"}
            declared = next(
                {key: value for key, value in way.items() if key != "id"}
                for way in game.declarations[chosen]  # type: ignore[attr-defined]  # every game of this system has them
                if is_legal({**rest, "attack": way})
            )
            play, single = play.choose(chosen), start(battle({**rest, "attack": declared}))
            while single.question is not None:
                assert play.question == single.question
                seed = random.random()
                play, single = (random_answer(Random(seed), one) for one in (play, single))
            after = file_after(single)
            there = {unit["id"] for unit in after["units"]}
            assert {name: unit for name, unit in play.state["units"].items() if name in there} == {
                name: unit for name, unit in single.state["units"].items() if name in there
            }
            source = {**after, "turn": source["turn"]}
            listed = [one for one in source["turn"].get("shots", []) if {one["by"], one["on"]} <= there]
            gone = source["turn"].get("target") not in (None, *there)
            source["turn"] = {"side": "us", **({"shots": listed} if "shots" in source["turn"] else {})}
            if gone or not {"us"} < {unit["side"] for unit in source["units"]}:
                break
            assert (play.question is None) == (start(battle(source)).question is None) or not listed


@pytest.mark.parametrize("seed", range(6))
def test_turn_keeps_the_promises_of_every_system(seed: int) -> None:
    rules_test(SYSTEM, [random_game(Random(f"promises {seed}"), "assault").source])


def test_turn_a_defender_saves_its_card_for_the_worse_attack() -> None:
    shots = [shot("rifles", "hmg", dice="B", defense=""), shot("rangers", "hmg", dice="RR", defense="")]
    cards = [{"side": "ge", "card": "lucky escape"}]
    source = turn(RIFLES, RANGERS, {**HMG, "strength": 6}, shots=shots, command_cards=cards)
    play = played(source, "rifles on hmg", ["X"])
    advice = solve(battle(source)).advice(play)
    assert [(option.id, option.best) for option in advice.options] == [("no", True), ("yes", False)]
    alone = {key: value for key, value in source.items() if key != "turn"} | {"attack": shots[0]}
    assert [option.best for option in solve(battle(alone)).advice(played(alone, ["X"])).options] == [False, False]
    assert json.loads(json.dumps(advice.to_dict()))["rule"] == "defence 8.0"
