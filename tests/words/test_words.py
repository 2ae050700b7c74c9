"""Numbers, results and colours as people read them."""

from fractions import Fraction
from typing import Any

import pytest
from tests.cli.conftest import duel

import grognard
from grognard.core.distributions import from_probabilities
from grognard.core.systems import Role
from grognard.solver.solution import solve
from grognard.words import numbers
from grognard.words.advice import plan_page
from grognard.words.blocks import Table
from grognard.words.colours import Sides
from grognard.words.results import format_result, format_value, headings, leaves, varying_places
from grognard.words.summaries import chance_rows, format_brief, measures_shown, result_table


@pytest.mark.parametrize(
    ("chance", "text"),
    [
        (0.40149, "40.15 %"),
        (Fraction(1, 3), "33.33 %"),
        (0.9999999999999999, "100.00 %"),
        (0.99999, ">99.99 %"),
        (0.00001, "<0.01 %"),
        (-0.0, "0.00 %"),
    ],
)
def test_only_what_is_certain_is_100_percent(chance: float, text: str) -> None:
    assert numbers.percent(chance) == text


def test_values_have_their_sign_and_zero_has_none() -> None:
    values = (0.25, -0.25, 0.00001, Fraction(1, 3))
    assert ["+0.2500", "−0.2500", "0", "+0.3333"] == [numbers.signed(value) for value in values]
    assert ["+0.25", "−0.25", "0", "+0.33"] == [numbers.signed(value, 2) for value in values]
    assert ["+2", "−1", "0", "+0.5000"] == [numbers.signed_whole(value) for value in (2, -1, 0, 0.5)]


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (9_999, "9,999"),
        (25_000_000, "about 25 million"),
        (1_234_567_890, "about 1.23 billion"),
        (10**24, "about 10^24"),
        (10**4000, "about 10^4000"),
    ],
)
def test_a_size_in_words(number: int, text: str) -> None:
    assert numbers.magnitude(number) == text


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0 s"), (99, "99 s"), (720, "12 min"), (12_000, "3 h 20 min"), (400_000, "111 h 7 min")]
)
def test_a_time_in_words(seconds: float, text: str) -> None:
    assert numbers.duration(seconds) == text


def test_unlikely_ends_are_put_together() -> None:
    chances: dict[int | str | bool, Fraction] = {n: Fraction(1, 1000) for n in range(10)}
    chances |= {n: Fraction(99, 1000) for n in range(10, 20)}
    rows = list(chance_rows(from_probabilities(chances.items())))
    assert [("≤ 9", Fraction(1, 100), 1), ("10", Fraction(99, 1000), Fraction(99, 100))] == rows[:2]
    assert (11, 20) == (len(rows), len(list(chance_rows(from_probabilities(chances.items()), everything=True))))


def test_values_between_that_cannot_come_about_have_a_row_too() -> None:
    pairs: list[tuple[int | str | bool, Fraction]] = [(1, Fraction(1, 4)), (3, Fraction(3, 4))]
    rows = list(chance_rows(from_probabilities(pairs)))
    assert rows == [("1", Fraction(1, 4), 1), ("2", 0, Fraction(3, 4)), ("3", Fraction(3, 4), Fraction(3, 4))]


def test_names_are_listed_by_their_chance_and_numbers_have_a_proper_minus() -> None:
    names: list[tuple[int | str | bool, Fraction]] = [("eliminated", Fraction(1, 4)), ("none", Fraction(3, 4))]
    assert ["none", "eliminated"] == [text for text, _, _ in chance_rows(from_probabilities(names))]
    assert "none 75.00 %" == format_brief(from_probabilities(names))
    below: list[tuple[int | str | bool, Fraction]] = [(-1, Fraction(1, 2)), (0, Fraction(1, 2))]
    assert ["−1", "0"] == [text for text, _, _ in chance_rows(from_probabilities(below))]


