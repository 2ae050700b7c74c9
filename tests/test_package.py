"""What is built and shipped: the same bytes twice, all that it needs, and good in an empty environment without node."""

import json
import os
import re
import shutil
import subprocess
import sys
import venv
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

import grognard
from tests.docs.blocks import run

ROOT = Path(__file__).parents[1]


def build(folder: Path, source: Path = ROOT, *targets: str) -> list[Path]:
    """A wheel and a source archive, or only some of them, from the working tree or another folder."""
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder), *(f"-t{target}" for target in targets)]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    return sorted(folder.iterdir())


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return build(tmp_path_factory.mktemp("built"))


def without_node(*bins: Path) -> dict[str, str]:
    """The environment with nothing on its path but these folders and the plainest programs."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL", "GROGNARD"))}
    return {**kept, "PATH": os.pathsep.join([*map(str, bins), "/bin"])}


class Environment:
    """An empty environment of its own, with this installed into it."""

    def __init__(self, folder: Path, python: str = sys.executable) -> None:
        self.bin = folder / "bin"
        if python == sys.executable:
            venv.create(folder, with_pip=True)
        else:
            subprocess.run([python, "-m", "venv", str(folder)], check=True)

    def run(self, program: str, *words: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        command = [str(self.bin / program), *words]
        return subprocess.run(command, env=without_node(self.bin), cwd=cwd, capture_output=True, text=True)

    def install(self, *words: str) -> None:
        done = self.run(
            "python", "-m", "pip", "--quiet", "--disable-pip-version-check", "install", "--no-compile", *words
        )
        assert 0 == done.returncode, done.stderr


def pythons() -> list[str]:
    """Every interpreter on this machine that the package is for."""
    homes = [Path(folder) for folder in os.environ["PATH"].split(os.pathsep)]
    homes += sorted(Path.home().glob(".pyenv/versions/*/bin"))
    interpreters = {}
    for version in ("3.11", "3.12", "3.13"):
        there = [home / f"python{version}" for home in homes if (home / f"python{version}").is_file()]
        working = (str(path) for path in there if _works(path))
        interpreters[version] = next(working, None)
    ours = f"{sys.version_info.major}.{sys.version_info.minor}"
    return [path for version, path in {**interpreters, ours: sys.executable}.items() if path]


def _works(python: Path) -> bool:
    return subprocess.run([str(python), "-c", "import venv, ensurepip"], capture_output=True).returncode == 0


def test_building_twice_gives_the_same_bytes(built: list[Path], tmp_path: Path) -> None:
    assert [path.read_bytes() for path in built] == [path.read_bytes() for path in build(tmp_path)]


def test_the_archive_builds_the_same_wheel(built: list[Path], tmp_path: Path) -> None:
    shutil.unpack_archive(built[1], tmp_path, filter="data")
    [source] = tmp_path.iterdir()
    assert built[0].read_bytes() == build(tmp_path / "dist", source, "wheel")[0].read_bytes()


def test_the_wheel_carries_the_page_the_examples_and_its_types(built: list[Path]) -> None:
    names = set(zipfile.ZipFile(built[0]).namelist())
    needed = {"grognard/py.typed", "grognard/server/page/index.html", "grognard/examples/supply/01-picket.toml"}
    assert set() == needed - names
    assert [] == [name for name in names if re.search(r"(^|/)(tests?/|test_|conftest)|\.test\.", name)]


def test_the_archive_installs_without_node(built: list[Path], tmp_path: Path) -> None:
    environment = Environment(tmp_path / "venv")
    environment.install("--no-deps", str(built[1]))
    [page] = (tmp_path / "venv").glob("lib/*/site-packages/grognard/server/page/index.html")
    assert (ROOT / "src/grognard/server/page/index.html").read_bytes() == page.read_bytes()


@pytest.mark.parametrize("python", pythons())
def test_the_wheel_and_the_lines_of_the_readme_work_in_an_empty_environment(
    built: list[Path], tmp_path: Path, python: str
) -> None:
    environment = Environment(tmp_path / "venv", python)
    environment.install(str(built[0]))
    table = tmp_path / "table"
    table.mkdir()
    assert environment.run("grognard", "new", "supply", "-o", "battle.toml", cwd=table).returncode == 0
    assert "pip install 'grognard[web]'" == _hint(environment, table, ("grognard", "serve"))
    environment.install(f"{built[0]}[web]")
    (table / "battle.toml").unlink()
    assert "" == run(ROOT / "README.md", environment.bin, table)
    odds = environment.run("grognard", "odds", "battle.toml", "--json", cwd=table)
    ours = grognard.odds(grognard.load(table / "battle.toml"))
    assert ours.value == pytest.approx(json.loads(odds.stdout)["value"], abs=1e-12)
    hints = {extra: _hint(environment, table, words) for extra, words in NEEDING.items()}
    assert {extra: f"pip install 'grognard[{extra}]'" for extra in NEEDING} == hints


NEEDING = {
    "ai": ("python", "-c", "import grognard.adapters.openspiel"),
    "cluster": ("grognard", "sweep", "design.toml", "--on", "tcp://127.0.0.1:9"),
    "mcp": ("grognard", "mcp"),
    "plot": ("grognard", "compare", "battle.toml", "--all-switches", "--plot", "out.png"),
    "postgres": ("grognard", "serve", "--database", "postgresql+psycopg://127.0.0.1:9/none"),
    "tables": ("grognard", "sweep", "design.toml", "-o", "table.parquet"),
}
"""What cannot be done without an extra, in a folder with a battle and a design."""


def _hint(environment: Environment, folder: Path, words: Sequence[str]) -> str:
    """What the last line of an error says to do."""
    shutil.copy(ROOT / "examples" / "designs" / "01-how-much-stronger.toml", folder / "design.toml")
    done = environment.run(*words, cwd=folder)
    assert done.returncode in (1, 2)
    lines = done.stderr.splitlines()
    assert 1 == len(lines) or words[0] == "python"
    return lines[-1].rpartition(": ")[2]
