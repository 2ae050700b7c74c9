"""Every cell of a table is what the odds of its match-up say, whatever was shared to find it."""

from math import sqrt
from pathlib import Path
from typing import Any

import pytest
from tests.studies.sweeps.designs import DICE, design, dice, match_ups, strengths

import grognard
from grognard.core.systems import Json
from grognard.solver.odds import Odds
from grognard.studies.sweeps import sweep

EXAMPLES = Path(__file__).parents[3] / "examples"

ASKED = {
    "what it is worth": "value",
    "mean": "mean({0})",
    "spread": "sd({0})",
    "at least two": "chance({0} >= 2)",
    "one in ten": "quantile({0}, 0.1)",
    "nine in ten": "quantile({0}, 0.9)",
    "kill": "chance(kill)",
}


def expected(odds: Odds, name: str) -> list[float]:
    """The same, from one battle's own odds."""
    of = next(measure.of for measure in odds.battle.system.measures(odds.battle.setup) if measure.name == name)
    numbers = [(float(p), int(of(result))) for p, result in odds.outcomes]
    mean = sum(p * number for p, number in numbers)

    def quantile(share: float) -> float:
        reached = 0.0
        for p, number in sorted(numbers, key=lambda pair: pair[1]):
            reached += p
            if reached >= share - 1e-12:
                return number
        raise AssertionError

    kill = odds.battle.system.objectives["kill"]
    return [
        float(odds.value),
        mean,
        sqrt(sum(p * (number - mean) ** 2 for p, number in numbers)),
        sum(p for p, number in numbers if number >= 2),
        quantile(0.1),
        quantile(0.9),
        float(odds.probability(lambda result: bool(kill.of(odds.battle.setup, result)))),
    ]


def check(given: Json, measure: str, symbolic: tuple[int, ...], **how: Any) -> None:
    """Every row of a design, against the odds of its battle."""
    formulas = {name: text.format(f'"{measure}"') for name, text in ASKED.items()}
    table = sweep(given | how | {"measures": formulas}, workers=1)
    assert table.plan.rows.symbolic == symbolic
    checked = 0
    for battle, record in match_ups(table):
        odds = grognard.odds(battle, **how)
        assert [record[name] for name in ASKED] == pytest.approx(expected(odds, measure), rel=1e-12, abs=1e-12)
        assert record["fault"] is None
        checked += 1
    assert checked == len(table) == table.plan.design.size


@pytest.mark.parametrize(
    "how",
    [
        {},
        {"objective": "kill"},
        {"attacker": "eager", "defender": "random"},
        {"attacker": "random", "defender": "cautious", "objective": "kill"},
        {"attacker": "eager", "defender": "eager"},
    ],
    ids=str,
)
def test_dice_that_no_rule_looks_at_are_shared_and_right(how: Json) -> None:
    given = design(*strengths(3), *dice([4, 8, 20]), {"path": "rules.counter_timing", "values": "all"})
    check(given, "rifles loses", (2, 3), **how)


def test_dice_that_come_first_in_the_design_and_a_sample() -> None:
    given = design(*dice(), *strengths(4), {"path": "units[1].supply", "values": [0, 1]}, sample=60, seed=3)
    check(given, "guns loses", (0, 1))


def test_one_die_for_both_sides() -> None:
    given = design({"path": ["units[0].die", "units[1].die"], "values": DICE}, *strengths(2))
    check(given, "rifles loses", (0,))


def test_calling_in_another_unit_is_decided_match_up_by_match_up() -> None:
    given: Json = {
        "base": str(EXAMPLES / "supply" / "03-call-in.toml"),
        "vary": [{"path": f"units[{n}].die", "values": [4, 12]} for n in range(3)],
    }
    table = sweep(given, workers=1)
    name = table.columns[4]
    check(given, name.removesuffix(", mean"), table.plan.rows.symbolic)


@pytest.mark.parametrize("rules", [{}, {"ties": "both", "duration": "to_the_death"}])
def test_armies_that_roll_again_until_one_falls(rules: Json) -> None:
    battle = {
        "system": "ranks",
        "defender": {"player": "Blue", "units": 2},
        "arrivals": [
            {"player": "Red", "side": "attack", "units": 3},
            {"player": "Green", "side": "attack", "units": 1, "optional": True},
        ],
        "rules": rules,
    }
    vary = [
        {"path": "rules.die", "values": [4, 6, 10]},
        {"path": "defender.units", "range": [1, 3]},
        {"path": "rules.ties", "values": "all"},
    ]
    check({"battle": battle, "vary": vary}, "defending side loses", (0,))


