"""The systems: one folder each, listed by searching for folders. Nothing outside this folder names a system."""

import copyreg
import os
import sys
from functools import cache
from importlib import import_module, invalidate_caches
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from grognard.core.errors import GrognardError
from grognard.core.systems import System

FOLDERS = "GROGNARD_SYSTEMS"
"""The variable that names further folders to look in, written as PATH is: each holds systems, a folder each."""

__path__.extend(str(Path(folder).resolve()) for folder in os.environ.get(FOLDERS, "").split(os.pathsep) if folder)


def add_folder(folder: Path) -> None:
    """Search this folder too: its systems take the place of those of the same name that were added before."""
    __path__.insert(1, str(folder))
    _import_anew()


def remove_folder(folder: Path) -> None:
    """Search this folder no longer."""
    __path__.remove(str(folder))
    _import_anew()


def _import_anew() -> None:
    """Forget every system but those of the package itself, as their folders may have changed."""
    for name in [name for name in sys.modules if name.startswith(f"{__name__}.")]:
        if not is_shipped(name.split(".")[2]):
            del sys.modules[name]
    find.cache_clear()
    invalidate_caches()


def names() -> list[str]:
    """The names of all systems."""
    return sorted(module.name for module in iter_modules(__path__) if module.ispkg)


@cache
def find(name: str) -> System[Any]:
    """The system of this name; only its own folder is imported."""
    system = getattr(import_module(f"{__name__}.{name}"), "SYSTEM", None)
    if not isinstance(system, System):
        raise GrognardError(f"{name}/__init__.py: SYSTEM is no System")
    if system.name != name:
        raise GrognardError(f"the folder {name} has a system called {system.name}: expected the same name")
    return system


def is_shipped(name: str) -> bool:
    """Whether the package itself has a system of this name."""
    return Path(__path__[0], name).is_dir()


def folders(name: str) -> list[Path]:
    """Every folder of a system of this name; only the first is used."""
    return [path for path in (Path(home, name) for home in __path__) if path.is_dir()]


copyreg.pickle(System, lambda system: (find, (system.name,)))
