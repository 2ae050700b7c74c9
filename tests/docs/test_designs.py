"""The designs that come along name measures and places that exist."""

import tomllib
from pathlib import Path

import pytest

import grognard

DESIGNS = sorted((Path(__file__).parents[2] / "examples" / "designs").glob("*.toml"))


@pytest.mark.parametrize("path", DESIGNS, ids=lambda path: path.stem)
def test_a_design_that_comes_along_has_no_faults(path: Path) -> None:
    design = tomllib.loads(path.read_text("utf-8"))
    if "base" in design:
        design["base"] = str((path.parent / design["base"]).resolve())
    table = grognard.sweep({**design, "sample": 2}, workers=1)
    fault = list(table.columns).index("fault")
    assert [None, None] == [row[fault] for row in table.rows]
