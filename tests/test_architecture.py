"""Imports point one way, the engine needs Python alone, and nothing outside `systems/` names a system.

Read from the source text: an import counts wherever it stands, also in a function; of our own parts also for the type
checker alone.
"""

import ast
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import grognard
from grognard.systems import names

PACKAGE = Path(grognard.__file__).parent
SYSTEMS = sorted(folder.name for folder in (PACKAGE / "systems").iterdir() if list(folder.glob("*.py")))

STUDIES = {"core", "plays", "solver", "files", "systems", "work", "studies"}
MAY_IMPORT = {
    "core": set(),
    "readings": {"core"},
    "board": {"core"},
    "systems": {"core", "readings", "board"},
    "plays": {"core"},
    "solver": {"core", "plays"},
    "files": {"core", "systems"},
    "work": {"core"},
    "studies": STUDIES - {"studies"},
    "words": (STUDIES | {"readings"}) - {"work"},
    "api": STUDIES - {"work"},
    "report": STUDIES | {"words"},
    "tasks": STUDIES | {"words", "api", "report"},
    "browser": {"core", "systems", "tasks", "words", "work"},
    "site": {"core", "files", "words"},
    "server": STUDIES | {"words", "api", "tasks", "site"},
    "adapters": STUDIES | {"words", "api", "tasks"},
    "cli": STUDIES | {"words", "api", "tasks", "report", "server", "adapters", "site"},
    "testing": STUDIES,
    "__main__": {"cli"},
    "": STUDIES | {"api"},
}
"""The parts of the package that each part may import beside itself; `""` is the package's own module."""

PYTHON_ALONE = {"core", "readings", "board", "systems", "plays", "solver", "files", "work", "api", "tasks"}
"""Loading these needs no library. Files keep comments by one, once a function is called."""
BY_NUMPY = {Path("readings/float_walk.py"), Path("solver/turn_arrays.py")}
"""Loaded for large pools and large attacks of turns, where there is NumPy."""
NOT_AT_START = {"server", "adapters", "report"}
"""Starting the command loads none of these; a function may, once it is called."""
LATE = Path("core/lazy.py")
"""The only module that opens another part of the package by its name."""


@dataclass(frozen=True)
class Source:
    """One module: its place in the package, such as `core/rules.py`, and its text."""

    path: Path
    text: str

    @property
    def module(self) -> list[str]:
        """The dotted name, in parts after the first."""
        return [part for part in self.path.with_suffix("").parts if part != "__init__"]

    @property
    def part(self) -> str:
        return self.module[0] if self.module else ""

    @property
    def system(self) -> str | None:
        """The system whose folder it lies in."""
        folders = self.path.parts[:-1]
        return folders[1] if folders[:1] == ("systems",) and len(folders) > 1 else None

    def imports(self, late: bool = True, for_types: bool = True) -> Iterator[list[str]]:
        """What is imported, as absolute dotted names in parts.

        Without `late` only what loading the module imports; without `for_types` not what only the type checker sees.
        """
        tree = ast.parse(self.text)
        left_out: set[ast.AST] = set()
        for node in ast.walk(tree):
            is_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            is_for_types = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
            if (is_function and not late) or (is_for_types and not for_types):
                left_out.update(ast.walk(node))
        for node in ast.walk(tree):
            if node in left_out:
                continue
            if isinstance(node, ast.Import):
                yield from (alias.name.split(".") for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                yield from ([*self._origin(node), alias.name] for alias in node.names)

    def _origin(self, node: ast.ImportFrom) -> list[str]:
        named = node.module.split(".") if node.module else []
        if not node.level:
            return named
        folder = ["grognard", *self.path.parts[:-1]]
        return folder[: len(folder) - node.level + 1] + named

    def parts_imported(self, late: bool = True) -> set[str]:
        """The parts of this package that are imported; `""` is the package itself, but for its version."""
        names = [name for name in self.imports(late) if name[0] == "grognard" and name[1:] != ["__version__"]]
        return {part if (part := "".join(name[1:2])) in MAY_IMPORT else "" for name in names}

    def opened_by_name(self) -> Iterator[str]:
        """The modules of this package that are opened by a name in the text, or as far as it is in the text."""
        for node in ast.walk(ast.parse(self.text)):
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("import_module", "__import__")):
                first = ast.unparse(node.args[0]).lstrip("f").strip("'\"")
                if first.startswith("grognard."):
                    yield first

    def systems_imported(self) -> set[str]:
        names = [name for name in self.imports() if name[:2] == ["grognard", "systems"]]
        return {system for name in names for system in name[2:3] if system in SYSTEMS}

    def words(self) -> set[str]:
        """Every identifier, and every string that is one word or a path, in parts."""
        fields = (value for node in ast.walk(ast.parse(self.text)) for _, value in ast.iter_fields(node))
        values = (value for field in fields for value in (field if isinstance(field, list) else [field]))
        return {word for value in values if isinstance(value, str) for word in re.split(r"[./]", value)}


