"""Every code block of README and docs runs as a reader would run it, page by page, and shows what it really prints."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.blocks import RUN, blocks, run, write_files

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
WITH_EXAMPLES = ("sweeps",)
"""Pages that say themselves that they need the folder of examples."""
WITH_SYSTEMS = {"published": ("sixth-system", "turns")}
"""Pages that say themselves that they need the systems of others."""


def name(page: Path) -> str:
    return str(page.relative_to(ROOT).with_suffix(""))


RUNNABLE = [page for page in PAGES if any(block.language in RUN for block in blocks(page.read_text("utf-8")))]


@pytest.mark.parametrize("page", RUNNABLE, ids=name)
def test_a_page_runs_from_an_empty_folder(page: Path, tmp_path: Path) -> None:
    if page.stem in WITH_EXAMPLES:
        (tmp_path / "examples").symlink_to(ROOT / "examples")
    for other in WITH_SYSTEMS.get(page.stem, ()):
        write_files(ROOT / "docs" / f"{other}.md", tmp_path)
    assert "" == run(page, Path(sys.executable).parent, tmp_path)


@pytest.mark.parametrize(
    ("page", "wrong"),
    [
        ("```sh\nfalse\n```\n", "status 1"),
        ("```sh\nfalse | cat\n```\n", "status 1"),
        ("```console\n$ echo a\nb\n```\n", "but the page shows"),
        ("```console\n$ printf 'a\\nb\\n'\na\n```\n", "but the page shows"),
        ("```console\n$ printf 'a\\nb\\nc\\n'\na\n[...]\n```\n", ""),
        ("```console\n$ printf 'a\\nb\\nc\\n'\n[...]\nb\n[...]\n$ echo \\\n  d\nd\n```\n", ""),
        ("```python\nassert 1 == 2\n```\n", "AssertionError"),
        ("```python\na = 1\n```\n\n```pycon\n>>> a + 1\n2\n>>> b = 3\n```\n\n```python\nassert b == 3\n```\n", ""),
        ("```pycon\n>>> 1 + 1\n3\n```\n", "Expected"),
        ("```sh\nmkdir a\ncd a\nexport HERE=b\n```\n\n```sh\ntest $HERE = b\ntest $(basename $PWD) = a\n```\n", ""),
        ("<!-- file: a/b.py -->\n\n```python\nassert False\n```\n\n```sh\ntest -s a/b.py\n```\n", ""),
        ("```text\nfalse\n```\n", ""),
        ("```\nfalse\n```\n", "no language"),
        ("```rust\nfalse\n```\n", "nobody knows"),
        ("```sh\ncommand -v grognard\n```\n", ""),
    ],
)
def test_the_reader_of_blocks_finds_what_is_wrong(page: str, wrong: str, tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text(page, "utf-8")
    faults = run(tmp_path / "page.md", Path(sys.executable).parent, tmp_path)
    assert wrong in faults
    assert bool(wrong) == bool(faults)


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_block_has_a_language(page: Path) -> None:
    assert [] == [block.line for block in blocks(page.read_text("utf-8")) if not block.language]


def test_the_systems_that_pages_write_are_strictly_typed(tmp_path: Path) -> None:
    for page in ("sixth-system", "seventh-system", "turns"):
        write_files(ROOT / "docs" / f"{page}.md", tmp_path)
    names = sorted({path.parent.name for path in tmp_path.glob("systems/*/*.py")})
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", str(ROOT / "pyproject.toml"), *names]
    environment = {**os.environ, "MYPYPATH": str(ROOT / "src")}
    folder = tmp_path / "systems"
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert (0, 3) == (done.returncode, len(names)), done.stdout
