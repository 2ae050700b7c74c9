"""Exact answers that were found by hand."""

from fractions import Fraction

import pytest

from grognard.api import odds
from grognard.core.systems import Json
from grognard.files import battle
from grognard.solver.odds import Odds
from grognard.systems.frames import SYSTEM

from .battles import FULL, TARGET, attack, frame


def mean(found: Odds, name: str) -> Fraction:
    """What a measure is on average."""
    measure = next(one for one in SYSTEM.measures(found.battle.setup) if one.name == name)
    return sum((Fraction(p) * int(value) for value, p in found.measure(measure).items()), Fraction(0))


@pytest.mark.parametrize(
    ("dice", "hits", "damage"),
    [
        (3, 1, Fraction(155, 216)),
        (3, 2, Fraction(115, 216)),
        (3, 3, Fraction(1, 2)),
        (5, 1, Fraction(10859, 7776)),
    ],
)
def test_chart_3_mean_damage_behind_cover_of_so_many_hits(dice: int, hits: int, damage: Fraction) -> None:
    fight = attack(TARGET, {"id": "wall", "hits": hits}, attack=dice, cover="wall")
    assert mean(odds(battle(fight), fractions=True), "target (Blue) loses") == damage


@pytest.mark.parametrize(
    ("cover", "target", "covering"),
    [
        (frame("cover", systems=[], white=1), Fraction(125, 216), Fraction(91, 216)),
        (frame("cover", systems=["defense", "defense"]), Fraction(1, 2), Fraction(0)),
    ],
    ids=["one hit from destruction", "two defensive systems"],
)
def test_chart_4_mean_damage_of_three_dice(cover: Json, target: Fraction, covering: Fraction) -> None:
    found = odds(battle(attack(TARGET, cover, attack=3, cover="cover")), fractions=True)
    assert (mean(found, "target (Blue) loses"), mean(found, "cover (Blue) loses")) == (target, covering)


def test_chart_1_twelve_dice_destroy_a_full_frame() -> None:
    fight = attack(frame("target", systems=FULL), range="hand", attack=8, spot=4)
    assert odds(battle(fight), objective="kill", fractions=True).value == Fraction(1255, 2048)
