"""Odds as blocks of plain data for terminal, notebook and report; parts that advice and luck share."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, TypeGuard

from grognard.core.distributions import Distribution, Probability
from grognard.core.numbers import descending_key, is_zero
from grognard.core.systems import Battle, Measure, Role
from grognard.solver.odds import Odds, is_alike
from grognard.words import numbers
from grognard.words.blocks import (
    MUTED,
    Bar,
    Block,
    Column,
    Inline,
    Line,
    Span,
    Table,
    bold,
    muted,
    number_columns,
    text_columns,
)
from grognard.words.colours import Sides
from grognard.words.results import NOTHING, format_result, format_value, headings, leaves, varying_places

if TYPE_CHECKING:
    from grognard.solver.simulate import SampledOdds

LIKELIEST = 10
"""The number of results that are listed by default."""
ROWS = 16
"""A table of more values leaves out the unlikely ends."""
UNLIKELY = 0.005

Chances = Distribution[int | str | bool]
"""The distribution of a measure."""
Rows = list[tuple[Inline, ...]]


OBJECTIVES = {"swing": "net losses (swing)", "kill": "target destroyed (kill)", "ground": "ground taken (ground)"}


def objective_label(name: str) -> str:
    """An objective for people, with its name for --objective."""
    return OBJECTIVES.get(name, name)


def is_sampled(odds: Odds) -> "TypeGuard[SampledOdds]":
    """Whether the numbers are sampled. Does not import the simulation."""
    return hasattr(odds, "walks")


def is_numeric(chances: Chances) -> bool:
    """Whether these are the chances of numbers, which have a mean and an "at least"."""
    return all(type(value) is int for value in chances.values)


def is_yes_or_no(chances: Chances) -> bool:
    """Whether these are the chances of yes and no."""
    return all(type(value) is bool for value in chances.values)


def exact_fraction(number: Probability) -> str:
    """The fraction, if the number is one."""
    return str(number).replace("-", "−") if isinstance(number, Fraction) else ""


def value_span(number: Probability, colour: str = "", strong: bool = False) -> Span:
    """A value with its sign; `exact` is its fraction."""
    return Span(numbers.signed(number), colour, strong, exact_fraction(number))


def chance_span(number: Probability) -> Span:
    """A chance in percent; `exact` is its fraction."""
    return Span(numbers.percent(number), exact=exact_fraction(number))


def change_span(number: Probability, sides: Sides, text: str | None = None) -> Span:
    """A change of the value, in the colour of the side that it favours."""
    if is_zero(number):
        return Span("0", MUTED)
    colour = sides.colour_of(Role.ATTACKER if number > 0 else Role.DEFENDER)
    return Span(text or numbers.signed(number), colour, exact=exact_fraction(number))


def header(battle: Battle, file: str, *notes: str) -> list[Block]:
    """A heading with the system and the sides; then the name of the file, and notes."""
    name = "standard input" if file == "-" else Path(file).name
    about = " · ".join([*([name] if name else []), *notes])
    return [Line((bold(battle.system.title), ": ", Sides(battle).title)), Line(muted(about))]


def format_exactness(odds: Odds) -> str:
    """`exact`, or the size and the error of the sample."""
    if is_sampled(odds):
        worst = 100 * numbers.CONFIDENCE * odds.error(0.5)
        return f"sampled: {odds.walks:,} battles, seed {odds.seed}; chances within ±{worst:.2f} % (95 % confidence)"
    return "exact fractions" if isinstance(odds.value, Fraction) else "exact"


def format_policies(policies: Mapping[str, str]) -> str:
    """The policies of both sides, or the one that both have."""
    attacker, defender = policies.values()
    if attacker == defender:
        return f"both sides decide: {attacker}"
    return f"attacker decides: {attacker}, defender: {defender}"


def value_line(odds: Odds) -> list[Block]:
    """The value of the battle, and what the objective means."""
    parts: list[Inline] = [bold(objective_label(odds.objective)), "  ", value_span(odds.value, strong=True)]
    if is_sampled(odds):
        parts.append(f" ± {numbers.CONFIDENCE * odds.value_error:.4f} (95 % confidence interval)")
    return [Line(tuple(parts), space=True), Line(muted(odds.assumptions.objective_of(odds.battle).description))]


def format_objective(odds: Odds) -> str:
    """The label of the objective, and what it means."""
    return f"{objective_label(odds.objective)}: {odds.assumptions.objective_of(odds.battle).description}"


def odds_page(odds: Odds, file: str = "", everything: bool = False) -> list[Block]:
    """Odds in full: the value, the measures, then the likeliest results."""
    blocks = header(odds.battle, file, format_exactness(odds), format_policies(odds.policies))
    return [*blocks, *value_line(odds), *measure_tables(odds, everything), *result_table(odds, everything)]


def measures_shown(odds: Odds) -> list[tuple[Measure, Chances]]:
    """Every measure with its chances, without losses of a whole side that are the same as a single unit's."""
    every = [(measure, odds.distribution(measure)) for measure in odds.battle.system.measures(odds.battle.setup)]

    def is_repeated(measure: Measure, chances: Chances) -> bool:
        units = [other for unit, other in every if unit.role is measure.role and unit.side is not None]
        is_whole_side = measure.role is not None and measure.side is None
        return is_whole_side and any(is_alike(dict(chances), dict(other)) for other in units)

    return [pair for pair in every if not is_repeated(*pair)]


