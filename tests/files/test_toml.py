"""Battles as TOML: readable, and equal after parsing."""

import json
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grognard.files import to_toml
from tests.files.toy import LARGE, Weather

SCALARS = st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4)
)
LONG_KEYS = st.text("ab. ", min_size=20, max_size=60)
"""Long enough to make nested tables too long for a line."""


@given(st.dictionaries(st.text(max_size=6) | LONG_KEYS, VALUES | st.dictionaries(LONG_KEYS, VALUES), max_size=5))
def test_what_is_written_reads_back_the_same(data: dict[str, object]) -> None:
    read = tomllib.loads(to_toml(data))
    assert data == read
    assert json.dumps(data, sort_keys=True) == json.dumps(read, sort_keys=True)  # 1, 1.0 and true are equal above


def test_plain_values_come_first_then_tables_with_coordinates_inline() -> None:
    assert """\
system = "toys"
turn = 3

[[units]]
id = "the hero"
die = 4
range = 2
at = [1, 18]
white = 1
fired = true
guns = ["hand", { kind = "direct", name = "“Bertha”" }]

[[units]]
id = "regular"
die = 8
range = 3
at = [4, 5]
guns = []

[attack]
by = "the hero"
on = "regular"
how = "call in"
cover = ["wall", "hedge"]
spotted = true
near_station = true
dice = ""

[board]
size = [9, 9]
capitals = { red = [1, 1], "dark blue" = [9, 9] }

[[terrain]]
id = "wall"
hits = 0
shape = [3, "high", false]

[[terrain]]
id = "hedge"

[scores]
Joshua = { frames = 4 }

[rules]
ties = "attacker"
weather = "rain"
""" == to_toml(LARGE)


def test_a_value_that_is_too_long_for_a_line_is_spread() -> None:
    names = {f"a name of some length {n}": n for n in range(4)}
    assert """\
many = [
    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy",
]

[table.names]
"a name of some length 0" = 0
"a name of some length 1" = 1
"a name of some length 2" = 2
"a name of some length 3" = 3
""" == to_toml({"table": {"names": names}, "many": ["x" * 60, "y" * 60]})


def test_nothing_is_left_out() -> None:
    assert "[attack]\nby = { x = 1 }\n" == to_toml({"attack": {"how": None, "by": {"x": 1, "y": None}}, "board": None})


def test_an_empty_table_is_still_there() -> None:
    assert "[rules]\n" == to_toml({"rules": {}})
    assert "" == to_toml({})


def test_tuples_and_enums_are_written_as_lists_and_text() -> None:
    assert 'at = [1, 2]\nweather = "rain"\n' == to_toml({"at": (1, 2), "weather": Weather.RAIN})


@pytest.mark.parametrize("value", [object(), [None], b"bytes"])
def test_a_value_that_toml_does_not_have_is_refused(value: object) -> None:
    with pytest.raises(TypeError, match="TOML cannot say"):
        to_toml({"x": value})
