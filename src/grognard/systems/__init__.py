"""The systems: one folder each, listed by searching for folders. Nothing outside this folder names a system."""

import copyreg
import os
from functools import cache
from importlib import import_module, invalidate_caches
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from grognard.core.systems import System

FOLDERS = "GROGNARD_SYSTEMS"
"""The variable that names further folders to look in, written as PATH is: each holds systems, a folder each."""

__path__.extend(str(Path(folder).resolve()) for folder in os.environ.get(FOLDERS, "").split(os.pathsep) if folder)


def search_folder(folder: Path) -> None:
    """Search one more folder for systems; those that are already there are available at once."""
    if str(folder) not in __path__:
        __path__.append(str(folder))
    invalidate_caches()


def names() -> list[str]:
    """The names of all systems."""
    return sorted(module.name for module in iter_modules(__path__) if module.ispkg)


@cache
def find(name: str) -> System[Any]:
    """The system of this name; only its own folder is imported."""
    system: System[Any] = import_module(f"{__name__}.{name}").SYSTEM
    return system


def folders(name: str) -> list[Path]:
    """Every folder of a system of this name; only the first is used."""
    return [path for path in (Path(home, name) for home in __path__) if path.is_dir()]


copyreg.pickle(System, lambda system: (find, (system.name,)))
