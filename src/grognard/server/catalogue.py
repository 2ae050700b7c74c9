"""All that there is to know about every system: what the page is made from."""

from typing import Any

from grognard import systems
from grognard.core.systems import Json, System
from grognard.files.examples import examples
from grognard.server.forms import form_of
from grognard.words import describe


def catalogue() -> list[Json]:
    """Every system, with its rules, switches, forms, ready-made units and examples."""
    return [_entry(systems.find(name)) for name in systems.names()]


def _entry(system: System[Any]) -> Json:
    found = [
        {"name": example.name, "story": example.story, "battle": example.source} for example in examples(system.name)
    ]
    return {
        **describe.in_json(system),
        "fields": form_of(system.setup),
        "roster": dict(system.roster()),
        "example": {"system": system.name, **system.example},
        "examples": found,
    }
