"""The line of each place: by hand for unusual TOML, and by search for everything that we write."""

import json
from itertools import count
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grognard.files.lines import json_lines, toml_lines
from grognard.files.messages import join_index, join_key
from grognard.files.toml import to_toml

ODD = '''\
# a comment with [brackets] and "quotes

system = "toys"   # [not.a.table]
text = """
[units]
by = "no" \\""" still text
"""
raw = \'\'\'
[[units]]
it's\'\'\'
shape = [ # a list over
    [1,   # several lines ]
     2],
    { a = 1, b = ["]", """]"""", \'\'\']\'\'\'\', 4] },
]
when = 1979-05-27 07:32:00 # a date
[[units]]
id = 'a = "b"'
"quoted \\"key\\"".x = 1
  at = [1, 2]
[units.gun]
kind = "hand"
[[units.crew]]
name = "x"
[[units.crew]]
name = "y"
[[ units ]]
id = "two"
crew = [{ name = "z" }, { name = { first = "v", last.born = "w" } }]
[board . "the capitals"]
red = [1, 1]
[board]
size = [1, 1]
rules.ties = 1
rules.die = """one""""
[last]
'''


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ("system", 3),
        ("text", 4),
        ("raw", 8),
        ("shape", 11),
        ("shape[0]", 12),
        ("shape[0][0]", 12),
        ("shape[0][1]", 13),
        ("shape[1].b[3]", 14),
        ("when", 16),
        ("units", 17),
        ("units[0]", 17),
        ("units[0].missing", 17),
        ("units[0].id", 18),
        ('units[0]."quoted \\"key\\""', 19),
        ('units[0]."quoted \\"key\\"".x', 19),
        ('units[0]."missing key"', 17),
        ("units[0].at[1]", 20),
        ("units[0].gun.kind", 22),
        ("units[0].gun.missing", 21),
        ("units[0].crew", 23),
        ("units[0].crew[0].name", 24),
        ("units[0].crew[1].name", 26),
        ("units[0].crew[1].missing", 25),
        ("units[1]", 27),
        ("units[1].id", 28),
        ("units[1].crew[1].name.last.born", 29),
        ('board."the capitals".red[0]', 31),
        ("board", 32),
        ("board.size", 33),
        ("board.rules.ties", 34),
        ("board.rules.die", 35),
        ("board.rules", 34),
        ("last", 36),
        ("missing", None),
        ("units[7].id", 17),
        ("", None),
    ],
)
def test_the_lines_of_odd_toml(place: str, line: int | None) -> None:
    assert line == toml_lines(ODD).find(place)


def test_the_lines_of_json() -> None:
    lines = json_lines('{"system": "toys",\n "units": [\n{"at":\n[1,\n2]}, {}],\n"a \\"b\\"/\\u00e9": {"x": null}\n}')
    assert {
        "system": 1,
        "units": 2,
        "units[0]": 3,
        "units[0].at": 3,
        "units[0].at[0]": 4,
        "units[0].at[1]": 5,
        "units[1]": 5,
        '"a \\"b\\"/é"': 6,
        '"a \\"b\\"/é".x': 6,
    } == lines.by_place
    assert 5 == lines.find("units[1].id")
    assert [] == lines.repeated


@pytest.mark.parametrize("later", ["b = ~", "b = [1", "b = {", "b", "[b", "b = {x = 1, ~"])
def test_the_scanner_stops_at_unknown_syntax(later: str) -> None:
    assert 1 == toml_lines(f"a = 1\n{later}").find("a")


def leaves(value: object, place: str = "") -> dict[str, int]:
    """Every number with its place."""
    if isinstance(value, int):
        return {place: value}
    if isinstance(value, list):
        inner = [leaves(part, join_index(place, n)) for n, part in enumerate(value)]
    else:
        table = cast("dict[str, object]", value)
        inner = [leaves(part, join_key(place, key)) for key, part in table.items()]
    return {place: number for part in inner for place, number in part.items()}


def numbered(shape: object, numbers: "count[int]") -> object:
    """The same structure with a unique number at each leaf."""
    if isinstance(shape, list):
        return [numbered(part, numbers) for part in shape]
    if isinstance(shape, dict):
        return {key: numbered(part, numbers) for key, part in shape.items()}
    return next(numbers)


KEYS = st.text("ab.\"' \\[]#=é\n", max_size=4)
SHAPES = st.dictionaries(
    KEYS,
    st.recursive(st.none(), lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4)),
    max_size=5,
)


@given(SHAPES)
def test_every_number_is_on_the_line_of_its_place(shape: dict[str, object]) -> None:
    data = cast("dict[str, object]", numbered(shape, count(10_000)))
    for text, lines in (
        (to_toml(data), toml_lines(to_toml(data))),
        (json.dumps(data, indent=2), json_lines(json.dumps(data, indent=2))),
    ):
        for place, number in leaves(data).items():
            assert str(number) in text.splitlines()[lines.by_place[place] - 1]
        assert [] == lines.repeated
