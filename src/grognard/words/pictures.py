"""Pictures for notebooks: plain HTML tables with bars; no script, no style sheet, nothing loaded.

Text has the notebook's own colour, and the few tones lie between those for light and for dark paper, so that a picture
can be read on either. Bars repeat what the numbers beside them say.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from html import escape

from grognard.core.distributions import Probability
from grognard.core.numbers import is_nothing
from grognard.core.systems import Role
from grognard.solver.advice import Advice
from grognard.solver.luck import Luck, Throw
from grognard.solver.odds import Odds
from grognard.solver.simulate import Sampled
from grognard.studies.compare import Comparison, Measured, Value
from grognard.studies.switches import Effect, Switches

ATTACKER, DEFENDER, BEST, PLAIN = "#d0533f", "#4a86c5", "#7f8f3a", "#8a887a"
SIDES = {"attacker": ATTACKER, "defender": DEFENDER, None: BEST}
ROWS = 16
"""A measure of more values leaves out the unlikely ones."""
UNLIKELY = 0.005
BAR = 10
"""The longest bar, in the width of letters."""
CELL = "padding:.1em .9em .1em 0;border:0;vertical-align:top"
NUMBER = f"{CELL};text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums"
WORDS = f"{CELL};text-align:left;font-weight:normal"

Chances = Mapping[Value, Probability]


def table_of_odds(odds: Odds) -> str:
    """What the battle is worth, and every measure that people ask about."""
    battle = odds.battle
    measures = [(measure, odds.measure(measure)) for measure in battle.system.measures(battle.setup)]
    open_ones = [_measure(m.name, chances, SIDES[m.role]) for m, chances in measures if len(chances) > 1]
    settled = [f"{m.name}: {_word(next(iter(chances)))}" for m, chances in measures if len(chances) == 1]
    return _page(_worth(odds), _side_by_side(open_ones), _note("in every result", settled))


def _measure(name: str, chances: Chances, colour: str) -> str:
    is_numeric = all(type(value) is int for value in chances)
    likely = {v: p for v, p in chances.items() if len(chances) <= ROWS or p >= UNLIKELY}
    most = max(map(float, chances.values())) if is_numeric else 1.0
    rows = []
    for value, chance in likely.items():
        at_least = [_number(_percent(_from(chances, value)))] if is_numeric else []
        bar = _cell(_bar(float(chance) / most, colour))
        rows.append([_head(_word(value)), _number(_percent(chance), chance), *at_least, bar])
    left_out = 1 - float(sum(likely.values()))
    if len(likely) < len(chances):
        rows.append([_head("others"), _number(_percent(left_out))])
    heads = ["", "exactly", "at least", ""] if is_numeric else ["", "chance", ""]
    mean = f", mean {float(sum(int(v) * p for v, p in chances.items())):.2f}" if is_numeric else ""
    return _table(name + mean, heads, rows)


def _from(chances: Chances, value: Value) -> float:
    return float(sum(p for other, p in chances.items() if int(other) >= int(value)))


def table_of_advice(advice: Advice) -> str:
    """The question, and every option with its value and what it leads to."""
    if not advice.options:
        return _page(f"<p>No decision: {escape(advice.prompt)}.</p>")
    first = advice.options[0].odds
    measures = first.battle.system.measures(first.battle.setup)
    told = [[_in_short(option.odds.measure(measure)) for option in advice.options] for measure in measures]
    shown = [place for place, values in enumerate(told) if len(set(values)) > 1]
    rows = [
        [
            _head(option.label + (" (best)" if option.best else ""), bold=option.best),
            _number(_signed(option.value), option.value),
            *(_number(told[place][number]) for place in shown),
        ]
        for number, option in enumerate(advice.options)
    ]
    by = f"{advice.player} ({advice.by}): {advice.prompt}"
    return _page(_table(by, ["", advice.objective, *(measures[place].name for place in shown)], rows))


def _in_short(chances: Chances) -> str:
    if all(type(value) is int for value in chances):
        return f"mean {float(sum(int(value) * p for value, p in chances.items())):.2f}"
    likeliest = next(iter(chances))
    return f"{_word(likeliest)} {_percent(chances[likeliest])}"


def table_of_comparison(found: Comparison) -> str:
    """The value of each case and its change, then the measures that change."""
    rows = [
        [
            _head(case.name + ("" if place else " (as it is)" if found.switch else " (the first)"), bold=not place),
            _number(_signed(case.odds.value), case.odds.value),
            _change(found.change(case)) if place else _cell(""),
            _number(_percent(found.moved(case))) if place and found.switch else _cell(""),
        ]
        for place, case in enumerate(found.cases)
    ]
    heads = ["", found.base.objective, "change", "odds that move" if found.switch else ""]
    changing = [_compared(found, measured) for measured in found.measures if not is_nothing(measured.change)]
    nothing = "This switch changes nothing here." if found.switch else "These battles have the same odds."
    return _page(
        _table(found.switch or "battles side by side", heads, rows),
        _note("not among them", [f"{one.name}: {one.why}" for one in found.refused]),
        f"<p>{nothing}</p>" if found.changes_nothing else _side_by_side(changing),
    )


def _compared(found: Comparison, measured: Measured) -> str:
    rows = []
    for row in measured.rows:
        if len(measured.rows) <= ROWS or any((chance or 0) >= UNLIKELY for chance in row.chances):
            cells = zip(row.chances, (None, *row.changes[1:]), strict=True)
            rows.append([_head(_word(row.what)), *(_compared_chance(*cell, SIDES[measured.side]) for cell in cells)])
    if measured.means:
        rows.append(
            [_head("mean"), *(_number("–" if mean is None else f"{float(mean):.2f}") for mean in measured.means)]
        )
    return _table(measured.name, ["", *(case.name for case in found.cases)], rows)


def _compared_chance(chance: Probability | None, change: Probability | None, colour: str) -> str:
    """A chance, by how many percentage points it changes, and a bar."""
    if chance is None:
        return _number("–")
    points = "" if change is None else "·" if is_nothing(change) else f"{100 * float(change):+.2f}".replace("-", "−")
    return _number(f"{_percent(chance)} {points}".rstrip(), chance, _bar(float(chance) / 2, colour))


def table_of_switches(found: Switches) -> str:
    """Every value of a switch that changes anything, the largest change first."""
    effects = found.effects
    most = max((abs(float(effect.change)) for effect in effects), default=0) or 1
    rows = [_effect(effect, most) for effect in effects]
    heads = ["", "change", "", "odds that move", "what moves most"]
    return _page(
        _worth(found.base),
        _table("switches that matter", heads, rows) if rows else "",
        _note("changes nothing here", found.nothing),
        _note("cannot be turned here", [f"{switch} = {one.name}: {one.why}" for switch, one in found.refused]),
    )


def _effect(effect: Effect, most: float) -> list[str]:
    moved = effect.most
    told = f"{moved.measure} {_word(moved.value)}: {_percent(moved.before)} → {_percent(moved.after)}" if moved else ""
    return [
        _head(f"{effect.switch} = {effect.case.name}"),
        _change(effect.change),
        _cell(_bar(abs(float(effect.change)) / most, ATTACKER if effect.change > 0 else DEFENDER)),
        _number(_percent(effect.moved)),
        _head(told),
    ]


def table_of_luck(found: Luck) -> str:
    """From the value at the start to the result, step by step; then where the result lies in the odds."""
    steps = []
    for step in found.steps:
        if isinstance(step, Throw):
            said = ", ".join(f"{die.face if die.face != '' else '–'}" for die in step.dice)
        else:
            lost = "" if is_nothing(step.lost) else f" (best: {step.best})"
            said = f"{step.by}: {step.prompt} {step.taken}{lost}"
        steps.append([_head(step.rule), _head(said), _change(step.gained), _number(_signed(step.after), step.after)])
    steps = [
        [_cell(""), _head("at the start"), _cell(""), _number(_signed(found.start), found.start)],
        *steps,
        [_cell(""), _head("luck, all rolls together", bold=True), _change(found.rolled), _cell("")],
        [_cell(""), _head("decisions, all together", bold=True), _change(found.decided), _cell("")],
    ]
    standings = [
        [
            _head(f"{place.name} {place.got}"),
            *(_number(_percent(chance)) for chance in (place.less, place.same, place.more)),
            *(_number(f"{100 * float(place.luck_of(side)):.0f}") for side in Role),
        ]
        for place in found.standings
    ]
    heads = ["", "less", "the same", "more", *(f"{side}’s percentile" for side in Role)]
    return _page(
        _table(f"luck and decisions: {found.odds.objective}", ["", "", "gained", "value"], steps),
        _table("where the result lies in the odds at the start", heads, standings),
    )


def _worth(odds: Odds) -> str:
    title, objective = escape(odds.battle.system.title), escape(odds.objective)
    sides = ", ".join(f"{side} {policy}" for side, policy in odds.policies.items())
    known = "exact"
    if isinstance(odds, Sampled):
        errors = f"{odds.value_error:.4f} and up to {_percent(odds.error(0.5))}"
        known = f"sampled: {odds.walks:,} battles, standard errors {errors}"
    return f"<p><b>{title}</b> · {objective} <b>{_signed(odds.value)}</b> · {escape(sides)} · {known}</p>"


def _page(*parts: str) -> str:
    return f'<div style="line-height:1.4">{"".join(parts)}</div>'


def _side_by_side(tables: Iterable[str]) -> str:
    return f'<div style="display:flex;flex-wrap:wrap;gap:.4em 2.5em;align-items:flex-start">{"".join(tables)}</div>'


def _note(name: str, said: Sequence[str]) -> str:
    return f"<p>{escape(name)}: {escape(' · '.join(said))}</p>" if said else ""


def _table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table with its caption as heading; empty headings are cells, not headers."""
    said = "".join(
        f'<th scope="col" style="{NUMBER};opacity:.75;font-weight:normal">{escape(head)}</th>'
        if head
        else f'<td style="{CELL}"></td>'
        for head in heads
    )
    top = (
        f'<caption style="caption-side:top;text-align:left;font-weight:bold;color:inherit">{escape(caption)}</caption>'
    )
    body = "".join(f"<tr>{''.join(cells)}</tr>" for cells in rows)
    style = "border-collapse:collapse;margin:.5em 0;border:0"
    return f'<table style="{style}">{top}<thead><tr>{said}</tr></thead><tbody>{body}</tbody></table>'


def _head(text: str, bold: bool = False) -> str:
    weight = "font-weight:bold" if bold else "font-weight:normal"
    return f'<th scope="row" style="{WORDS};{weight}">{escape(text)}</th>'


def _number(text: str, exactly: Probability | None = None, after: str = "") -> str:
    title = f' title="{exactly}"' if isinstance(exactly, Fraction) else ""
    return f'<td style="{NUMBER}"{title}>{escape(text)}{after}</td>'


def _cell(html: str) -> str:
    return f'<td style="{CELL};text-align:left">{html}</td>'


def _bar(share: float, colour: str) -> str:
    return (
        f'<div style="background:{colour};height:.7em;margin:.3em 0;width:{share * BAR:.2f}em"></div>' if share else ""
    )


def _change(change: Probability) -> str:
    return _number("0" if is_nothing(change) else _signed(change), change)


def _percent(chance: Probability) -> str:
    return f"{100 * float(chance):.2f} %"


def _signed(number: Probability) -> str:
    return f"{float(number):+.4f}".replace("-", "−") if round(float(number), 4) else "0"


def _word(value: Value) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
