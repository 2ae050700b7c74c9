"""A battle's graph as text for other programs: PRISM's language, Storm's explicit format, Graphviz."""

from grognard.adapters.export.formats import FORMATS, summarise_model
from grognard.adapters.export.models import OPEN, Kind, Model, assumed_policy, model_of
from grognard.core.errors import BattleError, Fault
from grognard.core.systems import Battle

__all__ = [
    "FORMATS",
    "OPEN",
    "Kind",
    "Model",
    "assumed_policy",
    "export",
    "format_model",
    "model_of",
    "summarise_model",
]


def export(
    battle: Battle,
    form: str = "prism",
    attacker: str = OPEN,
    defender: str = OPEN,
    objective: str = "swing",
) -> str:
    """The graph of a battle as text. Decisions of an open side stay in it; another side follows its policy."""
    if form not in FORMATS:
        raise BattleError([Fault("form", f'unknown format "{form}": expected one of {", ".join(FORMATS)}')])
    return format_model(model_of(battle, attacker, defender, objective), form)


def format_model(model: Model, form: str) -> str:
    return "".join(f"{line}\n" for line in FORMATS[form](model))
