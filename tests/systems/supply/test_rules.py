"""Each paragraph and each switch, on attacks whose answers can be seen at a glance."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from grognard import odds
from grognard.core.rules import End, Roll, Roller
from grognard.core.systems import Json
from grognard.files import battle
from grognard.systems.supply.setup import Card, State

from ..playing import choice, dice, played
from .battles import GUNS, MORTAR, RIFLES, attack, unit

EXAMPLES: list[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("examples.toml").read_text("utf-8"))["example"]
UNARMED = {**RIFLES, "supply": 0}
MISS, HIT, BOTH_HIT = [1, 1, 6, 6], [6, 1, 2, 2], [6, 6, 1, 1]


def cards(source: Json, *answers: list[int] | str) -> dict[str, tuple[int, int]]:
    """Strength and supply of every unit after these answers."""
    units = played(source, *answers).result.to_dict()["units"]
    return {name: (unit["strength"], unit["supply"]) for name, unit in units.items()}


def final(source: Json, *answers: list[int] | str) -> tuple[Card, ...]:
    """The cards themselves, with their marks."""
    due = played(source, *answers).pending
    assert isinstance(due, End)
    assert isinstance(due.state, State)
    return due.state.cards


def test_ammunition_is_paid_before_any_die() -> None:
    fight = played(attack({**GUNS, "ammo": 2}, RIFLES))
    assert [event.what for event in fight.events] == [
        "Red guns: 2 supply paid, 1 left",
        "Red guns: attack of this turn used",
    ]
    assert dice(fight) == ["2 d6", "2 d6"]


def test_ammunition_defending_costs_nothing() -> None:
    assert cards(attack(GUNS, {**RIFLES, "range": 0}), MISS) == {"guns": (2, 2), "rifles": (2, 3)}


@pytest.mark.parametrize(("distance", "is_asked"), [("orthogonal", False), ("diagonal", True)])
def test_range_is_counted_along_rows_and_columns_or_diagonally(distance: str, is_asked: bool) -> None:
    near = {**RIFLES, "at": [2, 2], "range": 1}
    fight = played(attack(GUNS, near, rules={"distance": distance}), MISS)
    assert (fight.question is not None) == is_asked


@pytest.mark.parametrize("cancelling", ["matching", "ranked"])
@pytest.mark.parametrize("example", EXAMPLES, ids=[example["why"] for example in EXAMPLES])
def test_comparing_dice(example: dict[str, Any], cancelling: str) -> None:
    attacker = {**GUNS, "strength": len(example["attack"])}
    target = {**UNARMED, "strength": len(example["defence"])}
    left = cards(attack(attacker, target, rules={"cancelling": cancelling}), [*example["attack"], *example["defence"]])
    assert left["rifles"][0] == target["strength"] - example[cancelling]


@pytest.mark.parametrize(
    ("strength", "cancelling", "weights"),
    [
        (2, "matching", [581, 560, 155]),
        (2, "ranked", [581, 420, 295]),
        (3, "matching", [17871, 18711, 8631, 1443]),
    ],
)
def test_comparing_dice_the_odds_of_equal_strengths(strength: int, cancelling: str, weights: list[int]) -> None:
    fight = battle(
        attack({**GUNS, "strength": strength}, {**UNARMED, "strength": strength}, rules={"cancelling": cancelling})
    )
    losses = odds(fight, fractions=True)["rifles loses"]
    assert [chance * 36**strength for chance in losses.probabilities] == weights


def test_comparing_dice_each_unit_rolls_its_own_die_for_each_point_of_strength() -> None:
    fight = attack({**GUNS, "die": 12, "strength": 4}, {**RIFLES, "die": 20, "strength": 3})
    assert dice(played(fight)) == ["4 d12", "3 d20"]


@pytest.mark.parametrize(
    ("cancelling", "success"),
    [
        (
            "matching",
            "a defence die removes one attack die that it meets or exceeds; each one left costs "
            "the rifles 1 of 2 strength",
        ),
        (
            "ranked",
            "dice meet high to high; each attack die that is higher, or meets none, costs the rifles 1 of 2 strength",
        ),
    ],
)
def test_comparing_dice_a_roll_says_who_rolls_and_what_counts(cancelling: str, success: str) -> None:
    question = played(attack(GUNS, RIFLES, rules={"cancelling": cancelling})).question
    assert isinstance(question, Roll)
    assert question.by == (Roller("guns", "red"), Roller("rifles", "blue"))
    assert (question.purpose, question.success) == ("Attack roll", success)


def test_destroyed_losses_stop_at_the_strength_and_the_supplies_are_discarded() -> None:
    fight = attack({**GUNS, "strength": 3}, {**RIFLES, "strength": 1})
    assert cards(fight, [6, 6, 6, 1]) == {"guns": (3, 2), "rifles": (0, 0)}


def test_destroyed_supplies_are_captured_by_the_unit_that_fired() -> None:
    rules = {"destroyed_supplies": "captured"}
    assert cards(attack(GUNS, RIFLES, rules=rules), BOTH_HIT) == {"guns": (2, 5), "rifles": (0, 0)}
    called = attack(GUNS, RIFLES, MORTAR, rules=rules, how="call in")
    assert cards(called, BOTH_HIT) == {"guns": (2, 3), "rifles": (0, 0), "mortar": (2, 5)}


def test_destroyed_supplies_are_captured_in_a_counterattack_too() -> None:
    fight = attack(GUNS, RIFLES, rules={"destroyed_supplies": "captured"})
    assert cards(fight, MISS, "yes", BOTH_HIT) == {"guns": (0, 0), "rifles": (2, 4)}


def test_counterattack_is_the_defenders_option() -> None:
    question = choice(played(attack(GUNS, RIFLES), HIT))
    assert (question.by, question.optional) == ("blue", True)
    assert question.prompt == "Counterattack the guns with the rifles: 1 d6 against 2 d6, for 1 supply?"
    assert cards(attack(GUNS, RIFLES), HIT, "no") == {"guns": (2, 2), "rifles": (1, 3)}


def test_counterattack_rolls_what_is_left_against_the_attackers_full_strength() -> None:
    fight = attack({**GUNS, "die": 8}, RIFLES)
    assert dice(played(fight, HIT, "yes")) == ["1 d6", "2 d8"]
    assert cards(fight, HIT, "yes", [6, 1, 1]) == {"guns": (1, 2), "rifles": (1, 2)}
    assert cards(fight, MISS, "yes", [6, 6, 1, 1]) == {"guns": (0, 0), "rifles": (2, 2)}


def test_counterattack_is_not_countered() -> None:
    assert played(attack(GUNS, RIFLES), MISS, "yes", MISS).question is None


@pytest.mark.parametrize("change", [{"supply": 0}, {"range": 1}])
def test_counterattack_needs_supplies_and_range(change: Json) -> None:
    assert played(attack(GUNS, {**RIFLES, **change}), MISS).question is None


def test_counterattack_needs_a_survivor() -> None:
    assert played(attack(GUNS, RIFLES), BOTH_HIT).question is None


def test_counterattack_at_the_same_moment_rolls_the_strength_from_before_the_losses() -> None:
    rules = {"counter_timing": "simultaneous"}
    fight = played(attack(GUNS, RIFLES, rules=rules), HIT)
    assert choice(fight).prompt == "Counterattack the guns with the rifles: 2 d6 against 2 d6, for 1 supply?"
    assert dice(played(attack(GUNS, RIFLES, rules=rules), HIT, "yes")) == ["2 d6", "2 d6"]
    assert played(attack(GUNS, RIFLES, rules=rules), BOTH_HIT).question is None


@pytest.mark.parametrize(("rule", "is_asked"), [("any", True), ("one", False)])
def test_counterattack_once_a_turn(rule: str, is_asked: bool) -> None:
    fight = attack(GUNS, {**RIFLES, "countered": True}, rules={"counters_per_turn": rule})
    assert (played(fight, MISS).question is not None) == is_asked


@pytest.mark.parametrize("counts", [False, True])
def test_counterattack_counts_as_having_fired(counts: bool) -> None:
    rules = {"counter_counts_as_fired": counts}
    tired = attack(GUNS, {**RIFLES, "fired": True}, rules=rules)
    assert (played(tired, MISS).question is None) == counts
    assert final(attack(GUNS, RIFLES, rules=rules), MISS, "yes", MISS)[1] == Card(
        strength=2, supply=2, fired=counts, countered=True
    )


def test_call_in_is_the_attackers_choice_in_the_files_order() -> None:
    second = unit("howitzers", die=12, at=[2, 3], indirect=True, ammo=2)
    question = choice(played(attack(second, MORTAR, GUNS, RIFLES)))
    assert (question.by, question.optional) == ("red", False)
    assert question.prompt == "What fires on the rifles?"
    assert [(option.id, option.label) for option in question.options] == [
        ("direct", "guns, direct (2 d6, for 1 supply)"),
        ("call in howitzers", "howitzers, called in (2 d12, for 2 supply)"),
        ("call in mortar", "mortar, called in (2 d8, for 1 supply)"),
    ]


def test_call_in_fires_the_other_units_dice_for_its_supplies_without_a_counterattack() -> None:
    fight = attack({**GUNS, "supply": 0}, RIFLES, MORTAR)
    assert dice(played(fight)) == ["2 d8", "2 d6"]
    assert cards(fight, [8, 1, 6, 6]) == {"guns": (2, 0), "rifles": (1, 3), "mortar": (2, 2)}


@pytest.mark.parametrize(
    ("mortar", "is_open"),
    [
        ({}, True),
        ({"indirect": False}, False),
        ({"fired": True}, False),
        ({"supply": 0}, False),
        ({"at": [4, 4]}, False),
        ({"side": "blue"}, False),
    ],
)
def test_call_in_takes_a_friendly_indirect_unit_that_can_fire(mortar: Json, is_open: bool) -> None:
    fight = played(attack(GUNS, RIFLES, {**MORTAR, **mortar}))
    assert (fight.question == played(attack(GUNS, RIFLES)).question) != is_open


def test_call_in_never_goes_through_the_caller() -> None:
    assert dice(played(attack({**GUNS, "indirect": True}, RIFLES))) == ["2 d6", "2 d6"]


@pytest.mark.parametrize(("how", "expected"), [("direct", ["2 d6", "2 d6"]), ("call in", ["2 d8", "2 d6"])])
def test_call_in_or_not_can_be_settled_by_the_file(how: str, expected: list[str]) -> None:
    assert dice(played(attack(GUNS, RIFLES, MORTAR, how=how))) == expected


@pytest.mark.parametrize("fields", [{"through": "far"}, {"how": "call in", "through": "far"}])
def test_call_in_through_a_unit_that_the_file_names(fields: Json) -> None:
    far = unit("far", die=20, range=9, at=[5, 5], indirect=True)
    assert dice(played(attack(GUNS, RIFLES, MORTAR, far, **fields))) == ["2 d20", "2 d6"]


@pytest.mark.parametrize("keeps", [False, True])
def test_call_in_uses_the_callers_attack(keeps: bool) -> None:
    rules = {"caller_keeps_attack": keeps}
    guns, _, mortar = final(attack(GUNS, RIFLES, MORTAR, rules=rules, how="call in"), MISS)
    assert (guns.fired, mortar.fired) == (not keeps, True)


@pytest.mark.parametrize("can", [False, True])
def test_call_in_indirect_fire_that_attacks_by_itself_can_be_countered(can: bool) -> None:
    rules = {"indirect_can_be_countered": can}
    fight = attack({**GUNS, "indirect": True}, RIFLES, rules=rules)
    assert (played(fight, MISS).question is not None) == can
    assert played(attack(GUNS, RIFLES, rules=rules), MISS).question is not None
