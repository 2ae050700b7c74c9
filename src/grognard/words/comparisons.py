"""Comparisons, house rules and sweeps as blocks of plain data."""

from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grognard.core.distributions import Probability
from grognard.core.numbers import is_zero
from grognard.core.systems import Battle, Json, Role
from grognard.files import switches
from grognard.solver.odds import Odds
from grognard.studies.compare import ComparedMeasure, Comparison, Row
from grognard.studies.switches import SwitchEffect, SwitchEffects
from grognard.words import numbers
from grognard.words.blocks import Bar, Block, Column, Inline, Line, Table, bold, muted, number_columns, text_columns
from grognard.words.colours import Sides
from grognard.words.results import format_key, format_result, format_value, leaves, varying_places
from grognard.words.summaries import (
    LIKELIEST,
    ROWS,
    UNLIKELY,
    chance_span,
    change_span,
    format_exactness,
    format_objective,
    format_policies,
    header,
    measures_shown,
    objective_label,
    value_span,
)

if TYPE_CHECKING:
    from grognard.solver.turn_solution import AttackValue
    from grognard.studies.sweeps.balance import EvenMatchUp, Prices
    from grognard.studies.sweeps.tables import Table as SweepTable

SHOWN = 20
"""At most this many rows of a sweep are shown."""


def comparison_page(comparison: Comparison | SwitchEffects, file: str, everything: bool = False) -> list[Block]:
    """A comparison with its heading."""
    base = comparison.base
    blocks = header(base.battle, file, format_exactness(base), format_policies(base.policies))
    blocks.append(Line(muted(format_objective(base))))
    if isinstance(comparison, SwitchEffects):
        return [*blocks, *switch_tables(comparison)]
    return [*blocks, *comparison_tables(comparison, everything)]


def comparison_tables(comparison: Comparison, everything: bool = False) -> list[Block]:
    """What each case is worth, then every measure and every result with its chances side by side."""
    blocks: list[Block] = [_about_switch(comparison)] if comparison.switch else []
    blocks += [_values(comparison)]
    blocks += [Line(f"{case.name}: {case.why}") for case in comparison.excluded]
    if len(comparison.cases) == 1:
        return blocks
    if comparison.changes_nothing:
        text = "This house rule changes nothing here." if comparison.switch else "These battles have the same odds."
        return [*blocks, Line(bold(text), space=True)]
    blocks.append(Line(muted("Chances, and by how many percentage points each of them changes"), space=True))
    measures = _measures_shown(comparison)
    changing = [measure for measure in measures if not is_zero(measure.change)]
    blocks += [_measure(comparison, measure, everything) for measure in changing]
    blocks += _results(comparison, everything)
    same = [measure.label for measure in measures if is_zero(measure.change)]
    return [*blocks, Line((bold("Unchanged"), f"  {' · '.join(same)}"), space=True)] if same else blocks


def _measures_shown(comparison: Comparison) -> list[ComparedMeasure]:
    """The measures, without those of a whole side that repeat a single unit's in every case."""
    every = {measure for case in comparison.cases for measure in case.odds.measures}
    repeated = every - {measure.name for case in comparison.cases for measure, _ in measures_shown(case.odds)}
    return [measured for measured in comparison.measures if measured.name not in repeated]


def _about_switch(comparison: Comparison) -> Line:
    known = {field.name: field for field in switches(comparison.base.battle.system)}
    switch = known[str(comparison.switch)]
    where = f" [{switch.paragraph}]" if switch.paragraph else ""
    return Line((bold(switch.name), f": {switch.description}", muted(where)), space=True)


def _values(comparison: Comparison) -> Table:
    """The value of every case and its change; for a house rule also how much of the odds moves."""
    sides = Sides(comparison.base.battle)
    rows = []
    for place, case in enumerate(comparison.cases):
        note = "" if place else " (as it is)" if comparison.switch else " (the first)"
        cells: list[Inline] = [(case.name, muted(note)), value_span(case.odds.value, strong=True)]
        cells += [change_span(comparison.change(case), sides) if place else ""]
        cells += [chance_span(comparison.distance(case)) if place else ""] if comparison.switch else []
        rows.append(cells)
    columns = [Column(), *number_columns(objective_label(comparison.base.objective))]
    columns += number_columns("change", *["odds that move"] * bool(comparison.switch))
    return Table(columns, rows, bold("House rule" if comparison.switch else "Battles side by side"))


def _case_columns(comparison: Comparison) -> list[Column]:
    first, *others = (format_key(case.name) for case in comparison.cases)
    return number_columns(first, *(name for other in others for name in (other, "")))


