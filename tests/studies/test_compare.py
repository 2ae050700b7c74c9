"""Comparisons: the same odds as those of each battle alone, and how they differ."""

from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import duel, invitation

import grognard
from grognard.api import odds
from grognard.core.errors import BattleError, Endless, GrognardError, TooLarge
from grognard.core.systems import Battle
from grognard.files import switches
from grognard.solver.odds import Odds
from grognard.studies.compare import Candidate, Comparison, compare
from grognard.studies.switches import LargestChange, compare_switch, compare_switches
from grognard.words.comparisons import comparison_page

EXAMPLES = Path(__file__).parents[2] / "examples"


def ties(**switches: object) -> Comparison:
    return grognard.compare(grognard.battle(duel(1, 1, **switches)), switch="ties", fractions=True)


def far_away(distance: str = "diagonal") -> dict[str, Any]:
    """Guns that reach the rifles only if a diagonal step is one."""
    unit = {"die": 6, "strength": 2, "range": 1, "ammo": 1, "supply": 1}
    return {
        "system": "supply",
        "units": [
            {"id": "guns", "side": "red", "at": [1, 1], **unit},
            {"id": "rifles", "side": "blue", "at": [2, 2], **unit},
        ],
        "attack": {"by": "guns", "on": "rifles"},
        "rules": {"distance": distance},
    }


def test_every_value_of_a_switch_stands_beside_the_battle_as_it_is() -> None:
    comparison = ties()
    assert ["defender", "attacker", "both", "neither"] == [case.name for case in comparison.cases]
    assert [Fraction(n, 10) for n in (-1, 1, 0, 0)] == [case.odds.value for case in comparison.cases]
    assert [Fraction(n, 10) for n in (0, 2, 1, 1)] == [comparison.change(case) for case in comparison.cases]
    assert not comparison.changes_nothing


def test_the_battle_as_it_is_comes_first_whatever_its_switch_is_turned_to() -> None:
    assert ["both", "defender", "attacker", "neither"] == [case.name for case in ties(ties="both").cases]


def test_results_come_with_their_chances_and_changes_the_largest_first() -> None:
    comparison = ties()
    rows = [(row.what.to_dict()["armies"], row.probabilities) for row in comparison.rows]
    twentieths = {
        ((("Blue", 1), ("Red", 0))): (11, 9, 9, 9),
        ((("Blue", 0), ("Red", 1))): (9, 11, 9, 9),
        ((("Blue", 0), ("Red", 0))): (0, 0, 2, 0),
        ((("Blue", 1), ("Red", 1))): (0, 0, 0, 2),
    }
    assert {key: tuple(Fraction(n, 20) for n in chances) for key, chances in twentieths.items()} == {
        tuple(sorted(armies.items())): chances for armies, chances in rows
    }
    assert sorted((row.change for row in comparison.rows), reverse=True) == [row.change for row in comparison.rows]
    assert [0] * 4 == [sum(row.changes[place] or 0 for row in comparison.rows) for place in range(4)]


def test_the_distance_is_half_the_sum_of_all_changes() -> None:
    assert [Fraction(n, 10) for n in (0, 1, 1, 1)] == [ties().distance(case) for case in ties().cases]


def test_measures_come_with_their_means_where_the_chances_change_most_first() -> None:
    measures = ties().measures
    assert sorted((measured.change for measured in measures), reverse=True) == [
        measured.change for measured in measures
    ]
    lost = next(measured for measured in measures if measured.name == "attacking side loses")
    assert [0, 1] == [row.what for row in lost.rows]
    assert tuple(Fraction(n, 20) for n in (11, 9, 11, 9)) == lost.means


def test_a_switch_that_changes_nothing_is_found_to() -> None:
    assert grognard.compare(grognard.battle(duel(1, 1)), switch="nobody_left").changes_nothing
    assert grognard.compare(grognard.battle(duel(1, 1)), switch="nobody_left", fractions=True).changes_nothing
    assert not grognard.compare(grognard.battle(duel(1, 1, ties="both")), switch="nobody_left").changes_nothing


def test_a_value_under_which_the_battle_is_not_legal_says_why() -> None:
    comparison = grognard.compare(grognard.battle(far_away()), switch="distance")
    assert ["diagonal"] == [case.name for case in comparison.cases]
    (excluded,) = comparison.excluded
    assert "orthogonal" == excluded.name == excluded.value
    with pytest.raises(BattleError) as error:
        grognard.battle(far_away("orthogonal"))
    assert excluded.why == f"not legal: {'; '.join(str(error.value).splitlines())}"


