"""The page as a whole."""

from functools import partial
from pathlib import Path

from grognard import __version__
from grognard.cli.sides import opponents
from grognard.core.systems import Battle, Role
from grognard.report.decisions import decisions
from grognard.report.odds import large_numbers, odds_section
from grognard.report.parts import Html, joined, mark, tag
from grognard.report.setup import setup
from grognard.report.switches import switches
from grognard.solver.advice import advise
from grognard.solver.decisions import course
from grognard.solver.graph import Progress
from grognard.solver.odds import Odds, odds
from grognard.studies import variants
from grognard.studies.compare import compare
from grognard.studies.switches import Switches

STYLE = Path(__file__).with_name("style.css")
POSITIONS = 100_000
"""A switch under which a battle is larger than that is told of, not waited for."""


def page(
    battle: Battle,
    file: str = "",
    attacker: str = "best",
    defender: str = "best",
    objective: str = "swing",
    *,
    progress: Progress | None = None,
) -> str:
    """A whole HTML page about a battle."""
    found = course(battle, attacker, defender, objective, progress=progress)
    advice = advise(battle, (), attacker, defender, objective, progress=progress)
    reckon = partial(
        odds, attacker=attacker, defender=defender, objective=objective, bound=POSITIONS, progress=progress
    )
    turned = variants.all_turned(battle)
    compared = [compare(cases, reckon, switch=name, base=found.odds) for name, cases in turned.items()]
    body = joined(
        [
            _header(found.odds, file),
            tag(
                "main",
                large_numbers(found.odds),
                setup(battle),
                odds_section(found.odds),
                decisions(battle, advice, found),
                switches(Switches(found.odds, tuple(compared))),
            ),
            _footer(found.odds),
        ]
    )
    return _whole(" against ".join(opponents(battle)), body)


def _header(found: Odds, file: str) -> Html:
    attackers, defenders = opponents(found.battle)
    sides = joined(
        [mark(Role.ATTACKER), f" {attackers} ", tag("small", "against"), " ", mark(Role.DEFENDER), f" {defenders}"]
    )
    name = f" · {Path(file).name}" if file not in ("", "-") else ""
    return tag("header", tag("p", f"{found.battle.system.title}{name}"), tag("h1", sides))


def _footer(found: Odds) -> Html:
    policies = ", ".join(f"{side} {policy}" for side, policy in found.policies.items())
    says = found.aims.objective.says
    told = f"Exact odds, if the sides decide so: {policies}. {found.objective}: {says}. grognard {__version__}"
    return tag("footer", tag("p", told))


def _whole(title: str, body: Html) -> str:
    head = joined(
        [
            Html('<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'),
            Html('<meta name="color-scheme" content="light dark">'),
            tag("title", title),
            tag("style", Html(STYLE.read_text("utf-8"))),
        ]
    )
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head>\n<body>{body}</body></html>\n'
