"""The report: one well-formed page that loads nothing, and whose numbers are those of the odds."""

import re
from pathlib import Path

import pytest

import grognard
from grognard.core.systems import Battle
from grognard.report import page
from grognard.systems import names
from grognard.words import numbers
from tests.cli.conftest import duel, invitation
from tests.markup import Page

EXAMPLES = Path(__file__).parents[1] / "examples"
ONE_EACH = [sorted((EXAMPLES / name).glob("0[1-6]-*.toml")) for name in names()]
QUICK = [path for paths in ONE_EACH for path in paths[1:3]]


def report(battle: Battle) -> Page:
    return Page(page(battle))


@pytest.mark.parametrize("path", QUICK, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_page_is_well_formed_and_loads_nothing(path: Path) -> None:
    text = page(grognard.load(path), str(path))
    found = Page(text)
    assert text.startswith('<!DOCTYPE html>\n<html lang="en">')
    assert [] == found.outside
    assert found.tags.isdisjoint({"script", "link", "img", "iframe", "object", "base"})
    assert not re.search(r"url\(|@import|@font-face", "".join(found.styles))
    assert ["Set-up", "Odds", "Decisions", "Switches that matter"] == [
        heading for heading in found.headings if heading in ("Set-up", "Odds", "Decisions", "Switches that matter")
    ]


@pytest.mark.parametrize("path", QUICK, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_chance_on_the_page_is_the_one_of_the_odds(path: Path) -> None:
    battle = grognard.load(path)
    odds, found = grognard.odds(battle), report(battle)
    for measure in battle.system.measures(battle.setup):
        chances = odds.measure(measure)
        if 1 < len(chances) <= 16:
            assert measure.name in found.headings
            for value, chance in chances.items():
                assert any(row[:2] == [numbers.word(value), numbers.percent(chance)] for row in found.rows), (
                    measure.name
                )
    assert {numbers.percent(p) for p, _ in odds.outcomes[:10]} <= found.cells


def test_at_least_stands_beside_exactly() -> None:
    assert ["1", "38.50 %", "38.50 %"] in report(grognard.battle(duel(2, 1))).rows
    assert ["0", "61.50 %", "100.00 %"] in report(grognard.battle(duel(2, 1))).rows


def test_the_set_up_is_there_with_every_unit_and_its_side() -> None:
    found = report(grognard.load(EXAMPLES / "supply" / "02-guns-on-rifles.toml"))
    assert ["▲ guns", "red", "8", "4", "3", "1", "3", "2, 3"] in found.rows
    assert ["■ rifles", "blue", "6", "5", "3", "1", "1", "4, 3"] in found.rows
    assert ["by", "guns"] in found.rows


def test_switches_that_are_turned_are_told_with_their_default() -> None:
    found = report(grognard.battle(duel(ties="both")))
    assert any(row[:3] == ["ties", "both", "defender"] for row in found.rows)


def test_the_first_decision_has_every_option_with_its_value_and_the_best_marked() -> None:
    battle = grognard.load(EXAMPLES / "tower" / "02-who-stands-by-whom.toml")
    found, advice = report(battle), grognard.advise(battle)
    assert any(heading.startswith(f"First: ▲ {advice.player}: {advice.prompt}") for heading in found.headings)
    for option in advice.options:
        label = f"{option.label} best" if option.best else option.label
        assert any(row[:2] == [label, numbers.signed(option.value)] for row in found.rows)


def test_decisions_on_the_way_are_told_with_how_often_they_are_asked() -> None:
    text = page(grognard.load(EXAMPLES / "supply" / "02-guns-on-rifles.toml")).replace("\u00a0", " ")
    assert "blue: Counterattack guns with rifles: 4 d6 against 4 d8, for 1 supply?" in text
    assert "<p>asked in 37.49 %</p><p><strong>yes</strong> is best · no costs 0.6522</p>" in text


def test_without_decisions_the_dice_have_their_say() -> None:
    assert "Nothing is decided in this battle" in page(grognard.battle(duel()))


def test_the_switches_are_those_of_comparing_them_all() -> None:
    battle = grognard.battle(invitation())
    found, compared = report(battle), grognard.compare(battle)
    for effect in compared.effects:
        changed = [row for row in found.rows if row[0].startswith(f"{effect.switch} = {effect.case.name}")]
        assert [numbers.signed(effect.change)] == [row[1] for row in changed]
    assert f"Changes nothing here: {' · '.join(compared.nothing)}" in page(battle)


def test_names_are_anybodys_words() -> None:
    battle = duel()
    battle["defender"]["player"] = "<script>&"
    found = report(grognard.battle(battle))
    assert "script" not in found.tags
    assert any("<script>&" in heading for heading in found.headings)


def test_policies_and_objective_are_those_asked_for() -> None:
    text = page(grognard.battle(invitation()), "", "cautious", "random", "ground")
    assert "attacker cautious, defender random. ground: a player of the attacking side possesses the Location." in text


def test_the_same_battle_is_the_same_page() -> None:
    assert page(grognard.battle(invitation())) == page(grognard.battle(invitation()))
