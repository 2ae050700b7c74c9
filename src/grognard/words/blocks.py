"""What people read, as data: lines, tables and bars. Terminal, notebook and report draw the same blocks."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

MUTED = "muted"
BEST = "best"
LONGEST_EXACT = 40
"""Longer numbers are shown only with --json."""


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of text in a colour (see `colours`), which may be bold; `exact` is the number in full."""

    text: str
    colour: str = ""
    bold: bool = False
    exact: str = ""


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of this length. All bars that are shown together are drawn to one scale."""

    length: float
    colour: str


Inline: TypeAlias = "str | Span | Bar | tuple[Inline, ...]"


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table. Numbers are aligned right and never wrapped; words may be wrapped."""

    name: str = ""
    is_number: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under a title, with notes below them; with `space`, after an empty line."""

    columns: Sequence[Column]
    rows: Sequence[Sequence[Inline]]
    title: Inline = ""
    about: str = ""
    notes: Sequence[str] = ()
    hint: str = ""
    """Which option of the command shows more; only on a terminal."""
    space: bool = True


@dataclass(frozen=True, slots=True)
class Line:
    """A paragraph, indented by this number of characters; with `space`, after an empty line."""

    text: Inline
    space: bool = False
    indent: int = 0


Block = Table | Line


def bold(text: str, colour: str = "") -> Span:
    return Span(text, colour, bold=True)


def muted(text: str) -> Span:
    return Span(text, MUTED)


def text_columns(*names: str) -> list[Column]:
    """Columns of words with these headings."""
    return [Column(name) for name in names]


def number_columns(*names: str) -> list[Column]:
    """Columns of numbers with these headings."""
    return [Column(name, is_number=True) for name in names]


def pieces(inline: Inline) -> Iterator[str | Span | Bar]:
    """The parts of a line, one after the other."""
    if isinstance(inline, tuple):
        for part in inline:
            yield from pieces(part)
    else:
        yield inline


def join_inline(parts: Iterable[Inline], between: str = " · ") -> Inline:
    """One line of these parts, with a separator between them."""
    line: list[Inline] = []
    for part in parts:
        line += [between, part] if line else [part]
    return tuple(line)


def exact_text(inline: Inline) -> str:
    """The exact number of a cell, if it has one; `see --json` if that is too long."""
    exact = next((part.exact for part in pieces(inline) if isinstance(part, Span) and part.exact), "")
    return exact if len(exact) <= LONGEST_EXACT else "see --json"


def plain_text(inline: Inline) -> str:
    """A line without colours and bars."""
    return "".join(part if isinstance(part, str) else part.text for part in pieces(inline) if not isinstance(part, Bar))


def longest_bar(blocks: Iterable[Block]) -> float:
    """The length of the longest bar in these blocks: the scale of all of them."""
    cells = (cell for block in blocks if isinstance(block, Table) for row in block.rows for cell in row)
    return max((part.length for cell in cells for part in pieces(cell) if isinstance(part, Bar)), default=0.0)
