"""Where there is no NumPy, as in a browser, every battle comes to the same."""

import json
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from grognard.api import odds
from grognard.files import battle
from grognard.files.examples import examples
from grognard.readings.matching import Matching
from grognard.readings.ranked_pairs import RankedPairs
from grognard.solver.simulate import simulate
from grognard.systems import names
from tests.nearly import is_nearly

CHECKS = Path(__file__).parent / "systems"
BLOCKED = """
import sys
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "numpy":
            raise ModuleNotFoundError(f"{name} is blocked", name=name)
sys.meta_path.insert(0, Blocked())
from tests.test_without_numpy import print_answers
print_answers()
assert "numpy" not in sys.modules
"""
LARGE = RankedPairs(30, 31), Matching(31, 12, 30, 8), RankedPairs(14, 13, ties="both")


def checks() -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    for name in names():
        for check in json.loads((CHECKS / name / "checks.json").read_text("utf-8")):
            yield from ((check["battle"], answer) for answer in check["answers"])


def answers() -> dict[str, list[Any]]:
    """Every example, sampled too, every check value and rolls so large that NumPy would do them."""
    fights = [battle(example.source) for name in names() for example in examples(name)]
    return {
        "examples": [odds(fight).to_dict() for fight in fights],
        "sampled": [simulate(fight, 100, 1, "random", "random").to_dict() for fight in fights],
        "values": [
            str(odds(battle(fight), answer["attacker"], answer["defender"], answer["objective"], True).value)
            for fight, answer in checks()
        ],
        "rolls": [reading.odds().weights for reading in LARGE],
    }


def print_answers() -> None:
    json.dump(answers(), sys.stdout)


@pytest.fixture(scope="module")
def without() -> dict[str, list[Any]]:
    run = subprocess.run(
        [sys.executable, "-c", BLOCKED], check=True, capture_output=True, text=True, cwd=CHECKS.parents[1]
    )
    results: dict[str, list[Any]] = json.loads(run.stdout)
    return results


def test_check_values_come_out_without_numpy(without: dict[str, list[Any]]) -> None:
    assert [Fraction(answer["value"]) for _, answer in checks()] == list(map(Fraction, without["values"]))


@pytest.mark.parametrize("kind", ["examples", "sampled", "rolls"])
def test_odds_are_the_same_without_numpy(without: dict[str, list[Any]], kind: str) -> None:
    assert is_nearly(answers()[kind], without[kind])
