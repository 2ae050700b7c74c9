"""The journal: what is written stays, what was cut short is not there, and nobody writes into another's."""

import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from tests.studies.sweeps.designs import design, many, strengths

from grognard.core.systems import Json
from grognard.studies.sweeps.design import load_design
from grognard.studies.sweeps.journal import Journal, JournalError
from grognard.studies.sweeps.plan import Plan, make_plan
from grognard.studies.sweeps.work import solve_rows, task


def plan_of(given: Json, chunk: int = 7) -> Plan:
    plan = make_plan(load_design(given), None)
    return plan.resume(chunk, plan.rows.symbolic)


PLAN = plan_of(design(*strengths(5)))


def add(journal: Journal, *chunks: int) -> None:
    for chunk in chunks:
        journal.add(chunk, solve_rows(PLAN.as_json, task(PLAN, chunk)))


def cells(journal: Journal) -> list[list[float]]:
    known = journal.rows(0, 25)
    return [row.tolist() for row in known.cells[known.is_done]]


def test_what_is_kept_is_there_again(tmp_path: Path) -> None:
    journal = Journal(PLAN, tmp_path / "a.journal")
    add(journal, 2, 0)
    kept = cells(journal)
    assert (journal.done, journal.chunks_left, len(kept)) == (14, [1, 3], 14)
    journal.close()
    again = Journal(PLAN, tmp_path / "a.journal")
    assert (again.done, again.chunks_left, cells(again)) == (14, [1, 3], kept)
    add(again, 1, 3)
    assert (again.done, again.chunks_left) == (25, [])
    assert np.isfinite(cells(again)).all()


def test_a_chunk_that_is_there_is_not_kept_twice(tmp_path: Path) -> None:
    journal = Journal(PLAN, tmp_path / "a.journal")
    add(journal, 1)
    add(journal, 1)
    assert (7, [0, 2, 3]) == (journal.done, journal.chunks_left)


def tampered(path: Path, statement: str) -> Journal:
    """The journal after two chunks were kept and somebody changed its database."""
    journal = Journal(PLAN, path)
    add(journal, 2, 0)
    journal.close()
    with closing(sqlite3.connect(path)) as database, database:
        database.executescript(statement)
    return Journal(PLAN, path)


@pytest.mark.parametrize(
    ("statement", "left"),
    [
        ("UPDATE chunks SET numbers = substr(numbers, 9) WHERE number = 0", [0, 1, 3]),
        ("UPDATE chunks SET numbers = zeroblob(length(numbers)) WHERE number = 2", [1, 2, 3]),
        ("UPDATE chunks SET texts = '[\"no battle\"]' WHERE number = 2", [1, 2, 3]),
        ("UPDATE chunks SET number = 1 WHERE number = 2", [1, 2, 3]),
        ("UPDATE chunks SET number = 4 WHERE number = 2", [1, 2, 3]),
        (
            "ALTER TABLE chunks RENAME TO old; CREATE TABLE chunks AS "
            "SELECT number, nullif(numbers, iif(number = 0, numbers, 0)) AS numbers, texts, checksum FROM old",
            [0, 1, 3],
        ),
    ],
    ids=["cut short", "emptied", "other texts", "another's number", "no such number", "no numbers"],
)
def test_a_chunk_that_was_changed_is_worked_out_again(tmp_path: Path, statement: str, left: list[int]) -> None:
    assert left == tampered(tmp_path / "a.journal", statement).chunks_left


def test_a_chunk_that_cannot_be_read_again_is_an_error(tmp_path: Path) -> None:
    twice = "ALTER TABLE chunks RENAME TO old; CREATE TABLE chunks AS SELECT * FROM old; "
    other = "INSERT INTO chunks SELECT number, zeroblob(8), texts, checksum FROM old WHERE number = 0"
    with pytest.raises(JournalError, match="is damaged"):
        tampered(tmp_path / "a.journal", twice + other).rows(0, 25)


