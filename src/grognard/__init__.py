"""Combat in tabletop wargames: play it, and know the exact odds."""

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0"

__all__ = [
    "BattleError",
    "TooLarge",
    "WrongAnswer",
    "__version__",
    "advise",
    "battle",
    "compare",
    "load",
    "luck",
    "odds",
    "play",
    "replay",
    "simulate",
    "sweep",
]

if TYPE_CHECKING:
    from grognard.api import advise, compare, luck, odds, play, replay
    from grognard.core.errors import BattleError, TooLarge, WrongAnswer
    from grognard.files import battle, load
    from grognard.solver.simulate import simulate
    from grognard.studies.sweeps import sweep
else:
    _HOMES = {
        "BattleError": "grognard.core.errors",
        "TooLarge": "grognard.core.errors",
        "WrongAnswer": "grognard.core.errors",
        "advise": "grognard.api",
        "battle": "grognard.files",
        "compare": "grognard.api",
        "load": "grognard.files",
        "luck": "grognard.api",
        "odds": "grognard.api",
        "play": "grognard.api",
        "replay": "grognard.api",
        "simulate": "grognard.solver.simulate",
        "sweep": "grognard.studies.sweeps",
    }

    def __getattr__(name: str) -> object:
        """Import what is offered only once it is used: nobody waits for what they do not need."""
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
