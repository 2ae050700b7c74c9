"""The page: the set-up, the odds, the decisions and the house rules that matter."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from markupsafe import Markup

from grognard import __version__
from grognard.core.systems import Battle, Json, Role
from grognard.core.wording import side_name
from grognard.files import SWITCHES, switches
from grognard.files.battles import SYSTEM
from grognard.files.fields import to_plain
from grognard.solver import graph
from grognard.solver.assumptions import Assumptions
from grognard.solver.graph import Progress
from grognard.solver.odds import Odds
from grognard.solver.plans import plan_turn
from grognard.solver.solution import Solution, solve_under
from grognard.solver.turn_solution import TurnSolution
from grognard.studies.switches import SwitchEffects, compare_switches
from grognard.words import describe, numbers
from grognard.words.advice import advice_blocks, plan_blocks, plan_table
from grognard.words.blocks import Block, Column, Inline, Line, Span, Table, bold, muted, text_columns
from grognard.words.colours import Sides
from grognard.words.comparisons import effect_table
from grognard.words.html import draw, draw_table, join, tag
from grognard.words.results import format_key, format_value
from grognard.words.summaries import (
    Rows,
    format_brief,
    format_objective,
    format_policies,
    is_numeric,
    measure_tables,
    measures_shown,
    objective_label,
    result_table,
)

STYLE = Path(__file__).with_name("style.css")
POSITIONS = 100_000
"""A house rule under which a battle has more positions is listed, but not solved."""
LARGE = 4
"""The number of figures shown in large type."""
MARKS = {Role.ATTACKER: "▲", Role.DEFENDER: "■"}
"""Roles differ in shape as well as in colour."""


def page(
    battle: Battle,
    file: str = "",
    assumptions: Assumptions = Assumptions(),
    *,
    bound: int = graph.POSITIONS,
    progress: Progress | None = None,
) -> str:
    """A whole HTML page about a battle."""
    solution = solve_under(battle, assumptions, bound=bound, progress=progress)
    odds, sides = solution.odds, Sides(battle)

    def odds_of(other: Battle) -> Odds:
        if other is battle:
            return odds
        return solve_under(other, assumptions, bound=min(bound, POSITIONS), progress=progress).odds

    sections = [
        _large_numbers(odds, sides),
        _section("Set-up", *_setup(battle, sides)),
        _section("Odds", *draw(measure_tables(odds)), *draw(result_table(odds))),
        _section("Decisions", *draw(_decisions(solution, bound))),
        _section("House rules that matter", *draw(_house_rules(compare_switches(battle, odds_of)))),
    ]
    name = f" · {Path(file).name}" if file not in ("", "-") else ""
    title = join(_piece(part, sides) for part in _title(sides))
    header = tag("header", tag("p", f"{battle.system.title}{name}"), tag("h1", title))
    about = f"Exact odds, {format_policies(odds.policies)}. {format_objective(odds)}."
    footer = tag("footer", tag("p", f"{about} grognard {__version__}"))
    plain = "".join(part if isinstance(part, str) else side_name(part[0]) for part in _title(sides))
    return _document(f"{battle.system.title}: {plain}", join([header, tag("main", *sections), footer]))


def _title(sides: Sides) -> list[str | tuple[str, Role]]:
    """The sides of each role, and `against` between them."""
    parts: list[str | tuple[str, Role]] = []
    for role in Role:
        parts += [" against "] if parts else []
        names = sides.named(role) or [str(role)]
        for place, side in enumerate(names):
            parts += [", ", (side, role)] if place else [(side, role)]
    return parts


def _piece(part: str | tuple[str, Role], sides: Sides) -> Markup:
    if isinstance(part, str):
        return tag("small", part)
    side, role = part
    return join([mark(role, sides.colour(side, role)), f" {side_name(side)}"])


def mark(role: Role, colour: str) -> Markup:
    """The shape and colour of a side."""
    return tag("span", MARKS[role], class_=f"mark {colour}", title=str(role))


def _section(heading: str, *inside: object) -> Markup:
    return tag("section", tag("h2", heading), *inside)


def _large_numbers(odds: Odds, sides: Sides) -> Markup:
    """The value of the battle and the most important measures, in large type."""
    measures = measures_shown(odds)
    measures.sort(key=lambda pair: len(pair[1]) == 1)  # certain values last
    value = f"{float(odds.value):+.2f}".replace("-", "−")
    shown = [_large(value, objective_label(odds.objective), "ink")]
    for measure, chances in measures[: LARGE - 1]:
        named = replace(measure, what=f"average {measure.what or measure.name}") if is_numeric(chances) else measure
        shown.append(_large(format_brief(chances), named.label, sides.colour(measure.side, measure.role)))
    return tag("dl", *shown, class_="large")


def _large(number: str, name: str, colour: str) -> Markup:
    return tag("div", tag("dt", name), tag("dd", number), class_=colour)


def _setup(battle: Battle, sides: Sides) -> Iterator[Markup]:
    """The contents of the file, and the house rules."""
    plain = {
        key: value for key, value in battle.source.items() if not isinstance(value, Mapping | list) and key != SYSTEM
    }
    tables = [_table_of_values("", plain)] if plain else []
    for key, value in battle.source.items():
        if _is_list_of_tables(value):
            tables.append(_table_of_entries(key, value, sides))
        elif isinstance(value, list):
            tables.append(_table_of_values("", {key: value}))
        elif isinstance(value, Mapping) and key != SWITCHES:
            lists = {name: part for name, part in value.items() if _is_list_of_tables(part)}
            tables.append(_table_of_values(key, {name: part for name, part in value.items() if name not in lists}))
            tables += [_table_of_entries(f"{key} {name}", part, sides) for name, part in lists.items()]
    yield tag("div", *map(draw_table, tables), class_="setup")
    yield from draw(_switches(battle))


def _is_list_of_tables(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(entry, Mapping) for entry in value)


def _table_of_entries(key: str, entries: Sequence[Json], sides: Sides) -> Table:
    """A row for each entry, a column for each key of any entry; sides are in their colours."""
    keys = list(dict.fromkeys(name for entry in entries for name in entry))
    columns = [Column(format_key(name), all(type(entry.get(name, 0)) is int for entry in entries)) for name in keys]
    rows = [[_cell(entry.get(name, ""), sides) for name in keys] for entry in entries]
    return Table(columns, rows, bold(format_key(key)))


def _cell(value: object, sides: Sides) -> Inline:
    if isinstance(value, str) and value in sides.roles:
        role = sides.roles[value]
        return Span(f"{MARKS[role]}\u00a0{value}" if role else value, sides.colour(value))
    return format_value(value)


def _table_of_values(key: str, entry: Mapping[str, object]) -> Table:
    rows = [(format_key(name), format_value(value)) for name, value in entry.items()]
    return Table(text_columns("", ""), rows, bold(format_key(key)) if key else "")


def _switches(battle: Battle) -> list[Block]:
    chosen = describe.house_rules(battle)
    if not chosen:
        return [Line(muted("Every rule is as written: there are no house rules."))]
    known = {switch.name: switch for switch in switches(battle.system)}
    rows: Rows = [
        (
            name,
            format_value(value),
            format_value(to_plain(known[name].default)),
            known[name].description,
            str(known[name].paragraph),
        )
        for name, value in chosen.items()
    ]
    columns = text_columns("house rule", "here", "as written", "what it does", "paragraph")
    return [Table(columns, rows, bold("House rules"))]


def _decisions(solution: Solution, bound: int) -> list[Block]:
    """The first decision with all its options, and later decisions; of a turn, its plan."""
    advice = solution.advice()
    first = advice_blocks(advice) if advice.options else []
    if isinstance(solution, TurnSolution) and first:
        return [*first, *plan_blocks(plan_turn(solution.battle, solution.assumptions, bound=bound))]
    if isinstance(solution, TurnSolution) or not solution.decisions:
        return [Line(muted("There is nothing to decide in this battle: only dice."))]
    later = [
        decision for decision in solution.decisions if (decision.side, decision.prompt) != (advice.side, advice.prompt)
    ]
    return [*first, *([plan_table(later, solution.battle)] if later else [])]


def _house_rules(switches: SwitchEffects) -> list[Block]:
    """Every value of a house rule that changes the odds, the largest change first."""
    if not switches.effects:
        return [Line(muted("No house rule changes anything here."))]
    base = f"{objective_label(switches.base.objective)} from {numbers.signed(switches.base.value)}"
    about = f"Each house rule is tried by itself; the change is that of {base}."
    blocks: list[Block] = [Line(muted(about)), replace(effect_table(switches.effects, switches.base), title="")]
    if switches.without_effect:
        blocks.append(Line(muted(f"Changes nothing here: {' · '.join(switches.without_effect)}")))
    return [*blocks, *(Line(muted(f"{switch} = {value.name}: {value.why}")) for switch, value in switches.excluded)]


def _document(title: str, body: Markup) -> str:
    head = [
        Markup('<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'),
        Markup('<meta name="color-scheme" content="light dark">'),
        tag("title", title),
        tag("style", Markup(STYLE.read_text("utf-8"))),  # noqa: S704, our own style sheet
    ]
    return f'<!DOCTYPE html>\n<html lang="en"><head>{join(head)}</head>\n<body>{body}</body></html>\n'