def test_a_switch_without_another_legal_value_is_not_said_to_change_nothing() -> None:
    battle = grognard.battle(far_away())
    alone = grognard.compare(battle, switch="distance")
    assert not alone.changes_nothing
    assert "changes nothing" not in repr(comparison_page(alone, "far.toml"))
    every = grognard.compare(battle)
    assert "distance" in [name for name, _ in every.excluded]
    assert "distance" not in every.without_effect


@pytest.mark.parametrize("why", [TooLarge("too many positions", 7, 5), Endless("goes round")])
def test_a_value_under_which_the_battle_is_too_large_or_endless_says_so(why: GrognardError) -> None:
    def odds_of(battle: Battle) -> Odds:
        if battle.setup.rules.ties == "both":
            raise why
        return odds(battle)

    comparison = compare_switch(grognard.battle(duel()), "ties", odds_of)
    assert ["defender", "attacker", "neither"] == [case.name for case in comparison.cases]
    assert [("both", str(why))] == [(one.name, one.why) for one in comparison.excluded]


def test_a_switch_that_nobody_knows_is_refused_with_those_that_are_known() -> None:
    with pytest.raises(BattleError, match=r"unknown switch `tie`, did you mean `ties`\?"):
        grognard.compare(grognard.battle(duel()), switch="tie")


def test_policies_objective_and_fractions_are_those_asked_for() -> None:
    battle = grognard.battle(invitation())
    comparison = grognard.compare(battle, "ties", "cautious", "random", "ground", fractions=True)
    for case in comparison.cases:
        alone = odds(case.odds.battle, "cautious", "random", "ground", fractions=True)
        assert alone.to_dict() == case.odds.to_dict()


def test_set_ups_are_compared_by_number_or_by_name() -> None:
    one, two = grognard.battle(duel(1, 1)), grognard.battle(duel(2, 1))
    assert ["1", "2"] == [case.name for case in grognard.compare([one, two]).cases]
    named = grognard.compare({"alone": one, "together": two}, fractions=True)
    assert [("alone", 0), ("together", Fraction(33, 100))] == [(case.name, named.change(case)) for case in named.cases]
    assert named.switch is None


def test_set_ups_that_share_no_measure_are_compared_place_by_place() -> None:
    picket, guns = (grognard.load(EXAMPLES / "supply" / f"{name}.toml") for name in ("01-picket", "02-guns-on-rifles"))
    measures = {measured.name: measured for measured in grognard.compare([picket, guns]).measures}
    assert "scouts loses / guns loses" in measures
    assert None not in measures["sentries destroyed / rifles destroyed"].rows[0].probabilities


def test_set_ups_that_share_a_measure_leave_out_what_only_one_has() -> None:
    comparison = grognard.compare([grognard.battle(duel()), grognard.battle(invitation())])
    green = next(measured for measured in comparison.measures if measured.name == "Green loses")
    assert [None] == [row.probabilities[0] for row in green.rows]
    assert 0 == green.change


def test_battles_of_different_systems_are_not_compared() -> None:
    with pytest.raises(BattleError, match="of one system can be compared, not of ranks, supply"):
        grognard.compare([grognard.battle(duel()), grognard.battle(far_away())])


def test_there_must_be_something_to_compare() -> None:
    with pytest.raises(BattleError, match="nothing to compare"):
        grognard.compare([])


ONE_EACH = [
    "assault/01-rifles-on-a-machine-gun",
    "frames/06-wall-or-comrade",
    "ranks/03-friends-of-friends",
    "supply/02-guns-on-rifles",
    "tower/02-who-stands-by-whom",
]


@pytest.mark.parametrize("name", ONE_EACH)
def test_every_switch_is_turned_and_each_effect_is_that_of_the_file_so_turned(name: str) -> None:
    battle = grognard.load(EXAMPLES / f"{name}.toml")
    comparison = grognard.compare(battle)
    names = (
        {effect.switch for effect in comparison.effects}
        | {*comparison.without_effect}
        | {name for name, _ in comparison.excluded}
    )
    assert {switch.name for switch in switches(battle.system)} == names
    assert comparison.effects
    for effect in comparison.effects:
        source = {**battle.source, "rules": {effect.switch: effect.case.value}}
        assert pytest.approx(odds(grognard.battle(source)).value - odds(battle).value, abs=1e-12) == effect.change
    sizes = [round(abs(float(effect.change)), 9) for effect in comparison.effects]
    assert sorted(sizes, reverse=True) == sizes


