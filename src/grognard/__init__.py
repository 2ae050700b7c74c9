"""Combat in tabletop wargames: play it, and know the exact odds."""

from typing import TYPE_CHECKING

__version__ = "0.1.0"

__all__ = ["BattleError", "__version__", "advise", "battle", "load", "odds", "play", "replay", "simulate"]

if TYPE_CHECKING:
    from grognard.api import BattleError, advise, battle, load, odds, play, replay, simulate
else:

    def __getattr__(name: str) -> object:
        """Import the engines only once they are used: the command starts without those that it does not need."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from grognard import api

        return getattr(api, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
