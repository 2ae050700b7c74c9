"""Luck on a terminal: from the value at the start, roll by roll and decision by decision, to the result."""

from itertools import groupby

from rich.console import Console
from rich.table import Table
from rich.text import Text

from grognard.cli import numbers
from grognard.cli.look import BEST, MUTED, NARROW, SIDES, grid, headed, indented, ink, title
from grognard.cli.show_compare import decided, favouring
from grognard.cli.show_end import chance_of, show_result
from grognard.cli.show_odds import how_known, is_fractional
from grognard.cli.show_play import shown
from grognard.cli.sides import role_of
from grognard.core.numbers import is_nothing
from grognard.core.systems import Battle, Role
from grognard.solver.luck import Decided, Luck, Throw, Thrown
from grognard.solver.percentiles import Standing


def show_luck(console: Console, found: Luck, log: str) -> None:
    """The sum, the steps, and where the result lies in the odds."""
    odds = found.odds
    title(console, odds.battle, log, how_known(odds), decided(odds))
    console.print(ink(f"{odds.objective}: {odds.aims.objective.says}; every number is the attacker's", MUTED))
    console.print()
    console.print(the_sum(found))
    console.print()
    console.print(ink("Step by step", "bold"))
    console.print(indented(steps(console, found)))
    told = "behind a die: what it gained against being thrown again alone, the others left as they fell"
    console.print(indented(ink(told, MUTED)))
    show_result(console, found.result.to_dict())
    console.print()
    console.print(ink(chance_of(odds, found.result)))
    console.print()
    console.print(ink("Where it lies in the odds that held at the start", "bold"))
    show_standings(console, found)


def the_sum(found: Luck) -> Table:
    """Start, luck, decisions, result."""
    exactly = is_fractional(found.odds)
    table = grid("left", "right", "left", *["left"] * exactly)
    lost = [(side, found.lost_by(side)) for side in Role]
    about = [f"{side} lost {numbers.plain(amount)}" for side, amount in lost if not is_nothing(amount)]
    rows = [
        ("at the start", found.start, "what both sides could expect"),
        ("luck", found.rolled, favoured(found)),
        ("decisions", found.decided, "by choosing less than the best: " + (", ".join(about) or "nobody lost anything")),
    ]
    for name, number, note in rows:
        told = [ink(f"= {numbers.fraction(number)}", MUTED)] if exactly else []
        value = favouring(number, numbers.signed) if name != "at the start" else ink(numbers.signed(number))
        table.add_row(ink(name), value, *told, ink(note, MUTED))
    table.add_row(ink("result", "bold"), ink(numbers.whole(found.worth), "bold"), *[""] * exactly, "")
    return table


def favoured(found: Luck) -> str:
    """Whom the dice favoured."""
    if is_nothing(found.rolled):
        return "the dice favoured nobody"
    return f"the dice favoured the {'attacker' if found.rolled > 0 else 'defender'}"


def steps(console: Console, found: Luck) -> Table:
    """One row a roll or decision: its paragraph, what it was, what it changed."""
    is_narrow = console.width < NARROW
    table = headed(*[("", "left")] * (not is_narrow), ("", "left"), ("gained", "right"), ("value", "right"))
    for step in found.steps:
        told = thrown(found.odds.battle, step) if isinstance(step, Throw) else chosen(step)
        rule = [] if is_narrow else [ink(step.rule, MUTED)]
        table.add_row(*rule, told, favouring(step.gained, numbers.signed), ink(numbers.signed(step.after)))
    if not is_narrow:
        table.columns[0].max_width = 16
    return table


def thrown(battle: Battle, step: Throw) -> Text:
    """The dice of each pool, each with what it gained against being thrown again."""
    lines = []
    for (by, die), dice in groupby(step.dice, key=lambda one: (one.by, one.die)):
        who = ink(by, SIDES[str(role_of(battle, by))]) if by else ink("")
        lines.append(Text.assemble(who, " " if by else "", ink(die, MUTED), "  ", *spread([*dice])))
    return Text("\n").join(lines)


def spread(dice: list[Thrown]) -> list[Text]:
    """The dice that mattered with what they gained, then the others."""
    mattered = [one for one in dice if not is_nothing(one.gained)]
    mattered.sort(key=lambda one: abs(float(one.gained)), reverse=True)
    others = [one for one in dice if is_nothing(one.gained)]
    parts = []
    for one in mattered:
        parts += [ink(f"[{shown(one.face)}]"), favouring(one.gained, short), ink(" ")]
    parts += [ink(" ".join(f"[{shown(one.face)}]" for one in others), MUTED)] if others else []
    return parts


def short(number: float) -> str:
    """A gain in two digits."""
    return f"{float(number):+.2f}".replace("-", "−")


def chosen(step: Decided) -> Text:
    """Who decided what, and whether that was the best."""
    said = Text.assemble(ink(step.by, SIDES[str(step.side)]), ink(f": {step.prompt} "), ink(step.taken, "bold"))
    if is_nothing(step.lost):
        return Text.assemble(said, ink(" (as good as any)" if step.taken != step.best else " (best)", BEST))
    return Text.assemble(said, ink(f" (best: {step.best}; lost {numbers.plain(step.lost)})", MUTED))


def show_standings(console: Console, found: Luck) -> None:
    """How likely less, the same and more were; and how much of the odds was worse for each side."""
    if console.width < NARROW:
        for place in found.standings:
            named = zip(("less", "the same", "more"), (place.less, place.same, place.more), strict=True)
            said = [f"{name} {numbers.percent(chance)}" for name, chance in named]
            said += [f"{side} {percentile(place, side)}" for side in Role]
            heading = ink(f"{place.name} {got(place)}", "bold")
            console.print(indented(Text.assemble(heading, ink(f": {', '.join(said)}"))))
    else:
        console.print(indented(standings(found)))
    told = "attacker, defender: of a hundred battles, so many are worse for that side; 50 is the middle"
    console.print(indented(ink(told, MUTED)))


def standings(found: Luck) -> Table:
    """A row for the objective and for each loss."""
    heads = ("", "", "less", "the same", "more", *map(str, Role))
    table = headed(*((head, "right" if place else "left") for place, head in enumerate(heads)))
    for place in found.standings:
        chances = [ink(numbers.percent(chance)) for chance in (place.less, place.same, place.more)]
        sides = [ink(percentile(place, side), SIDES[str(side)]) for side in Role]
        table.add_row(ink(place.name), ink(got(place), "bold"), *chances, *sides)
    return table


def got(place: Standing) -> str:
    """The number of the result."""
    return str(place.got) if place.loss_of else numbers.whole(place.got)


def percentile(place: Standing, side: Role) -> str:
    """How lucky a side was."""
    return f"{100 * float(place.luck_of(side)):.0f}"
