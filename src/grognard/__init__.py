"""Combat in tabletop wargames: play it, and know the exact odds."""

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0"

__all__ = [
    "Advice",
    "Assumptions",
    "AttackValue",
    "Battle",
    "BattleError",
    "Choose",
    "Comparison",
    "DecisionSummary",
    "Distribution",
    "Endless",
    "Event",
    "Fault",
    "GrognardError",
    "Log",
    "LogError",
    "Luck",
    "Odds",
    "Option",
    "OptionAdvice",
    "Outcome",
    "Play",
    "Policy",
    "Result",
    "Roll",
    "SampledOdds",
    "Solution",
    "SwitchEffects",
    "System",
    "Table",
    "TooLarge",
    "TurnOdds",
    "TurnSolution",
    "WrongAnswer",
    "__version__",
    "advise",
    "attacks",
    "battle",
    "compare",
    "load",
    "luck",
    "odds",
    "play",
    "replay",
    "simulate",
    "solve",
    "start",
    "sweep",
]

if TYPE_CHECKING:
    from grognard.api import advise, attacks, battle, compare, load, luck, odds, play, replay
    from grognard.core.distributions import Distribution
    from grognard.core.errors import BattleError, Endless, Fault, GrognardError, TooLarge, WrongAnswer
    from grognard.core.rules import Choose, Option, Roll
    from grognard.core.systems import Battle, Result, System
    from grognard.plays.logs import Log, LogError
    from grognard.plays.play import Event, Play, start
    from grognard.solver.assumptions import Assumptions, Policy
    from grognard.solver.luck import Luck
    from grognard.solver.odds import Odds, Outcome
    from grognard.solver.simulate import SampledOdds, simulate
    from grognard.solver.solution import Advice, DecisionSummary, OptionAdvice, Solution, solve
    from grognard.solver.turn_solution import AttackValue, TurnOdds, TurnSolution
    from grognard.studies.compare import Comparison
    from grognard.studies.sweeps import sweep
    from grognard.studies.sweeps.tables import Table
    from grognard.studies.switches import SwitchEffects
else:
    _NAMES_BY_MODULE = {
        "grognard.api": ("advise", "attacks", "battle", "compare", "load", "luck", "odds", "play", "replay"),
        "grognard.core.distributions": ("Distribution",),
        "grognard.core.errors": ("BattleError", "Endless", "Fault", "GrognardError", "TooLarge", "WrongAnswer"),
        "grognard.core.rules": ("Choose", "Option", "Roll"),
        "grognard.core.systems": ("Battle", "Result", "System"),
        "grognard.plays.logs": ("Log", "LogError"),
        "grognard.plays.play": ("Event", "Play", "start"),
        "grognard.solver.assumptions": ("Assumptions", "Policy"),
        "grognard.solver.luck": ("Luck",),
        "grognard.solver.odds": ("Odds", "Outcome"),
        "grognard.solver.simulate": ("SampledOdds", "simulate"),
        "grognard.solver.solution": ("Advice", "DecisionSummary", "OptionAdvice", "Solution", "solve"),
        "grognard.solver.turn_solution": ("AttackValue", "TurnOdds", "TurnSolution"),
        "grognard.studies.compare": ("Comparison",),
        "grognard.studies.sweeps": ("sweep",),
        "grognard.studies.sweeps.tables": ("Table",),
        "grognard.studies.switches": ("SwitchEffects",),
    }
    _MODULE_OF = {name: module for module, names in _NAMES_BY_MODULE.items() for name in names}

    def __getattr__(name: str) -> object:
        """Import a public name when it is first used, so that `import grognard` is fast."""
        if name not in _MODULE_OF:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(_MODULE_OF[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
