"""Ink and paper: the few colours, and the pieces that every command's words are made of.

The tones are between those for light and for dark paper, so that they can be read on either. Nothing is told by
colour alone.
"""

from collections.abc import Iterable
from pathlib import Path

from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from grognard.cli.sides import opponents
from grognard.core.systems import Battle
from grognard.files.messages import printable

ATTACKER = "#d0533f"
DEFENDER = "#4a86c5"
BEST = "#7f8f3a"
MUTED = "#8a887a"
SIDES = {"attacker": ATTACKER, "defender": DEFENDER, None: MUTED}

NARROW = 60
"""Below so many columns, things stand under each other rather than side by side."""


class Paper(Console):
    """A console whose reader may go away: that is for the command to end on, not for the console."""

    def on_broken_pipe(self) -> None:
        """Pass on the error that is being handled."""
        raise BrokenPipeError


def ink(text: str, style: str = "") -> Text:
    """Text as it is; ids and names are anybody's words, so what would steer a terminal is written out."""
    return Text(printable(text), style)


def grid(*justify: str) -> Table:
    """A table without lines, its columns set left or right."""
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    for side in justify:
        table.add_column(justify="right" if side == "right" else "left", overflow="fold")
    return table


def headed(*columns: tuple[str, str]) -> Table:
    """A table with small headings, each with how its column is set."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style=MUTED)
    for heading, side in columns:
        table.add_column(ink(heading), justify="right" if side == "right" else "left", overflow="fold", vertical="top")
    return table


def indented(table: RenderableType) -> Padding:
    """A table or text under its heading."""
    return Padding(table, (0, 0, 0, 2))


def title(console: Console, battle: Battle, file: str, *notes: str) -> None:
    """What is fought: the system, who against whom; the name of the file, and notes on it."""
    attackers, defenders = opponents(battle)
    sides = Text.assemble(ink(attackers, ATTACKER), " against ", ink(defenders, DEFENDER))
    console.print(Text.assemble(ink(battle.system.title, "bold"), ": ", sides))
    name = "standard input" if file == "-" else Path(file).name
    console.print(ink(" · ".join([name, *notes]), MUTED))


def widest(texts: Iterable[str]) -> int:
    """How many columns the longest of these takes."""
    return max((cell_len(text) for text in texts), default=0)


def has_blocks(console: Console) -> bool:
    """Whether the terminal can draw bars and ticks."""
    return console.encoding.startswith("utf")
