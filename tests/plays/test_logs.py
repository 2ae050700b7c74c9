"""Logs of rolls with machine dice for one side and table dice for the other."""

import pytest

from grognard.core.rules import Roll
from grognard.core.systems import Json
from grognard.files import battle
from grognard.plays.answers import Rolled
from grognard.plays.dice import MachineDice
from grognard.plays.fair import verify
from grognard.plays.logs import LogError, replay
from grognard.plays.play import Play, start

DUEL: Json = {
    "system": "ranks",
    "defender": {"player": "Blue", "units": 2},
    "arrivals": [{"player": "Red", "side": "attack", "units": 2}],
}


def mixed_play(seed: str) -> Play:
    """Blue has table dice, Red machine dice."""
    play = start(battle(DUEL))
    assert isinstance(play.question, Roll)
    faces = MachineDice(seed).complete(play.question.reading, [None, None, 10, 1], 0)
    return play.answer(Rolled(faces, machine_dice=(0, 1)))


def test_the_log_of_a_mixed_roll_says_which_dice_are_the_machines_and_replays() -> None:
    log = mixed_play("5").log("5")
    [move] = log["moves"]
    assert ([0, 1], [10, 1], "machine" in move) == (move["machine_dice"], move["roll"][2:], False)
    again = replay(log, battle)
    assert (log, 0, 1) == (again.play.log("5"), again.rolls_of_seed, again.mixed_rolls)


def test_verify_computes_the_machines_dice_of_a_mixed_roll_again_and_counts_those_of_the_table() -> None:
    verified = verify(mixed_play("5").log("5"), battle)
    assert (2, 2, ()) == (verified.dice, verified.table_dice, verified.differs)


@pytest.mark.parametrize("die", [0, 1])
def test_a_changed_machine_die_of_a_mixed_roll_is_detected(die: int) -> None:
    log = mixed_play("5").log("5")
    log["moves"][0]["roll"][die] = log["moves"][0]["roll"][die] % 10 + 1
    assert any(line.startswith(f"moves[0].roll[{die}]: the log says") for line in verify(log, battle).differs)
    with pytest.raises(LogError, match="the seed's dice are"):
        replay(log, battle)


def test_table_dice_are_accepted_as_recorded_but_a_seed_without_machine_dice_verifies_nothing() -> None:
    log = mixed_play("5").log("5")
    del log["moves"][0]["machine_dice"]
    assert ("seed: no die follows from it: all were rolled on a table",) == verify(log, battle).differs


@pytest.mark.parametrize("listed", [[4], [-1], ["0"], 1, [0, 1, 1], [0, True], [0, 1.0], [[]], {"0": 1}])
def test_a_log_names_dice_that_the_roll_has(listed: object) -> None:
    log = mixed_play("5").log("5")
    log["moves"][0]["machine_dice"] = listed
    with pytest.raises(LogError, match="lists dice of the roll, from 0"):
        replay(log, battle)
    assert not verify(log, battle).verified


def test_any_text_is_a_seed() -> None:
    """JSON can contain a lone surrogate."""
    log = mixed_play("\ud800").log("\ud800")
    assert log == replay(log, battle).play.log("\ud800")
    assert verify(log, battle).verified


HUGE: Json = {
    "system": "ranks",
    "defender": {"player": "Blue", "units": 10**6},
    "arrivals": [{"player": "Red", "side": "attack", "units": 10**6}],
}


@pytest.mark.parametrize("moves", [[{"roll": []}], [{"roll": [1], "machine": True}], [{}]])
def test_no_die_is_computed_for_a_recorded_roll_of_another_number_of_dice(
    moves: list[Json], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MachineDice, "roll_all", lambda *_: pytest.fail("dice were computed"))
    log = {"grognard": 2, "battle": HUGE, "moves": moves, "seed": "5", "result": None}
    assert not verify(log, battle).verified
    with pytest.raises(LogError):
        replay(log, battle)


def test_a_log_with_too_many_moves_is_not_replayed() -> None:
    log = {"grognard": 2, "battle": DUEL, "moves": [{}] * 20_001, "seed": "5", "result": None}
    with pytest.raises(LogError, match="20,001 moves, expected no more than 20,000"):
        replay(log, battle)
    assert ("found 20,001 moves, expected no more than 20,000",) == verify(log, battle).differs
