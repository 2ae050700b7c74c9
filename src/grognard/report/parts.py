"""Pieces of HTML. What goes into them is anybody's words, and is escaped here."""

from collections.abc import Iterable, Sequence
from functools import partial
from html import escape
from typing import NamedTuple

from grognard.core.systems import Role

MARKS = {Role.ATTACKER: "▲", Role.DEFENDER: "■"}
"""Sides are told apart by shape, not by colour alone."""


class Html(str):
    """Text that is HTML already."""

    __slots__ = ()


class Column(NamedTuple):
    """The heading of a column, and whether numbers stand in it."""

    name: str
    is_number: bool = False


def words(text: object) -> Html:
    """Text as HTML; a number and its % stay on one line."""
    return text if isinstance(text, Html) else Html(escape(str(text)).replace(" %", "\u00a0%"))


def tag(name: str, *inside: object, **attributes: str) -> Html:
    """An element; `class_` is written for the attribute class."""
    said = "".join(f' {key.rstrip("_").replace("_", "-")}="{escape(value)}"' for key, value in attributes.items())
    return Html(f"<{name}{said}>{''.join(words(part) for part in inside)}</{name}>")


def joined(parts: Iterable[object], between: str = "") -> Html:
    """Pieces one after the other."""
    return Html(words(between).join(words(part) for part in parts))


def wide_table(name: str, *table: object, class_: str = "wide") -> Html:
    """A table that can be moved sideways on a narrow page, by the keyboard too."""
    return tag("div", *table, class_=f"table {class_}", tabindex="0", role="group", aria_label=name)


def small_table(columns: Sequence[Column], rows: Iterable[Sequence[object]], caption: str = "") -> Html:
    """A table that fits any page."""
    return tag("div", table(columns, rows, caption), class_="table")


def table(columns: Sequence[Column], rows: Iterable[Sequence[object]], caption: str = "") -> Html:
    """A table whose first column names the rows."""
    heads = [
        tag("th", column.name, scope="col", class_="number" if column.is_number else "words")
        if column.name
        else tag("td")
        for column in columns
    ]
    body = [
        tag("tr", _cell("th", first, columns[0], scope="row"), *map(partial(_cell, "td"), rest, columns[1:]))
        for first, *rest in rows
    ]
    inside = [tag("caption", caption)] if caption else []
    inside += [tag("thead", tag("tr", *heads))] if any(column.name for column in columns) else []
    return tag("table", *inside, tag("tbody", *body))


def _cell(name: str, cell: object, column: Column, **attributes: str) -> Html:
    return tag(name, cell, **attributes, **({"class_": "number"} if column.is_number else {}))


def mark(side: Role) -> Html:
    """The shape and colour of a side."""
    return tag("span", MARKS[side], class_=f"mark {side}", title=f"{side}’s side")


def section(heading: str, *inside: object) -> Html:
    """A part of the page."""
    return tag("section", tag("h2", heading), *inside)


def note(*inside: object) -> Html:
    """Something said in small."""
    return tag("p", *inside, class_="note")
