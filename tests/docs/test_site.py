"""The site: it builds without a warning, loads nothing from elsewhere, leads nowhere that is not there."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from fcntl import LOCK_EX, flock
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from grognard import systems

ROOT = Path(__file__).parents[2]
LOADS = {
    ("img", "src"),
    ("script", "src"),
    ("link", "href"),
    ("iframe", "src"),
    ("source", "srcset"),
    ("object", "data"),
}
NOT_LOADED = {"canonical", "index", "search", "next", "prev", "author"}
"""Links of a page's head that a browser does not follow by itself."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built once: processes that test side by side wait for the one that builds it."""
    folder = tmp_path_factory.getbasetemp()
    folder = (folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder) / "site"
    folder.mkdir(exist_ok=True)
    with (folder / "building").open("w") as building:
        flock(building, LOCK_EX)
        if not (folder / "output").exists():
            (folder / "output").write_text(build(folder), "utf-8")
    assert "" == (folder / "output").read_text("utf-8")
    return folder / "html"


def build(folder: Path) -> str:
    """Build it; what it complains about."""
    command = [
        sys.executable,
        "-m",
        "sphinx",
        "-W",
        "-n",
        "--keep-going",
        "-q",
        "-b",
        "html",
        "-d",
        str(folder / "kept"),
    ]
    done = subprocess.run([*command, "docs", str(folder / "html")], cwd=ROOT, capture_output=True, text=True)
    return done.stderr or ("" if done.returncode == 0 else "failed")


class Page(HTMLParser):
    """What a page loads, where it leads, and the places in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.leads: list[str] = []
        self.places: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {key: value or "" for key, value in attrs}
        self.places |= {given[key] for key in ("id", "name") if key in given}
        for key, value in given.items():
            if (tag, key) in LOADS and given.get("rel") not in NOT_LOADED:
                self.loads.append(value)
            elif (tag, key) == ("a", "href"):
                self.leads.append(value)


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    return {path: Page(path.read_text("utf-8")) for path in sorted(site.rglob("*.html"))}


def is_outside(address: str) -> bool:
    return bool(re.match(r"(https?:)?//", address))


def test_a_page_loads_nothing_from_elsewhere(pages: dict[Path, Page]) -> None:
    assert {} == {path.name: outside for path, page in pages.items() if (outside := [*filter(is_outside, page.loads)])}


def test_styles_and_pictures_load_nothing_from_elsewhere(site: Path) -> None:
    loading = re.compile(r"""(?:url\(\s*["']?|@import\s+["']|\bhref=["']|\bsrc=["'])((?:https?:)?//[^"')\s]+)""")
    files = [path for ending in ("css", "svg") for path in site.rglob(f"*.{ending}")]
    assert {} == {path.name: addresses for path in files if (addresses := loading.findall(path.read_text("utf-8")))}


def missing(site: Path, pages: dict[Path, Page]) -> Iterator[tuple[str, str]]:
    """What pages load or lead to that is not in the site."""
    for path, page in pages.items():
        for address in (*page.loads, *page.leads):
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            lacks_place = target in pages and parts.fragment and unquote(parts.fragment) not in pages[target].places
            if not target.exists() or lacks_place:
                yield str(path.relative_to(site)), address


def test_nothing_leads_nowhere(site: Path, pages: dict[Path, Page]) -> None:
    assert [] == [*missing(site, pages)]


@pytest.mark.parametrize("name", systems.names())
def test_every_system_has_a_page_with_its_rules_switches_and_pictures(site: Path, name: str) -> None:
    text = (site / "systems" / f"{name}.html").read_text("utf-8")
    system = systems.find(name)
    assert [] == [rule.name for rule in system.rules if f">{rule.name}</span>" not in text]
    assert (site / "_static" / "pictures" / f"{name}-odds.svg").read_text("utf-8").startswith("<svg")
    assert "<!-- written" not in text


def test_the_measured_figures_are_those_of_the_recorded_run(site: Path) -> None:
    text = (site / "exactness.html").read_text("utf-8")
    tables = json.loads((ROOT / "bench" / "results.json").read_text("utf-8"))["tables"]
    assert [] == [
        row["claim"] for part in tables for row in part["rows"] if f"<td><p>{row['ours']}</p></td>" not in text
    ]


def test_the_long_checks_are_those_recorded(site: Path) -> None:
    text = (site / "reliability.html").read_text("utf-8")
    rows = json.loads((ROOT / "bench" / "soak.json").read_text("utf-8"))
    assert [] == [row for row, counts in rows.items() if f"<td><p>{counts['inputs']:,}</p></td>" not in text]


def test_the_live_battles_are_those_recorded(site: Path) -> None:
    text = (site / "reliability.html").read_text("utf-8")
    rows = json.loads((ROOT / "bench" / "live.json").read_text("utf-8"))["tables"][0]["rows"]
    assert [] == [row["claim"] for row in rows if f"<td><p>{row['ours']}</p></td>" not in text]


def test_every_erratum_of_a_worked_example_is_told(site: Path) -> None:
    assert "Four defence dice are rolled" in (site / "systems" / "ranks.html").read_text("utf-8")
