"""The systems: one folder each, found by looking. Nothing outside this folder names one."""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from grognard.core.systems import System


def names() -> list[str]:
    """The names of all systems."""
    return sorted(module.name for module in iter_modules(__path__) if module.ispkg)


@cache
def find(name: str) -> System[Any]:
    """The system of this name; only its own folder is imported."""
    system: System[Any] = import_module(f"{__name__}.{name}").SYSTEM
    return system
