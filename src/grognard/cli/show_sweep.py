"""Sweeps on a terminal: how many match-ups, the first of them, the nearest to even, prices."""

from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path

from rich.console import Console

from grognard.cli.look import ATTACKER, DEFENDER, MUTED, grid, has_blocks, headed, indented, ink
from grognard.cli.numbers import bar
from grognard.core.systems import Json
from grognard.studies.sweeps.factors import Cell
from grognard.studies.sweeps.fair import Even, even_point, formula_of
from grognard.studies.sweeps.prices import Prices
from grognard.studies.sweeps.tables import SHOWN, Row, Table

BAR = 24


def in_json(table: Table, output: str | None, even: Sequence[Even] | None, prices: Prices | None) -> Json:
    """A sweep as other programs read it; the rows only if they are written nowhere else."""
    plan = table.plan
    empty, _ = table.empty
    told: Json = {
        "system": plan.question.system.name,
        "question": plan.design.question,
        "objective": plan.question.objective,
        "policies": {"attacker": plan.question.attacker, "defender": plan.question.defender},
        "match_ups": len(table),
        "empty": empty,
        "columns": table.columns,
        "table": output,
    }
    if output is None:
        told["rows"] = list(table.records)
    if even is not None:
        told["fair"] = [dict(zip(table.columns, one.row, strict=True)) | {"off": one.off} for one in even]
    if prices is not None:
        told["prices"] = [
            {"unit": one.name, "price": one.price, "low": one.low, "high": one.high} for one in prices.prices
        ]
        told["attacking"] = prices.attacking
    return told


def show_sweep(
    console: Console,
    table: Table,
    design: str,
    output: str | None,
    even: Sequence[Even] | None,
    prices: Prices | None,
    by: str | None,
    rate: float,
) -> None:
    """What was asked and found."""
    question = table.plan.question
    console.print(ink(table.plan.design.question or question.system.title, "bold"))
    name = "standard input" if design == "-" else Path(design).name
    console.print(ink(f"{name} · {question.system.title} · exact", MUTED))
    console.print()
    about = grid("left", "left")
    about.add_row(ink("attacker", ATTACKER), ink(f"decides: {question.attacker}"))
    about.add_row(ink("defender", DEFENDER), ink(f"decides: {question.defender}"))
    about.add_row(ink(question.objective), ink(question.system.objectives[question.objective].says, MUTED))
    about.add_row(ink("match-ups"), ink(f"{len(table):,}, {rate:,.0f} a second" if rate else f"{len(table):,}"))
    if output:
        about.add_row(ink("table"), ink(output))
    console.print(about)
    if even is not None:
        show_fair(console, table, even, by)
    if prices is not None:
        show_prices(console, prices)
    if output is None and even is None and prices is None:
        show_rows(console, table, list(islice(table.rows, SHOWN)))
    show_empty(console, table)


def show_empty(console: Console, table: Table) -> None:
    """That some match-ups are no battle, and why."""
    empty, fault = table.empty
    if empty:
        console.print()
        console.print(ink(f"{empty:,} match-ups are empty, for they cannot be worked out. One of them: {fault}"))


def show_rows(console: Console, table: Table, rows: Sequence[Row]) -> None:
    """The first rows."""
    console.print()
    show_table(console, table, rows)
    if len(table) > len(rows):
        console.print(ink(f"  the first {len(rows)} of {len(table):,}; -o TABLE writes them all", MUTED))


def show_fair(console: Console, table: Table, even: Sequence[Even], by: str | None) -> None:
    """The match-ups nearest to even."""
    _, formula = formula_of(table, by)
    console.print()
    console.print(ink(f"Nearest to even: {formula.name} nearest to {even_point(table, formula):g}", "bold"))
    show_table(console, table, [one.row for one in even])


def show_table(console: Console, table: Table, rows: Sequence[Row]) -> None:
    """Rows side by side, or each by itself where the terminal is too narrow; without the column of faults."""
    columns = table.columns[:-1]
    if any(row[-1] for row in rows):
        columns = table.columns
    words = [[in_words(cell) for cell in row[: len(columns)]] for row in rows]
    shown = headed(
        *((name, "right" if is_number(row[place] for row in rows) else "left") for place, name in enumerate(columns))
    )
    for row in words:
        shown.add_row(*map(ink, row))
    if console.measure(shown).minimum <= console.width - 2:
        console.print(indented(shown))
        return
    for row in words:
        told = " · ".join(f"{name} {word}" for name, word in zip(columns, row, strict=True) if word)
        console.print(indented(ink(told)))


def show_prices(console: Console, prices: Prices) -> None:
    """Every unit's price."""
    console.print()
    console.print(ink(f"Prices by who beats whom: {prices.by}", "bold"))
    shown = headed(("unit", "left"), ("price", "right"), ("95 % between", "right"), ("", "left"))
    dearest = max(one.price for one in prices.prices)
    for one in prices.prices:
        between = f"{one.low:.1f} and {one.high:.1f}"
        drawn = bar(one.price / dearest, BAR, has_blocks(console))
        shown.add_row(ink(one.name), ink(f"{one.price:.1f}"), ink(between), ink(drawn, MUTED))
    console.print(indented(shown))
    told = "  the geometric mean of all prices is 10"
    if prices.attacking is not None:
        told += f"; attacking multiplies a unit's odds by {prices.attacking:.2f}"
    console.print(ink(told, MUTED))
    if prices.left_out:
        console.print(ink(f"  {prices.left_out:,} match-ups that are empty are left out", MUTED))


def is_number(cells: Iterable[Cell]) -> bool:
    """Whether a column is one of numbers."""
    return all(cell is None or (isinstance(cell, int | float) and not isinstance(cell, bool)) for cell in cells)


def in_words(cell: Cell) -> str:
    """A cell as people read it."""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, float):
        return f"{cell:.4f}".replace("-", "−")
    return "" if cell is None else str(cell)
