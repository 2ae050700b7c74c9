"""Blocks on a terminal, and what people type there."""

import io

import pytest
from rich.console import Console

from grognard.cli.drawing import bar, draw
from grognard.cli.terminal import parse_dice, parse_face, parse_option
from grognard.core.errors import WrongAnswer
from grognard.core.readings import Die, Pool, d
from grognard.core.rules import YES_NO, Choose, Option, Roller
from grognard.words.blocks import Bar, Block, Line, Span, Table, bold, number_columns, text_columns

POOLS = [(Roller("Red", "Red"), Pool(3, d(10))), (Roller("Blue", "Blue"), Pool(4, d(10)))]
SEND = Choose("Green", "Send 2 units?", YES_NO, optional=True)
HOW = Choose(
    "red", "How?", (Option("direct", "guns fire", 0), Option("call in", "mortar fires", 1), Option("D", "wait", 2))
)
COUNTS = Choose("red", "How many?", (Option("2", "two", 2), Option("1", "one", 1)))


def drawn(width: int, *blocks: Block) -> list[str]:
    console = Console(file=io.StringIO(), width=width, highlight=False, markup=False)
    draw(console, blocks)
    assert isinstance(console.file, io.StringIO)
    return [line.rstrip() for line in console.file.getvalue().splitlines()]


@pytest.mark.parametrize(("share", "text"), [(1, "████"), (0.5, "██"), (0.3, "█▎"), (1e-9, "▏"), (0, "")])
def test_a_bar_shows_everything_that_is_possible(share: float, text: str) -> None:
    assert bar(share, 4) == text


def test_a_table_too_wide_leaves_out_columns_from_the_right_and_says_so() -> None:
    columns = [*text_columns("name"), *number_columns("first", "second", "third")]
    table = Table(columns, [("unbreakable", "11111", "22222", "33333")])
    assert drawn(22, table) == [
        "name         first",
        "unbreakable  11111",
        "2 columns left out:",
        "wider terminal or",
        "--json",
    ]
    assert drawn(40, table)[-1] == "unbreakable  11111   22222  33333"


def test_words_are_wrapped_and_never_broken() -> None:
    table = Table(text_columns("", ""), [("one", "several longer words")])
    assert drawn(14, table) == ["one  several", "     longer", "     words"]


def test_a_column_is_no_wider_than_its_longest_line_once_it_is_wrapped() -> None:
    table = Table(text_columns("hero health", "one more column"), [("5", "a"), ("4", "b")])
    assert drawn(20, table) == ["hero    one more", "health  column", "5       a", "4       b"]


def test_a_table_without_a_title_is_indented_as_the_one_it_belongs_to() -> None:
    tables = [Table(text_columns("", ""), [(name, "1")], title) for name, title in (("a", "Result"), ("b", ""))]
    assert drawn(20, *tables) == ["Result", "  a  1", "  b  1"]
    assert drawn(20, Line("end"), tables[1]) == ["end", "b  1"]


def test_all_bars_are_drawn_to_one_scale() -> None:
    tables = [Table(text_columns("", ""), [(name, Bar(length, "red"))]) for name, length in (("a", 0.2), ("long", 0.4))]
    short, long = drawn(16, *tables)
    assert (short.count("█"), long.count("█")) == (5, 10)


def test_fractions_stand_beside_the_first_numbers() -> None:
    table = Table(number_columns("", "p", "q"), [("0", Span("50 %", exact="1/2"), Span("100 %", exact="1"))])
    assert drawn(40, table)[1].split() == ["0", "50", "%", "1/2", "100", "%"]
    assert drawn(60, Line(("worth ", Span("+0.5", exact="1/" + "2" * 50)))) == ["worth +0.5 = see --json"]


def test_names_cannot_steer_the_terminal() -> None:
    assert drawn(40, Line(bold("\x1b[31mRed"))) == ["\\x1b[31mRed"]


@pytest.mark.parametrize(
    "line", ["10 10 7 / 10 9 8 7", "10 10 7 10 9 8 7", "10,10,7/10,9,8,7", " 10, 10, 7 / 10;9;8;7 "]
)
def test_dice_are_typed_with_spaces_commas_and_slashes(line: str) -> None:
    assert parse_dice(POOLS, line) == (10, 10, 7, 10, 9, 8, 7)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("10 10 / 7 10 9 8 7", "2 / 5 dice given, but the roll is Red 3 d10, then Blue 4 d10"),
        ("10 10 7 / 10 9 8 7 /", "3 / 4 / 0 dice given, but the roll is Red 3 d10, then Blue 4 d10"),
        ("10", "1 die given, but the roll is Red 3 d10, then Blue 4 d10"),
    ],
)
def test_too_few_dice_are_refused_with_the_roll(line: str, message: str) -> None:
    with pytest.raises(WrongAnswer) as wrong:
        parse_dice(POOLS, line)
    assert str(wrong.value) == message


@pytest.mark.parametrize(("word", "meant"), [("dd", "DD"), ("-", ""), ("–", ""), ("blank", ""), ("Q", "Q"), ("7", 7)])
def test_symbols_may_be_typed_small_and_blanks_as_a_dash(word: str, meant: object) -> None:
    assert parse_face(word, Die("red", ("DD", "", "C"))) == meant


@pytest.mark.parametrize(
    ("question", "line", "option"),
    [
        (SEND, "y", "yes"),
        (SEND, "NO", "no"),
        (SEND, "2", "no"),
        (HOW, "2", "call in"),
        (HOW, "Mortar fires", "call in"),
        (HOW, "c", "call in"),
        (HOW, "D", "D"),
        (COUNTS, "1", "1"),
        (COUNTS, "two", "2"),
    ],
)
def test_an_option_is_meant_by_number_id_label_or_first_letters(question: Choose, line: str, option: str) -> None:
    assert parse_option(question, line) == option


@pytest.mark.parametrize(("question", "line"), [(HOW, "x"), (HOW, "4"), (SEND, "perhaps"), (COUNTS, "3")])
def test_an_option_that_is_not_there_is_refused(question: Choose, line: str) -> None:
    with pytest.raises(WrongAnswer, match="is none of"):
        parse_option(question, line)
