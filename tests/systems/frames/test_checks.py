"""Exact answers that were found by hand."""

from fractions import Fraction

import pytest

from grognard.api import odds
from grognard.core.systems import Json
from grognard.files import battle

from .battles import FULL, TARGET, attack, frame


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
    assert odds(battle(fight), fractions=True)["target loses"].mean == damage


@pytest.mark.parametrize(
    ("cover", "target", "covering"),
    [
        (frame("cover", systems=[], white=1), Fraction(125, 216), Fraction(91, 216)),
        (frame("cover", systems=["defense", "defense"]), Fraction(1, 2), Fraction(0)),
    ],
    ids=["one hit from destruction", "two defensive systems"],
)
def test_chart_4_mean_damage_of_three_dice(cover: Json, target: Fraction, covering: Fraction) -> None:
    actual = odds(battle(attack(TARGET, cover, attack=3, cover="cover")), fractions=True)
    assert (actual["target loses"].mean, actual["cover loses"].mean) == (target, covering)


def test_chart_1_twelve_dice_destroy_a_full_frame() -> None:
    fight = attack(frame("target", systems=FULL), range="hand", attack=8, spot=4)
    assert odds(battle(fight), objective="kill", fractions=True).value == Fraction(1255, 2048)
