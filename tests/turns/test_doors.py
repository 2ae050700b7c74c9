"""A whole turn of every system that has turns, through every interface that accepts a battle."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

import grognard
from grognard.adapters.assistants import Limits, create_server
from grognard.plays.play import Play
from tests.cli.conftest import Command, Writer, command, written
from tests.server.live.servers import Running, serving

from .tree import Json

VEHICLE = {"front": "G", "flank": "B", "rear": "B", "above": "B"}
TURNS: dict[str, Json] = {
    "supply": {
        "units": [
            {"id": "guns", "side": "red", "die": 6, "strength": 2, "range": 2, "ammo": 1, "supply": 2, "at": [1, 1]},
            {"id": "scouts", "side": "red", "die": 4, "strength": 1, "range": 2, "ammo": 1, "supply": 1, "at": [1, 2]},
            {"id": "rifles", "side": "blue", "die": 6, "strength": 2, "range": 2, "ammo": 1, "supply": 1, "at": [2, 1]},
        ],
        "turn": {"side": "red"},
    },
    "tower": {
        "board": {"size": [5, 5]},
        "units": [
            {"id": "a", "side": "red", "attack": 2, "defense": 4, "health": 2, "speed": 2, "range": 1, "at": [2, 2]},
            {"id": "b", "side": "red", "attack": 1, "defense": 4, "health": 2, "speed": 2, "range": 1, "at": [2, 3]},
            {"id": "c", "side": "blue", "attack": 1, "defense": 3, "health": 2, "speed": 1, "range": 0, "at": [3, 2]},
        ],
        "turn": {"side": "red"},
    },
    "frames": {
        "frames": [
            {"id": "scout", "player": "red", "systems": ["spotting"], "white": 1},
            {"id": "gunner", "player": "red", "systems": ["direct"], "white": 1},
            {"id": "osprey", "player": "blue", "systems": ["defense"], "white": 1, "defense": 3},
        ],
        "turn": {
            "player": "red",
            "shots": [
                {"by": "scout", "on": "osprey", "range": "direct"},
                {"by": "gunner", "on": "osprey", "range": "direct"},
            ],
        },
    },
    "assault": {
        "units": [
            {"id": "bazooka", "side": "us", "card": "US Bazooka"},
            {"id": "rifle", "side": "us", "card": "IT Solothurn ATR"},
            {"id": "car", "side": "ge", "kind": "vehicle", "strength": 2, "defense": VEHICLE},
        ],
        "turn": {
            "side": "us",
            "shots": [{"by": "bazooka", "on": "car", "range": 1}, {"by": "rifle", "on": "car", "range": 8}],
        },
        "command_cards": [{"side": "ge", "card": "take cover"}],
    },
}
VARIED = {
    "supply": ("units[0].strength", [1, 2]),
    "tower": ("units[0].attack", [1, 2]),
    "frames": ("frames[2].defense", [2, 3]),
    "assault": ("units[2].damage", [0, 1]),
}
__all__ = ["command", "written"]
SYSTEMS = pytest.mark.parametrize("system", TURNS)


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with serving(f"sqlite:///{tmp_path_factory.mktemp('live') / 'battles.sqlite3'}") as running:
        yield running


def source_of(system: str) -> Json:
    return {"system": system, **TURNS[system]}


def answers_of(play: Play) -> list[Json]:
    """The answers of a play as a script."""
    return [{key: move[key] for key in ("roll", "choose") if key in move} for move in play.log()["moves"]]


@SYSTEMS
def test_a_turn_is_swept(system: str, command: Command, written: Writer) -> None:
    path, values = VARIED[system]
    design = {
        "battle": source_of(system),
        "vary": [{"name": "varied", "path": path, "values": values}],
        "measures": {"value": "value"},
    }
    rows = command("sweep", written(design), "--json").json["rows"]
    battle = grognard.battle(source_of(system))
    assert {row["varied"]: row["value"] for row in rows} == pytest.approx(
        {value: grognard.odds(battle.replace(path, value)).value for value in values}
    )


@SYSTEMS
def test_the_report_of_a_turn_has_its_value_and_its_attacks(system: str, command: Command, written: Writer) -> None:
    file = written(source_of(system))
    report = Path(file).with_name("report.html")
    assert command("report", file, "-o", report).status == 0
    attack = grognard.attacks(grognard.load(file))[0].id
    assert attack in report.read_text("utf-8")


@SYSTEMS
def test_a_turn_is_played_with_typed_dice_interrupted_and_resumed(
    system: str, command: Command, written: Writer
) -> None:
    battle = grognard.battle(source_of(system))
    whole = grognard.play(battle, seed=4, attacker="eager", defender="eager")
    file, answers = written(source_of(system)), answers_of(whole)
    log = Path(file).with_name("log.json")
    first = command("play", file, "--dice", "table", "--log", log, "--script", written(answers[:2], "answers.json"))
    assert (first.status, "no answer" in first.err) == (2, True)
    ran = command(
        "play", "--resume", log, "--dice", "table", "--script", written(answers[2:], "answers.json"), "--json"
    )
    assert (ran.status, ran.json["result"]) == (0, whole.result.to_dict())
    luck = command("luck", log, "--json").json
    expected = grognard.luck(whole).to_dict()
    assert luck["luck"] == pytest.approx(expected["luck"])


@SYSTEMS
def test_greedy_plays_a_turn_to_its_end_and_its_value_is_reported(
    system: str, command: Command, written: Writer
) -> None:
    file = written(source_of(system))
    played = command("play", file, "--attacker", "greedy", "--defender", "greedy", "--seed", 2, "--json")
    odds = command("odds", file, "--attacker", "greedy", "--defender", "greedy", "--json").json
    assert played.json["result"] in [outcome["result"] for outcome in odds["outcomes"]]


@SYSTEMS
def test_a_live_turn_ends_and_has_odds_at_each_moment(system: str, live: Running) -> None:
    table = live.open(source_of(system))
    table.add_numbers()
    state = table.play()
    log = table.log()
    assert grognard.replay(log).play.result.to_dict() == state["result"]
    answers = [{key: move[key] for key in ("roll", "choose") if key in move} for move in log["moves"]]
    solution = grognard.solve(grognard.battle(source_of(system)))
    play = grognard.start(solution.battle)
    while play.question is not None:
        request = {"battle": source_of(system), "answers": answers[: len(play.moves)]}
        asked = {what: live.client.post(f"/api/{what}", json=request).json() for what in ("play", "advise")}
        assert asked["play"]["state"] == play.state
        advice = solution.advice(play)
        assert {one["id"]: pytest.approx(one["value"]) for one in asked["advise"]["options"]} == {
            one.id: one.value for one in advice.options
        }
        play = play.answer(answers[len(play.moves)])
    luck = live.client.post("/api/luck", json={"battle": source_of(system), "answers": answers}).json()
    assert luck["luck"] == pytest.approx(solution.luck(play).to_dict()["luck"])


@SYSTEMS
def test_an_assistant_gets_the_odds_and_the_advice_of_a_turn(system: str) -> None:
    async def conversation() -> list[Any]:
        async with Client(create_server(Limits())) as client:
            calls = [await client.call_tool(tool, {"battle": source_of(system)}) for tool in ("odds", "advise")]
            return [call.structured_content for call in calls]

    odds, advice = asyncio.run(conversation())
    battle = grognard.battle(source_of(system))
    assert odds["value"] == pytest.approx(grognard.odds(battle).value)
    assert [one["id"] for one in advice["options"]] == [one.id for one in grognard.advise(battle).options]
