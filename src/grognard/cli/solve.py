"""Commands that solve battles: odds, advise, simulate, compare, report, export."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grognard.cli.console import Working, check_writable, print_json, show
from grognard.cli.errors import FAILED, CommandError, leave, say_written
from grognard.cli.options import (
    POLICIES,
    Word,
    all_option,
    complete_switch,
    file_argument,
    fractions_option,
    json_option,
    load_battle,
    objective_option,
    output_option,
    policies,
    policy_option,
    script_option,
)

if TYPE_CHECKING:
    from grognard.core.errors import TooLarge
    from grognard.core.systems import Battle

WALKS = 10_000
MOST_DICE = 100_000_000
"""A sample of more dice in its first roll is not recommended."""
PICTURES = (".svg", ".png")
FORMATS = {
    "prism": "PRISM's language, for PRISM, PRISM-games and Storm",
    "drn": "Storm's explicit format, for large battles",
    "dot": "a picture, for Graphviz",
}
OPEN = {"open": "its decisions stay in the graph, for the model checker to take"} | POLICIES


@file_argument
@policies
@fractions_option
@all_option
@json_option
def odds(
    file: str, attacker: str, defender: str, objective: str, fractions: bool, everything: bool, as_json: bool
) -> None:
    """Work out the exact odds of every result.

    Both sides' decisions are in them: each side decides by a policy. The attacker maximises the objective, the
    defender minimises it.
    """
    from grognard.solver.solution import solve

    battle = load_battle(file)
    with offer_sampling(file, battle, attacker, defender, objective), Working("positions") as progress:
        solved = solve(battle, attacker, defender, objective, fractions, progress=progress).odds
    if as_json:
        print_json(solved.to_dict())
        return
    from grognard.words.summaries import odds_page

    show(odds_page(solved, file, everything))


@file_argument
@script_option
@click.option("--plan", is_flag=True, help="All decisions ahead, in short.")
@policies
@fractions_option
@json_option
def advise(
    file: str,
    script: str | None,
    plan: bool,
    attacker: str,
    defender: str,
    objective: str,
    fractions: bool,
    as_json: bool,
) -> None:
    """Show what each option is worth, the best first.

    That is for the next decision: at the start of the battle, or after the answers of a script.
    """
    from grognard.cli.play import read_script
    from grognard.plays.play import start
    from grognard.solver.solution import solve

    if file == script == "-":
        raise CommandError("--script: standard input is the battle already")
    battle = load_battle(file)
    play = read_script(script).play_all(start(battle))
    with offer_sampling(file, battle, attacker, defender, objective), Working("positions") as progress:
        solution = solve(battle, attacker, defender, objective, fractions, start=play, progress=progress)
        advice = solution.advice(play)
    if as_json:
        plan_data = {"plan": [decision.to_dict() for decision in solution.decisions]} if plan else {}
        print_json(advice.to_dict() | plan_data)
        return
    from grognard.words.advice import advice_page, plan_page

    show(plan_page(solution, file) if plan else advice_page(advice, file))


@file_argument
@click.option("-n", "--walks", type=int, metavar="N", default=WALKS, show_default=True, help="Battles to sample.")
@click.option("--seed", type=int, metavar="S", help="The same seed, the same sample.")
@policies
@all_option
@json_option
def simulate(
    file: str,
    walks: int,
    seed: int | None,
    attacker: str,
    defender: str,
    objective: str,
    everything: bool,
    as_json: bool,
) -> None:
    """Sample the odds of a battle that is too large to be solved.

    Every number comes with its 95 % confidence interval.
    """
    from grognard.solver.simulate import simulate as sample

    battle = load_battle(file)
    with offer_sampling(file, battle, attacker, defender, objective), Working("battles over") as progress:
        sampled = sample(battle, walks, seed, attacker, defender, objective, progress=progress)
    if as_json:
        print_json(sampled.to_dict())
        return
    from grognard.words.summaries import odds_page

    show(odds_page(sampled, file, everything))


@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--switch", metavar="NAME", help="This house rule at each of its values.", shell_complete=complete_switch
)
@click.option("--all-switches", is_flag=True, help="Every house rule, one at a time; so does one FILE without options.")
@policies
@fractions_option
@all_option
@click.option("--plot", metavar="PICTURE", help="Draw it too, as .svg or .png (needs grognard[plot]).")
@json_option
def compare(
    files: tuple[str, ...],
    switch: str | None,
    all_switches: bool,
    attacker: str,
    defender: str,
    objective: str,
    fractions: bool,
    everything: bool,
    plot: str | None,
    as_json: bool,
) -> None:
    """Compare a battle under other house rules, or several battles.

    Each stands beside the first, with the change in its value and in the chance of each result, the largest first.
    """
    from grognard.solver.assumptions import Assumptions
    from grognard.solver.solution import solve_under
    from grognard.studies.switches import compare_battles

    if len(files) > 1 and (switch is not None or all_switches):
        raise CommandError("--switch: house rules are compared in one FILE, but several are given")
    if switch is not None and all_switches:
        raise CommandError("--switch: --all-switches compares every house rule already")
    if files.count("-") > 1:
        raise CommandError("standard input is one battle already")
    check_plot(plot)
    battles = [load_battle(file) for file in files]
    with offer_sampling(files[0], battles[0], attacker, defender, objective), Working("positions") as progress:
        assumptions = Assumptions(attacker, defender, objective, fractions)
        compared = compare_battles(case_names(files), battles, switch, lambda one: solve_under(one, assumptions, progress=progress).odds)
    if plot is not None:
        from grognard.words.plots import save

        save(compared.plot(), plot)
    if as_json:
        print_json(compared.to_dict())
    else:
        from grognard.words.comparisons import comparison_page

        show(comparison_page(compared, files[0], everything))
    say_written(plot)


def case_names(files: tuple[str, ...]) -> list[str]:
    """Files by their names without ending, or as they were given where that tells two apart."""
    short = ["standard input" if file == "-" else Path(file).stem for file in files]
    return [file if short.count(name) > 1 else name for name, file in zip(short, files, strict=True)]


def check_plot(plot: str | None) -> None:
    """Find out before the work is done that it could not be drawn."""
    if plot is not None:
        check_writable("--plot", plot, PICTURES)
        from grognard.words.plots import need_matplotlib

        need_matplotlib()


@file_argument
@output_option
@policies
def report(file: str, output: str | None, attacker: str, defender: str, objective: str) -> None:
    """Write a page about a battle, to read and to print.

    It has the set-up, the odds, the decisions and the house rules that matter, and is one HTML file that loads nothing.
    """
    from grognard.files import replace_text
    from grognard.report import page

    check_writable("--output", output)
    battle = load_battle(file)
    with offer_sampling(file, battle, attacker, defender, objective), Working("positions") as progress:
        text = page(battle, file, attacker, defender, objective, progress=progress)
    if output is None:
        sys.stdout.write(text)
        return
    replace_text(output, text)
    say_written(output)


@file_argument
@click.option(
    "--format",
    "form",
    metavar="FORMAT",
    type=Word(FORMATS, "format"),
    default="prism",
    show_default=True,
    help="prism (a program), drn (Storm's explicit format), dot (Graphviz).",
)
@output_option
@policy_option("attacker", OPEN, "open")
@policy_option("defender", OPEN, "open")
@objective_option
def export(file: str, form: str, output: str | None, attacker: str, defender: str, objective: str) -> None:
    """Write a battle's graph for other programs.

    Every position is a state, every option a choice, the odds are exact fractions, and each ending carries what it is
    worth. With both sides open it is a game; a policy for one side leaves a decision process, for both a Markov chain.
    """
    from grognard.adapters.export import in_short, model_of, played, written
    from grognard.files import replace_text
    from grognard.words.blocks import Line
    from grognard.words.summaries import header

    check_writable("--output", output)
    battle = load_battle(file)
    with offer_sampling(file, battle, played(attacker), played(defender), objective), Working("positions") as progress:
        model = model_of(battle, attacker, defender, objective, progress=progress)
    text = written(model, form)
    if output is None:
        sys.stdout.write(text)
        return
    replace_text(output, text)
    note, answer = in_short(model)
    show([*header(battle, file, note), Line(answer)])
    say_written(output)


@contextmanager
def offer_sampling(file: str, battle: "Battle", attacker: str, defender: str, objective: str) -> Iterator[None]:
    """If a battle is too large, say how large, and with which command it can be sampled, if it can."""
    from grognard.core.errors import TooLarge

    try:
        yield
    except TooLarge as large:
        command = sampling_command(file, battle, attacker, defender, objective)
        offer = f"It can be sampled:\n  {command}" if command else "It is too large to be sampled, too: make it smaller."
        leave(FAILED, f"{file}: {format_too_large(large)}.\n{offer}")


def format_too_large(large: "TooLarge") -> str:
    """How large something is, and how large it may be, in words."""
    from grognard.words.numbers import magnitude

    size = f"more than {large.bound:,}" if large.size == large.bound else magnitude(large.size)
    return f"{large.what}: {size}, the limit is {magnitude(large.bound)}"


def sampling_command(file: str, battle: "Battle", attacker: str, defender: str, objective: str) -> str | None:
    """The command that samples a battle; tried with a single walk, for not every battle can be sampled."""
    from shlex import join

    from grognard.core.errors import GrognardError
    from grognard.core.rules import Roll
    from grognard.plays.play import start
    from grognard.solver.simulate import simulate

    question = start(battle).question
    dice = sum(pool.count for pool in question.reading.dice) if isinstance(question, Roll) else 1
    walks = next((walks for walks in (WALKS, 1_000, 100) if walks * dice <= MOST_DICE), None)
    if walks is None:
        return None
    given = (attacker, defender)
    for policies in (given, tuple("eager" if policy == "best" else policy for policy in given)):
        try:
            simulate(battle, 1, 0, *policies, objective)
        except GrognardError:
            continue
        sides = ["--attacker", policies[0], "--defender", policies[1]]
        sides += ["--objective", objective] if objective != "swing" else []
        return join(["grognard", "simulate", file, "-n", str(walks), *sides])
    return None
