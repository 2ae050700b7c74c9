"""Advice on a terminal: the question, every option, what it is worth and what it leads to."""

from rich.console import Console
from rich.text import Text

from grognard.cli import numbers
from grognard.cli.look import BEST, MUTED, SIDES, grid, indented, ink, title
from grognard.core.systems import Battle, Measure
from grognard.solver.advice import Advice, Advised


def show_advice(console: Console, battle: Battle, advice: Advice, file: str) -> None:
    """The decision that is due, or what else is."""
    title(console, battle, file, "exact")
    console.print()
    if advice.by is None:
        console.print(ink(f"No decision: {advice.prompt}."))
        if advice.rule is not None:
            console.print(ink("Give the dice with --script to get further in.", MUTED))
        return
    who = ink(f"{advice.player} ({advice.by})", SIDES[str(advice.by)])
    console.print(Text.assemble(who, ink(f": {advice.prompt}", "bold"), ink(f"  {advice.rule}", MUTED)))
    show_options(console, battle, advice)


def show_options(console: Console, battle: Battle, advice: Advice) -> None:
    """Every option with its value, and in what else the options differ."""
    measures = [measure for measure in battle.system.measures(battle.setup) if tells_apart(advice, measure)]
    table = grid("left", "right", "left")
    for option in advice.options:
        mark = ink("best" if option.best else "", BEST)
        style = f"bold {BEST}" if option.best else "bold"
        table.add_row(mark, ink(numbers.signed(option.value), style), about(option, measures))
    console.print(indented(table))
    wanted = "much" if advice.by == "attacker" else "little"
    says = battle.system.objectives[advice.objective].says
    console.print(indented(ink(f"{advice.objective}: {says}. The {advice.by} wants {wanted} of it.", MUTED)))


def about(option: Advised, measures: list[Measure]) -> Text:
    """What the option is, and what it leads to."""
    lines = [ink(option.label)]
    if option.id != option.label:
        lines[0].append_text(ink(f" ({option.id})", MUTED))
    if not isinstance(option.value, float):
        lines.append(ink(f"= {numbers.fraction(option.value)}", MUTED))
    if measures:
        lines.append(ink(" · ".join(in_short(option, measure) for measure in measures), MUTED))
    return Text("\n").join(lines)


def tells_apart(advice: Advice, measure: Measure) -> bool:
    """Whether the options differ in a measure."""
    return len({in_short(option, measure) for option in advice.options}) > 1


def in_short(option: Advised, measure: Measure) -> str:
    """A measure's mean, or its likeliest value with its chance."""
    chances = option.odds.measure(measure)
    if numbers.is_numeric(chances):
        mean, _ = numbers.mean_and_deviation({int(value): chance for value, chance in chances.items()})
        return f"{measure.name} {numbers.plain(mean)}"
    likeliest = next(iter(chances))
    return f"{measure.name}: {numbers.word(likeliest)} {numbers.percent(chances[likeliest])}"