def test_the_largest_change_is_that_of_any_value_of_any_measure() -> None:
    effect = next(
        effect
        for effect in grognard.compare(grognard.battle(duel()), fractions=True).effects
        if effect.case.value == "attacker"
    )
    assert LargestChange("Who holds the Location", "Blue", Fraction(11, 20), Fraction(9, 20)) == effect.largest


def test_values_that_are_words_are_turned_to_even_if_a_table_could_be_too() -> None:
    battle = grognard.load(EXAMPLES / "assault" / "01-rifles-on-a-machine-gun.toml")
    assert ["transcribed", "alternative"] == [one.name for one in compare_switch(battle, "faces", odds).cases]


def test_the_battle_itself_is_worked_out_once() -> None:
    solved: list[Battle] = []

    def odds_of(battle: Battle) -> Odds:
        solved.append(battle)
        return odds(battle)

    battle = grognard.battle(duel())
    effects = compare_switches(battle, odds_of)
    assert 1 + sum(len(comparison.cases) - 1 for comparison in effects.comparisons) == len(solved)
    assert 1 == solved.count(battle)


def test_in_json_every_case_has_its_odds_and_every_row_a_chance_for_each_case() -> None:
    battle = grognard.battle(duel(2, 2))
    comparison = grognard.compare(battle, "ties", fractions=True).to_dict()
    assert odds(battle, fractions=True).to_dict()["outcomes"] == comparison["cases"][0]["outcomes"]
    assert [4] * len(comparison["results"]) == [len(row["p"]) for row in comparison["results"]]
    assert ("ranks", "swing", "ties", False) == (
        comparison["system"],
        comparison["objective"],
        comparison["switch"],
        comparison["changes_nothing"],
    )
    again = grognard.compare(battle, fractions=True).to_dict()
    assert {switch.name for switch in switches(battle.system)} == {
        *again["without_effect"],
        *(effect["switch"] for effect in again["effects"]),
    }


def test_candidates_need_not_come_from_a_file() -> None:
    comparison = compare(
        [Candidate("a", grognard.battle(duel())), Candidate("b", None, "not today")], partial(odds, fractions=True)
    )
    assert [("b", "not today")] == [(one.name, one.why) for one in comparison.excluded]


def test_where_no_name_agrees_numbers_stand_beside_numbers() -> None:
    frames = [grognard.load(path) for path in sorted((EXAMPLES / "frames").glob("0[1-3]*.toml"))]
    measures = grognard.compare(frames).measures
    names = {one.name for one in measures}
    assert "Osprey loses / artillerist loses / rear loses" in names
    assert {"tank destroyed / front destroyed", "rear abandons"} <= names
    assert [True] * len(measures) == [len({type(row.what) for row in one.rows}) == 1 for one in measures]
    takes = next(one for one in measures if one.name == "wall loses")
    assert {(False, True, True)} == {tuple(p is None for p in row.probabilities) for row in takes.rows}


def turn(strength: int) -> Battle:
    """Two guns against two squads."""
    guns = [
        {"id": f"g{n}", "side": "red", "die": 6, "strength": strength, "range": 9, "ammo": 1, "supply": 2, "at": [n, 1]}
        for n in range(1, 3)
    ]
    squads = [
        {"id": f"s{n}", "side": "blue", "die": 6, "strength": 6, "range": 1, "ammo": 1, "supply": 0, "at": [n, 6]}
        for n in range(1, 3)
    ]
    return grognard.battle({"system": "supply", "units": [*guns, *squads], "turn": {"side": "red"}})


def test_whole_turns_with_too_many_results_are_compared_by_their_measures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grognard.solver.turn_solution.MOST_RESULTS", 2)
    compared = compare([Candidate("weak", turn(3)), Candidate("strong", turn(4))], odds)
    weak, strong = compared.cases
    assert not compared.is_listed
    assert [] == compared.rows
    assert compared.to_dict()["results"] is None
    distances = [_distance(dict(weak.odds[name]), dict(strong.odds[name])) for name in weak.odds.measures]
    assert pytest.approx(max(distances)) == compared.distance(strong)
    assert 0 < compared.distance(strong) <= 1
    assert not compared.changes_nothing
    assert compare([Candidate("weak", turn(3)), Candidate("again", turn(3))], odds).changes_nothing


def _distance(one: dict[Any, Any], other: dict[Any, Any]) -> float:
    return sum(abs(float(one.get(value, 0)) - float(other.get(value, 0))) for value in {*one, *other}) / 2
