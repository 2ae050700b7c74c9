"""The decisions on the page: the first one with all its options, and those that come up on the way."""

from grognard.cli import numbers
from grognard.cli.show_advice import in_short, tells_apart
from grognard.core.numbers import is_nothing
from grognard.core.systems import Battle
from grognard.report.parts import Column, Html, joined, mark, note, section, table, tag, wide_table
from grognard.solver.advice import Advice
from grognard.solver.decisions import Asked, Course, Offered

LISTED = 8
"""So many decisions are told of."""
ANSWERS = 4
"""So many answers of each."""


def decisions(battle: Battle, advice: Advice, course: Course) -> Html:
    """What is to be decided, what is best, and what anything else costs."""
    if not course.asked:
        return section("Decisions", note("Nothing is decided in this battle: the dice alone have their say."))
    says = battle.system.objectives[advice.objective].says
    about = note(
        f"{advice.objective}: {says}. The attacker wants much of it, the defender little; ",
        "what an answer costs is what its own side loses by it, on average, against the best there is.",
    )
    first = [_first(battle, advice)] if advice.options else []
    return section("Decisions", about, *first, _on_the_way(course, advice))


def _first(battle: Battle, advice: Advice) -> Html:
    measures = [measure for measure in battle.system.measures(battle.setup) if tells_apart(advice, measure)]
    columns = [Column("option"), Column(advice.objective, is_number=True), *(Column(m.name) for m in measures)]
    rows = [
        (
            joined([option.label, tag("strong", "best", class_="best")], " ") if option.best else option.label,
            numbers.signed(option.value),
            *(in_short(option, measure).removeprefix(measure.name).lstrip(": ") for measure in measures),
        )
        for option in advice.options
    ]
    assert advice.by is not None
    who = joined(
        [mark(advice.by), f" {advice.player}: {advice.prompt} ", tag("span", f"[{advice.rule}]", class_="rule")]
    )
    return tag(
        "article", tag("h3", "First: ", who), wide_table("the options of the first decision", table(columns, rows))
    )


def _on_the_way(course: Course, advice: Advice) -> Html:
    asked = [one for one in course.asked if (one.by, one.prompt) != (advice.player, advice.prompt)]
    if not asked:
        return Html("")
    heading = tag("h3", "On the way") if advice.options else ""
    left = len(asked) - LISTED
    more = note(f"and {left} more that come up less often") if left > 0 else ""
    return joined([heading, tag("ul", *map(_told, asked[:LISTED]), class_="decisions"), more])


def _told(one: Asked) -> Html:
    """Who is asked what and how often; what is best, and what the other answers cost."""
    question = joined([mark(one.side), f"\u00a0{one.by}: {one.prompt} ", tag("span", f"[{one.rule}]", class_="rule")])
    return tag("li", tag("p", question), tag("p", _times(one)), tag("p", *_answers(one)))


def _times(one: Asked) -> str:
    if one.times > 1 + 1e-9:
        return f"asked {numbers.plain(one.times)} times"
    return "asked always" if one.times > 1 - 1e-9 else f"asked in {numbers.percent(one.times)}"


def _answers(one: Asked) -> list[object]:
    if is_nothing(one.stake):
        return ["any answer: they come to the same"]
    if any(option.offered < 1 - 1e-9 for option in one.options):
        worst = max(one.options, key=lambda option: option.cost)
        return [f"depends on what is offered · {worst.label} costs {_cost(worst)} on average"]
    first, *others = one.options
    said: list[object] = [tag("strong", first.label), " is best" + _how_often(first)]
    said += [f" · {option.label} costs {_cost(option)}" for option in others[:ANSWERS]]
    return [*said, " …"] if len(others) > ANSWERS else said


def _how_often(option: Offered) -> str:
    if option.best > 1 - 1e-9:
        return ""
    cost = "" if is_nothing(option.cost) else f", else costs {_cost(option)} on average"
    return f" in {numbers.percent(option.best)}{cost}"


def _cost(option: Offered) -> str:
    return "nothing" if is_nothing(option.cost) else numbers.signed(option.cost).lstrip("+")