def measure_tables(odds: Odds, everything: bool = False) -> list[Block]:
    """A table of all yes-or-no measures, then one for every other uncertain measure, then one of what is certain."""
    sides = Sides(odds.battle)
    measures = measures_shown(odds)
    are_open = [(measure, chances) for measure, chances in measures if len(chances) > 1]
    events = [(measure, chances) for measure, chances in are_open if is_yes_or_no(chances)]
    tables: list[Block] = [yes_table(events, sides)] if events else []
    for measure, chances in are_open:
        if not is_yes_or_no(chances):
            colour = sides.colour(measure.side, measure.role)
            tables.append(distribution_table(chances, bold(measure.label), colour, everything))
    certain = [(measure.label, format_value(chances.values[0])) for measure, chances in measures if len(chances) == 1]
    title = "In every battle that was sampled" if is_sampled(odds) else "In every result"
    return [*tables, Table(text_columns("", ""), certain, bold(title))] if certain else tables


def yes_table(events: Sequence[tuple[Measure, Chances]], sides: Sides) -> Table:
    """The chance of yes for each of these measures."""
    rows: Rows = []
    for measure, chances in events:
        p, colour = chances.probability(True), sides.colour(measure.side, measure.role)
        rows.append((measure.label, chance_span(p), Bar(float(p), colour)))
    return Table([Column(), *number_columns(""), Column()], rows, bold("Chances"))


def distribution_table(chances: Chances, title: Inline, colour: str, everything: bool = False) -> Table:
    """Every value with its chance as a bar; of numbers also their mean and standard deviation."""
    rows: Rows = [
        (text, chance_span(p), *([chance_span(at_least)] if at_least is not None else []), Bar(float(p), colour))
        for text, p, at_least in chance_rows(chances, everything)
    ]
    if not is_numeric(chances):
        return Table([Column(), *number_columns(""), Column()], rows, title)
    mean = numbers.decimal(chances.mean)
    mean += f" = {numbers.fraction(chances.mean)}" if isinstance(chances.mean, Fraction) else ""
    about = f"average {mean}, standard deviation {numbers.decimal(chances.sd)}"
    return Table([*number_columns("", "exactly", "at least"), Column()], rows, title, about)


def chance_rows(chances: Chances, everything: bool = False) -> Iterator[tuple[str, Probability, Probability | None]]:
    """Each value as text, its chance, and for numbers the chance of at least that; unlikely ends are merged."""
    if not is_numeric(chances):
        yield from ((format_value(value), p, None) for value, p in likeliest_first(chances))
        return
    table = {int(value): p for value, p in chances}
    first, last = min(table), max(table)
    if len(table) > ROWS and not everything:
        likely = [value for value, p in table.items() if p >= UNLIKELY] or list(table)
        first, last = min(likely), max(likely)
    if first > min(table):
        yield f"≤ {format_value(first - 1)}", chances.cdf(first - 1), chances.at_least(min(table))
    for value in range(first, last + 1):
        yield format_value(value), chances.probability(value), chances.at_least(value)
    if last < max(table):
        yield f"≥ {format_value(last + 1)}", chances.at_least(last + 1), chances.at_least(last + 1)


def likeliest_first(chances: Chances) -> list[tuple[int | str | bool, Probability]]:
    """The values with their chances, the likeliest first."""
    return sorted(chances, key=lambda pair: descending_key(pair[1]))


def result_table(odds: Odds, everything: bool = False) -> list[Block]:
    """A table of the likeliest results with what differs between them; a turn may have too many to list."""
    if not odds.outcomes:
        return [Line(muted("There are too many different results to list them."), space=True)]
    results = [leaves(result.to_dict()) for _, result in odds.outcomes]
    if len(results) == 1:
        rows = [(head, results[0][path]) for path, head in headings(list(results[0])).items()]
        title = "The only result that was sampled" if is_sampled(odds) else "The only result"
        return [Table(text_columns("", ""), rows, bold(title))]
    listed = len(results) if everything else min(len(results), LIKELIEST)
    paths = varying_places(results)
    rest = sum(float(p) for p, _ in odds.outcomes[listed:])
    notes = [f"the others together {numbers.percent(rest)}"] if rest else []
    same = [path for path, value in results[0].items() if path not in paths and value != NOTHING]
    notes += [f"the same in all of them: {format_result(results[0], same)}"] if same else []
    listing: Rows = [
        (chance_span(p), *(result.get(path, NOTHING) for path in paths))
        for (p, _), result in zip(odds.outcomes[:listed], results, strict=False)
    ]
    title = "All results" if listed == len(results) else f"The likeliest {listed} of {len(results):,} results"
    title = f"{title} that were sampled" if is_sampled(odds) else title
    columns = [*number_columns("chance"), *text_columns(*headings(paths).values())]
    return [Table(columns, listing, bold(title), notes=notes, hint="--all lists every result" if rest else "")]


def brief_table(odds: Odds) -> Table:
    """Every measure in one number."""
    measures = measures_shown(odds)
    rows: Rows = [
        (measure.label, format_brief(chances), muted("on average" if is_numeric(chances) else ""))
        for measure, chances in measures
    ]
    return Table([Column(), *number_columns(""), Column()], rows, bold("Odds in short"))


def format_brief(chances: Chances) -> str:
    """A measure in one number: the average, the chance of a yes, or the likeliest value with its chance."""
    if is_numeric(chances):
        return numbers.decimal(chances.mean)
    if is_yes_or_no(chances):
        return numbers.percent(chances.probability(True))
    value, p = likeliest_first(chances)[0]
    return f"{format_value(value)} {numbers.percent(p)}"