ANY = [
    ("tower/01-hero-on-regular", "defending side loses", [("units[0].attack", [1, 4]), ("units[1].health", [1, 3])]),
    ("frames/01-ragged-wall", None, [("attack.attack", [2, 6]), ("attack.range", ["direct", "hand"])]),
    ("assault/01-rifles-on-a-machine-gun", None, [("attack.range", [1, 4]), ("units[0].experience", "all")]),
]


@pytest.mark.parametrize(("example", "measure", "vary"), ANY, ids=[name for name, _, _ in ANY])
def test_any_system(example: str, measure: str | None, vary: list[tuple[str, object]]) -> None:
    base = EXAMPLES / f"{example}.toml"
    battle = grognard.load(base)
    if measure is None:
        measure = next(one.name for one in battle.system.measures(battle.setup) if one.name.endswith("loses"))
    paths = [{"path": path, "values": values} for path, values in vary]
    check({"base": str(base), "vary": paths}, measure, ())


def test_what_is_measured_if_nothing_is_asked_for() -> None:
    table = sweep(design(*strengths(1)), workers=1)
    assert table.columns == [
        "attack",
        "defence",
        "swing",
        "rifles loses, mean",
        "rifles loses, sd",
        "guns loses, mean",
        "guns loses, sd",
        "rifles destroyed",
        "guns destroyed",
        "defending side loses, mean",
        "defending side loses, sd",
        "attacking side loses, mean",
        "attacking side loses, sd",
        "fault",
    ]


def test_rows_are_in_the_order_of_the_design_the_last_factor_fastest() -> None:
    table = sweep(design(*dice([4, 6]), *strengths(2)), workers=1)
    assert [row[:4] for row in table.rows] == [
        (a, b, c, d) for a in (4, 6) for b in (4, 6) for c in (1, 2) for d in (1, 2)
    ]


def test_match_ups_that_are_no_battle_are_empty_and_say_why() -> None:
    table = sweep(design({"path": "units[0].at[0]", "values": [1, 2]}, *dice([4, 6])), workers=1)
    rows = list(table.rows)
    fault = "attack.on: rifles is 2 squares from guns, whose range is 1"
    assert [row[-1] for row in rows] == [None] * 4 + [fault] * 4
    assert {row[3:-1] for row in rows[4:]} == {(None,) * 11}
    assert table.empty == (4, fault)


def test_a_match_up_that_is_too_large_says_so_in_its_row() -> None:
    table = sweep(design({"path": "units[0].strength", "values": [1, 10_000]}), workers=1)
    small, large = (row[-1] for row in table.rows)
    assert small is None
    assert "too large a roll for exact odds" in str(large)


@pytest.mark.parametrize("cards", [["medium tank", "US Rifles 43"], ["US Rifles 43", "medium tank"]], ids=str)
def test_what_nobody_asks_about_in_a_match_up_leaves_only_its_own_cells_empty(cards: list[str]) -> None:
    """Only vehicles can be immobilized; whichever comes first in the design."""
    base = EXAMPLES / "assault" / "03-bazooka-ambush.toml"
    measures = {
        "stuck": 'chance("tiger immobilized")',
        "still moves": "1 - stuck",
        "gone": 'chance("tiger destroyed")',
    }
    given = {"base": str(base), "vary": [{"path": "units[1]", "roster": cards}], "measures": measures}
    rows = {row[0]: row[1:] for row in sweep(given, workers=1).rows}
    assert [True, True, False, True] == [cell is None for cell in rows["US Rifles 43"]]
    assert [False, False, False, True] == [cell is None for cell in rows["medium tank"]]


def test_a_battle_that_favours_nobody_is_worth_exactly_nothing() -> None:
    """However rounding falls; so that what is divided by it is left empty."""
    battle = {
        "system": "ranks",
        "defender": {"player": "Blue", "units": 3},
        "arrivals": [{"player": "Red", "side": "attack", "units": 3}],
        "rules": {"ties": "both"},
    }
    dice = {"path": "rules.die", "values": "all"}
    rows = list(sweep({"battle": battle, "vary": [dice], "measures": {"worth": "value", "of": "1 / worth"}}).rows)
    assert [(0.0, None, None)] * 6 == [row[1:] for row in rows]


def test_whole_turns_are_match_ups_too() -> None:
    base = EXAMPLES / "supply" / "02-guns-on-rifles.toml"
    turn = {key: value for key, value in grognard.load(base).source.items() if key != "attack"}
    vary = [{"path": "units[0].die", "values": [6, 8]}, {"path": "units[1].strength", "values": [2, 3]}]
    check({"battle": turn | {"turn": {"side": "red"}}, "vary": vary}, "rifles loses", ())