def _chances(row: Row[Any]) -> list[Inline]:
    """The chance in each case, with its change in all cases but the first."""
    cells: list[Inline] = []
    for place, (p, change) in enumerate(zip(row.probabilities, row.changes, strict=True)):
        cells.append(muted("–") if p is None else chance_span(p))
        if place:
            cells.append(muted(_points(change)))
    return cells


def _points(change: Probability | None) -> str:
    if change is None or is_zero(change):
        return "" if change is None else "·"
    return numbers.points(change)


def _measure(comparison: Comparison, measured: ComparedMeasure, everything: bool) -> Table:
    """One measure: every value that is likely in any case, and the averages."""
    rows = measured.rows
    if len(rows) > ROWS and not everything:
        rows = [row for row in rows if any(p is not None and p >= UNLIKELY for p in row.probabilities)]
    cells: list[list[Inline]] = [[format_value(row.what), *_chances(row)] for row in rows]
    if measured.means:
        averages = ["–" if mean is None else numbers.decimal(mean) for mean in measured.means]
        first, *others = averages
        cells.append(["average", first, *(cell for other in others for cell in (other, ""))])
    is_short = len(rows) < len(measured.rows)
    notes, hint = (["values below 0.5 % everywhere are left out"], "--all lists them") if is_short else ([], "")
    return Table([Column(), *_case_columns(comparison)], cells, bold(measured.label), notes=notes, hint=hint)


def _results(comparison: Comparison, everything: bool) -> list[Block]:
    """The results whose chances change most; empty if the battles have results of different shapes."""
    rows = [row for row in comparison.rows if not is_zero(row.change)]
    results = [leaves(row.what.to_dict()) for row in rows]
    if len({frozenset(result) for result in results}) > 1:
        return []
    listed = rows if everything else rows[:LIKELIEST]
    how_many = "All results" if len(listed) == len(rows) else f"{len(listed)} of {len(rows):,} results"
    paths = varying_places(results)
    cells = [[format_result(result, paths), *_chances(row)] for result, row in zip(results, listed, strict=False)]
    hint = "--all lists the others" if len(listed) < len(rows) else ""
    title = f"{how_many} whose chance changes, the largest change first"
    return [Table([Column(), *_case_columns(comparison)], cells, bold(title), hint=hint)]


def switch_tables(switches: SwitchEffects) -> list[Block]:
    """Every value that changes anything, then the house rules that change nothing, then illegal values."""
    base = switches.base
    blocks: list[Block] = [Line(("as written here  ", value_span(base.value, strong=True)), space=True)]
    blocks += [effect_table(switches.effects, base)] if switches.effects else []
    if switches.without_effect:
        blocks.append(Line((bold("Changes nothing here"), f"  {' · '.join(switches.without_effect)}"), space=True))
    refused = [(f"{switch} = {case.name}", case.why) for switch, case in switches.excluded]
    return [*blocks, Table(text_columns("", ""), refused, bold("Not possible here"))] if refused else blocks


def effect_table(effects: Sequence[SwitchEffect], base: Odds) -> Table:
    """A row for each value: the change of the value, of the odds, and of the chance that changes most."""
    sides = Sides(base.battle)
    rows = [
        (
            (effect.switch, " = ", bold(effect.case.name)),
            change_span(effect.change, sides),
            Bar(abs(float(effect.change)), sides.colour_of(Role.ATTACKER if effect.change > 0 else Role.DEFENDER)),
            chance_span(effect.distance),
            _format_largest_change(effect),
        )
        for effect in effects
    ]
    columns = [Column("house rule"), *number_columns("change"), Column(), *number_columns("odds that move")]
    return Table([*columns, Column("what changes most")], rows, bold("House rules that matter"))


def _format_largest_change(effect: SwitchEffect) -> str:
    """`Blue rifles: losses, chance of 3: 12.00 → 8.00 %`."""
    most = effect.largest
    if most is None:
        return "only details of the results"
    before, after = numbers.percent(most.before).removesuffix(" %"), numbers.percent(most.after)
    return f"{most.measure}, chance of {format_value(most.value)}: {before} → {after}"


def attacks_page(attacks: "Sequence[AttackValue]", battle: Battle, file: str) -> list[Block]:
    """Every attack that is possible now, by itself."""
    if not attacks:
        return [*header(battle, file), Line("No attack is possible now.", space=True)]
    rows: list[tuple[Inline, ...]] = [
        (attack.id, value_span(attack.swing), chance_span(attack.kill), numbers.decimal(attack.own_losses))
        for attack in attacks
    ]
    columns = [Column("attack"), *number_columns(objective_label("swing"), "target destroyed", "own losses")]
    return [*header(battle, file, "each attack by itself"), Table(columns, rows, bold("Possible attacks"))]


