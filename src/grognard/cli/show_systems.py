"""Systems on a terminal: which there are, what their paragraphs say, what a table may turn."""

from collections.abc import Iterable
from typing import Any

from rich.console import Console
from rich.text import Text

from grognard.cli.look import BEST, MUTED, NARROW, grid, headed, indented, ink, title
from grognard.core.systems import Battle, Json, System
from grognard.files.messages import format_value
from grognard.words import describe


def show_systems(console: Console, systems: Iterable[System[Any]]) -> None:
    """One line a system."""
    table = grid("left", "left")
    for system in systems:
        said = Text.assemble(ink(system.title), "\n", ink(system.summary, MUTED))
        table.add_row(ink(system.name, "bold"), said)
    console.print(table)
    console.print()
    console.print(ink("`grognard rules SYSTEM` shows one; `grognard new SYSTEM` starts a battle file.", MUTED))


def show_rules(console: Console, system: System[Any]) -> None:
    """Paragraphs, switches, objectives."""
    console.print(Text.assemble(ink(system.title, "bold"), f" ({system.name}): ", ink(system.summary)))
    heading(console, "Paragraphs, in our words")
    paragraphs = [
        (name, Text("\n").join(ink(said.words) for said in lines)) for name, lines in describe.chapter(system)
    ]
    show_pairs(console, paragraphs)
    heading(console, "Switches, for the [rules] of a battle file")
    show_pairs(console, [(switch.name, about_switch(switch)) for switch in describe.switches(system)])
    heading(console, "Objectives, for --objective")
    show_pairs(console, [(name, ink(objective.says)) for name, objective in system.objectives.items()])


def heading(console: Console, words: str) -> None:
    """What follows, after an empty line."""
    console.print()
    console.print(ink(words, "bold"))


def about_switch(switch: Any) -> Text:
    """What it does, its paragraph, its default and its alternatives."""
    values = Text.assemble(
        ink(format_value(describe.in_file(switch.default)), BEST),
        ink(" (default)", MUTED),
        *(part for other in describe.alternatives(switch) for part in (", ", ink(format_value(other)))),
    )
    where = ink(f" [{switch.paragraph}]" if switch.paragraph else "", MUTED)
    return Text.assemble(ink(switch.says), where, "\n", values)


def show_sources(console: Console, system: System[Any]) -> None:
    """Every figure with its mark."""
    sources = system.sources()
    if not sources:
        console.print(ink(f"{system.title}: all figures are in its chapter."))
        return
    table = headed(("what", "left"), ("figure", "left"), ("mark", "left"))
    for source in sources:
        table.add_row(ink(source.what), ink(source.figure), ink(source.mark, MUTED))
    console.print(table)


def show_pairs(console: Console, pairs: list[tuple[str, Text]]) -> None:
    """A name and what is said about it: beside it, or under it on a narrow terminal."""
    if console.width < NARROW:
        for name, said in pairs:
            console.print(ink(name, MUTED))
            console.print(indented(said))
        return
    table = grid("left", "left")
    table.columns[0].max_width = 28
    for name, said in pairs:
        table.add_row(ink(name, MUTED), said)
    console.print(indented(table))


def show_checked(console: Console, battle: Battle, file: str, turned: Json) -> None:
    """A legal battle, and what is special about it."""
    title(console, battle, file, "a legal battle")
    for name, value in turned.items():
        console.print(ink(f"{name} = {format_value(value)}"))
