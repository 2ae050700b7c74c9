"""Dice in the order in which people give them."""

from itertools import permutations

import pytest

from grognard.core.errors import WrongAnswer
from grognard.core.readings import Die, Pool
from grognard.core.rules import Roll, Roller
from grognard.plays.answers import Rolled, faces_of
from grognard.readings.symbols import SymbolRoll
from grognard.readings.tally import Tally

RED = Die("red", ("DD", "DX", "DD", "DD", "CD", ""))
BLUE = Die("blue", ("X", "D", "D", "", "", ""))
SYMBOLS = SymbolRoll((Pool(1, RED), Pool(2, BLUE)))
OURS = Roll(SYMBOLS, (Roller("us", "us"), Roller("us", "us")))


def test_symbol_dice_are_accepted_in_any_order_within_a_side() -> None:
    for faces in permutations(("CD", "X", "")):
        [red], blues = faces_of(OURS, Rolled(faces))
        assert ("CD", ["", "X"]) == (red, sorted(map(str, blues)))


def test_dice_that_fit_as_they_are_given_stay_where_they_are() -> None:
    assert (("",), ("D", "")) == faces_of(OURS, Rolled(("", "D", "")))


def test_the_symbols_of_a_face_are_accepted_in_any_order() -> None:
    assert (("DX",), ("D", "D")) == faces_of(OURS, Rolled(("XD", "D", "D")))


def test_a_die_never_moves_to_the_other_side() -> None:
    with pytest.raises(WrongAnswer, match="die 1 shows 'X', but a red has the faces"):
        faces_of(Roll(SYMBOLS, (Roller("us", "us"), Roller("them", "them"))), Rolled(("X", "CD", "")))


def test_faces_that_no_die_has_are_refused_as_they_were_given() -> None:
    with pytest.raises(WrongAnswer, match="die 2 shows 'CD', but a blue has the faces X, D, blank"):
        faces_of(OURS, Rolled(("CD", "CD", "")))


def test_hundreds_of_symbol_dice_are_matched_by_how_many_show_each_face() -> None:
    pools = Pool(200, RED), Pool(200, BLUE)
    faces = ("D",) * 150 + ("CD",) * 80 + ("",) * 90 + ("DX",) * 40 + ("X",) * 40
    reds, blues = faces_of(Roll(SymbolRoll(pools), (Roller("us", "us"), Roller("us", "us"))), Rolled(faces))
    assert sorted(faces) == sorted(map(str, (*reds, *blues)))
    assert {"CD", "DX", ""} == set(reds)


def test_numbered_dice_are_accepted_in_their_order_only() -> None:
    roll = Roll(Tally(2, 6, ((5, 6),)), (Roller("us", "us"),))
    assert ((1, 6),) == faces_of(roll, Rolled((1, 6)))
