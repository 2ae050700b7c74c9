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


def test_anything_else_is_not() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'oods'"):
        _ = grognard.oods  # type: ignore[attr-defined]


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
