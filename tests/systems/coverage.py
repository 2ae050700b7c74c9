"""Which tests cover which paragraph of a chapter: for each system a table, which this holds against the code."""

import ast
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from grognard.core.systems import System

Covered = Mapping[str, Sequence[str] | str]
"""The tests of each paragraph, or of a part of it (`paragraph: part`); for what needs none, the reason."""


def check_coverage(system: System[Any], chapter: Sequence[str], covered: Covered, folder: Path) -> None:
    """All that the chapter says, and all that the system says it knows, has tests in the folder or a reason."""
    known = {rule.paragraph for rule in system.rules} | set(system.paragraphs)
    assert sorted(set(chapter) - set(covered)) == [], "the table leaves out what the chapter says"
    assert sorted(set(covered) - set(chapter) - known) == [], "neither the chapter nor the system knows of this"
    whole = {paragraph for paragraph in known for listed in covered if f"{listed}: ".startswith(f"{paragraph}: ")}
    assert sorted(known - whole) == [], "the table leaves out what the system knows"
    listed = {test for tests in covered.values() if not isinstance(tests, str) for test in tests}
    assert sorted(listed - tests_in(folder)) == [], "listed tests do not exist"
    assert [part for part, tests in covered.items() if not tests] == [], "neither a test nor a reason"


def tests_in(folder: Path) -> set[str]:
    """The names of all tests in a folder's files."""
    trees = [ast.parse(path.read_text("utf-8")) for path in folder.glob("test_*.py")]
    functions = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    return {function.name for function in functions if function.name.startswith("test_")}
