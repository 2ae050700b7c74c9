"""Blocks on a terminal. Words are never broken: a table that is too wide leaves out columns, and says so."""

from collections.abc import Sequence
from dataclasses import replace

from rich.cells import cell_len
from rich.console import Console
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from grognard.files.messages import printable
from grognard.words.blocks import (
    MUTED,
    Bar,
    Block,
    Column,
    Inline,
    Span,
    Table,
    exact_text,
    longest_bar,
    pieces,
    plain_text,
)
from grognard.words.colours import INKS

BAR = 40
"""The longest bar, in columns."""
SHORTEST_BAR = 4
GAP = 2
"""Columns between two columns."""
SHORT = 16
"""Texts of up to this many columns are not wrapped."""


class PipeConsole(Console):
    """A console that leaves the handling of a broken pipe to the command."""

    def on_broken_pipe(self) -> None:
        """Pass on the error that is being handled."""
        raise BrokenPipeError


def draw(console: Console, blocks: Sequence[Block]) -> None:
    """Draw blocks one below the other, all bars to one scale."""
    scale = longest_bar(blocks)
    blocks = [with_fractions(block) if isinstance(block, Table) else block for block in blocks]
    layouts, indent = dict[int, Layout](), 0
    for block in blocks:
        if isinstance(block, Table):
            indent = 2 if block.title else indent  # a table without a title belongs to the one before it
            layouts[id(block)] = Layout(block, console.width, indent)
        else:
            indent = 0
    bar_width = min((layout.bar_room for layout in layouts.values() if layout.bar_room), default=0)
    for place, block in enumerate(blocks):
        if isinstance(block, Table):
            draw_table(console, block, layouts[id(block)], (scale, bar_width), block.space and place > 0)
        else:
            if block.space and place:
                console.print()
            exact = exact_text(block.text)
            line = text((block.text, Span(f" = {exact}", MUTED)) if exact else block.text)
            console.print(Padding(line, (0, 0, 0, block.indent)) if block.indent else line)


def with_fractions(table: Table) -> Table:
    """The table with a column of fractions beside its first numbers that are fractions."""
    places = range(len(table.columns))
    first = next((place for place in places if any(exact_text(row[place]) for row in table.rows)), None)
    if first is None:
        return table
    after = first + 1
    rows = [(*row[:after], Span(exact_text(row[first]), MUTED), *row[after:]) for row in table.rows]
    return replace(table, columns=(*table.columns[:after], Column(), *table.columns[after:]), rows=rows)


def text(inline: Inline) -> Text:
    """A line in its colours. Control characters are escaped: a name in a file may hold any text."""
    line = Text()
    for part in pieces(inline):
        if isinstance(part, Span):
            line.append(printable(part.text), style(part))
        elif isinstance(part, str):
            line.append(part if part == "\n" else printable(part))
    return line


def style(span: Span) -> str:
    """The style of a span, as rich writes it."""
    return f"{'bold ' if span.bold else ''}{INKS.get(span.colour, '')}".strip()


def draw_table(console: Console, table: Table, layout: "Layout", bars: tuple[float, int], space: bool) -> None:
    """A table under its title; columns for which there is no room are left out."""
    indent, (scale, bar_width) = layout.indent, bars
    if table.title:
        if space:
            console.print()
        about = Span(f"  {table.about}" if table.about else "", MUTED)
        console.print(text((table.title, about)))
    widths = layout.widths | ({layout.bar: bar_width} if layout.bar_room else {})
    grid = Grid(box=None, pad_edge=False, padding=(0, GAP, 0, 0), header_style=INKS[MUTED], show_header=layout.headed)
    for place, width in sorted(widths.items()):
        column = table.columns[place]
        grid.add_column(
            printable(column.name), justify="right" if column.is_number else "left", overflow="fold", width=width
        )
    for row in table.rows:
        grid.add_row(*(cell(row[place], width, scale) for place, width in sorted(widths.items())))
    if table.rows:
        console.print(Padding(grid, (0, 0, 0, indent)))
    notes = [*table.notes, *([table.hint] if table.hint else [])]
    if layout.dropped:
        columns = "column" if layout.dropped == 1 else "columns"
        notes.insert(0, f"{layout.dropped} {columns} left out: wider terminal or --json")
    for note in notes:
        console.print(Padding(text(Span(note, MUTED)), (0, 0, 0, indent)))


def cell(inline: Inline, width: int, scale: float) -> Text:
    """What stands in a cell: text, or a bar against the longest."""
    for part in pieces(inline):
        if isinstance(part, Bar):
            return Text(bar(part.length / scale if scale else 0, width), INKS.get(part.colour, ""))
    return text(inline)


def bar(share: float, width: int) -> str:
    """A bar that fills this share of the width, in eighths of a character."""
    eighths = max(round(share * width * 8), 1 if share else 0)
    return "█" * (eighths // 8) + " ▏▎▍▌▋▊▉"[eighths % 8].strip()


class Layout:
    """The widths of a table's columns. If there is no room, bars are left out first, then columns from the right."""

    def __init__(self, table: Table, width: int, indent: int) -> None:
        self.indent = indent
        room = width - indent
        places = range(len(table.columns))
        bars = [p for p in places if any(isinstance(part, Bar) for row in table.rows for part in pieces(row[p]))]
        kept = [place for place in places if place not in bars]
        least = {place: self._least(table, place, min(SHORT, room // 3)) for place in kept}
        most = {place: max(map(cell_len, self._lines(table, place))) or 1 for place in kept}
        while len(kept) > 1 and sum(least[place] for place in kept) + GAP * (len(kept) - 1) > room:
            kept.pop()
        self.dropped = len(places) - len(bars) - len(kept)
        self.headed = any(table.columns[place].name for place in kept)
        widths = {place: min(least[place], room) for place in kept}
        left = room - sum(widths.values()) - GAP * (len(kept) - 1)
        waiting = sorted(kept, key=lambda place: most[place] - widths[place])
        for number, place in enumerate(waiting):  # share what is left fairly
            share = max(min(most[place] - widths[place], left // (len(waiting) - number)), 0)
            wrapped = [longest_line(line, widths[place] + share) for line in self._lines(table, place)]
            needed = max(widths[place], *wrapped, 1)
            left -= needed - widths[place]
            widths[place] = needed
        self.widths = widths
        self.bar = bars[0] if bars else 0
        has_room = bars and not self.dropped and left - GAP >= SHORTEST_BAR
        self.bar_room = min(left - GAP, BAR) if has_room else 0

    def _least(self, table: Table, place: int, short: int) -> int:
        """The width without which a word would be broken; numbers and short texts stand on one line."""
        column = table.columns[place]
        lines = [line for row in table.rows for line in printable_lines(row[place])]
        parts = [part for line in lines for part in ([line] if column.is_number else line.split())]
        longest = max(map(cell_len, [*column.name.split(), *parts]), default=1) or 1
        return longest if column.is_number else max(longest, min(max(map(cell_len, lines), default=1), short))

    def _lines(self, table: Table, place: int) -> list[str]:
        return [table.columns[place].name, *(line for row in table.rows for line in printable_lines(row[place]))]


def longest_line(text: str, width: int) -> int:
    """How long the longest line of a text is, once it is wrapped to a width."""
    if cell_len(text) <= width:
        return cell_len(text)
    longest = line = 0
    for word in map(cell_len, text.split()):
        line = line + 1 + word if line and line + 1 + word <= width else word
        longest = max(longest, line)
    return longest


def printable_lines(cell: Inline) -> list[str]:
    """The lines of a cell as they are drawn."""
    return [printable(line) for line in plain_text(cell).split("\n")]