def sweep_to_dict(
    table: "SweepTable", output: str | None, even: "Sequence[EvenMatchUp] | None", prices: "Prices | None"
) -> Json:
    """A sweep as JSON; the rows only if they are written nowhere else."""
    design = table.plan.design
    data: Json = {
        "system": design.system.name,
        "question": design.question,
        "objective": design.objective,
        "policies": design.assumptions.policy_names,
        "match_ups": len(table),
        "empty": table.empty[0],
        "columns": table.columns,
        "table": output,
    }
    if output is None:
        data["rows"] = list(table.records)
    if even is not None:
        data["fair"] = [
            dict(zip(table.columns, match_up.row, strict=True)) | {"distance": match_up.distance} for match_up in even
        ]
    if prices is not None:
        keys = ("price", "low", "high")
        data["prices"] = [{"unit": price.name, **{key: getattr(price, key) for key in keys}} for price in prices.prices]
        data["attacking"] = prices.attacking
    return data


def sweep_page(
    table: "SweepTable",
    file: str,
    rate: float = 0,
    title: str = "",
    even: "Sequence[EvenMatchUp] | None" = None,
    prices: "Prices | None" = None,
    *,
    show_rows: bool = True,
) -> list[Block]:
    """What was asked, the match-ups nearest to even, prices, or the first rows."""
    design = table.plan.design
    name = "standard input" if file == "-" else Path(file).name
    policies = format_policies(design.assumptions.policy_names)
    objective = f"{objective_label(design.objective)}: {design.system.objectives[design.objective].description}"
    speed = f", {rate:,.0f} a second" if rate else ""
    blocks: list[Block] = [
        Line(bold(design.question or design.system.title)),
        Line(muted(" · ".join([*([name] if name else []), design.system.title, "exact", policies]))),
        Line(muted(objective)),
        Line(f"{numbers.count(len(table), 'match-up')}{speed}", space=True),
    ]
    if even is not None:
        blocks.append(_row_table(table, [match_up.row for match_up in even], title))
    if prices is not None:
        blocks.append(_price_table(prices))
    if show_rows:
        rows = list(islice(table.rows, SHOWN))
        is_cut = len(table) > len(rows)
        notes = [f"the first {len(rows)} of {len(table):,}"] if is_cut else []
        blocks.append(_row_table(table, rows, "Match-ups", notes, "-o TABLE writes them all" if is_cut else ""))
    empty, fault = table.empty
    if empty:
        text = f"{numbers.count(empty, 'match-up')} could not be solved. One of them: {fault}"
        blocks.append(Line(text, space=True))
    return blocks


def _row_table(
    table: "SweepTable", rows: Sequence[Sequence[object]], title: str, notes: Sequence[str] = (), hint: str = ""
) -> Table:
    """Some rows of a sweep, without the column of faults if there are none."""
    names = table.columns if any(row[-1] for row in rows) else table.columns[:-1]
    columns = [Column(name, _are_numbers(row[place] for row in rows)) for place, name in enumerate(names)]
    cells = [[_format_cell(cell) for cell in row[: len(names)]] for row in rows]
    return Table(columns, cells, bold(title), notes=notes, hint=hint)


def _price_table(prices: "Prices") -> Table:
    rows = [
        (price.name, f"{price.price:.1f}", f"{price.low:.1f} to {price.high:.1f}", Bar(price.price, "grey"))
        for price in prices.prices
    ]
    note = "the geometric mean of all prices is 10"
    if prices.attacking is not None:
        note += f"; attacking multiplies a unit's odds by {prices.attacking:.2f}"
    notes = [note]
    notes += [f"left out: {numbers.count(prices.left_out, 'match-up')} without a result"] if prices.left_out else []
    columns = [Column("unit"), *number_columns("price", "95 % confidence interval"), Column()]
    return Table(columns, rows, bold(f"Prices by who beats whom: {prices.by}"), notes=notes)


def _are_numbers(cells: Iterable[object]) -> bool:
    return all(cell is None or (isinstance(cell, int | float) and not isinstance(cell, bool)) for cell in cells)


def _format_cell(cell: object) -> str:
    if isinstance(cell, float):
        return f"{cell:.4f}".replace("-", "−")
    return "" if cell is None else format_value(cell)
