"""Results in a notebook: HTML tables with bars, which run no script and load nothing."""

from grognard.core.distributions import Distribution
from grognard.core.systems import Battle
from grognard.files.toml import to_toml
from grognard.plays.play import Play
from grognard.solver.luck import Luck
from grognard.solver.odds import Odds
from grognard.solver.plans import TurnPlan, plan_turn
from grognard.solver.solution import Advice, Solution
from grognard.solver.turn_solution import TurnSolution
from grognard.studies.compare import Comparison
from grognard.studies.switches import SwitchEffects
from grognard.words import summaries
from grognard.words.advice import advice_blocks, luck_tables, percentile_table, plan_blocks, plan_table
from grognard.words.blocks import Block, Line
from grognard.words.colours import NEUTRAL
from grognard.words.comparisons import comparison_page, sweep_page
from grognard.words.html import notebook
from grognard.words.plays import play_page


def to_html(shown: object) -> str:
    """The HTML of any result that a notebook can show."""
    return notebook(_blocks(shown))


def _blocks(shown: object) -> list[Block]:
    match shown:
        case Battle():
            return [*summaries.header(shown, ""), *(Line(line) for line in to_toml(shown.source).splitlines() if line)]
        case Distribution():
            return [summaries.distribution_table(shown, "", NEUTRAL)]
        case Odds():
            known = summaries.format_exactness(shown), summaries.format_policies(shown.policies)
            about = summaries.header(shown.battle, "", *known)
            return [*about, *summaries.value_line(shown), *summaries.measure_tables(shown)]
        case Advice():
            return advice_blocks(shown)
        case TurnSolution():
            return [*_blocks(shown.odds), *plan_blocks(plan_turn(shown.battle, shown.assumptions))]
        case Solution():
            decisions = [plan_table(shown.decisions, shown.battle)] if shown.decisions else []
            return [*_blocks(shown.odds), *decisions]
        case Luck():
            return [*luck_tables(shown), percentile_table(shown)]
        case Comparison() | SwitchEffects():
            return comparison_page(shown, "")
        case Play():
            return play_page(shown)
        case TurnPlan():
            return plan_blocks(shown)
    from grognard.studies.sweeps.tables import Table

    if isinstance(shown, Table):
        return sweep_page(shown, "")
    raise TypeError(f"a notebook cannot show a {type(shown).__name__}")
