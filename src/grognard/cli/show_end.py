"""The end of a play: what is left, and how likely that was."""

from rich.console import Console

from grognard.cli import numbers
from grognard.cli.look import MUTED, grid, headed, indented, ink
from grognard.cli.results import in_a_word
from grognard.core.errors import TooLarge
from grognard.core.systems import Json, Result
from grognard.plays.play import Play
from grognard.solver.odds import Odds, odds

POSITIONS = 50_000
"""A play is not worth the wait for larger odds than that."""


def show_result(console: Console, result: Json) -> None:
    """What is left, as a table of each kind of thing that the result names."""
    console.print()
    console.print(ink("Result", "bold"))
    single = grid("left", "left")
    for key, value in result.items():
        if isinstance(value, dict) and value and all(isinstance(entry, dict) for entry in value.values()):
            columns = list(dict.fromkeys(name for entry in value.values() for name in entry))
            table = headed(("", "left"), *((name, "left") for name in columns))
            for name, entry in value.items():
                table.add_row(ink(str(name)), *(ink(in_a_word(entry.get(column))) for column in columns))
            console.print(indented(table))
        elif isinstance(value, dict) and value:
            for name, entry in value.items():
                single.add_row(ink(str(name)), ink(in_a_word(entry)))
        else:
            single.add_row(ink(key, MUTED), ink(in_a_word(value)))
    if single.rows:
        console.print(indented(single))


def odds_of(playing: Play, attacker: str, defender: str, objective: str) -> Odds | None:
    """The odds that the battle had, unless they are too large for a wait."""
    try:
        return odds(playing.battle, attacker, defender, objective, bound=POSITIONS)
    except TooLarge:
        return None


def show_luck(console: Console, found: Odds, result: Result) -> None:
    """Where the result lies in the odds."""
    console.print()
    console.print(ink(chance_of(found, result)))
    worth = found.aims.objective.of
    got = worth(found.battle.setup, result)
    better = found.probability(lambda other: worth(found.battle.setup, other) > got)
    worse = found.probability(lambda other: worth(found.battle.setup, other) < got)
    compared = f"the attacker does better in {numbers.percent(better)} of battles, worse in {numbers.percent(worse)}."
    console.print(ink(f"{found.objective} {numbers.whole(got)}: {compared}"))
    told = ", ".join(f"{side} {policy}" for side, policy in found.policies.items())
    console.print(ink(f"exact, if the sides decide so: {told}", MUTED))


def chance_of(found: Odds, result: Result) -> str:
    """How likely a result was, and its place among all."""
    for place, (chance, other) in enumerate(found.outcomes, 1):
        if other == result:
            rank = "the likeliest" if place == 1 else f"by likelihood number {place}"
            return f"This result: {numbers.percent(chance)}, {rank} of {len(found.outcomes):,}."
    return "With these decisions on both sides, this result cannot come about."
