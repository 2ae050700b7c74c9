"""Blocks as HTML for notebooks and reports. All text is escaped, as a name in a file may have any characters."""

from collections.abc import Iterable, Sequence
from functools import partial

from markupsafe import Markup, escape

from grognard.words.blocks import Bar, Block, Column, Inline, Line, Span, Table, longest_bar, pieces, plain_text
from grognard.words.colours import INKS

BAR = 10
"""The length of the longest bar, in the width of letters."""
STYLE = (
    ".grognard{line-height:1.4}.grognard table{border-collapse:collapse;border:0;margin:.5em 0}"
    ".grognard th,.grognard td{padding:.1em .9em .1em 0;border:0;vertical-align:top;text-align:left;font-weight:normal}"
    ".grognard .number{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}"
    ".grognard caption{caption-side:top;text-align:left;color:inherit}.grognard caption small{display:block}"
    ".grognard thead th{opacity:.75}"
    ".grognard .bar{display:inline-block;height:.7em}.grognard p{margin:.3em 0}"
    ".grognard .tables{display:flex;flex-wrap:wrap;gap:.4em 2.5em;align-items:flex-start}"
) + "".join(f".grognard .{name}{{color:{tone}}}" for name, tone in INKS.items())
"""For notebooks: text keeps the notebook's own colour. It has no character that HTML escapes."""


def tag(name: str, *inside: object, **attributes: str) -> Markup:
    """An element; `class_` becomes the attribute class. Text inside is escaped."""
    pair = Markup(' {}="{}"')
    pairs = join(pair.format(key.rstrip("_").replace("_", "-"), value) for key, value in attributes.items())
    return Markup("<{0}{1}>{2}</{0}>").format(name, pairs, join(inside))


def join(parts: Iterable[object], between: str = "") -> Markup:
    """The parts in sequence, escaped unless they are Markup; a number and its % stay on one line."""
    return escape(between).join(
        part if isinstance(part, Markup) else escape(str(part).replace(" %", "\u00a0%")) for part in parts
    )


def notebook(blocks: Sequence[Block]) -> str:
    """Blocks as the HTML that a notebook shows."""
    return str(tag("div", tag("style", STYLE), *draw(blocks), class_="grognard"))


def draw(blocks: Sequence[Block]) -> list[Markup]:
    """Each block as HTML: paragraphs, and consecutive tables beside each other; all bars to one scale."""
    scale = longest_bar(blocks)
    html: list[Markup] = []
    row: list[Markup] = []
    for block in blocks:
        if isinstance(block, Table):
            row.append(draw_table(block, scale))
            continue
        html += [tag("div", *row, class_="tables")] if row else []
        row = []
        html.append(draw_line(block))
    return [*html, tag("div", *row, class_="tables")] if row else html


def draw_line(line: Line) -> Markup:
    return tag("p", inline(line.text), **({"style": f"margin-left:{line.indent}em"} if line.indent else {}))


def draw_table(table: Table, scale: float = 0) -> Markup:
    """A table that can be scrolled sideways, also with the keyboard; its notes are below it."""
    columns = table.columns
    heads = [
        tag("th", column.name, scope="col", class_="number" if column.is_number else "words")
        if column.name
        else tag("td")
        for column in columns
    ]
    body = [
        tag(
            "tr",
            _cell("th", row[0], columns[0], scale, scope="row"),
            *map(partial(_cell, "td", scale=scale), row[1:], columns[1:]),
        )
        for row in table.rows
    ]
    inside = []
    if table.title:
        about = (" ", tag("small", table.about, class_="muted")) if table.about else ()
        inside.append(tag("caption", inline(table.title), *about))
    if any(column.name for column in columns):
        inside.append(tag("thead", tag("tr", *heads)))
    notes = [tag("p", note, class_="muted note") for note in table.notes]
    html = tag("table", *inside, tag("tbody", *body))
    name = plain_text(table.title) or "table"
    return tag("div", html, *notes, class_="table", tabindex="0", role="group", aria_label=name)


def _cell(name: str, cell: Inline, column: Column, scale: float, **attributes: str) -> Markup:
    return tag(name, inline(cell, scale), **attributes, **({"class_": "number"} if column.is_number else {}))


def inline(text: Inline, scale: float = 0) -> Markup:
    """A line: its parts in their colours, and bars relative to the longest."""
    return join(_piece(part, scale) for part in pieces(text))


def _piece(part: str | Span | Bar, scale: float) -> object:
    if isinstance(part, str):
        return join(map(escape, part.split("\n")), Markup("<br>")) if "\n" in part else part
    if isinstance(part, Bar):
        return bar(part, scale)
    inside = tag("strong", part.text) if part.bold else part.text
    attributes = {"class_": part.colour} if part.colour else {}
    attributes |= {"title": part.exact} if part.exact else {}
    return tag("span", inside, **attributes) if attributes else inside


def bar(drawn: Bar, scale: float) -> Markup:
    """A bar; nothing if its length is 0."""
    width = BAR * drawn.length / scale if scale else 0
    if not width:
        return Markup()
    return tag("span", class_=f"bar {drawn.colour}", style=f"width:{width:.2f}em;background:currentColor")
