"""A system in a folder of its author's, outside the package, is found, read and played like the others."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from grognard import systems


def run(home: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, systems.FOLDERS: str(home)}
    return subprocess.run([sys.executable, "-m", "grognard", *words], env=environment, capture_output=True, text=True)


def grognard(home: Path, *words: str) -> str:
    done = run(home, *words)
    done.check_returncode()
    return done.stdout


def test_a_folder_of_ones_own_is_a_system(tmp_path: Path) -> None:
    shutil.copytree(systems.folders("ranks")[0], tmp_path / "mine")
    for module in (tmp_path / "mine").rglob("*.py"):
        module.write_text(module.read_text().replace('"ranks"', '"mine"').replace("systems.ranks", "systems.mine"))
    assert "mine" in grognard(tmp_path, "systems")
    (tmp_path / "battle.toml").write_text(grognard(tmp_path, "new", "mine"))
    assert '"system": "mine"' in grognard(tmp_path, "odds", str(tmp_path / "battle.toml"), "--json")


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("SYSTEM = 5", "mine/__init__.py: SYSTEM is no System"),
        ("", "mine/__init__.py: SYSTEM is no System"),
        (
            "from grognard.systems.ranks import SYSTEM",
            "the folder mine has a system called ranks: expected the same name",
        ),
    ],
)
@pytest.mark.parametrize("words", [["systems"], ["rules", "mine"], ["new", "mine"]])
def test_a_folder_without_a_system_of_its_name_is_an_error_that_says_so(
    tmp_path: Path, rules: str, message: str, words: list[str]
) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "__init__.py").write_text(rules)
    assert f"{message}\n" == run(tmp_path, *words).stderr
