import json
import re
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import EXAMPLES, Command, Writer, duel, invitation

import grognard

PLAYED = [path for path in EXAMPLES if path.name[:2] in ("01", "02", "03", "04")]


def test_a_script_answers_for_the_people(command: Command, written: Writer) -> None:
    script = written([{"roll": [10, 9]}, {"choose": "no"}], "answers.json")
    ran = command("play", written(invitation()), "--script", script, "--json")
    assert (ran.status, ran.err) == (0, "")
    assert ran.json["result"] == {"armies": {"Blue": 0, "Red": 1, "Green": 1}, "possession": "Red", "returns": []}
    roll = next(event for event in ran.json["events"] if event["kind"] == "roll")
    assert roll["what"] == "Red rolls 1 d10: 10; Blue rolls 1 d10: 9"
    assert (roll["dice"][0]["side"], roll["dice"][0]["faces"], roll["dice"][0]["fates"]) == ("Red", [10], ["wins"])


def test_a_script_may_come_from_standard_input(command: Command, written: Writer) -> None:
    ran = command("play", written(duel()), "--script", "-", "--json", stdin='[{"roll": [1, 2]}]')
    assert ran.json["result"]["armies"] == {"Blue": 1, "Red": 0}


def test_battle_and_script_do_not_both_come_from_standard_input(command: Command) -> None:
    for name in ("play", "advise"):
        ran = command(name, "-", "--script", "-", stdin="[]")
        assert (ran.status, ran.err) == (2, "--script: standard input is the battle already\n")


def test_what_the_script_leaves_is_rolled_by_the_seed(command: Command, written: Writer) -> None:
    file, script = written(invitation()), written([{"roll": [1, 2]}, {"choose": "yes"}], "answers.json")
    ran = command("play", file, "--script", script, "--seed", 7, "--json")
    assert ran.json == grognard.play(grognard.load(file), [{"roll": [1, 2]}, {"choose": "yes"}], seed=7).to_dict()


def test_each_step_has_its_paragraph_and_each_die_its_fate_without_colours(command: Command, written: Writer) -> None:
    script = written([{"roll": [2, 7, 10, 7, 9]}], "answers.json")
    lines = command("play", written(duel(3, 2)), "--script", script).lines
    start = next(n for n, line in enumerate(lines) if "d10" in line)
    assert lines[start : start + 3] == [
        "  Red   3 d10  [10]✓ [7]✗ [2]·",
        "  Blue  2 d10  [9]✗ [7]✓",
        "  ✓ wins  ✗ loses  · no effect",
    ]
    assert re.search(r"\[1\.1\.00\]$", lines[start + 3])
    assert lines[lines.index("Result") :] == [
        "Result",
        "  Blue        1",
        "  Red         2",
        "  possession  Blue",
        "  returns     Red",
        "",
        "This result: 32.31 %, the 2nd likeliest of 3.",
        "net losses (swing) 0: the attacker does better in 42.36 % of battles, worse in",
        "25.33 %.",
        "exact, both sides decide: best",
    ]


