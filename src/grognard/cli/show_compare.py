"""Comparisons on a terminal: what changes and by how much, the largest change first."""

from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from grognard.cli import numbers
from grognard.cli.look import ATTACKER, DEFENDER, MUTED, NARROW, grid, headed, indented, ink, title, widest
from grognard.cli.results import in_a_line, leaves, varying
from grognard.cli.show_odds import LIKELIEST, ROWS, UNLIKELY, how_known, is_fractional
from grognard.core.distributions import Probability
from grognard.core.numbers import is_nothing
from grognard.solver.odds import Odds
from grognard.studies.compare import Comparison, Measured, Row
from grognard.studies.switches import Effect, Switches
from grognard.words import describe

COLUMN = 11
"""The width of a column of chances: 100.00 % and what is between columns."""
WIDE = 19
"""Likewise, with the change beside the chance."""
RESULT = 28
"""A result in words is given so many columns at least."""
Labelled = tuple[str, Row[Any]]


def show(console: Console, found: Comparison | Switches, file: str, everything: bool = False) -> None:
    """Whatever was compared."""
    base = found.base
    says = base.aims.objective.says
    title(console, base.battle, file, how_known(base), decided(base))
    console.print(ink(f"{base.objective}: {says}", MUTED))
    console.print()
    if isinstance(found, Switches):
        show_switches(console, found)
    else:
        show_comparison(console, found, everything)


def decided(odds: Odds) -> str:
    """How both sides decide, in short if they decide alike."""
    attacker, defender = odds.policies.values()
    if attacker == defender:
        return f"both sides decide: {attacker}"
    return f"attacker decides: {attacker}, defender: {defender}"


def show_comparison(console: Console, found: Comparison, everything: bool) -> None:
    """What each case is worth, then every measure and every result with its chances side by side."""
    if found.switch is not None:
        console.print(about_switch(found.base, found.switch))
        console.print()
    console.print(worth(found))
    for one in found.refused:
        console.print(ink(f"{one.name}: {one.why}"))
    console.print()
    if found.changes_nothing:
        told = "This switch changes nothing here." if found.switch else "These battles have the same odds."
        console.print(ink(told, "bold"))
        return
    console.print(ink("Chances, and by how many percentage points each of them changes", MUTED))
    for measured in found.measures:
        if not is_nothing(measured.change):
            show_measure(console, found, measured, everything)
    show_results(console, found, everything)
    same = [measured.name for measured in found.measures if is_nothing(measured.change)]
    if same:
        console.print()
        console.print(Text.assemble(ink("Stays as it is", "bold"), "  ", ink(" · ".join(same))))


def about_switch(odds: Odds, name: str) -> Text:
    """A switch, what it does, and its paragraph."""
    switch = next(one for one in describe.switches(odds.battle.system) if one.name == name)
    where = f" [{switch.paragraph}]" if switch.paragraph else ""
    return Text.assemble(ink(name, "bold"), ink(f": {switch.says}"), ink(where, MUTED))


def worth(found: Comparison) -> Table:
    """The value of every case, by how much it changes, and of a switch how much of the odds it moves."""
    columns = [("", "left"), (found.base.objective, "right"), ("change", "right")]
    columns += [("odds that move", "right")] if found.switch else []
    table = headed(*columns, *[("", "left")] * is_fractional(found.base))
    for place, case in enumerate(found.cases):
        note = "" if place else " (as it is)" if found.switch else " (the first)"
        cells = [Text.assemble(ink(case.name), ink(note, MUTED)), ink(numbers.signed(case.odds.value), "bold")]
        cells += [favouring(found.change(case), numbers.signed) if place else ink("")]
        cells += [ink(numbers.percent(found.moved(case)) if place else "")] if found.switch else []
        cells += [ink(f"= {numbers.fraction(case.odds.value)}", MUTED)] if is_fractional(case.odds) else []
        table.add_row(*cells)
    return table


def favouring(change: Probability, tell: Any) -> Text:
    """A change of the value, in the colour of the side that it favours."""
    return ink("0", MUTED) if is_nothing(change) else ink(tell(change), ATTACKER if change > 0 else DEFENDER)


def points(change: Probability | None) -> str:
    """A change of a chance in percentage points."""
    if change is None or is_nothing(change):
        return "" if change is None else "·"
    return f"{100 * float(change):+.2f}".replace("-", "−")


def show_measure(console: Console, found: Comparison, measured: Measured, everything: bool) -> None:
    """One measure: every value that is likely in any case."""
    rows = measured.rows
    if len(rows) > ROWS and not everything:
        rows = [row for row in rows if any(chance is not None and chance >= UNLIKELY for chance in row.chances)]
    console.print()
    console.print(ink(measured.name, "bold"))
    table = side_by_side(console, found, [(numbers.word(row.what), row) for row in rows])
    console.print(indented(table))
    if measured.means:
        pairs = zip(found.cases, measured.means, strict=True)
        means = " · ".join(f"{case.name} {numbers.plain(mean)}" for case, mean in pairs if mean is not None)
        console.print(indented(ink(f"means: {means}", MUTED)))
    if len(rows) < len(measured.rows):
        console.print(indented(ink("values below 0.5 % everywhere are left out; --all lists them", MUTED)))


