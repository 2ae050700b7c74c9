"""Tables: the same rows as Parquet, CSV, JSON, pandas, Arrow and in a notebook."""

import csv
import json
import sys
from pathlib import Path

import pyarrow.parquet as parquet
import pytest
from tests.studies.sweeps.designs import design, strengths

import grognard
from grognard.core.errors import GrognardError
from grognard.studies.sweeps import Table, sweep
from grognard.studies.sweeps.tables import _csv_cell

GIVEN = design(
    *strengths(2),
    {"path": "units[1].fired", "values": "all"},
    {"path": "units[0].at", "values": [[1, 1], [3, 3]]},
    {"path": "rules.cancelling", "values": "all"},
    measures={"worth": "value", "nothing": "1 / chance(swing > 99)"},
)


@pytest.fixture(scope="module")
def table() -> Table:
    return sweep(GIVEN, workers=1)


def test_rows_and_columns(table: Table) -> None:
    places = ["units[1].fired", "units[0].at", "rules.cancelling"]
    assert table.columns == ["attack", "defence", *places, "worth", "nothing", "fault"]
    rows = list(table.rows)
    assert len(rows) == len(table) == 32
    assert rows[0][:5] == (1, 1, False, "[1, 1]", "matching")
    assert isinstance(rows[0][5], float)
    assert rows[0][6:] == (None, None)
    assert rows[2][5:] == (None, None, "attack.on: rifles is 3 squares from guns, whose range is 1")
    assert next(table.records) == dict(zip(table.columns, rows[0], strict=True))


def test_csv(table: Table, tmp_path: Path) -> None:
    table.write(tmp_path / "table.csv")
    with (tmp_path / "table.csv").open(newline="") as file:
        read = list(csv.reader(file))
    assert read[0] == table.columns
    assert [row[:5] for row in read[1:3]] == [
        ["1", "1", "false", "[1, 1]", "matching"],
        ["1", "1", "false", "[1, 1]", "ranked"],
    ]
    assert [float(row[5]) if row[5] else None for row in read[1:]] == [row[5] for row in table.rows]


FORMULAS = ("=1+1", "+a", "-a", "@a", "\ta", "\ra")


@pytest.mark.parametrize(
    ("cell", "written"), [*((cell, f"'{cell}") for cell in FORMULAS), ("a", "a"), ("a=1", "a=1"), (-1.5, -1.5)]
)
def test_no_cell_of_a_csv_file_is_run_as_a_formula(cell: str | float, written: str | float) -> None:
    assert written == _csv_cell(cell)


def test_no_header_and_no_level_of_a_csv_file_is_run_as_a_formula(tmp_path: Path) -> None:
    names = {"name": "@who", "path": "units[0].id", "values": ["=1+1", "guns"]}
    sweep(design(names, measures={"+worth": "value"}), tmp_path / "table.csv", workers=1)
    with (tmp_path / "table.csv").open(newline="") as file:
        header, first, *_ = csv.reader(file)
    assert ["'@who", "'+worth", "fault"] == header
    assert "'=1+1" == first[0]


def test_json(table: Table, tmp_path: Path) -> None:
    table.write(tmp_path / "table.json")
    assert json.loads((tmp_path / "table.json").read_text()) == list(table.records)


def test_parquet_and_arrow(table: Table, tmp_path: Path) -> None:
    table.write(tmp_path / "table.parquet")
    read = parquet.read_table(tmp_path / "table.parquet")
    assert read.to_pylist() == list(table.records) == table.to_arrow().to_pylist()
    kinds = ["int64", "int64", "bool", "string", "string", "double", "double", "string"]
    assert [str(kind) for kind in read.schema.types] == kinds


def test_pandas(table: Table) -> None:
    frame = table.to_pandas()
    assert list(frame.columns) == table.columns
    assert frame["worth"].notna().sum() == 16
    assert frame.loc[0, "attack"] == 1


def test_a_notebook_shows_the_first_rows_and_how_many_there_are(table: Table) -> None:
    shown = table._repr_html_()
    assert 21 == shown.count("<tr")
    assert "32 match-ups" in shown
    assert "units[0].at" in shown


def test_names_are_escaped_in_a_notebook() -> None:
    given = design({"name": "<b>", "path": "units[0].strength", "values": [1]})
    shown = sweep(given, workers=1)._repr_html_()
    assert "&lt;b&gt;" in shown
    assert "<b>" not in shown


def test_another_ending_is_refused_before_anything_is_done(tmp_path: Path) -> None:
    with pytest.raises(GrognardError, match=r"needs one of the endings \.parquet, \.csv, \.json"):
        sweep(GIVEN, tmp_path / "table.xls")
    with pytest.raises(GrognardError, match="cannot be written"):
        sweep(GIVEN, tmp_path / "no such folder" / "table.csv")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("library", ["pyarrow", "pandas"])
def test_a_library_that_is_not_there_is_named(table: Table, library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(GrognardError, match=f"this needs {library}: pip install"):
        (table.to_arrow if library == "pyarrow" else table.to_pandas)()


def test_parquet_is_refused_at_once_where_arrow_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(GrognardError, match="this needs pyarrow"):
        sweep(GIVEN, tmp_path / "table.parquet")


def test_the_package_offers_it_by_name() -> None:
    given = design(*strengths(1), measures={"worth": "value"})
    assert grognard.sweep(given).columns == grognard.sweep(given).columns == ["attack", "defence", "worth", "fault"]
