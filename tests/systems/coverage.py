"""Which tests cover which paragraph of a chapter: for each system a table, which this holds against the code."""

import ast
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from grognard.core.systems import System


def check_coverage(system: System[Any], covered: Mapping[str, Sequence[str]], folder: Path) -> None:
    """Every paragraph is a rule's or is accounted for in words, and is covered by tests that exist in the folder."""
    known = {rule.paragraph for rule in system.rules} | set(system.paragraphs)
    assert set(covered) == known, "the table lists other paragraphs than the system knows"
    existing = tests_in(folder)
    missing = {test for tests in covered.values() for test in tests if test not in existing}
    assert missing == set(), "listed tests do not exist"
    assert [paragraph for paragraph, tests in covered.items() if not tests] == [], "paragraphs without a test"


def tests_in(folder: Path) -> set[str]:
    """The names of all tests in a folder's files."""
    trees = [ast.parse(path.read_text("utf-8")) for path in folder.glob("test_*.py")]
    functions = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    return {function.name for function in functions if function.name.startswith("test_")}
