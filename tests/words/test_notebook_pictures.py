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
        "battle": battle,
        "a measure": grognard.odds(battle)["Blue loses"],
        "names": grognard.odds(battle)["Location held by"],
        "odds": grognard.odds(battle),
        "fractions": grognard.odds(battle, fractions=True),
        "sampled odds": grognard.simulate(battle, 100, seed=1),
        "advice": grognard.advise(battle, [{"roll": [1, 2]}]),
        "no advice": grognard.advise(battle),
        "solution": grognard.solve(battle),
        "play": played,
        "a log": grognard.replay(played.log()),
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
    assert "Red: losses average 0.39, standard deviation 0.49" in page.captions
    assert ["0", "61.50 %", "100.00 %", ""] in page.rows
    assert ["1", "38.50 %", "38.50 %", ""] in page.rows


def test_sampled_odds_say_so_with_their_confidence() -> None:
    drawn = grognard.simulate(grognard.battle(duel()), 400, seed=1)._repr_html_().replace("\u00a0", " ")
    assert "sampled: 400 battles, seed 1; chances within ±4.90 % (95 % confidence)" in drawn


def test_fractions_are_at_hand() -> None:
    assert 'title="123/200"' in grognard.odds(grognard.battle(duel(2, 1)), fractions=True)._repr_html_()


def test_advice_marks_the_best_option() -> None:
    advice = grognard.advise(grognard.battle(invitation()), [{"roll": [1, 2]}])
    page = Page(advice._repr_html_())
    assert ["Green (attacker): Send 1 unit to help Red?  [1.1.01]"] == [" ".join(c.split(" ")) for c in page.captions]
    assert [["no", "best"], ["yes", "0.10 worse"]] == [row[:2] for row in page.rows[1:]]


def test_a_house_rule_that_changes_nothing_says_so() -> None:
    drawn = grognard.compare(grognard.battle(duel()), "nobody_left")._repr_html_()
    assert "This house rule changes nothing here." in drawn


def test_chances_side_by_side_with_the_change_in_percentage_points() -> None:
    page = Page(grognard.compare(grognard.battle(duel()), "ties")._repr_html_())
    assert ["Blue", "55.00 %", "45.00 %", "−10.00", "45.00 %", "−10.00", "55.00 %", "·"] in page.rows


def test_luck_and_decisions_stand_above_the_steps() -> None:
    luck = grognard.luck(grognard.play(grognard.battle(duel()), [{"roll": [9, 1]}]))
    page = Page(luck._repr_html_())
    assert ["luck", "+1.1000", "the dice favoured the attacker"] in page.rows
    assert any(row[1:] == ["+1.1000", "+1.0000"] for row in page.rows)


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
    comparison = grognard.compare(grognard.battle(duel()), "ties")
    frame = comparison.to_pandas()
    assert [case.name for case in comparison.cases] == list(dict.fromkeys(frame["case"]))
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