@pytest.mark.parametrize("width", [40, 80, 120])
@pytest.mark.parametrize("path", PLAYED, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_example_can_be_played_and_fits_into_its_terminal(command: Command, path: Path, width: int) -> None:
    ran = command("play", path, "--attacker", "eager", "--defender", "eager", "--seed", 1, width=width)
    assert (ran.status, ran.err) == (0, "")
    assert max(len(line) for line in ran.lines) <= width
    assert "Result" in ran.lines
    assert ran.lines[-1] == "seed of the dice: 1"


def test_many_dice_are_wrapped_between_dice_and_very_many_are_counted(command: Command, written: Writer) -> None:
    ran = command("play", written(duel(60, 61)), "--seed", 1, width=40)
    assert all(len(line) <= 40 and not line.endswith("[") for line in ran.lines)
    assert "… and 1 more" in " ".join(ran.out.split())


@pytest.mark.parametrize("as_json", [True, False])
@pytest.mark.parametrize(
    ("options", "asked"),
    [
        ([], 'no answer: Green decides: Send 1 unit to help Red? ("yes", "no")'),
        (["--dice", "table"], "no answer: Exchange: roll Red 1 d10, then Blue 1 d10"),
        (["--defender", "best"], 'no answer: Green decides: Send 1 unit to help Red? ("yes", "no")'),
    ],
)
def test_without_a_terminal_a_missing_answer_is_an_error_that_says_what_was_asked(
    command: Command, written: Writer, options: list[str], asked: str, as_json: bool
) -> None:
    ran = command("play", written(invitation()), *options, *(["--json"] if as_json else []), stdin="y\n")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(asked)


def test_the_machine_may_decide_for_a_side(command: Command, written: Writer) -> None:
    file = written(invitation())
    for who, answer in (("eager", "yes"), ("cautious", "no")):
        events = command("play", file, "--attacker", who, "--seed", 3, "--json").json["events"]
        assert [event["choose"] for event in events if event["kind"] == "choice"] == [answer]


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        ([{"roll": [11, 1]}], "answer 1: die 1 shows 11, but a d10 has the faces 1, 2, 3, 4, 5, 6, 7, 8, 9, 10"),
        ([{"roll": [1]}], "answer 1: 1 die given, but 2 are rolled"),
        ([{"choose": "yes"}], 'answer 1: "yes" was chosen, but Exchange: roll Red 1 d10'),
        ([{"roll": [1, 2]}, {"choose": "perhaps"}], 'answer 2: "perhaps" is not offered.'),
        ([{"roll": [1, 2]}, {"roll": [3]}], "answer 2: dice were given, but Green decides"),
        ([{"roll": [1, 2]}, {"choose": "no"}, {"choose": "no"}], "the battle is over, but the script has 1 more"),
        ([{"role": [1, 2]}], 'answer 1: {"role": [1, 2]} is no answer'),
        ([{"roll": [True, None]}], 'answer 1: {"roll": [true, null]} is no answer'),
        ({"roll": [1, 2]}, "a script is a list of answers in the order asked"),
    ],
)
def test_a_wrong_answer_is_told_by_its_number(command: Command, written: Writer, answers: Any, said: str) -> None:
    script = written(answers, "answers.json")
    ran = command("play", written(invitation()), "--script", script)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(f"{script}: {said}")


@pytest.mark.parametrize(("text", "said"), [("[\n{]", ":2: is not JSON"), ("[" * 100_000, ": is nested too deeply")])
def test_a_script_that_is_no_json_is_told_with_its_line(command: Command, tmp_path: Path, text: str, said: str) -> None:
    script = tmp_path / "answers.json"
    script.write_text(text)
    ran = command("play", EXAMPLES[0], "--script", script)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(f"{script}{said}")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--dice", "tabel"], "--dice: unknown way to roll `tabel`, did you mean `table`? known: machine, table"),
        (["--dice", "red=table"], "--dice: unknown side `red`, did you mean `Red`? known: Blue, Red"),
        (["--attacker", "nobody"], "Invalid value for '--attacker': unknown policy `nobody`; known: ask, best, eager"),
        (["--resume", "log.json"], "play needs a FILE, or a log to --resume, and not both"),
        (["--log", "/"], "--log: / is a folder"),
        (["--log", "nowhere/log.json"], "--log: nowhere/log.json cannot be written"),
        (["--after", "next.txt"], "--after: next.txt needs one of the endings .toml, .json"),
        (["--log", "same.json", "--after", "./same.json"], "--after: ./same.json is the log already"),
        (["--script", "nowhere.json"], "nowhere.json: cannot be read: no such file or directory"),
    ],
)
def test_options_that_cannot_be_met_are_refused_before_anything_is_played(
    command: Command, written: Writer, options: list[str], said: str
) -> None:
    ran = command("play", written(duel()), *options)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(said)


def test_a_log_replays_whatever_its_ending(command: Command, written: Writer, tmp_path: Path) -> None:
    log = tmp_path / "battle.log"
    played = command("play", written(invitation()), "--attacker", "random", "--seed", 5, "--log", log, "--json")
    again = command("replay", log, "--json")
    assert again.json == played.json | {"seed": "5", "rolls": 1, "rolls_of_seed": 1}
    lines = command("replay", log, width=120).lines
    assert lines[-1] == "checked: every question and the result as recorded; 1 of 1 rolls by seed 5"


