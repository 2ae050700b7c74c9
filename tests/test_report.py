"""The report: one well-formed page that loads nothing, and whose numbers are those of the odds."""

import re
from pathlib import Path

import pytest

import grognard
from grognard.core.systems import Battle
from grognard.report import page
from grognard.systems import names
from grognard.words import numbers
from grognard.words.results import format_value
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
    shown = Page(text)
    assert text.startswith('<!DOCTYPE html>\n<html lang="en">')
    assert [] == shown.outside
    assert shown.tags.isdisjoint({"script", "link", "img", "iframe", "object", "base"})
    assert not re.search(r"url\(|@import|@font-face", "".join(shown.styles))
    assert ["Set-up", "Odds", "Decisions", "House rules that matter"] == [
        heading for heading in shown.headings if heading in ("Set-up", "Odds", "Decisions", "House rules that matter")
    ]


@pytest.mark.parametrize("path", QUICK, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_chance_on_the_page_is_the_one_of_the_odds(path: Path) -> None:
    battle = grognard.load(path)
    odds, shown = grognard.odds(battle), report(battle)
    for measure in battle.system.measures(battle.setup):
        chances = odds.distribution(measure)
        if 1 < len(chances) <= 16:
            is_asked = set(chances.values) == {True, False}
            for value, chance in [(measure.label, chances.probability(True))] if is_asked else chances:
                row = [format_value(value), numbers.percent(chance)]
                assert any(cells[:2] == row for cells in shown.rows), measure.name
    assert {numbers.percent(p) for p, _ in odds.outcomes[:10]} <= shown.cells


def test_the_set_up_is_there_with_every_unit_and_its_side() -> None:
    shown = report(grognard.load(EXAMPLES / "supply" / "02-guns-on-rifles.toml"))
    assert ["guns", "▲ red", "8", "4", "3", "1", "3", "2, 3"] in shown.rows
    assert ["rifles", "■ blue", "6", "5", "3", "1", "1", "4, 3"] in shown.rows
    assert ["by", "guns"] in shown.rows


def test_the_attacks_of_a_turn_are_a_table() -> None:
    shown = report(grognard.load(EXAMPLES / "frames" / "14-spot-then-fire.toml"))
    assert ["gunner", "recon", "direct", "wall"] in shown.rows


def test_house_rules_are_shown_with_what_is_written() -> None:
    shown = report(grognard.battle(duel(ties="both")))
    assert any(row[:3] == ["ties", "both", "defender"] for row in shown.rows)


def test_the_first_decision_has_every_option_with_its_value_and_the_best_marked() -> None:
    battle = grognard.load(EXAMPLES / "tower" / "02-who-stands-by-whom.toml")
    shown, advice = report(battle), grognard.advise(battle)
    for option in advice.options:
        compared = "best" if option.best else f"{numbers.decimal(option.regret)} worse"
        assert any(row[:3] == [option.label, compared, numbers.signed(option.value)] for row in shown.rows)


def test_decisions_on_the_way_are_shown_with_how_often_they_are_asked() -> None:
    battle = grognard.load(EXAMPLES / "supply" / "02-guns-on-rifles.toml")
    first = grognard.solve(battle).decisions[0]
    row = next(row for row in report(battle).rows if row[0].startswith(f"Blue: {first.prompt}"))
    assert row[1:] == ["in 37.49 %", "yes is best · no: 0.65 worse"]


def test_without_decisions_it_is_up_to_the_dice() -> None:
    assert "There is nothing to decide in this battle" in page(grognard.battle(duel()))


def test_the_house_rules_are_those_of_comparing_them_all() -> None:
    battle = grognard.battle(invitation())
    shown, compared = report(battle), grognard.compare(battle)
    for effect in compared.effects:
        changed = [row for row in shown.rows if row[0] == f"{effect.switch} = {effect.case.name}"]
        assert [numbers.signed(effect.change)] == [row[1] for row in changed]
    assert f"Changes nothing here: {' · '.join(compared.without_effect)}" in page(battle)


def test_names_are_anybodys_words() -> None:
    battle = duel()
    battle["defender"]["player"] = "<script>&"
    shown = report(grognard.battle(battle))
    assert "script" not in shown.tags
    assert any("<script>&" in heading for heading in shown.headings)


def test_policies_and_objective_are_those_asked_for() -> None:
    text = page(grognard.battle(invitation()), "", grognard.Assumptions("cautious", "random", "ground"))
    assert "attacker decides: cautious, defender: random. ground taken (ground): " in text


def test_the_same_battle_is_the_same_page() -> None:
    assert page(grognard.battle(invitation())) == page(grognard.battle(invitation()))
