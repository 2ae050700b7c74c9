import json
from pathlib import Path

import pytest
from tests.cli.conftest import EXAMPLES, Command, Writer, duel, invitation

import grognard
from grognard.plays.answers import Rolled
from grognard.plays.logs import Log
from grognard.plays.play import Play, start
from grognard.systems import names as systems

ONE_EACH = [path for path in EXAMPLES if path.name.startswith("03-") and path.parent.name in systems()]


def log(play: Play) -> dict[str, object]:
    log: dict[str, object] = json.loads(json.dumps(Log(play, None).to_dict()))
    return log


def helped() -> Play:
    """Red loses at once, and Green comes to help, which is a mistake, and loses too."""
    return grognard.play(grognard.battle(invitation()), [{"roll": [3, 7]}, {"choose": "yes"}, {"roll": [4, 9]}])


def test_json_is_what_the_engine_tells(command: Command, written: Writer) -> None:
    play = helped()
    ran = command("luck", written(log(play)), "--objective", "ground", "--fractions", "--json")
    assert (ran.status, ran.err) == (0, "")
    assert ran.json == grognard.luck(play, objective="ground", fractions=True).to_dict()
    assert {"attacker", "defender"} == set(ran.json["roles"])


def test_the_way_from_the_start_to_the_result(command: Command, written: Writer) -> None:
    lines = command("luck", written(log(helped()), "log.json"), width=100).lines
    start = lines.index("From the start to the result")
    assert lines[start : start + 5] == [
        "From the start to the result",
        "  at the start  −0.1000  the value before the first die",
        "  luck          −1.8000  the dice favoured the defender",
        "  decisions     −0.1000  not choosing the best: attacker lost 0.10",
        "  result             −2",
    ]
    steps = [" ".join(line.split()) for line in lines[lines.index("Step by step") :]]
    assert "Red d10 [3]−0.60" in steps
    assert "Green: Send 1 unit to help Red? yes (0.10 worse than no) [1.1.01] −0.1000 −1.1000" in steps
    assert any(
        line.startswith("You left the best line; compared with what you chose, this result had") for line in lines
    )
    percentiles = [line.split()[:9] for line in lines if line.startswith("  Red: losses ")]
    assert percentiles == [["Red:", "losses", "1", "45.00", "%", "55.00", "%", "0.00", "%"]]


def test_best_decisions_are_marked(command: Command, written: Writer) -> None:
    play = grognard.play(grognard.battle(invitation()), [{"roll": [3, 7]}, {"choose": "no"}])
    lines = command("luck", written(log(play))).lines
    assert any("Send 1 unit to help Red? no (best)" in line for line in lines)
    assert any("no side lost anything" in line for line in lines)


@pytest.mark.parametrize("path", ONE_EACH, ids=lambda path: path.parent.name)
@pytest.mark.parametrize("width", [40, 80, 120])
def test_every_system_fits_the_terminal(command: Command, written: Writer, path: Path, width: int) -> None:
    play = grognard.play(grognard.load(path), seed=2, attacker="random", defender="random")
    ran = command("luck", written(log(play)), width=width)
    assert ran.status == 0
    assert max(map(len, ran.lines)) <= width


def test_fractions_stand_beside_the_numbers(command: Command, written: Writer) -> None:
    lines = command("luck", written(log(helped())), "--fractions").lines
    assert "  at the start  −0.1000  −1/10  the value before the first die" in lines


def test_a_log_on_standard_input(command: Command) -> None:
    assert command("luck", "-", "--json", stdin=json.dumps(log(helped()))).json["value"] == -2


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"grognard": 99}, "this is not a log"),
        ({"result": {"armies": {}}}, "but the log says"),
        ({"moves": [], "result": None}, "the battle is not over: grognard play --resume"),
    ],
)
def test_what_is_no_log_of_a_battle_is_refused(
    command: Command, written: Writer, change: dict[str, object], said: str
) -> None:
    ran = command("luck", written(log(helped()) | change))
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err


def test_unknown_policies_are_refused(command: Command, written: Writer) -> None:
    ran = command("luck", written(log(helped())), "--attacker", "bold")
    assert (ran.status, ran.out) == (2, "")
    assert "bold" in ran.err


def test_a_battle_too_large_fails_with_its_size(command: Command, written: Writer) -> None:
    play = start(grognard.battle(duel(2_000, 2_000))).answer(Rolled((1,) * 2_000 + (2,) * 2_000))
    ran = command("luck", written(log(play)))
    assert (ran.status, ran.out) == (1, "")
    assert "too large a roll for exact odds: about" in ran.err