SOURCES = [Source(path.relative_to(PACKAGE), path.read_text("utf-8")) for path in sorted(PACKAGE.rglob("*.py"))]


def against_the_way(source: Source) -> set[str]:
    """The parts that a module imports and may not."""
    return source.parts_imported() - MAY_IMPORT[source.part] - {source.part}


def opened_from_below(source: Source) -> set[str]:
    """The modules that a module opens by name, though they are no part of its own package."""
    own = f"grognard.{source.part}."
    return set() if source.path == LATE else {name for name in source.opened_by_name() if not name.startswith(own)}


def other_systems(source: Source) -> set[str]:
    """The systems that a module of a system imports beside its own."""
    return source.systems_imported() - {source.system} if source.part == "systems" else set()


def loaded_at_start(source: Source) -> set[str]:
    """What must not be loaded when the command starts, but is when this module is."""
    return set() if source.part in NOT_AT_START else source.parts_imported(late=False) & NOT_AT_START


def third_party(source: Source) -> set[str]:
    """The libraries beyond Python's own that a part imports which may not."""
    if source.part not in PYTHON_ALONE or source.path in BY_NUMPY:
        return set()
    late = source.part != "files"
    return {name[0] for name in source.imports(late, for_types=False)} - sys.stdlib_module_names - {"grognard"}


def systems_named(source: Source) -> set[str]:
    """The systems that a module outside `systems/` names in its code, or in its file name."""
    return set() if source.part == "systems" else (source.words() | set(source.module)) & set(SYSTEMS)


CHECKS: list[Callable[[Source], set[str]]] = [
    against_the_way,
    opened_from_below,
    other_systems,
    loaded_at_start,
    third_party,
    systems_named,
]


@pytest.mark.parametrize("check", CHECKS)
def test_no_module_breaks_the_architecture(check: Callable[[Source], set[str]]) -> None:
    assert {str(source.path): faults for source in SOURCES if (faults := check(source))} == {}


def test_every_part_of_the_package_is_listed_with_what_it_may_import() -> None:
    assert {source.part for source in SOURCES} == set(MAY_IMPORT)


def test_no_two_parts_may_import_each_other_even_through_others() -> None:
    above = dict(MAY_IMPORT)
    while lowest := {part for part, below in above.items() if not below & set(above)}:
        above = {part: below for part, below in above.items() if part not in lowest}
    assert {} == above


def test_the_systems_looked_for_are_those_that_the_package_finds() -> None:
    assert names() == SYSTEMS


