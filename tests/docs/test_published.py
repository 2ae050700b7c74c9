"""The page of published figures is what computing all of them gives."""

import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


def test_every_published_figure_is_computed_and_its_page_says_what_comes_out(tmp_path: Path) -> None:
    """A figure that is not ours without a reason, or a count that is not, makes it fail with the figure's name."""
    page = tmp_path / "published.md"
    done = subprocess.run([sys.executable, "-m", "docs.published", str(page)], cwd=ROOT, capture_output=True, text=True)
    assert (0, "") == (done.returncode, done.stderr)
    assert page.read_text("utf-8") == (DOCS / "published.md").read_text("utf-8"), "make published"


def test_there_are_sixty_figures_from_eight_sources() -> None:
    table = tomllib.loads((DOCS / "published.toml").read_text("utf-8"))
    sources = [source for game in table["games"] for source in game["sources"]]
    assert len({source["who"] for source in sources}) >= 8
    assert sum(len(source["figures"]) for source in sources) >= 60
