"""What a table says about balance: match-ups nearest to even, prices, pictures."""

import re
from math import exp, log
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from tests.studies.sweeps.designs import design, dice, strengths

from grognard.core.errors import GrognardError
from grognard.core.systems import Json
from grognard.studies.sweeps import Table, sweep
from grognard.studies.sweeps.balance import fit, most_even, prices
from grognard.words.plots import save
from grognard.words.sweep_plots import picture_of

SIDES = {"attacker": "abc", "defender": "def"}
WIN = "chance(swing > 0) + chance(swing == 0) / 2"


def roster(cards: dict[str, Json], measure: str = WIN) -> Table:
    """Every card against every card."""
    vary = [{"name": side, "path": f"units[{n}]", "roster": True} for n, side in enumerate(("attacker", "defender"))]
    return sweep(design(*vary, measures={"win": measure}, roster=cards), workers=1)


def test_nearest_to_even_is_half_of_a_chance_and_nothing_of_a_number() -> None:
    given = design(*strengths(4), measures={"worth": "value", "ahead": "chance(swing > 0)"})
    table = sweep(given, workers=1)
    rows = list(table.rows)
    assert [one.row for one in most_even(table, 3)] == sorted(rows, key=lambda row: abs(float(row[2] or 0)))[:3]
    by_chance = sorted(rows, key=lambda row: abs(float(row[3] or 0) - 0.5))
    assert [one.row for one in most_even(table, 3, "ahead")] == by_chance[:3]
    assert most_even(table, 1)[0].distance == min(abs(float(row[2] or 0)) for row in rows)


def test_nearest_to_even_where_the_value_is_itself_a_chance() -> None:
    table = sweep(design(*strengths(4), objective="kill", measures={"worth": "value"}), workers=1)
    assert most_even(table, 1)[0].distance == min(abs(float(row[2] or 0) - 0.5) for row in table.rows)


def test_a_measure_that_is_not_there() -> None:
    table = sweep(design(*strengths(1), measures={"worth": "value"}), workers=1)
    with pytest.raises(GrognardError, match=r"unknown measure `wort`, did you mean `worth`\? known: worth"):
        most_even(table, by="wort")


def test_worths_that_are_known_are_found_again() -> None:
    worths, attacking = np.array([0.5, -1.0, 0.25, 0.25]), 0.7
    pairs = np.array([(a, b) for a in range(4) for b in range(4)])
    wins = 1 / (1 + np.exp(-(worths[pairs[:, 0]] - worths[pairs[:, 1]] + attacking)))
    actual, errors = fit(pairs, wins, 4)
    assert actual == pytest.approx([*worths, attacking], abs=1e-9)
    assert errors == pytest.approx([0] * 5, abs=1e-9)


def test_units_that_beat_each_other_in_a_circle_are_worth_the_same_and_no_price_is_sure() -> None:
    pairs = np.array([(a, b) for a in range(3) for b in range(3)])
    wins = np.array([{0: 0.5, 1: 0.9, 2: 0.1}[(b - a) % 3] for a, b in pairs])
    actual, errors = fit(pairs, wins, 3)
    assert actual == pytest.approx([0] * 4, abs=1e-9)
    assert (errors[:3] > 0.5).all()


def test_where_no_unit_is_on_both_sides_nobody_knows_what_attacking_is_worth() -> None:
    pairs = np.array([(a, b) for a in (0, 1) for b in (2, 3)])
    wins = 1 / (
        1 + np.exp(-(np.array([1.0, 0, -0.5, -0.5])[pairs[:, 0]] - np.array([1.0, 0, -0.5, -0.5])[pairs[:, 1]]))
    )
    with pytest.raises(GrognardError, match="4 match-ups are too few for the prices of 4 units"):
        fit(pairs, wins, 4)
    actual, _ = fit(np.vstack([pairs] * 2), np.hstack([wins] * 2), 4)
    assert actual == pytest.approx([1, 0, -0.5, -0.5, np.nan], abs=1e-9, nan_ok=True)


def test_units_that_never_meet_have_no_common_price() -> None:
    pairs = np.array([(0, 1), (1, 0), (2, 3), (3, 2), (0, 1)])
    with pytest.raises(GrognardError, match="never meet"):
        fit(pairs, np.full(5, 0.5), 4)