@pytest.mark.parametrize(
    ("check", "path", "text", "expected"),
    [
        (against_the_way, "core/a.py", "import grognard.readings.tally", {"readings"}),
        (against_the_way, "core/a.py", "import grognard", {""}),
        (against_the_way, "core/a.py", "from grognard import solver, core", {"solver"}),
        (against_the_way, "core/a.py", "from grognard.core.rules import rule", set()),
        (against_the_way, "board/a.py", "def f():\n    from ..readings import tally", {"readings"}),
        (against_the_way, "board/a.py", "from . import hexes\nfrom .hexes import step", set()),
        (against_the_way, "board/__init__.py", "from . import hexes\nfrom ..cli import main", {"cli"}),
        (against_the_way, "readings/a.py", "from grognard.board import hexes", {"board"}),
        (against_the_way, "solver/a.py", "from grognard.systems import find", {"systems"}),
        (against_the_way, "files.py", "from grognard.systems import find\nfrom .solver import odds", {"solver"}),
        (against_the_way, "systems/go/a.py", "from grognard.files import load", {"files"}),
        (against_the_way, "cli/a.py", "from grognard import files, solver, systems, adapters", set()),
        (against_the_way, "words/a.py", "from grognard.cli import app", {"cli"}),
        (against_the_way, "studies/a.py", "from grognard.words.tables import rows_of", {"words"}),
        (against_the_way, "studies/a.py", "from grognard import __version__", set()),
        (against_the_way, "adapters/a.py", "from grognard.server.settings import Limits", {"server"}),
        (against_the_way, "adapters/a.py", "from grognard import odds", {""}),
        (opened_from_below, "core/a.py", "import_module('grognard.files')", {"grognard.files"}),
        (opened_from_below, "core/a.py", "import_module(f'grognard.words.{name}')", {"grognard.words.{name}"}),
        (opened_from_below, "core/lazy.py", "import_module(f'grognard.{name}')", set()),
        (opened_from_below, "cli/a.py", "importlib.import_module(f'grognard.cli.{name}')", set()),
        (other_systems, "systems/go/a.py", "from grognard.systems.go.setup import Setup", set()),
        (other_systems, "systems/go/a.py", "from grognard.systems.chess.setup import Setup", {"chess"}),
        (other_systems, "systems/go/__init__.py", "from . import setup\nfrom .. import chess", {"chess"}),
        (other_systems, "systems/__init__.py", "import grognard.systems.chess", {"chess"}),
        (loaded_at_start, "cli/a.py", "from grognard.server import app", {"server"}),
        (loaded_at_start, "cli/a.py", "def serve():\n    from grognard.server import app", set()),
        (loaded_at_start, "__main__.py", "if True:\n    import grognard.adapters.prism", {"adapters"}),
        (loaded_at_start, "server/a.py", "from grognard.server import app", set()),
        (third_party, "core/a.py", "import os.path, numpy.random, scipy.stats", {"numpy", "scipy"}),
        (third_party, "systems/go/a.py", "def f():\n    from pydantic import BaseModel", {"pydantic"}),
        (third_party, "core/a.py", "if TYPE_CHECKING:\n    from pandas import DataFrame", set()),
        (third_party, "cli/a.py", "import click", set()),
        (systems_named, "cli/a.py", "from grognard.systems.go.rules import a", {"go"}),
        (systems_named, "cli/a.py", "from grognard.systems import go as a", {"go"}),
        (systems_named, "cli/a.py", "a = load('grognard.systems.go')", {"go"}),
        (systems_named, "cli/a.py", "a = 'examples/go/chess.toml'", {"go", "chess"}),
        (systems_named, "cli/a.py", "if a == 'go': ...", {"go"}),
        (systems_named, "cli/a.py", "go = 1", {"go"}),
        (systems_named, "cli/a.py", "def a(go): return b.chess", {"go", "chess"}),
        (systems_named, "solver/go.py", "", {"go"}),
        (systems_named, "cli/a.py", "'A word such as go.'\n# chess\nlets_go = 'chess, too'", set()),
        (systems_named, "systems/go/a.py", "go = 'chess'", set()),
    ],
)
def test_the_checks_find_what_they_look_for(
    check: Callable[[Source], set[str]], path: str, text: str, expected: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules[__name__], "SYSTEMS", ["chess", "go"])
    assert check(Source(Path(path), text)) == expected