def test_results_are_described_by_what_differs_between_them() -> None:
    results = [leaves({"units": {"a": {"at": [1, 2], "dead": False}, "b": {"at": n}}, "gone": []}) for n in (None, [3])]
    assert varying_places(results) == [("units", "b", "at")]
    assert format_result(results[0], list(results[0])) == "a at 1, 2 · a dead no · b at – · gone –"


def test_values_of_files_and_results_in_words() -> None:
    values: list[object] = [None, [], {}, (), True, [1, [2, 3]], {"red_one": [1, 1], "b": None}, "x"]
    assert ["–", "–", "–", "–", "yes", "1, 2, 3", "red one: 1, 1; b: –", "x"] == [format_value(one) for one in values]


def test_headings_name_the_table_only_where_it_is_needed() -> None:
    paths = [("armies", "Red"), ("scores", "Red"), ("armies", "Blue"), ("returns",)]
    assert list(headings(paths).values()) == ["armies Red", "scores Red", "Blue", "returns"]


def battle(attacker: str, defender: str) -> Sides:
    data: dict[str, Any] = duel()
    data["arrivals"][0]["player"], data["defender"]["player"] = attacker, defender
    return Sides(grognard.battle(data))


@pytest.mark.parametrize(
    ("attacker", "defender", "colours"),
    [
        ("Red", "Blue", ("red", "blue")),
        ("blue", "red", ("blue", "red")),
        ("Green", "Gray", ("green", "grey")),
        ("Ann", "Bob", ("red", "blue")),
        ("Ann", "Red", ("blue", "red")),
    ],
)
def test_a_side_has_the_colour_of_its_name_or_else_of_its_role(
    attacker: str, defender: str, colours: tuple[str, str]
) -> None:
    sides = battle(attacker, defender)
    assert (sides.colour(attacker), sides.colour(defender)) == colours
    assert (Role.ATTACKER, Role.DEFENDER) == (sides.role(attacker), sides.role(defender))


def test_places_are_told_by_ordinal_numbers() -> None:
    counted = (1, 2, 3, 4, 11, 12, 13, 21, 102, 111, 1003)
    expected = ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "102nd", "111th", "1,003rd"]
    assert expected == [numbers.ordinal(number) for number in counted]


def test_what_a_side_loses_is_not_told_again_if_one_unit_loses_it_all() -> None:
    battle = duel()
    titles = [measure.name for measure, _ in measures_shown(grognard.odds(grognard.battle(battle)))]
    assert ["Location held by", "Blue loses", "Red loses", "Blue destroyed", "Red destroyed"] == titles
    battle["arrivals"].append({"player": "Green", "side": "attack", "units": 2})
    titles = [measure.name for measure, _ in measures_shown(grognard.odds(grognard.battle(battle)))]
    assert ("attacking side loses" in titles, "defending side loses" in titles) == (True, False)


def test_a_plan_names_no_condition_where_everything_leads_to_the_same() -> None:
    units = [
        {"id": name, "side": side, "die": 6, "strength": 1, "range": 3, "ammo": 1, "supply": 1, "at": [2, row]}
        for name, side, row in (("guns", "red", 1), ("scouts", "red", 2), ("rifles", "blue", 3))
    ]
    units[2] |= {"strength": 6, "supply": 0}
    battle = grognard.battle({"system": "supply", "units": units, "turn": {"side": "red"}})
    lines = [str(line) for line in plan_page(solve(battle), "")]
    assert any("then: " in line and "scouts on rifles" in line for line in lines)
    assert not any("100.00 %" in line for line in lines)


def test_what_is_empty_in_every_result_is_not_listed() -> None:
    (table,) = result_table(grognard.odds(grognard.battle(duel())))
    assert isinstance(table, Table)
    assert [column.name for column in table.columns] == ["chance", "Blue", "Red", "possession"]
    assert table.notes == []  # nobody returns, whoever wins
