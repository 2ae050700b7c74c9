"""The chapter: the attack sequence, the defence sequence, and the two tables of critical hits."""

from grognard.core.positions import Position
from grognard.systems.assault.rules import attack, critical, defence, outcome
from grognard.systems.assault.setup import Setup
from grognard.systems.assault.state import Condition, State

RULES = (*attack.RULES, *defence.RULES, *outcome.RULES, *critical.RULES)

PARAGRAPHS: dict[str, str] = {}
"""Every paragraph of the chapter is a rule."""


def start(setup: Setup) -> Position:
    """An attack is about to be checked."""
    return Position(attack.check_possibility, (State(Condition.of(setup.target)),))
