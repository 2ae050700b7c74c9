"""Commands that solve battles: odds, advise, simulate, compare, report, export."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shlex import join

import click

from grognard.cli.console import ProgressLine, check_writable, print_json, show
from grognard.cli.errors import FAILED, CommandError, exit_with_message, report_written
from grognard.cli.options import (
    KnownWord,
    all_option,
    assumptions_options,
    command,
    complete_switch,
    file_argument,
    fractions_option,
    json_option,
    objective_option,
    output_option,
    policy_option,
    policy_options,
    script_option,
)
from grognard.core.errors import GrognardError, TooLarge
from grognard.core.rules import Roll
from grognard.core.systems import Battle
from grognard.files import load, replace_text
from grognard.plays.play import start
from grognard.solver.assumptions import POLICIES, Assumptions
from grognard.solver.solution import solve_under

WALKS = 10_000
MOST_DICE = 100_000_000
"""A sample of more dice in its first roll is not recommended."""
PICTURES = (".svg", ".png")
FORMATS = {
    "prism": "PRISM's language, for PRISM, PRISM-games and Storm",
    "drn": "Storm's explicit format, for large battles",
    "dot": "a picture, for Graphviz",
}
OPEN = {"open": "its decisions stay in the graph, for the model checker to make"} | POLICIES


@command(
    "grognard odds battle.toml",
    "grognard odds battle.toml --objective kill --fractions",
    "grognard odds battle.toml --defender eager --json",
)
@file_argument
@assumptions_options
@fractions_option
@all_option
@json_option
def odds(file: str, assumptions: Assumptions, everything: bool, as_json: bool) -> None:
    """Calculate the exact odds of every result.

    They include the decisions of both sides: each side follows a policy. The attacker maximises the objective, and the
    defender minimises it.
    """
    battle = load(file)
    with offer_sampling(file, battle, assumptions), ProgressLine("positions") as progress:
        solved = solve_under(battle, assumptions, progress=progress).odds
    if as_json:
        print_json(solved.to_dict())
        return
    from grognard.words.summaries import odds_page

    show(odds_page(solved, file, everything))


@command(
    "grognard advise battle.toml",
    "grognard advise battle.toml --plan",
    "grognard advise battle.toml --script answers.json --objective kill",
)
@file_argument
@script_option
@click.option("--plan", is_flag=True, help="All decisions ahead, in short.")
@assumptions_options
@fractions_option
@json_option
def advise(file: str, script: str | None, plan: bool, assumptions: Assumptions, as_json: bool) -> None:
    """Show what each option is worth, the best first.

    The options are those of the next decision: at the start of the battle, or after the answers of a script. If a roll
    comes next, the odds are shown, and the first decision that may come.
    """
    from grognard.cli.play import read_script
    from grognard.words.advice import advice_page, plan_page, plan_to_dict

    if file == script == "-":
        raise CommandError("--script: standard input is the battle already")
    battle = load(file)
    play = read_script(script).play_all(start(battle))
    with offer_sampling(file, battle, assumptions), ProgressLine("positions") as progress:
        solution = solve_under(battle, assumptions, start=play, progress=progress)
        advice = solution.advice(play)
    if as_json:
        print_json(advice.to_dict() | ({"plan": plan_to_dict(solution)} if plan else {}))
    else:
        show(plan_page(solution, file) if plan else advice_page(advice, file))


@command("grognard attacks battle.toml", "grognard attacks battle.toml --json")
@file_argument
@policy_options
@fractions_option
@json_option
def attacks(file: str, assumptions: Assumptions, as_json: bool) -> None:
    """List every attack that is possible now, each by itself.

    In each of them, the objective is net losses (swing). For the file of a single attack, these are all attacks of the
    attacking side.
    """
    from grognard.api import attacks as evaluate
    from grognard.words.comparisons import attacks_page

    battle = load(file)
    with offer_sampling(file, battle, assumptions), ProgressLine("positions"):
        values = evaluate(battle, assumptions.attacker, assumptions.defender, assumptions.fractions)
    if as_json:
        print_json({"attacks": [value.to_dict() for value in values]})
    else:
        show(attacks_page(values, battle, file))


@command("grognard simulate battle.toml", "grognard simulate battle.toml -n 1000000 --seed 7 --attacker eager")
@file_argument
@click.option("-n", "--walks", type=int, metavar="N", default=WALKS, show_default=True, help="Battles to sample.")
@click.option("--seed", type=int, metavar="S", help="The same seed, the same sample.")
@assumptions_options
@all_option
@json_option
def simulate(
    file: str, walks: int, seed: int | None, assumptions: Assumptions, everything: bool, as_json: bool
) -> None:
    """Sample the odds of a battle that is too large to be solved exactly.

    The value comes with its 95 % confidence interval, and the chances with the largest error.
    """
    from grognard.solver.simulate import simulate as sample
    from grognard.words.summaries import odds_page

    battle, chosen = load(file), (assumptions.attacker, assumptions.defender, assumptions.objective)
    with offer_sampling(file, battle, assumptions), ProgressLine("battles over") as progress:
        sampled = sample(battle, walks, seed, *chosen, progress=progress)
    if as_json:
        print_json(sampled.to_dict())
    else:
        show(odds_page(sampled, file, everything))


@command(
    "grognard compare battle.toml --all-switches",
    "grognard compare battle.toml --switch NAME --plot switch.svg",
    "grognard compare battle.toml other.toml",
)
@click.argument("files", nargs=-1, required=True, metavar="FILE")
@click.option("--switch", metavar="NAME", help="This house rule at each of its values.", shell_complete=complete_switch)
@click.option("--all-switches", is_flag=True, help="Every house rule, one at a time; the default for one FILE.")
@assumptions_options
@fractions_option
@all_option
@click.option("--plot", metavar="PICTURE", help="Draw it too, as .svg or .png (needs grognard[plot]).")
@json_option
def compare(
    files: tuple[str, ...],
    switch: str | None,
    all_switches: bool,
    assumptions: Assumptions,
    everything: bool,
    plot: str | None,
    as_json: bool,
) -> None:
    """Compare a battle under other house rules, or several battles.

    Each case is shown beside the first, with the change of its value and of the chance of each result, the largest
    change first.
    """
    from grognard.studies.switches import compare_battles
    from grognard.words.comparisons import comparison_page

    if len(files) > 1 and (switch is not None or all_switches):
        raise CommandError("--switch: house rules are compared in one FILE, but several are given")
    if switch is not None and all_switches:
        raise CommandError("--switch: --all-switches compares every house rule already")
    if files.count("-") > 1:
        raise CommandError("standard input is one battle already")
    check_plot(plot)
    battles = {name: load(file) for name, file in zip(case_names(files), files, strict=True)}
    with offer_sampling(files[0], next(iter(battles.values())), assumptions), ProgressLine("positions") as progress:
        compared = compare_battles(
            battles, switch, lambda battle: solve_under(battle, assumptions, progress=progress).odds
        )
    if plot is not None:
        from grognard.words.plots import save

        save(compared.plot(), plot)
    if as_json:
        print_json(compared.to_dict())
    else:
        show(comparison_page(compared, files[0], everything))
    report_written(plot)


def case_names(files: tuple[str, ...]) -> list[str]:
    """The names of the files without their endings; the paths as given, if two names would be the same."""
    short = ["standard input" if file == "-" else Path(file).stem for file in files]
    names = [file if short.count(name) > 1 else name for name, file in zip(short, files, strict=True)]
    return [name if names.count(name) == 1 else f"{name} ({place})" for place, name in enumerate(names, 1)]


def check_plot(plot: str | None) -> None:
    """Check before the work begins that its result can be drawn."""
    if plot is not None:
        check_writable("--plot", plot, PICTURES)
        from grognard.words.plots import require_matplotlib

        require_matplotlib()


@command("grognard report battle.toml -o battle.html")
@file_argument
@output_option
@assumptions_options
def report(file: str, output: str | None, assumptions: Assumptions) -> None:
    """Write a page about a battle, to read and to print.

    It is one HTML file that loads nothing, with the set-up, the odds, the decisions and the house rules that matter.
    """
    from grognard.report import page

    check_writable("--output", output)
    battle = load(file)
    with offer_sampling(file, battle, assumptions), ProgressLine("positions") as progress:
        text = page(battle, file, assumptions, progress=progress)
    if output is None:
        sys.stdout.write(text)
        return
    replace_text(output, text)
    report_written(output)


@command(
    "grognard export battle.toml -o battle.prism",
    "grognard export battle.toml --format drn --defender eager -o battle.drn",
    "grognard export battle.toml --format dot | dot -Tsvg > battle.svg",
    Formats=FORMATS,
)
@file_argument
@click.option(
    "--format",
    "form",
    metavar="FORMAT",
    type=KnownWord(FORMATS, "format"),
    default="prism",
    help=f"{', '.join(FORMATS)}.",
)
@output_option
@policy_option("attacker", OPEN, "open")
@policy_option("defender", OPEN, "open")
@objective_option
def export(file: str, form: str, output: str | None, attacker: str, defender: str, objective: str) -> None:
    """Write a battle's graph for other programs.

    Every position is a state, every option a choice, the odds are exact fractions, and each ending has its value. With
    both sides open it is a game; with a policy for one side a decision process, for both a Markov chain.
    """
    from grognard.adapters.export import assumed_policy, format_model, model_of, summarise_model
    from grognard.words.blocks import Line
    from grognard.words.summaries import header

    check_writable("--output", output)
    battle, assumptions = load(file), Assumptions(assumed_policy(attacker), assumed_policy(defender), objective)
    with offer_sampling(file, battle, assumptions), ProgressLine("positions") as progress:
        model = model_of(battle, attacker, defender, objective, progress=progress)
    text = format_model(model, form)
    if output is None:
        sys.stdout.write(text)
        return
    replace_text(output, text)
    note, answer = summarise_model(model)
    show([*header(battle, file, note), Line(answer)])
    report_written(output)


@contextmanager
def offer_sampling(file: str, battle: Battle, assumptions: Assumptions) -> Iterator[None]:
    """If a battle is too large, say how large, and which command can sample it, if any."""
    try:
        yield
    except TooLarge as large:
        line = sampling_command(file, battle, assumptions)
        offer = f"It can be sampled:\n  {line}" if line else "It is too large to be sampled as well."
        exit_with_message(FAILED, f"{file}: {format_too_large(large)}.\n{offer}")


def format_too_large(large: TooLarge) -> str:
    """The size and its limit as text."""
    from grognard.words.numbers import magnitude

    size = f"more than {large.bound:,}" if large.size == large.bound else magnitude(large.size)
    return f"{large.what}: {size}, the limit is {magnitude(large.bound)}"


def sampling_command(file: str, battle: Battle, assumptions: Assumptions) -> str | None:
    """The command that samples a battle, after trying it once; None if the battle cannot be sampled."""
    from grognard.solver.simulate import simulate

    question = start(battle).question
    dice = sum(pool.count for pool in question.reading.dice) if isinstance(question, Roll) else 1
    walks = next((walks for walks in (WALKS, 1_000, 100) if walks * dice <= MOST_DICE), None)
    policies = [str(assumptions.attacker), str(assumptions.defender)]
    for attacker, defender in (policies, ["eager" if policy == "best" else policy for policy in policies]):
        try:
            if walks is not None:
                simulate(battle, 1, 0, attacker, defender, assumptions.objective)
                objective = ["--objective", assumptions.objective_name] * (assumptions.objective != "swing")
                sides = ["--attacker", attacker, "--defender", defender]
                return join(["grognard", "simulate", file, "-n", str(walks), *sides, *objective])
        except GrognardError:
            continue
    return None
