"""Defence 9.0 and the two tables of critical hits, on rolls read by hand; what is told; the exact check values."""

import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from grognard.api import odds
from grognard.core.rules import Roll
from grognard.core.systems import Json
from grognard.files import battle

from .battles import HMG, by_hand, fate, played, sentences

EXAMPLES: list[Json] = tomllib.loads(Path(__file__).with_name("examples.toml").read_text("utf-8"))["example"]


def attack_of(example: Json) -> Json:
    unit = {"id": "target", "side": "ge", "kind": "infantry", "strength": 3, **example.get("unit", {})}
    return by_hand(example["dice"], "", unit, rules=example.get("rules"))


def examples_of(paragraph: str) -> list[Any]:
    examples = [example for example in EXAMPLES if example["why"].startswith(paragraph)]
    return [pytest.param(example, id=example["why"]) for example in examples]


@pytest.mark.parametrize("example", examples_of("defence 9.0"))
def test_defence_9_0(example: Json) -> None:
    assert fate(attack_of(example), example["faces"], *example.get("critical", [])) == tuple(example["expect"])


@pytest.mark.parametrize("example", examples_of("10.7.5"))
def test_10_7_5_critical_hits_on_infantry_and_artillery(example: Json) -> None:
    assert fate(attack_of(example), example["faces"], *example["critical"]) == tuple(example["expect"])


@pytest.mark.parametrize("example", examples_of("10.7.6"))
def test_10_7_6_critical_hits_on_vehicles(example: Json) -> None:
    assert fate(attack_of(example), example["faces"], *example["critical"]) == tuple(example["expect"])


def test_every_example_is_of_a_paragraph() -> None:
    paragraphs = ("defence 9.0", "10.7.5", "10.7.6")
    assert sum(len(examples_of(paragraph)) for paragraph in paragraphs) == len(EXAMPLES)


def test_10_7_5_a_green_die_for_the_attacker_and_a_blue_one_for_the_defender_for_each_critical() -> None:
    play = played(by_hand("GGG", "B", {**HMG, "strength": 9}), ["CD", "CD", "D", ""])
    assert isinstance(play.question, Roll)
    dice = play.question.reading.dice
    assert [(pool.count, pool.die.name) for pool in dice] == [(2, "green"), (2, "blue")]
    assert [str(roller) for roller in play.question.by] == ["rifles", "hmg"]


def test_defence_9_0_what_is_told() -> None:
    tank = {"id": "tank", "side": "ge", "kind": "vehicle", "strength": 4}
    assert sentences(played(by_hand("GB", "", tank), ["CD", "X"], ["CD", ""])) == [
        "rifles on tank: range 2, terrain clear, line of sight clear",
        "rifles: marked “firing”",
        "+1 green, 1 blue attack dice (gathered by hand)",
        "the attack comes to 1 C, 1 D, 1 X",
        "tank: 2 damage, 2 of 4 strength left",
        "tank: suppressed",
        "tank: immobilized",
    ]
    assert sentences(played(by_hand("G", "", {**HMG, "strength": 9}), ["CD"], ["CD", ""]))[-1] == "hmg: falling back"
    assert sentences(played(by_hand("R", "", {**HMG, "damage": 2}), ["DD"]))[-1] == "hmg: eliminated"


def test_rry_against_yg_eliminates_fresh_infantry_of_strength_4_in_5_of_24() -> None:
    unit = {"id": "target", "side": "ge", "kind": "infantry", "strength": 4}
    assert odds(battle(by_hand("RRY", "YG", unit)), objective="kill", fractions=True).value == Fraction(5, 24)


@pytest.mark.parametrize(("criticals", "of_all"), [(1, (6, 12, 3, 15)), (2, (396, 480, 117, 303))])
def test_the_odds_of_a_critical_roll(criticals: int, of_all: tuple[int, int, int, int]) -> None:
    """One attack die that always shows so many Criticals: what a vehicle becomes tells the symbol."""
    faces = {colour: ["C" * criticals] for colour in ("red", "yellow")}
    faces |= {"green": ["X", "D", "D", "CD", "D", ""], "blue": ["X", "D", "D", "", "", ""]}
    unit = {"id": "target", "side": "ge", "kind": "vehicle", "strength": 9}
    actual = odds(battle(by_hand("R", "", unit, rules={"faces": faces})), fractions=True)
    chances = {
        (r["status"], r["immobilized"]): p for p, r in ((p, r.to_dict()["units"]["target"]) for p, r in actual.outcomes)
    }
    symbols = [("none", True), ("fallback", False), ("suppressed", False), ("none", False)]
    assert [chances[became] * 36**criticals for became in symbols] == list(of_all)
