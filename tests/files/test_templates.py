"""Templates: they have the example, explain every key, and offer all other keys in comments."""

import re
import tomllib
from typing import Any

import pytest

from grognard.core.systems import Json
from grognard.files import battle, fields_of, template
from tests.files.toy import LARGE, SMALL, TOY


def taken_up(text: str) -> str:
    """The template with everything that it offers."""
    return re.sub(r"^#(?=\S)", "", text, flags=re.MULTILINE)


@pytest.mark.parametrize("example", [SMALL, LARGE])
def test_a_template_loads_as_its_example(example: Json) -> None:
    assert battle(example) == battle(tomllib.loads(template(TOY, example)))


@pytest.mark.parametrize("example", [SMALL, LARGE])
def test_all_that_a_template_offers_can_be_uncommented(example: Json) -> None:
    data = tomllib.loads(taken_up(template(TOY, example)))
    assert battle(data)
    assert {"system", *(field.name for field in fields_of(TOY.setup))} == set(data)
    for field in fields_of(TOY.setup):
        tables: Any = data[field.name]
        if field.table and not field.value_type.is_named:
            first = tables[0] if isinstance(tables, list) else tables
            assert {inner.name for inner in fields_of(field.table)} == set(first)


def test_the_template_of_a_small_example() -> None:
    assert """\
# Toys: a system that was made up
system = "toys"
#turn = 1        # the turn

[[units]]       # all who are there
id = "hero"     # its name
die = 6         # the faces of its die; or 4, 8
range = 0       # how far it shoots
at = [4, 4]     # where it stands
#white = 2      # a whole number from 1 to 2
#fired = false  # true or false
#guns = []      # a list, at most 3 long, of entries, each text or a table with `kind`

[[units]]
id = "regular"
die = 8
range = 3
at = [4, 5]

[attack]           # what is resolved
by = "hero"        # who attacks
on = "regular"     # who is attacked
#how = "direct"    # optional: the way, if it is fixed; or "call in"
#cover = "…"       # optional: text or a list of text
#spotted = "roll"  # "roll" or true or false
#near_station = 0  # a whole number or true or false
#dice = "…"        # optional: text of at most 4 characters

#[board]          # the map
#size = [18, 18]  # a column and a row
#capitals = {}    # a table of names, each with a column and a row

#[[terrain]]             # what can be cover
#id = "…"                # text
#hits = 1                # a whole number ≤ 9
#shape = [1, "…", true]  # optional: a list of 3: a whole number, text, true or false

#[scores]              # points so far
#"…" = { frames = 1 }

[rules]             # readings
#ties = "defender"  # who wins ties (1.1.00); or "attacker"
#weather = "clear"  # what falls (2.3); or "rain"
#captured = false   # whether supplies are taken (2.4)
""" == template(TOY, SMALL)


def test_switches_that_the_example_sets_stay_set() -> None:
    text = template(TOY, LARGE)
    assert '\nties = "attacker"  # who wins ties (1.1.00); or "defender"\n' in text
    assert "\n#captured = false  # whether supplies are taken (2.4)\n" in text
