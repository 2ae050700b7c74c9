import pytest

from grognard.cli.typed import face, keys, rolled, understood
from grognard.core.errors import WrongAnswer
from grognard.core.readings import Die
from grognard.core.rules import YES_NO, Choose, Option, Roll, Roller
from grognard.plays.answers import Chosen, Rolled
from grognard.readings.ranked_pairs import RankedPairs
from grognard.readings.tally import Tally

RANKS = Roll(RankedPairs(3, 4, 10, 10, "defender"), (Roller("Red", "Red"), Roller("Blue", "Blue")))
SEND = Choose("Green", "Send 2 units?", YES_NO, optional=True)
HOW = Choose(
    "red", "How?", (Option("direct", "guns fire", 0), Option("call in", "mortar fires", 1), Option("D", "wait", 2))
)
COUNTS = Choose("red", "How many?", (Option("2", "two", 2), Option("1", "one", 1)))


@pytest.mark.parametrize(
    "line", ["10 10 7 / 10 9 8 7", "10 10 7 10 9 8 7", "10,10,7/10,9,8,7", " 10, 10, 7 / 10;9;8;7 ", "10 10 7,10 9 8 7"]
)
def test_dice_are_typed_with_spaces_commas_and_slashes(line: str) -> None:
    assert understood(RANKS, line) == Rolled((10, 10, 7, 10, 9, 8, 7))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("10 10 / 7 10 9 8 7", "2 / 5 dice given, but rolled are: Red 3 d10, then Blue 4 d10"),
        ("10 10 7 / 10 9 8 7 /", "3 / 4 / 0 dice given, but rolled are: Red 3 d10, then Blue 4 d10"),
        ("10 10 7", "3 dice given, but 7 are rolled: Red 3 d10, then Blue 4 d10"),
    ],
)
def test_too_few_dice_are_refused_with_what_is_rolled(line: str, said: str) -> None:
    with pytest.raises(WrongAnswer) as wrong:
        rolled(RANKS, line)
    assert str(wrong.value) == said


@pytest.mark.parametrize(("word", "meant"), [("dd", "DD"), ("-", ""), ("–", ""), ("blank", ""), ("Q", "Q"), ("7", 7)])
def test_symbols_may_be_typed_small_and_blanks_as_a_dash(word: str, meant: object) -> None:
    assert face(word, Die("red", ("DD", "CD", ""))) == meant


def test_a_dash_is_no_face_of_a_die_without_blanks() -> None:
    assert rolled(Roll(Tally(1, 6, ((6, 6),)), (Roller("Red", "Red"),)), "-") == ("-",)


@pytest.mark.parametrize(
    ("line", "option"),
    [
        ("1", "direct"),
        ("2", "call in"),
        ("CALL IN", "call in"),
        ("mortar fires", "call in"),
        ("dir", "direct"),
        ("D", "D"),
    ],
)
def test_an_option_is_named_by_number_id_label_or_first_letters(line: str, option: str) -> None:
    assert understood(HOW, line) == Chosen(option)


def test_yes_and_no_by_their_first_letter() -> None:
    assert [understood(SEND, line) for line in ("y", "N", "1", "2")] == [
        Chosen(option) for option in ("yes", "no", "yes", "no")
    ]


def test_options_whose_ids_are_numbers_are_typed_as_such() -> None:
    assert keys(COUNTS) == ["2", "1"]
    assert understood(COUNTS, "1") == Chosen("1")


@pytest.mark.parametrize("line", ["0", "4", "x", "maybe"])
def test_what_is_not_offered_is_refused(line: str) -> None:
    with pytest.raises(WrongAnswer, match=f'"{line}" is none of 1, 2, 3'):
        understood(HOW, line)
