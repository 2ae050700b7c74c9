"""Odds on a terminal: what was assumed, every measure that people ask about, the likeliest results."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, TypeGuard

from rich.console import Console
from rich.table import Table
from rich.text import Text

from grognard.cli import numbers
from grognard.cli.look import ATTACKER, DEFENDER, MUTED, SIDES, grid, has_blocks, headed, indented, ink, title, widest
from grognard.cli.results import Place, headings, in_a_line, leaves, varying
from grognard.core.distributions import Probability
from grognard.core.systems import Measure
from grognard.solver.odds import Odds

if TYPE_CHECKING:
    from grognard.solver.simulate import Sampled

LIKELIEST = 10
"""So many results are listed unless all are asked for."""
ROWS = 16
"""A measure of more values leaves out the unlikely ends."""
UNLIKELY = 0.005
BAR = 40

Chances = Mapping[int | str | bool, Probability]
Row = tuple[str, Probability, Probability | None]
"""A value in words, the chance of exactly that, and of at least that."""


def show_odds(console: Console, odds: Odds, file: str, everything: bool = False) -> None:
    """Everything there is to say about odds, a few numbers first."""
    title(console, odds.battle, file, how_known(odds))
    console.print()
    console.print(assumed(odds))
    settled = []
    for measure in odds.battle.system.measures(odds.battle.setup):
        chances = odds.measure(measure)
        if len(chances) > 1:
            show_measure(console, odds, measure, chances, everything)
        else:
            settled.append(f"{measure.name}: {numbers.word(next(iter(chances)))}")
    if settled:
        console.print()
        console.print(Text.assemble(ink("In every result", "bold"), "  ", ink(" · ".join(settled))))
    show_likeliest(console, odds, everything)


def how_known(odds: Odds) -> str:
    """Exact, or sampled and from what."""
    if is_sampled(odds):
        worst = numbers.percent(odds.error(0.5))
        return f"sampled: {odds.walks:,} battles, seed {odds.seed}; standard errors up to {worst}"
    return "exact fractions" if is_fractional(odds) else "exact"


def is_sampled(odds: Odds) -> "TypeGuard[Sampled]":
    """Whether the numbers are sampled; told without loading what samples."""
    return type(odds) is not Odds


def is_fractional(odds: Odds) -> bool:
    """Whether the numbers are fractions."""
    return not isinstance(odds.value, float)


def assumed(odds: Odds) -> Table:
    """How both sides decide, what for, and what it comes to."""
    value = numbers.signed(odds.value)
    if is_fractional(odds):
        value += f" = {numbers.fraction(odds.value)}"
    if is_sampled(odds):
        value += f" ± {odds.value_error:.4f}"
    table = grid("left", "left")
    table.add_row(ink("attacker", ATTACKER), ink(f"decides: {odds.policies['attacker']}"))
    table.add_row(ink("defender", DEFENDER), ink(f"decides: {odds.policies['defender']}"))
    table.add_row(ink(odds.objective), Text.assemble(ink(value, "bold"), "  ", ink(odds.aims.objective.says, MUTED)))
    return table


def show_measure(console: Console, odds: Odds, measure: Measure, chances: Chances, everything: bool) -> None:
    """One measure as a table with bars; of a number also its mean and spread."""
    is_numeric = numbers.is_numeric(chances)
    about = f"  {spread(odds, chances)}" if is_numeric else ""
    console.print()
    console.print(Text.assemble(ink(measure.name, "bold"), ink(about, MUTED)))
    rows = list(numeric_rows(chances, everything) if is_numeric else named_rows(chances))
    console.print(indented(chart(console, rows, SIDES[measure.role], is_numeric, is_fractional(odds))))


def spread(odds: Odds, chances: Chances) -> str:
    """The mean and the standard deviation in words."""
    mean, deviation = numbers.mean_and_deviation({int(value): chance for value, chance in chances.items()})
    exactly = f" = {numbers.fraction(mean)}" if is_fractional(odds) else ""
    return f"mean {numbers.plain(mean)}{exactly}, standard deviation {numbers.plain(deviation)}"


def numeric_rows(chances: Chances, everything: bool) -> Iterator[Row]:
    """One row a number, unlikely ones at either end put together."""
    values = [int(value) for value in chances]
    first, last = values[0], values[-1]
    if len(values) > ROWS and not everything:
        likely = [value for value in values if chances[value] >= UNLIKELY]
        first, last = likely[0], likely[-1]
    below = sum(chances[value] for value in values if value < first)
    above = sum(chances[value] for value in values if value > last)
    left = sum(chances.values())
    if below:
        yield f"≤ {first - 1}", below, left
        left -= below
    for value in range(first, last + 1):
        chance = chances.get(value, 0 * left)
        yield str(value), chance, left
        left -= chance
    if above:
        yield f"≥ {last + 1}", above, above


def named_rows(chances: Chances) -> Iterator[Row]:
    """One row a name, or yes and no."""
    for value, chance in chances.items():
        yield numbers.word(value), chance, None


def chart(console: Console, rows: list[Row], style: str, is_numeric: bool, fractions: bool) -> Table:
    """Rows of chances with a bar for each: numbers against the likeliest of them, anything else against certainty."""
    columns = [("", "right" if is_numeric else "left"), ("exactly" if is_numeric else "", "right")]
    columns += [("at least", "right")] if is_numeric else []
    columns += [("", "left")] * (2 if fractions else 1)
    table = headed(*columns)
    table.show_header = is_numeric
    texts = [numbers.fraction(chance) for _, chance, _ in rows] if fractions else [""] * len(rows)
    taken = min(widest(label for label, _, _ in rows), console.width // 3) + (10 * (2 if is_numeric else 1))
    room = min(console.width - taken - (widest(texts) + 2 if fractions else 0) - 6, BAR)
    most = max(float(chance) for _, chance, _ in rows) if is_numeric else 1.0
    for (label, chance, at_least), text in zip(rows, texts, strict=True):
        cells = [ink(label), ink(numbers.percent(chance))]
        cells += [ink(numbers.percent(at_least))] if at_least is not None else []
        cells += [ink(text, MUTED)] if fractions else []
        if room >= 4:
            cells.append(ink(numbers.bar(float(chance) / most, room, has_blocks(console)), style))
        table.add_row(*cells)
    return table


def show_likeliest(console: Console, odds: Odds, everything: bool) -> None:
    """The likeliest results, as a table of what differs between them."""
    results = [leaves(result.to_dict()) for _, result in odds.outcomes]
    listed = len(results) if everything else min(len(results), LIKELIEST)
    paths = varying(results)
    console.print()
    if len(results) == 1:
        console.print(ink("The only result", "bold"))
        console.print(indented(one_a_line(odds, results, list(results[0]), 1)))
        return
    told = "All results" if listed == len(results) else f"The likeliest {listed} of {len(results):,} results"
    console.print(ink(told, "bold"))
    table = side_by_side(odds, results, paths, listed)
    if console.measure(table).minimum > console.width - 2 or is_fractional(odds):
        table = one_a_line(odds, results, paths, listed)
    console.print(indented(table))
    rest = sum(float(chance) for chance, _ in odds.outcomes[listed:])
    if rest:
        console.print(indented(ink(f"the others together {numbers.percent(rest)}; --all lists them", MUTED)))
    same = [path for path in results[0] if path not in paths]
    if same:
        console.print(indented(ink(f"in all of them: {in_a_line(results[0], same)}", MUTED)))


def side_by_side(odds: Odds, results: list[dict[Place, str]], paths: list[Place], listed: int) -> Table:
    """A column for each thing that differs."""
    heads = headings(paths)
    table = headed(("chance", "right"), *((heads[path], "left") for path in paths))
    for column in table.columns:
        column.no_wrap = True
    for (chance, _), result in zip(odds.outcomes[:listed], results, strict=False):
        table.add_row(ink(numbers.percent(chance)), *(ink(result.get(path, "–")) for path in paths))
    return table


def one_a_line(odds: Odds, results: list[dict[Place, str]], paths: list[Place], listed: int) -> Table:
    """For a narrow terminal, or where there is much to say: each result in words."""
    table = grid("right", "left")
    for (chance, _), result in zip(odds.outcomes[:listed], results, strict=False):
        exactly = f"  {numbers.fraction(chance)}" if is_fractional(odds) else ""
        said = Text.assemble(ink(in_a_line(result, paths)), ink(exactly, MUTED))
        table.add_row(ink(numbers.percent(chance)), said)
    return table
