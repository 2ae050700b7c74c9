"""The journal: what is written stays, what was cut short is not there, and nobody writes into another's."""

from pathlib import Path

import numpy as np
import pytest
from tests.studies.sweeps.designs import design, many, strengths

from grognard.core.systems import Json
from grognard.studies.sweeps.design import load_design
from grognard.studies.sweeps.journal import Journal, JournalError
from grognard.studies.sweeps.plan import Plan, make_plan
from grognard.studies.sweeps.work import task, work_out


def plan_of(given: Json, chunk: int = 7) -> Plan:
    plan = make_plan(load_design(given), None)
    return plan.goes_on(chunk, plan.rows.unseen)


PLAN = plan_of(design(*strengths(5)))


def add(journal: Journal, *chunks: int) -> None:
    for chunk in chunks:
        journal.add(chunk, work_out(PLAN.told, task(PLAN, chunk)))


def cells(journal: Journal) -> list[list[float]]:
    known = journal.known(0, 25)
    return [row.tolist() for row in known.cells[known.is_done]]


def test_what_is_kept_is_there_again(tmp_path: Path) -> None:
    journal = Journal(PLAN, tmp_path / "a.journal")
    add(journal, 2, 0)
    kept = cells(journal)
    assert (journal.done, journal.left, len(kept)) == (14, [1, 3], 14)
    journal.close()
    again = Journal(PLAN, tmp_path / "a.journal")
    assert (again.done, again.left, cells(again)) == (14, [1, 3], kept)
    add(again, 1, 3)
    assert (again.done, again.left) == (25, [])
    assert np.isfinite(cells(again)).all()


def test_a_chunk_that_is_there_is_not_kept_twice(tmp_path: Path) -> None:
    journal = Journal(PLAN, tmp_path / "a.journal")
    add(journal, 1)
    size = (tmp_path / "a.journal").stat().st_size
    add(journal, 1)
    assert (tmp_path / "a.journal").stat().st_size == size


@pytest.mark.parametrize("cut", [1, 8, 50, 400])
def test_a_record_that_was_cut_short_is_not_there(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "a.journal"
    journal = Journal(PLAN, path)
    add(journal, 2, 0)
    whole = path.stat().st_size
    add(journal, 1)
    journal.close()
    path.write_bytes(path.read_bytes()[: whole + cut])
    again = Journal(PLAN, path)
    assert (again.done, again.left) == (14, [1, 3])
    assert path.stat().st_size == whole


def test_a_record_with_a_wrong_bit_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    journal = Journal(PLAN, path)
    add(journal, 2, 0)
    journal.close()
    content = bytearray(path.read_bytes())
    content[-20] ^= 1
    path.write_bytes(content)
    assert Journal(PLAN, path).left == [0, 1, 3]


def test_an_earlier_run_settles_the_size_of_the_chunks(tmp_path: Path) -> None:
    journal = Journal(PLAN, tmp_path / "a.journal")
    add(journal, 0)
    journal.close()
    other = PLAN.goes_on(10, ())
    assert Journal(other, tmp_path / "a.journal").plan.chunk == 7


def test_the_journal_of_another_design_is_refused_unless_one_begins_anew(tmp_path: Path) -> None:
    journal = Journal(PLAN, tmp_path / "a.journal")
    add(journal, 0)
    journal.close()
    other = plan_of(design(*strengths(4)))
    with pytest.raises(JournalError, match="keeps the rows of another design"):
        Journal(other, tmp_path / "a.journal")
    assert Journal(other, tmp_path / "a.journal", fresh=True).done == 0


def test_something_else_is_no_journal(tmp_path: Path) -> None:
    (tmp_path / "a.journal").write_text("dear diary\n")
    with pytest.raises(JournalError, match="is no journal of a sweep"):
        Journal(PLAN, tmp_path / "a.journal")


def test_two_sweeps_do_not_write_into_one_journal(tmp_path: Path) -> None:
    journal = Journal(PLAN, tmp_path / "a.journal")
    with pytest.raises(JournalError, match="another sweep is at work on it"):
        Journal(PLAN, tmp_path / "a.journal", fresh=True)
    journal.close()
    assert Journal(PLAN, tmp_path / "a.journal").done == 0


def test_one_knows_a_design_by_all_that_changes_its_rows() -> None:
    changes: list[Json] = [
        {},
        {"seed": 1, "sample": 9},
        {"seed": 2, "sample": 9},
        {"sample": 10},
        {"objective": "kill"},
        {"attacker": "eager"},
        {"measures": {"a": "value"}},
        {"measures": {"b": "value"}},
    ]
    identities = [plan_of(design(*strengths(5)) | change).identity for change in changes]
    identities += [plan_of(design(*strengths(6))).identity, plan_of(many()).identity]
    assert len(set(identities)) == len(identities)
    assert plan_of(design(*strengths(5)) | {"seed": 7}).identity == identities[0]
