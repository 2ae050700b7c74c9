"""What draws itself in a notebook: well-formed HTML, no script, nothing loaded, names escaped, all numbers there."""

import sys
from pathlib import Path
from typing import Protocol

import pytest
from tests.cli.conftest import duel, invitation
from tests.markup import Page

import grognard
from grognard.core.errors import GrognardError
from grognard.systems import names

EXAMPLES = Path(__file__).parents[2] / "examples"


class Drawn(Protocol):
    def _repr_html_(self) -> str: ...


def pictures() -> dict[str, Drawn]:
    battle = grognard.battle(invitation())
    played = grognard.play(battle, [{"roll": [1, 9]}, {"choose": "yes"}], seed=1)
    return {
        "odds": grognard.odds(battle),
        "exact odds": grognard.odds(battle, fractions=True),
        "sampled odds": grognard.simulate(battle, 100, seed=1),
        "advice": grognard.advise(battle, [{"roll": [1, 2]}]),
        "no advice": grognard.advise(battle),
        "a switch": grognard.compare(battle, "ties"),
        "a switch that changes nothing": grognard.compare(grognard.battle(duel()), "nobody_left"),
        "set-ups": grognard.compare([grognard.battle(duel()), battle]),
        "switches": grognard.compare(battle, fractions=True),
        "luck": grognard.luck(played),
    }


@pytest.mark.parametrize("name", list(pictures()))
def test_a_picture_is_well_formed_and_loads_nothing(name: str) -> None:
    page = Page(pictures()[name]._repr_html_())
    assert [] == page.outside
    assert "script" not in page.tags


def test_odds_show_every_value_of_every_measure() -> None:
    odds = grognard.odds(grognard.battle(duel(2, 1)))
    page = Page(odds._repr_html_())
    assert ["Location held by", "attacking side loses, mean 0.39", "defending side loses, mean 0.61"] == page.captions[
        :3
    ]
    assert ["0", "61.50 %", "100.00 %", ""] in page.rows
    assert ["1", "38.50 %", "38.50 %", ""] in page.rows


def test_sampled_odds_say_so_with_their_errors() -> None:
    battle = grognard.battle(duel())
    assert "sampled: 400 battles, standard errors 0.0" in grognard.simulate(battle, 400, seed=1)._repr_html_()
    assert "· exact</p>" in grognard.odds(battle)._repr_html_()


def test_exact_odds_have_their_fractions_at_hand() -> None:
    assert 'title="123/200"' in grognard.odds(grognard.battle(duel(2, 1)), fractions=True)._repr_html_()


def test_a_measure_of_many_values_sums_up_the_unlikely_ones() -> None:
    odds = grognard.odds(grognard.load(EXAMPLES / "supply" / "07-siege.toml"))
    page = Page(odds._repr_html_())
    assert any(row[0] == "others" for row in page.rows)


def test_advice_marks_the_best_option() -> None:
    advice = grognard.advise(grognard.battle(invitation()), [{"roll": [1, 2]}])
    page = Page(advice._repr_html_())
    assert ["Green (attacker): Send 1 unit to help Red?"] == page.captions
    assert [option.label + (" (best)" if option.best else "") for option in advice.options] == [
        row[0] for row in page.rows[1:]
    ]


def test_a_switch_that_changes_nothing_says_so() -> None:
    drawn = grognard.compare(grognard.battle(duel()), "nobody_left")._repr_html_()
    assert "This switch changes nothing here." in drawn


def test_chances_side_by_side_with_the_change_in_percentage_points() -> None:
    page = Page(grognard.compare(grognard.battle(duel()), "ties")._repr_html_())
    assert ["Blue", "55.00 %", "45.00 % −10.00", "45.00 % −10.00", "55.00 % ·"] in page.rows


def test_luck_and_decisions_stand_under_the_steps() -> None:
    found = grognard.luck(grognard.play(grognard.battle(duel()), [{"roll": [9, 1]}]))
    page = Page(found._repr_html_())
    assert ["1.1.00", "9, 1", "+1.1000", "+1.0000"] in page.rows
    assert ["", "luck, all rolls together", "+1.1000", ""] in page.rows


def test_names_are_anybodys_words() -> None:
    battle = duel()
    battle["defender"]["player"] = "<b>&Blue"
    page = Page(grognard.odds(grognard.battle(battle))._repr_html_())
    assert any(row[0] == "<b>&Blue" for row in page.rows)


def test_odds_as_tables_have_a_row_for_each_result() -> None:
    odds = grognard.odds(grognard.battle(duel(2, 1)))
    frame = odds.to_pandas()
    assert ["p", "armies.Blue", "armies.Red", "possession", "returns"] == list(frame.columns)
    assert [p for p, _ in odds.outcomes] == list(frame["p"])
    assert frame["armies.Red"].tolist() == odds.to_arrow()["armies.Red"].to_pylist()


@pytest.mark.parametrize("name", names())
def test_odds_of_every_system_become_tables(name: str) -> None:
    odds = grognard.odds(grognard.load(sorted((EXAMPLES / name).glob("02-*.toml"))[0]))
    assert len(odds.outcomes) == len(odds.to_pandas()) == odds.to_arrow().num_rows


def test_a_comparison_as_a_table_names_the_case_of_each_result() -> None:
    found = grognard.compare(grognard.battle(duel()), "ties")
    frame = found.to_pandas()
    assert [case.name for case in found.cases] == list(dict.fromkeys(frame["case"]))
    assert pytest.approx([1.0] * 4) == list(frame.groupby("case")["p"].sum())
    effects = grognard.compare(grognard.battle(duel()))
    assert [effect.switch for effect in effects.effects] == list(effects.to_pandas()["switch"])


@pytest.mark.parametrize(
    ("library", "method", "hint"),
    [("pandas", "to_pandas", "pip install pandas"), ("pyarrow", "to_arrow", r"pip install 'grognard\[tables\]'")],
)
def test_a_library_that_is_not_there_is_named(
    library: str, method: str, hint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(GrognardError, match=hint):
        getattr(grognard.odds(grognard.battle(duel())), method)()
