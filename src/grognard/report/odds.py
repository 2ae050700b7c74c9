"""The odds on the page: a few numbers large, every measure as a chart and a table, the likeliest results."""

from grognard.cli import numbers
from grognard.cli.results import headings, in_a_line, leaves, varying
from grognard.cli.show_odds import LIKELIEST, Chances, named_rows, numeric_rows, spread
from grognard.core.systems import Measure
from grognard.report import charts
from grognard.report.parts import Column, Html, joined, note, section, small_table, table, tag, wide_table
from grognard.solver.odds import Odds

LARGE = 4
"""So many numbers are large."""


def large_numbers(odds: Odds) -> Html:
    """What the battle is worth, and what people ask about first."""
    measures = [(m, odds.measure(m)) for m in odds.battle.system.measures(odds.battle.setup)]
    measures.sort(key=lambda pair: len(pair[1]) == 1)  # what is settled is not asked about first
    shown = [_large(f"{float(odds.value):+.2f}".replace("-", "−"), odds.objective, None)]
    shown += [_large(*_in_a_number(chances, m.name), m.role) for m, chances in measures[: LARGE - 1]]
    return tag("dl", *shown, class_="large")


def _large(number: str, name: str, side: str | None) -> Html:
    return tag("div", tag("dt", name), tag("dd", number), class_=side or "neither")


def _in_a_number(chances: Chances, name: str) -> tuple[str, str]:
    """The mean of numbers, the chance of a yes, or the likeliest of names."""
    if numbers.is_numeric(chances):
        mean, _ = numbers.mean_and_deviation({int(value): chance for value, chance in chances.items()})
        return numbers.plain(mean), f"{name}, mean"
    if set(chances) <= {True, False}:
        return numbers.percent(chances.get(True, 0.0)), name
    likeliest = next(iter(chances))
    return numbers.percent(chances[likeliest]), f"{name} {likeliest}"


def odds_section(odds: Odds) -> Html:
    """Every measure that is open, what is the same in every result, and the results."""
    measures = [(m, odds.measure(m)) for m in odds.battle.system.measures(odds.battle.setup)]
    open_ones = [_measure(odds, m, chances) for m, chances in measures if len(chances) > 1]
    settled = [f"{m.name}: {numbers.word(next(iter(chances)))}" for m, chances in measures if len(chances) == 1]
    same = note("In every result: ", " · ".join(settled)) if settled else ""
    return section("Odds", tag("div", *open_ones, class_="measures"), same, _likeliest(odds))


def _measure(odds: Odds, measure: Measure, chances: Chances) -> Html:
    if not numbers.is_numeric(chances):
        named = [
            (label, numbers.percent(chance), charts.bar(float(chance), measure.role))
            for label, chance, _ in named_rows(chances)
        ]
        heads = [Column(""), Column("chance", is_number=True), Column("")]
        return tag("article", tag("h3", measure.name), small_table(heads, named))
    rows = list(numeric_rows(chances, everything=False))
    bars = [(label, float(chance), f"{100 * float(chance):.1f}") for label, chance, _ in rows]
    drawn = charts.columns(f"{measure.name}: chance of each value in %", bars, measure.role)
    told = [(label, numbers.percent(p), numbers.percent(at_least or 0.0)) for label, p, at_least in rows]
    heads = [Column(""), Column("exactly", is_number=True), Column("at least", is_number=True)]
    return tag(
        "article",
        tag("h3", measure.name),
        note(spread(odds, chances)),
        tag("div", drawn, class_="drawn"),
        small_table(heads, told),
    )


def _likeliest(odds: Odds) -> Html:
    results = [leaves(result.to_dict()) for _, result in odds.outcomes]
    listed = min(len(results), LIKELIEST)
    paths = varying(results) or list(results[0])
    heads = headings(paths)
    caption = "All results" if listed == len(results) else f"The likeliest {listed} of {len(results):,} results"
    columns = [Column("chance", is_number=True), *(Column(heads[path]) for path in paths)]
    rows = [
        (numbers.percent(chance), *(result.get(path, "–") for path in paths))
        for (chance, _), result in zip(odds.outcomes[:listed], results, strict=False)
    ]
    same = [path for path in results[0] if path not in paths]
    return joined(
        [
            wide_table(caption, table(columns, rows, caption)),
            note("In all of them: ", in_a_line(results[0], same)) if same else "",
        ]
    )
