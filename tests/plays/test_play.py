"""Play, advice, logs and scripts over toy battles."""

from typing import Any

import pytest
from tests import toys

from grognard.api import advise, play
from grognard.core.errors import WrongAnswer
from grognard.core.systems import Battle, Json
from grognard.plays.answers import Chosen, Rolled, answers_from
from grognard.plays.logs import Log, LogError, replay
from grognard.plays.play import start


@pytest.fixture
def gamble() -> Battle:
    return toys.toy(toys.gamble)


def test_a_play_is_a_value_and_undo_is_the_old_one(gamble: Battle) -> None:
    first = start(gamble)
    rolled = first.choose("yes").roll([6])
    assert "Roll for three?" in str(first.question)
    over = rolled.answer(Chosen("double"))
    assert over.result.to_dict() == {"points": 6}
    assert rolled.answer(Chosen("keep")).result.to_dict() == {"points": 3}
    assert first.moves == ()
    assert over.undo() == rolled
    assert first == over.undo().undo().undo()
    with pytest.raises(WrongAnswer, match="no answer to undo"):
        first.undo()


def test_events_have_the_paragraph_the_dice_and_the_changes(gamble: Battle) -> None:
    events = play(gamble, answers_from([{"choose": "yes"}, {"roll": [6]}, {"choose": "take"}])).to_dict()["events"]
    assert [(event["rule"], event["kind"]) for event in events] == [
        ("gamble", "choice"),
        ("gamble", "roll"),
        ("gamble", "change"),
        ("divide", "choice"),
        ("divide", "change"),
    ]
    roller = {"by": "attacker", "side": "attacker", "role": "attacker"}
    assert events[1]["dice"] == [{**roller, "die": "d6", "faces": [6], "fates": ["wins"]}]
    assert [{"points": points} for points in (0, 0, 3, 3, 2)] == [event["state"] for event in events]
    assert events[2]["what"] == "0 → 3"


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ([{"choose": "maybe"}], "Roll for three?"),
        ([{"roll": [3]}], "Roll for three?"),
        ([{"choose": "yes"}, {"roll": [3, 3]}], "2 dice given, but 1"),
        ([{"choose": "yes"}, {"roll": []}], "0 dice given, but 1"),
        ([{"choose": "yes"}, {"roll": [7]}], "1, 2, 3, 4, 5, 6"),
        ([{"choose": "yes"}, {"roll": ["6"]}], "die 1 shows '6'"),
        ([{"choose": "yes"}, {"roll": [6]}, {"choose": "keep"}, {"choose": "keep"}], "1 more"),
        ([{"choose": 3}], "answer 1"),
        ([{"roll": [True]}], "answer 1"),
        ([{"choose": "yes", "roll": [1]}], "answer 1"),
        ({"choose": "yes"}, "a list of answers"),
    ],
)
def test_a_wrong_script_is_refused_with_the_question_asked(gamble: Battle, script: Any, message: str) -> None:
    with pytest.raises(WrongAnswer, match=message.replace("?", r"\?")):
        play(gamble, answers_from(script))


def test_after_the_script_the_machine_rolls_and_the_policies_decide(gamble: Battle) -> None:
    played = play(gamble, answers_from([{"choose": "yes"}]), seed=3)
    assert played == play(gamble, answers_from([{"choose": "yes"}]), seed=3)
    assert isinstance(played.moves[1].answer, Rolled)
    assert played.moves[1].answer.machine


def test_a_script_that_chooses_where_dice_are_rolled_is_refused(gamble: Battle) -> None:
    with pytest.raises(WrongAnswer, match='"keep" was chosen, but Shot: roll attacker 1 d6'):
        play(gamble, answers_from([{"choose": "yes"}, {"choose": "keep"}]), seed=3)


def test_the_dice_do_not_depend_on_who_decides() -> None:
    battle = toys.toy(toys.gamble)
    rolls = [
        [
            move.answer
            for move in play(battle, seed=5, attacker="eager", defender=defender).moves
            if isinstance(move.answer, Rolled)
        ]
        for defender in ("random", "best", "eager")
    ]
    assert rolls[0] == rolls[1] == rolls[2]


def test_advice_lists_every_option_the_best_first(gamble: Battle) -> None:
    advice = advise(gamble, defender="eager").to_dict()
    assert (advice["by"], advice["rule"], advice["prompt"]) == ("attacker", "gamble", "Roll for three?")
    assert [(o["id"], o["value"], o["best"]) for o in advice["options"]] == [("no", 1, True), ("yes", 0.5, False)]
    assert advice["options"][0]["outcomes"] == [{"p": 1.0, "result": {"points": 1}}]


def test_advice_for_the_defender_lists_the_lowest_first_and_equals_are_not_best(gamble: Battle) -> None:
    advice = advise(gamble, answers_from([{"choose": "no"}]), fractions=True).to_dict()
    assert advice["by"] == "defender"
    assert [(o["id"], o["value"]) for o in advice["options"]] == [
        ("take", "0"),
        ("rob", "0"),
        ("keep", "1"),
        ("double", "2"),
    ]
    assert not any(option["best"] for option in advice["options"])


def test_there_are_no_options_at_a_roll_or_at_the_end(gamble: Battle) -> None:
    advice = advise(gamble, answers_from([{"choose": "yes"}])).to_dict()
    assert (advice["by"], advice["options"]) == (None, [])
    assert "attacker 1 d6" in advice["prompt"]
    assert "over" in advise(gamble, answers_from([{"choose": "no"}, {"choose": "keep"}])).prompt


@pytest.fixture
def log(gamble: Battle) -> Json:
    return Log(play(gamble, seed="9", attacker="eager"), "9").to_dict()


def test_a_log_replays(gamble: Battle, log: Json) -> None:
    again = replay(log, lambda source: gamble)
    assert log == again.to_dict()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda log: log.update(grognard=99), "not a log"),
        (lambda log: log.update(moves=None), "list of"),
        (lambda log: log.update(seed="7"), "the seed's dice are"),
        (lambda log: log.update(result={"points": 77}), "the result is"),
        (lambda log: log["moves"].pop(), "the result is None"),
        (lambda log: log["moves"].append(log["moves"][0]), "move 4"),
        (lambda log: log["moves"][0].update(rule="elsewhere"), "elsewhere"),
        (lambda log: log["moves"][0].update(question="Retreat?"), "Retreat"),
        (lambda log: log["moves"][0].update(choose="maybe"), "not offered"),
        (lambda log: log["moves"].__setitem__(0, 3), "move 1"),
    ],
)
def test_a_changed_log_is_detected(gamble: Battle, log: Json, change: Any, message: str) -> None:
    change(log)
    with pytest.raises(LogError, match=message):
        replay(log, lambda source: gamble)
