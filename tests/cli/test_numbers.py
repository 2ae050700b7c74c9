from fractions import Fraction

import pytest

from grognard.cli import numbers
from grognard.cli.results import headings, in_a_line, leaves, varying


@pytest.mark.parametrize(
    ("chance", "shown"),
    [
        (0.40149, "40.15 %"),
        (Fraction(1, 3), "33.33 %"),
        (1.0, "100.00 %"),
        (0.9999999999999999, "100.00 %"),
        (0.99999, ">99.99 %"),
        (0.00001, "<0.01 %"),
        (0.0, "0.00 %"),
        (-0.0, "0.00 %"),
    ],
)
def test_only_what_is_certain_is_100_percent(chance: float, shown: str) -> None:
    assert numbers.percent(chance) == shown


def test_values_have_their_sign_and_nothing_has_none() -> None:
    assert [numbers.signed(value) for value in (0.25, -0.25, 0.00001, Fraction(1, 3))] == [
        "+0.2500",
        "−0.2500",
        "0",
        "+0.3333",
    ]
    assert [numbers.whole(value) for value in (2, -1, 0)] == ["+2", "−1", "0"]


def test_a_fraction_that_nobody_would_read_is_left_to_json() -> None:
    assert numbers.fraction(Fraction(-7, 36)) == "−7/36"
    assert numbers.fraction(Fraction(1, 10**50)) == "a fraction of 53 characters, see --json"


def test_mean_and_deviation_of_a_die() -> None:
    mean, deviation = numbers.mean_and_deviation({face: Fraction(1, 6) for face in range(1, 7)})
    assert mean == Fraction(7, 2)
    assert deviation == pytest.approx((35 / 12) ** 0.5)


@pytest.mark.parametrize(
    ("share", "blocks", "drawn"),
    [(1, True, "████"), (0.5, True, "██"), (0.3, True, "█▎"), (1e-9, True, "▏"), (0, True, ""), (0.3, False, "#")],
)
def test_a_bar_shows_everything_that_is_possible(share: float, blocks: bool, drawn: str) -> None:
    assert numbers.bar(share, 4, blocks) == drawn


def test_results_are_told_by_what_differs_between_them() -> None:
    results = [leaves({"units": {"a": {"at": [1, 2], "dead": False}, "b": {"at": n}}, "gone": []}) for n in (None, [3])]
    assert varying(results) == [("units", "b", "at")]
    assert in_a_line(results[0], list(results[0])) == "a at 1, 2 · a dead no · b at – · gone –"


def test_headings_name_the_table_only_where_it_is_needed() -> None:
    paths = [("armies", "Red"), ("scores", "Red"), ("armies", "Blue"), ("returns",)]
    assert list(headings(paths).values()) == ["armies Red", "scores Red", "Blue", "returns"]