def test_prices_follow_who_beats_whom_the_dearest_first() -> None:
    table = roster({"weak": {"strength": 2}, "strong": {"strength": 6}, "fair": {"strength": 4}})
    actual = prices(table)
    assert [one.name for one in actual.prices] == ["strong", "fair", "weak"]
    assert exp(sum(log(one.price) for one in actual.prices) / 3) == pytest.approx(10)
    assert all(one.low < one.price < one.high for one in actual.prices)
    assert actual.attacking is not None
    assert actual.attacking > 1
    assert (actual.by, actual.left_out) == ("win", 0)


def test_prices_of_units_that_only_attack_or_only_defend_say_nothing_of_attacking() -> None:
    cards: dict[str, Json] = {name: {"strength": strength} for strength, name in enumerate("abcdef", 2)}
    sides = [
        {"name": side, "path": f"units[{n}]", "roster": list(names)} for n, (side, names) in enumerate(SIDES.items())
    ]
    actual = prices(sweep(design(*sides, measures={"win": WIN}, roster=cards), workers=1))
    assert actual.attacking is None
    assert {"a", "b", "c", "d", "e", "f"} == {one.name for one in actual.prices}


def test_match_ups_that_are_no_battle_are_left_out_of_prices() -> None:
    cards: dict[str, Json] = {"near": {"strength": 2}, "far": {"strength": 3}, "spent": {"supply": 0, "strength": 4}}
    assert prices(roster(cards)).left_out == 3


def test_prices_need_a_chance_and_two_rosters() -> None:
    with pytest.raises(GrognardError, match='"win" is no chance: prices need a measure from 0 to 1'):
        prices(roster({"weak": {"strength": 2}, "strong": {"strength": 6}}, "value"))
    with pytest.raises(GrognardError, match=r"prices need two .* this design has 0"):
        prices(sweep(design(*strengths(2), measures={"win": WIN}), workers=1))


PICTURES: list[tuple[str, Json]] = [
    ("curves", design(*strengths(3)[:1])),
    ("heat", design(*strengths(3))),
    ("heat", design(*strengths(3), *dice([4, 6]))),
    ("curves", design(*strengths(3), *dice([4, 6]), plot={"kind": "curves", "panels": "attack die"})),
    ("heat", design({"path": "units[0].at[0]", "values": [1, 2]}, *strengths(2))),
]


@pytest.mark.parametrize("ending", [".svg", ".png"])
@pytest.mark.parametrize(("kind", "given"), PICTURES)
def test_a_sweep_is_drawn(kind: str, given: Json, ending: str, tmp_path: Path) -> None:
    table = sweep(given, workers=1)
    assert picture_of(table).kind == kind
    save(table.plot(), tmp_path / f"picture{ending}")
    content = (tmp_path / f"picture{ending}").read_bytes()
    if ending == ".png":
        assert content.startswith(b"\x89PNG\r\n\x1a\n")
        assert content.rstrip().endswith(b"IEND\xaeB`\x82")
    else:
        assert ElementTree.fromstring(content).tag == "{http://www.w3.org/2000/svg}svg"
        assert not re.search(rb'href="(?!#|data:)', content)


def test_what_is_not_drawn_is_averaged() -> None:
    given = design(*strengths(2), *dice([4, 6]), measures={"worth": "value"})
    table = sweep(given, workers=1)
    picture = picture_of(table)
    assert (picture.axes, picture.averaged) == (
        {"y": "attack", "x": "defence", "panels": "attack die"},
        ["defence die"],
    )
    worths = [float(row[4] or 0) for row in table.rows if row[:3] == (2, 1, 6)]
    assert picture.at(6, 2, 1) == pytest.approx(sum(worths) / 2)
    assert len(worths) == 2


def test_too_much_for_one_picture_says_what_to_choose() -> None:
    given = design(*strengths(3), {"name": "supplies", "path": "units[1].supply", "range": [1, 7]})
    with pytest.raises(GrognardError, match=r"at most 6 panels and 7 lines; .* panels = supplies"):
        sweep(given, workers=1).plot()


def test_names_under_curves_are_tilted_and_of_many_numbers_not_all_are_at_the_axis() -> None:
    cards: dict[str, Json] = {f"a whole company of {number}": {"strength": number} for number in (2, 3, 4)}
    curves = sweep(design({"path": "units[0]", "roster": True}, roster=cards), workers=1).plot().axes[0]
    assert [35.0] * 3 == [label.get_rotation() for label in curves.get_xticklabels()]
    supplies = {"name": "supplies", "path": "units[1].supply", "range": [1, 40]}
    heat = sweep(design(*strengths(2)[:1], supplies), workers=1).plot().axes[0]
    assert [str(number) for number in range(1, 41, 3)] == [label.get_text() for label in heat.get_xticklabels()]
