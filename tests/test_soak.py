"""The table of the long checks counts what tests say that they tried."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.soak import TARGETS

TESTS = Path(__file__).parent
CHECKS = """
import pytest
from hypothesis import given, strategies
from tests.soak import count, trying

@pytest.mark.soak("loops")
@pytest.mark.parametrize("seed", range(2))
def test_loops(seed):
    assert [0, 1, 2] == list(trying(range(3)))

@pytest.mark.soak("kills", faults=1, again=True)
def test_kills(): pass

@pytest.mark.soak("kills")
def test_lost():
    count(inputs=5, faults=4)
    assert False

@pytest.mark.soak("plain")
def test_plain(): pass

@pytest.mark.soak("plain")
def test_differs():
    assert 1 == 2

@pytest.mark.soak("plain")
def test_skipped():
    pytest.skip("not here")

@given(strategies.integers(min_value=0))
def test_property(number):
    assert number >= 0

def test_short(): raise AssertionError("not selected")
"""


@pytest.mark.parametrize("processes", ["0", "2"])
def test_inputs_faults_differences_and_losses_are_counted_row_by_row(tmp_path: Path, processes: str) -> None:
    (tmp_path / "conftest.py").write_text("from tests.conftest import *\n")
    (tmp_path / "test_long.py").write_text(CHECKS)
    environment = {**os.environ, "GROGNARD_SOAK": "3", "PYTHONPATH": str(Path(__file__).parents[1])}
    command = [sys.executable, "-m", "pytest", "-m", "soak", "-n", processes, "-p", "no:cacheprovider"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert {
        "kills 8 7 0 1",
        "loops 6 0 0 0",
        "plain 2 0 1 0",
        f"properties: {tmp_path.name} 300 0 0 0",
        "all 316 7 1 1",
    } <= {" ".join(line.split()) for line in done.stdout.splitlines()}


def test_every_target_is_one_of_rows_that_tests_have() -> None:
    written = "\n".join(path.read_text("utf-8") for path in TESTS.rglob("test_*.py"))
    assert [] == [row for target in TARGETS for row in target.rows if f'"{row}"' not in written]


def test_a_target_adds_up_its_rows_and_what_went_wrong_in_them() -> None:
    *_, crashes, _, sweeps = TARGETS
    here, on_dask = ({"inputs": 3, "faults": faults, "differences": 0, "losses": faults // 60} for faults in (60, 40))
    counts = dict(zip((*sweeps.rows, *crashes.rows), (here, on_dask, on_dask), strict=True))
    assert (100, 1) == sweeps.reached(counts)
    assert (37, 0) == crashes.reached(counts)
