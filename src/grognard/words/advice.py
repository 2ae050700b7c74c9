"""Advice, the decisions ahead and luck, as blocks of plain data."""

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from grognard.core.distributions import Probability
from grognard.core.numbers import is_zero
from grognard.core.systems import Battle, Json, Role
from grognard.words import numbers
from grognard.words.blocks import (
    BEST,
    MUTED,
    Block,
    Column,
    Inline,
    Line,
    Span,
    Table,
    bold,
    join_inline,
    muted,
    number_columns,
    plain_text,
    text_columns,
)
from grognard.words.colours import Sides
from grognard.words.results import result_tables
from grognard.words.summaries import (
    Rows,
    brief_table,
    chance_span,
    change_span,
    format_brief,
    format_exactness,
    format_objective,
    format_policies,
    header,
    measures_shown,
    objective_label,
    value_line,
    value_span,
)

if TYPE_CHECKING:
    from grognard.core.systems import Result
    from grognard.solver.luck import DecisionLuck, DieLuck, Luck, RollLuck
    from grognard.solver.odds import Odds
    from grognard.solver.plans import PlanStep, TurnPlan
    from grognard.solver.solution import Advice, DecisionSummary, OptionAdvice, OptionSummary, Solution

ANSWERS = 4
"""The plan lists at most this many answers of a decision."""
CERTAIN = 1 - 1e-9


def advice_page(advice: "Advice", file: str) -> list[Block]:
    """The next decision with its options; before a roll or at the end, the odds and the first decision ahead."""
    odds = advice.odds
    return [*header(odds.battle, file, format_exactness(odds), format_policies(odds.policies)), *advice_blocks(advice)]


def advice_blocks(advice: "Advice") -> list[Block]:
    """The options of the next decision; before a roll or at the end, the odds and the first decision ahead."""
    if advice.options:
        return [options_table(advice)]
    battle = advice.odds.battle
    where = muted(f"  [{advice.rule}]") if advice.rule else ""
    blocks: list[Block] = [Line((bold("No decision now: "), advice.prompt, where), space=True)]
    blocks += [*value_line(advice.odds), brief_table(advice.odds)]
    if advice.rule is None:
        return blocks
    if advice.ahead:
        return [*blocks, plan_table(advice.ahead[:1], battle, "The first decision that may come")]
    return [*blocks, Line("No decision follows: the rest is up to the dice.", space=True)]


def options_table(advice: "Advice") -> Table:
    """Every option with its value, how much worse it is than the best, and the measures that differ between options."""
    battle = advice.odds.battle
    who = Sides(battle).name(str(advice.side), advice.by)
    shown = {measure.name for option in advice.options for measure, _ in measures_shown(option.odds)}
    measures = [
        measure
        for measure in battle.system.measures(battle.setup)
        if measure.name in shown
        and len({format_brief(option.odds.distribution(measure)) for option in advice.options}) > 1
    ]
    rows: Rows = [
        (
            option.label if option.id == option.label else (option.label, muted(f" ({option.id})")),
            format_comparison(option, advice),
            value_span(option.value, strong=True),
            *(format_brief(option.odds.distribution(measure)) for measure in measures),
        )
        for option in advice.options
    ]
    columns = [*text_columns("", ""), *number_columns(objective_label(advice.objective))]
    columns += number_columns(*(measure.label for measure in measures))
    better = "Higher" if advice.by == Role.ATTACKER else "Lower"
    note = f"{format_objective(advice.odds)}. {better} is better for {who.text}."
    title = (who, f" ({advice.by}): ", bold(advice.prompt), muted(f"  [{advice.rule}]"))
    return Table(columns, rows, title, notes=[note])


def format_comparison(option: "OptionAdvice", advice: "Advice") -> Span:
    """`best`, `equal` where several are best, or by how much an option is worse."""
    if option.best:
        return Span("best", BEST)
    if is_zero(option.regret):
        return Span("equal" if all(is_zero(other.regret) for other in advice.options) else "equal best", BEST)
    return muted(_worse(option.regret))