def side_by_side(console: Console, found: Comparison, rows: Sequence[Labelled], are_results: bool = False) -> Table:
    """A column for each case, each change beside its chance or under it; without the room, a row for each case."""
    label = min(widest(label for label, _ in rows), RESULT if are_results else console.width) + 4
    if label + COLUMN * len(found.cases) > console.width:
        return one_below_the_other(found, rows)
    is_roomy = label + COLUMN + WIDE * (len(found.cases) - 1) <= console.width
    heads = [(case.name.replace("_", " "), "right") for case in found.cases]
    table = headed(*heads, ("", "left")) if are_results else headed(("", "left"), *heads)
    for column in table.columns[:-1] if are_results else table.columns[1:]:
        column.min_width = COLUMN - 2
    for words, row in rows:
        cells = [
            chance_and_change(chance, change if place else None, is_roomy)
            for place, (chance, change) in enumerate(zip(row.chances, row.changes, strict=True))
        ]
        table.add_row(*cells, ink(words)) if are_results else table.add_row(ink(words), *cells)
    return table


def chance_and_change(chance: Probability | None, change: Probability | None, is_roomy: bool) -> Text:
    """A chance, and its change beside it or under it."""
    if chance is None:
        return ink("–", MUTED)
    said = ink(numbers.percent(chance))
    if change is None:
        return said
    return Text.assemble(said, " " if is_roomy else "\n", ink(f"{points(change):>7}", MUTED))


def one_below_the_other(found: Comparison, rows: Sequence[Labelled]) -> Table:
    """For a narrow terminal, or many cases: words, and under them a line for each case."""
    table = grid("left")
    width = widest(case.name for case in found.cases)
    for label, row in rows:
        table.add_row(ink(label, "bold"))
        for case, chance, change in zip(found.cases, row.chances, row.changes, strict=True):
            if chance is not None:
                told = "" if case is found.cases[0] else f" {points(change):>7}"
                said = ink(f"  {case.name:{width}}  {numbers.percent(chance):>9}")
                table.add_row(Text.assemble(said, ink(told, MUTED)))
    return table


def show_results(console: Console, found: Comparison, everything: bool) -> None:
    """The results whose chances change most, if these battles can have the same results at all."""
    rows = [row for row in found.rows if not is_nothing(row.change)]
    said = [leaves(row.what.to_dict()) for row in rows]
    if len({frozenset(result) for result in said}) > 1:
        return
    listed = rows if everything else rows[:LIKELIEST]
    console.print()
    told = "All results" if len(listed) == len(rows) else f"{len(listed)} of {len(rows):,} results"
    console.print(ink(f"{told} whose chance changes, the largest change first", "bold"))
    paths = varying(said)
    labelled = [(in_a_line(result, paths), row) for result, row in zip(said, listed, strict=False)]
    console.print(indented(side_by_side(console, found, labelled, are_results=True)))
    if len(listed) < len(rows):
        console.print(indented(ink("--all lists the others", MUTED)))


def show_switches(console: Console, found: Switches) -> None:
    """Every value that changes anything, then what changes nothing, then what is not legal."""
    console.print(Text.assemble(ink("as it is  "), ink(numbers.signed(found.base.value), "bold")))
    effects = found.effects
    if effects:
        console.print()
        console.print(of_switches(console, effects))
    if found.nothing:
        console.print()
        console.print(Text.assemble(ink("Changes nothing here", "bold"), "  ", ink(" · ".join(found.nothing))))
    if found.refused:
        console.print()
        console.print(ink("Cannot be turned here", "bold"))
        for switch, one in found.refused:
            console.print(indented(ink(f"{switch} = {one.name}: {one.why}")))


def of_switches(console: Console, effects: Sequence[Effect]) -> Table:
    """A row for each value: the change of the value, of the odds, and of the chance that changes most."""
    if console.width < NARROW:
        table = grid("left")
        for effect in effects:
            change, moved = favouring(effect.change, numbers.signed), numbers.percent(effect.moved)
            table.add_row(Text.assemble(turned(effect), "\n  ", change, ink(f", {moved} of the odds move", MUTED)))
        return table
    table = headed(
        ("turned to", "left"),
        ("change", "right"),
        ("odds that move", "right"),
        ("what moves most", "left"),
        ("", "left"),
    )
    table.columns[2].max_width = 9
    table.columns[4].no_wrap = True
    for effect in effects:
        change = favouring(effect.change, numbers.signed)
        table.add_row(turned(effect), change, ink(numbers.percent(effect.moved)), *moves_most(effect))
    return table


def turned(effect: Effect) -> Text:
    """A switch and what it is turned to."""
    return Text.assemble(ink(effect.switch), " = ", ink(effect.case.name, "bold"))


def moves_most(effect: Effect) -> tuple[Text, Text]:
    """`guns destroyed yes`, and `12.00 → 8.00 %`."""
    most = effect.most
    if most is None:
        return ink("nothing that is asked about", MUTED), ink("")
    before, after = numbers.percent(most.before).removesuffix(" %"), numbers.percent(most.after)
    return ink(f"{most.measure} {numbers.word(most.value)}"), ink(f"{before} → {after}")
