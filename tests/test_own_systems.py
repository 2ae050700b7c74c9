"""A system in a folder of its author's, outside the package, is found, read and played like the others."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from grognard import systems


def grognard(home: Path, *words: str) -> str:
    environment = {**os.environ, systems.FOLDERS: str(home)}
    command = [sys.executable, "-m", "grognard", *words]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout


def test_a_folder_of_ones_own_is_a_system(tmp_path: Path) -> None:
    shutil.copytree(systems.folders("ranks")[0], tmp_path / "mine")
    for module in (tmp_path / "mine").rglob("*.py"):
        module.write_text(module.read_text().replace('"ranks"', '"mine"').replace("systems.ranks", "systems.mine"))
    assert "mine" in grognard(tmp_path, "systems")
    (tmp_path / "battle.toml").write_text(grognard(tmp_path, "new", "mine"))
    assert '"system": "mine"' in grognard(tmp_path, "odds", str(tmp_path / "battle.toml"), "--json")