def _worse(regret: Probability) -> str:
    if is_zero(regret):
        return "equal"
    return f"{numbers.decimal(regret) if regret >= 0.005 else '<0.01'} worse"


def plan_table(decisions: "Sequence[DecisionSummary]", battle: Battle, title: str = "Decisions ahead") -> Table:
    """Decisions that may come: who is asked what, how often, what is best, and how much worse the others are."""
    sides = Sides(battle)
    rows: Rows = [
        (
            (
                sides.name(decision.side, decision.role),
                f": {decision.prompt} ",
                muted(f"[{decision.rule}]"),
            ),
            format_frequency(decision),
            format_answers(decision),
        )
        for decision in decisions
    ]
    return Table(text_columns("decision", "asked", "answer"), rows, bold(title))


def format_frequency(decision: "DecisionSummary") -> str:
    """`always`, `in 37.49 %`, `2.40 times`."""
    if decision.times > 1 + 1e-9:
        return f"{numbers.decimal(decision.times)} times"
    return "always" if decision.times > CERTAIN else f"in {numbers.percent(decision.times)}"


def format_answers(decision: "DecisionSummary") -> Inline:
    """The answers to a decision: the best one first, then by how much each other one is worse on average."""
    if is_zero(decision.stake):
        return "all options are equal"
    if any(option.offered < CERTAIN for option in decision.options):
        worst = max(decision.options, key=lambda option: option.regret)
        return f"depends on what is offered · {worst.label}: {_worse(worst.regret)} on average"
    first, *others = decision.options
    listed: list[Inline] = [_format_best(first)]
    listed += [f"{option.label}: {_worse(option.regret)}" for option in others[:ANSWERS]]
    return join_inline([*listed, "…"] if len(others) > ANSWERS else listed)


def _format_best(option: "OptionSummary") -> Inline:
    often = "" if option.best > CERTAIN else f" in {numbers.percent(option.best)}"
    if often and not is_zero(option.regret):
        often += f", else {_worse(option.regret)} on average"
    return (bold(option.label), f" is best{often}")


def plan_to_dict(solution: "Solution") -> Json | list[Json]:
    """All decisions ahead as JSON; of a turn, its plan."""
    if not solution.battle.is_turn:
        return [decision.to_dict() for decision in solution.decisions]
    from grognard.solver.plans import plan_turn

    return plan_turn(solution.battle, solution.assumptions).to_dict()


def plan_page(solution: "Solution", file: str) -> list[Block]:
    """All decisions ahead, in short; of a turn, what to do after which results."""
    odds = solution.odds
    blocks = header(odds.battle, file, format_exactness(odds), format_policies(odds.policies))
    if odds.battle.is_turn:
        from grognard.solver.plans import plan_turn

        return [*blocks, *plan_blocks(plan_turn(odds.battle, odds.assumptions))]
    if not solution.decisions:
        return [*blocks, *value_line(odds), Line("There is nothing to decide: it is up to the dice.", space=True)]
    return [*blocks, *value_line(odds), plan_table(solution.decisions, odds.battle)]


def plan_blocks(plan: "TurnPlan") -> list[Block]:
    """The plan of a turn: the attacks and what follows their results, and the values of simpler ways to play it."""
    first, *others = _plan_values(plan)
    rows: Rows = [(bold(first[0]), value_span(first[1], strong=True), "")]
    rows += [(name, value_span(value), muted(note)) for name, value, note in others]
    objective = objective_label(plan.assumptions.objective_name)
    table = Table([Column(), *number_columns(objective), Column()], rows, bold("What the turn is worth"))
    return [table, *_plan_lines(plan)]


