import re
import tomllib
from fractions import Fraction
from pathlib import Path

import pytest
from tests.cli.conftest import ROOT, Writer, duel, invitation

import grognard
from grognard.plays.answers import Chosen, Rolled
from grognard.plays.logs import Log


def test_everything_that_is_offered_is_there() -> None:
    functions = {"advise", "battle", "compare", "load", "luck", "odds", "play", "replay", "simulate", "solve", "sweep"}
    assert functions | {"start", "BattleError", "TooLarge", "WrongAnswer"} <= set(grognard.__all__)
    assert all(name in dir(grognard) and getattr(grognard, name) is not None for name in grognard.__all__)


@pytest.mark.parametrize("name", ["supply/02-guns-on-rifles", "supply/08-the-mortar-fires-once"])
def test_the_class_of_whatever_is_returned_can_be_imported(name: str) -> None:
    battle = grognard.load(ROOT / "examples" / f"{name}.toml")
    solution = grognard.solve(battle)
    play = grognard.play(battle, seed=1)
    returned = [
        battle,
        solution,
        solution.odds,
        solution.advice(grognard.start(battle)),
        play,
        grognard.replay(play.log()),
    ]
    returned += [*play.events, *grognard.attacks(battle), grognard.simulate(battle, 10), grognard.compare(battle)]
    assert {type(value) for value in returned} <= {getattr(grognard, name) for name in grognard.__all__}


def test_anything_else_is_not() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'oods'"):
        _ = grognard.oods  # type: ignore[attr-defined]  # that is the test


def test_the_version_is_the_packages() -> None:
    assert grognard.__version__ == tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]


def test_odds_from_python() -> None:
    odds = grognard.odds(grognard.battle(duel()), objective="ground", fractions=True)
    assert odds.value == Fraction(9, 20)
    assert odds.probability(lambda result: result.to_dict()["possession"] == "Red") == Fraction(9, 20)


def test_answers_are_plain_data_or_answers() -> None:
    battle = grognard.battle(invitation())
    plain = grognard.play(battle, [{"roll": [1, 2]}, {"choose": "no"}])
    assert plain == grognard.play(battle, [Rolled((1, 2)), Chosen("no")])
    assert grognard.advise(battle, [{"roll": [1, 2]}]).options == grognard.advise(battle, [Rolled((1, 2))]).options


def test_a_wrong_answer_is_refused() -> None:
    with pytest.raises(ValueError, match="is no answer"):
        grognard.play(grognard.battle(duel()), [{"rolled": [1, 2]}])


def test_logs_replay_from_data_and_from_a_file(written: Writer) -> None:
    played = grognard.play(grognard.battle(duel()), seed=3)
    log = Log(played, "3").to_dict()
    assert grognard.replay(log).play == played
    assert grognard.replay(Path(written(log))).play == played


def test_faults_are_listed_with_their_place() -> None:
    with pytest.raises(grognard.BattleError) as wrong:
        grognard.battle({"system": "ranks", "defender": {"player": "Blue", "units": 0}, "arrivals": []})
    assert [fault.place for fault in wrong.value.faults] == ["defender.units", "arrivals"]


def test_odds_are_told_in_a_line() -> None:
    odds = grognard.odds(grognard.battle(duel()), fractions=True)
    assert "<odds of ranks: swing -1/10, 2 results, attacker best, defender best>" == repr(odds)


@pytest.mark.parametrize(
    ("name", "text"), [("missing.json", None), ("log.json", "{"), ("log.json", '{"system": "ranks"}')]
)
def test_a_log_that_cannot_be_read_is_an_error_of_the_package(tmp_path: Path, name: str, text: str | None) -> None:
    if text is not None:
        (tmp_path / name).write_text(text)
    with pytest.raises(grognard.GrognardError, match=re.escape(str(tmp_path / name))):
        grognard.replay(tmp_path / name)


def test_a_list_of_one_battle_is_compared_under_a_switch_and_several_are_not() -> None:
    battle = grognard.battle(duel())
    assert grognard.compare(battle, "ties").to_dict() == grognard.compare([battle], "ties").to_dict()
    with pytest.raises(grognard.BattleError, match="house rules are compared in one battle, but 2 are given"):
        grognard.compare([battle, battle], "ties")


def test_what_is_certain_has_probability_1_whatever_floats_add_up_to() -> None:
    units = [
        {"id": name, "side": name, "die": die, "strength": strength, "range": 1, "ammo": 0, "supply": 0, "at": at}
        for name, die, strength, at in (("red", 6, 4, [1, 1]), ("blue", 4, 1, [1, 2]))
    ]
    turn = grognard.battle({"system": "supply", "units": units, "turn": {"side": "red"}})
    attack = grognard.battle({"system": "supply", "units": units, "attack": {"by": "red", "on": "blue"}})
    [listed] = grognard.attacks(turn)
    odds = grognard.odds(attack, objective="kill")
    destroyed = [one["blue destroyed"].probability(True) for one in (grognard.odds(turn), odds)]
    assert [1.0] * 4 == [listed.kill, odds.value, *destroyed]
