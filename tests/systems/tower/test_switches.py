"""Every switch changes the odds of some battle."""

import pytest

from grognard import odds
from grognard.files import battle, fields_of
from grognard.systems.tower.setup import Switches
from tests.systems.tower.battles import SWITCHES, Json, attack, unit

RED, BLUE = unit("red", 4, 4, attack=2), unit("blue", 5, 4)
SHOT = unit("red", 4, 4, attack=2, range=2), unit("blue", 6, 4)
LINE = RED, unit("blue", 5, 4, range=1), unit("b1", 6, 4, defense=4), unit("r1", 7, 4)

BATTLES: dict[str, Json] = {
    "board": attack(RED, BLUE, unit("b1", 5, 5), unit("r1", 4, 5), unit("r2", 3, 3)),
    "capital_bonus": attack(RED, unit("blue", 5, 4, defense=4), unit("b1", 6, 4, defense=1), capitals={"blue": [6, 4]}),
    "half_of": attack(RED, unit("blue", 5, 4, health=3, full_health=6)),
    "ranged_push": attack(*SHOT),
    "bumped_into_enemy": attack(*LINE),
    "off_the_board": attack(RED, BLUE, size=(5, 4)),
    "counter_range": attack(RED, BLUE),
    "counter_dice_from": attack(*LINE, bumped_into_enemy="bumped_unit_dies"),
    "ranged_advance": attack(*SHOT),
}


def outcomes(source: Json, **rules: str | bool) -> object:
    turned = {**source, "rules": {**source["rules"], **rules}}
    return {result: p for p, result in odds(battle(turned), "eager", "eager", fractions=True).outcomes}


@pytest.mark.parametrize("name", SWITCHES)
def test_each_value_of_a_switch_has_odds_of_its_own(name: str) -> None:
    outcomes_by_value = [outcomes(BATTLES[name], **{name: value}) for value in SWITCHES[name]]
    assert all(one not in outcomes_by_value[:number] for number, one in enumerate(outcomes_by_value))
    assert outcomes_by_value[0] == outcomes(BATTLES[name])


def test_the_switches_are_these_with_the_chapters_reading_as_default() -> None:
    fields = fields_of(Switches)
    assert {field.name: set(field.choices) for field in fields} == {n: set(values) for n, values in SWITCHES.items()}
    assert {field.name: field.default for field in fields} == {name: values[0] for name, values in SWITCHES.items()}