def plan_texts(plan: "TurnPlan") -> Json:
    """The plan of a turn as text for the page: its values with names and notes, and its lines with their depth."""
    return {
        "values": [[name, numbers.signed(value), note] for name, value, note in _plan_values(plan)],
        "lines": [[line.indent // 2, plain_text(line.text)] for line in _plan_lines(plan)],
    }


def _plan_values(plan: "TurnPlan") -> list[tuple[str, Probability, str]]:
    """The values of the plan and of simpler ways to play the turn, with names and notes."""
    tried = "best fixed order" if plan.is_exhaustive else "best fixed order that was tried"
    return [
        ("this plan", plan.value, ""),
        (tried, plan.order_value, ", then ".join(plan.order) or "no attack"),
        ("greedy", plan.greedy_value, "the best attack by itself each time"),
        ("no further attack", plan.stop_value, ""),
    ]


def _plan_lines(plan: "TurnPlan") -> list[Line]:
    return [Line((bold("Plan"), ": ", *_format_step(plan.first)), space=True), *_branch_lines(plan.first, 1)]


def _format_step(step: "PlanStep | None", is_cut: bool = False) -> tuple[Inline, ...]:
    if not step:
        return ("end the turn",)
    return (bold(step.attack), ", then plan again") if is_cut else (bold(step.attack),)


def _branch_lines(step: "PlanStep | None", depth: int) -> list[Line]:
    """What follows each result of an attack; the last line is for all other results, or for the first branch."""
    from grognard.solver.conditions import ANYTHING_ELSE

    if not step or not step.branches:
        return []
    rest = next((branch for branch in step.branches if ANYTHING_ELSE in branch.conditions), step.branches[0])
    named = [branch for branch in step.branches if branch is not rest]
    lines: list[Line] = []
    for branch in (*named, rest):
        case = "otherwise" if branch is rest else f"if {' and '.join(branch.conditions) or 'something happens'}"
        when = (case, muted(f" ({numbers.percent(branch.probability)})"), ": ") if named else ("then: ",)
        lines.append(Line((*when, *_format_step(branch.next, branch.is_cut)), indent=2 * depth))
        lines += _branch_lines(branch.next, depth + 1)
    return lines


def luck_lines(luck: "Luck") -> list[Block]:
    """At the end of a play: how likely the result was, and how much better and worse it could have been."""
    objective = luck.percentiles[0]
    better, worse = numbers.percent(objective.more), numbers.percent(objective.less)
    value = f"{objective_label(objective.name)} {numbers.signed_whole(objective.value)}"
    text = f"{value}: the attacker does better in {better} of battles, worse in {worse}."
    policies = format_policies(luck.odds.policies)
    return [Line(format_chance(luck), space=True), Line(text), Line(muted(f"exact, {policies}"))]


def luck_page(luck: "Luck", file: str) -> list[Block]:
    """The total, the steps, and where the result lies in the odds."""
    odds = luck.odds
    about = f"{format_objective(odds)}; all values are the attacker's"
    return [
        *header(odds.battle, file, format_exactness(odds), format_policies(odds.policies)),
        Line(muted(about)),
        *luck_tables(luck),
        *result_tables(luck.result.to_dict()),
        Line(format_chance(luck), space=True),
        percentile_table(luck),
    ]


def luck_tables(luck: "Luck") -> list[Block]:
    """Start, luck, decisions and result; then every step."""
    sides = Sides(luck.odds.battle)
    lost = [f"{role} lost {numbers.decimal(amount)}" for role in Role if not is_zero(amount := luck.regret(role))]
    favoured = "neither side" if is_zero(luck.luck) else "the attacker" if luck.luck > 0 else "the defender"
    about = {
        "at the start": (luck.start, "the value before the first die"),
        "luck": (luck.luck, f"the dice favoured {favoured}"),
        "decisions": (luck.decision_gain, f"not choosing the best: {', '.join(lost) or 'no side lost anything'}"),
    }
    rows: Rows = [
        (
            name,
            value_span(number) if name == "at the start" else change_span(number, sides),
            muted(note),
        )
        for name, (number, note) in about.items()
    ]
    rows.append((bold("result"), bold(numbers.signed_whole(luck.result_value)), ""))
    columns = [Column(), *number_columns(""), Column()]
    return [Table(columns, rows, bold("From the start to the result")), _step_table(luck, sides)]


def _step_table(luck: "Luck", sides: Sides) -> Table:
    from grognard.solver.luck import RollLuck

    rows: Rows = []
    for step in luck.steps:
        what = _roll(step, sides) if isinstance(step, RollLuck) else _decision(step, sides)
        rows.append((what, change_span(step.gain, sides), value_span(step.after)))
    note = "after a die: its gain over the average of rolling that die alone again"
    return Table([Column(), *number_columns("gained", "value")], rows, bold("Step by step"), notes=[note])


def _roll(step: "RollLuck", sides: Sides) -> Inline:
    """The dice of each pool with what each gained, the largest gain or loss first."""
    lines: list[Inline] = [(step.purpose or "Roll", muted(f"  [{step.rule}]"))]
    for (by, side, die), dice in groupby(step.dice, key=lambda rolled: (rolled.by, rolled.side, rolled.die)):
        who = (Span(by, sides.colour(side)), " ") if by else ""
        lines.append((who, muted(f"{die}  "), *_dice([*dice], sides)))
    return join_inline(lines, "\n")


def _dice(dice: "list[DieLuck]", sides: Sides) -> list[Inline]:
    ordered = sorted(dice, key=lambda die: -abs(float(die.gain)))
    parts: list[Inline] = []
    for die in ordered:
        if not is_zero(die.gain):
            gain = f"{float(die.gain):+.2f}".replace("-", "−")
            parts += [f"[{format_face(die.face)}]", change_span(die.gain, sides, gain), " "]
    others = " ".join(f"[{format_face(die.face)}]" for die in ordered if is_zero(die.gain))
    return [*parts, muted(others)]


def _decision(step: "DecisionLuck", sides: Sides) -> Inline:
    note = "best" if step.taken == step.best else "equal to the best"
    if not is_zero(step.regret):
        note = f"{_worse(step.regret)} than {step.best}"
    who = sides.name(step.side, step.role)
    about = Span(f" ({note})", BEST if is_zero(step.regret) else MUTED)
    return (who, f": {step.prompt} ", bold(step.taken), about, muted(f"  [{step.rule}]"))


def format_face(face: object) -> str:
    """A face of a die; a blank is a dash."""
    return "–" if face == "" else str(face)


def format_chance(luck: "Luck") -> str:
    """How likely the result was, and its rank; under the decisions that were made, if they were not the best."""
    best, chosen = (_format_rank(odds, luck.result) for odds in (luck.odds, luck.chosen_odds))
    if not luck.left_best_line and best:
        return f"This result: {best}."
    return f"You left the best line; compared with what you chose, this result had {chosen}."


def _format_rank(odds: "Odds", result: "Result") -> str:
    for place, (p, other) in enumerate(odds.outcomes, 1):
        if other == result:
            rank = "the likeliest" if place == 1 else f"the {numbers.ordinal(place)} likeliest"
            return f"{numbers.percent(p)}, {rank} of {len(odds.outcomes):,}"
    return ""


def percentile_table(luck: "Luck") -> Table:
    """Where the result lies in the odds at the start: by the objective, then by each loss."""
    sides = Sides(luck.odds.battle)
    shown = {measure.name for measure, _ in measures_shown(luck.chosen_odds)}
    rows: Rows = [
        (
            percentile.label if percentile.loser else objective_label(percentile.name),
            bold(str(percentile.value) if percentile.loser else numbers.signed_whole(percentile.value)),
            *(chance_span(p) for p in (percentile.less, percentile.same, percentile.more)),
            *(Span(f"{100 * float(percentile.luck_of(role)):.0f}", sides.colour_of(role)) for role in Role),
        )
        for percentile in luck.percentiles
        if percentile.loser is None or percentile.name in shown
    ]
    columns = [Column(), *number_columns("", "less", "the same", "more", *map(str, Role))]
    note = "attacker, defender: of a hundred battles, how many are worse for that side; 50 is the middle"
    return Table(columns, rows, bold("Where the result lies in the odds at the start"), notes=[note])