@pytest.mark.parametrize("fresh", [False, True])
def test_a_damaged_name_in_the_journal_is_an_error_and_one_can_begin_anew(tmp_path: Path, fresh: bool) -> None:
    path = tmp_path / "a.journal"
    journal = Journal(PLAN, path)
    add(journal, 0)
    journal.close()
    path.write_bytes(path.read_bytes().replace(b"CREATE TABLE chunks", b"CREATE \xd4ABLE chunks"))
    if fresh:
        assert [0, 1, 2, 3] == Journal(PLAN, path, fresh=True).chunks_left
    else:
        with pytest.raises(JournalError, match="is damaged"):
            Journal(PLAN, path)


def test_chunks_that_were_swapped_are_worked_out_again(tmp_path: Path) -> None:
    swap = "UPDATE chunks SET number = -1 - number"
    back = "UPDATE chunks SET number = 3 + number"  # -1 → 2, -3 → 0
    path = tmp_path / "a.journal"
    assert [0, 1, 2, 3] == tampered(path, swap).chunks_left
    journal = Journal(PLAN, path)
    add(journal, 2, 0)
    journal.close()
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(swap)
        database.execute(back)
    assert [0, 1, 2, 3] == Journal(PLAN, path).chunks_left


def test_the_chunks_of_another_design_are_worked_out_again(tmp_path: Path) -> None:
    other = plan_of(design(*strengths(5)) | {"objective": "kill"})
    for name, plan in (("a", PLAN), ("b", other)):
        journal = Journal(plan, tmp_path / f"{name}.journal")
        add(journal, *([2, 0] if plan is other else []))
        journal.close()
    with closing(sqlite3.connect(tmp_path / "a.journal")) as database, database:
        database.execute("ATTACH ? AS other", (str(tmp_path / "b.journal"),))
        database.execute("INSERT INTO chunks SELECT * FROM other.chunks")
    assert [0, 1, 2, 3] == Journal(PLAN, tmp_path / "a.journal").chunks_left


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE sweep SET chunk = 5",
        "UPDATE sweep SET chunk = 0",
        "UPDATE sweep SET symbolic = '[1, 0]'",
        "UPDATE sweep SET symbolic = '['",
    ],
)
def test_a_journal_in_which_the_order_of_work_was_changed_is_refused(tmp_path: Path, statement: str) -> None:
    with pytest.raises(JournalError, match="is damaged; --fresh starts over"):
        tampered(tmp_path / "a.journal", statement)


def test_chunks_of_another_size_are_worked_out_again(tmp_path: Path) -> None:
    """The order of work of another run, whole, does not make the chunks of this one its own."""
    Journal(PLAN.resume(5, ()), tmp_path / "b.journal").close()
    path = str(tmp_path / "b.journal")
    tampered(tmp_path / "a.journal", "UPDATE sweep SET chunk = chunk").close()
    with closing(sqlite3.connect(tmp_path / "a.journal")) as database, database:
        database.execute("ATTACH ? AS other", (path,))
        database.execute("DELETE FROM sweep")
        database.execute("INSERT INTO sweep SELECT * FROM other.sweep")
    assert [0, 1, 2, 3, 4] == Journal(PLAN, tmp_path / "a.journal").chunks_left


def test_an_earlier_run_settles_the_size_of_the_chunks(tmp_path: Path) -> None:
    journal = Journal(PLAN, tmp_path / "a.journal")
    add(journal, 0)
    journal.close()
    other = PLAN.resume(10, ())
    assert Journal(other, tmp_path / "a.journal").plan.chunk == 7


def test_the_journal_of_another_design_is_refused_unless_one_begins_anew(tmp_path: Path) -> None:
    journal = Journal(PLAN, tmp_path / "a.journal")
    add(journal, 0)
    journal.close()
    other = plan_of(design(*strengths(4)))
    with pytest.raises(JournalError, match="has the rows of another design"):
        Journal(other, tmp_path / "a.journal")
    assert Journal(other, tmp_path / "a.journal", fresh=True).done == 0


def test_something_else_is_no_journal(tmp_path: Path) -> None:
    (tmp_path / "a.journal").write_text("dear diary\n" * 100)
    with pytest.raises(JournalError, match="is not the journal of a sweep"):
        Journal(PLAN, tmp_path / "a.journal")
    assert 0 == Journal(PLAN, tmp_path / "a.journal", fresh=True).done


def test_a_journal_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="cannot be written: unable to open database file"):
        Journal(PLAN, tmp_path / "no such folder" / "a.journal")


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
