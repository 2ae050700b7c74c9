"""A battle's graph as text for other programs: PRISM's language, Storm's explicit format, Graphviz."""

from collections.abc import Callable, Iterable

from grognard.adapters.export.dot import in_dot
from grognard.adapters.export.drn import in_drn
from grognard.adapters.export.models import OPEN, Kind, Model, model_of, played
from grognard.adapters.export.prism import in_prism
from grognard.adapters.export.words import in_short
from grognard.core.errors import BattleError, Fault
from grognard.core.systems import Battle

FORMATS: dict[str, Callable[[Model], Iterable[str]]] = {"prism": in_prism, "drn": in_drn, "dot": in_dot}
"""How a model is written, line by line."""

__all__ = ["FORMATS", "OPEN", "Kind", "Model", "export", "in_short", "model_of", "played", "written"]


def export(
    battle: Battle,
    form: str = "prism",
    attacker: str = OPEN,
    defender: str = OPEN,
    objective: str = "swing",
) -> str:
    """The graph of a battle as text. A side that is open has its decisions in it; else it decides by its policy."""
    if form not in FORMATS:
        raise BattleError([Fault("form", f'unknown format "{form}": expected one of {", ".join(FORMATS)}')])
    return written(model_of(battle, attacker, defender, objective), form)


def written(model: Model, form: str) -> str:
    """A model as text in one of the formats."""
    return "".join(f"{line}\n" for line in FORMATS[form](model))