def test_replay_tells_how_many_rolls_the_seed_has_checked(command: Command, written: Writer, tmp_path: Path) -> None:
    log = tmp_path / "log.json"
    battle = invitation()
    battle["defender"]["units"] = 3
    command("play", written(battle), "--attacker", "eager", "--seed", 5, "--log", log)
    recorded = json.loads(log.read_text())
    first, last = (move for move in recorded["moves"] if "roll" in move)
    for move, checked in ((last, 1), (first, 0)):
        del move["machine"]
        log.write_text(json.dumps(recorded))
        again = command("replay", log, "--json").json
        assert (again["seed"], again["rolls"], again["rolls_of_seed"]) == ("5", 2, checked)
        lines = command("replay", log).lines
        assert lines[-1] == f"checked: every question and the result as recorded; {checked} of 2 rolls by seed 5"


def test_a_log_with_other_dice_is_refused(command: Command, written: Writer, tmp_path: Path) -> None:
    log = tmp_path / "log.json"
    command("play", written(duel()), "--seed", 5, "--log", log)
    recorded = json.loads(log.read_text())
    recorded["moves"][0]["roll"][0] = recorded["moves"][0]["roll"][0] % 10 + 1
    log.write_text(json.dumps(recorded))
    ran = command("replay", log)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(f"{log}: move 1: the seed's dice are")


def test_a_log_that_is_not_over_replays_as_far_as_it_goes(command: Command, written: Writer, tmp_path: Path) -> None:
    log = tmp_path / "log.json"
    command("play", written(invitation()), "--attacker", "eager", "--seed", 5, "--log", log)
    recorded = json.loads(log.read_text())
    recorded["moves"], recorded["result"] = recorded["moves"][:1], None
    log.write_text(json.dumps(recorded))
    assert command("replay", log, "--json").json["result"] is None
    assert 'not over: Green decides: Send 1 unit to help Red? ("yes", "no")' in command("replay", log).lines


def test_the_battle_after_is_written(command: Command, written: Writer, tmp_path: Path) -> None:
    after = tmp_path / "next.json"
    script = written([{"roll": [10, 2, 1]}], "answers.json")
    ran = command("play", written(duel(2, 1)), "--script", script, "--after", after)
    assert (ran.status, ran.err) == (0, f"written: {after}\n")
    assert json.loads(after.read_text())["defender"] == {"player": "Red", "units": 2}


@pytest.mark.parametrize(
    "path", [path for path in EXAMPLES if path.name[:2] == "01"], ids=lambda path: path.parent.name
)
def test_the_battle_after_goes_into_the_end_of_the_turn(command: Command, path: Path, tmp_path: Path) -> None:
    after = tmp_path / "next.toml"
    machine = ["--attacker", "eager", "--defender", "eager", "--seed", 1]
    assert command("play", path, *machine, "--after", after).status == 0
    ran = command("end-turn", after, "--json")
    assert (ran.status, ran.err, ran.json["system"]) == (0, "", path.parent.name)


def test_an_arrival_may_be_appended_to_the_battle_after(command: Command, written: Writer, tmp_path: Path) -> None:
    after = tmp_path / "next.toml"
    script = written([{"roll": [10, 1]}], "answers.json")
    command("play", written(duel()), "--script", script, "--after", after)
    with after.open("a") as file:
        file.write('[[arrivals]]\nplayer = "Green"\nside = "attack"\nunits = 2\n')
    ran = command("check", after)
    assert (ran.status, ran.lines[0]) == (0, "RiskyStars: Green against Red")


def test_a_result_beyond_best_play_is_compared_with_what_was_chosen(command: Command, written: Writer) -> None:
    script = written([{"roll": [1, 2]}, {"choose": "no"}], "answers.json")
    lines = command("play", written(invitation()), "--script", script, "--objective", "kill", width=120).lines
    said = "You left the best line; compared with what you chose, this result had 55.00 %, the likeliest of 2."
    assert said in lines


