"""Live battles: two players far apart, and whoever watches, at one table."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from grognard.server.live.routes import router
    from grognard.server.live.service import Live

__all__ = ["Live", "router"]


def __getattr__(name: str) -> object:
    """Import the service only once it is used: pruning needs no more than the store."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from grognard.server.live import routes

    return getattr(routes, name)