def test_a_play_that_was_interrupted_is_resumed_with_the_same_dice(
    command: Command, written: Writer, tmp_path: Path
) -> None:
    battle = invitation()
    battle["defender"]["units"] = 3
    file, log = written(battle), tmp_path / "log.json"
    whole = command("play", file, "--seed", 5, "--attacker", "eager", "--json").json
    stopped = command("play", file, "--seed", 5, "--log", log)  # nobody answers for Green
    assert (stopped.status, stopped.out) == (2, "")
    recorded = json.loads(log.read_text())
    assert ([list(move)[-2:] for move in recorded["moves"]], recorded["result"]) == ([["roll", "machine"]], None)
    ran = command("play", "--resume", log, "--attacker", "eager", "--json")
    assert (ran.status, ran.json, ran.err) == (0, whole, f"written: {log}\n")
    assert command("replay", log, "--json").json["rolls_of_seed"] == 2
    again = command("play", "--resume", log)
    assert (again.status, again.err) == (2, f"{log}: this play is over: grognard replay {log}\n")


def test_too_many_dice_to_roll_one_by_one_are_refused(command: Command, written: Writer) -> None:
    ran = command("play", written(duel(10**6, 1)))
    assert (ran.status, ran.out) == (1, "")
    assert "too many dice to roll one by one" in ran.err


OPTIONS = [{"roll": [1, 2]}]


def test_advice_has_the_best_option_first_and_says_how_much_worse_the_others_are(
    command: Command, written: Writer
) -> None:
    file, script = written(invitation()), written(OPTIONS, "answers.json")
    advice = command("advise", file, "--script", script, "--objective", "kill", "--json").json
    assert advice == grognard.advise(grognard.load(file), OPTIONS, objective="kill").to_dict()
    assert [(option["id"], option["best"]) for option in advice["options"]] == [("yes", True), ("no", False)]
    lines = command("advise", file, "--script", script, "--objective", "kill", "--fractions", width=200).lines
    assert "Green (attacker): Send 1 unit to help Red?  [1.1.01]" in lines
    assert [line.split()[:4] for line in lines if line.startswith(("  yes", "  no"))] == [
        ["yes", "best", "+0.4500", "9/20"],
        ["no", "0.45", "worse", "0"],
    ]
    assert lines[-1].endswith("no defending unit is left at the Location. Higher is better for Green.")


def test_options_of_equal_value_are_equal_and_none_is_best(command: Command, written: Writer) -> None:
    battle = invitation()
    battle["defender"]["units"] = 9
    file, script = written(battle), written([{"roll": [1] + [2] * 9}], "answers.json")
    ran = command("advise", file, "--script", script, "--objective", "ground")
    assert [line.split()[1] for line in ran.lines if line.startswith(("  yes", "  no"))] == ["equal", "equal"]


def test_where_dice_are_next_advice_has_the_odds_and_the_first_decision(command: Command, written: Writer) -> None:
    file = written(invitation())
    assert command("advise", file, "--json").json["options"] == []
    lines = command("advise", file, width=120).lines
    assert "No decision now: Exchange: roll Red 1 d10, then Blue 1 d10  [1.1.00]" in lines
    assert re.fullmatch(r"  Green: .*\? \[1\.1\.01\]  \w.*  no is best · yes: 0\.\d\d worse", lines[-1])
    script = written([{"roll": [1, 2]}, {"choose": "no"}], "answers.json")
    assert "No decision now: the battle is over" in command("advise", file, "--script", script).lines


def test_the_plan_lists_all_decisions_ahead(command: Command, written: Writer) -> None:
    file = written(invitation())
    plan = command("advise", file, "--plan", "--json").json["plan"]
    assert plan == [decision.to_dict() for decision in grognard.solve(grognard.load(file)).decisions]
    assert "Decisions ahead" in command("advise", file, "--plan").lines
    nothing = command("advise", written(duel()), "--plan").lines
    assert nothing[-1] == "There is nothing to decide: it is up to the dice."
