"""The page of published figures is what computing all of them gives."""

import subprocess
import sys
import tomllib
from fractions import Fraction
from pathlib import Path

import pytest
from docs.published import Figure, format_ours, is_printed_as, rounded

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


@pytest.mark.parametrize(
    ("entry", "published", "ours", "counted", "faults"),
    [
        ({}, "83.8 %", Fraction(181, 216), (), 0),
        ({}, "83.7 %", Fraction(181, 216), (), 1),
        ({"wrong": "because"}, "83.8 %", Fraction(181, 216), (), 1),
        ({"wrong": "because"}, "83.7 %", Fraction(181, 216), (), 0),
        ({}, "181/216", Fraction(181, 216), (Fraction(180, 216),), 1),
        ({"wrong": "luck", "sampled": 100}, "0.9", Fraction(181, 216), (), 0),
        ({"wrong": "luck", "sampled": 10_000}, "0.9", Fraction(181, 216), (), 1),
    ],
)
def test_a_row_is_at_fault_unless_figure_count_and_explanation_fit(
    entry: dict[str, object], published: str, ours: Fraction, counted: tuple[Fraction, ...], faults: int
) -> None:
    figure = Figure(entry, (published,), (ours,), counted)
    assert faults == len(list(figure.faults()))


def test_every_digit_that_is_printed_counts() -> None:
    third = Fraction(1, 3)
    assert is_printed_as(third, "0.3333333333333333", None)
    assert not is_printed_as(third, "0.3333333333333334", None)
    assert is_printed_as(third, "0.3333333333333334", 15)
    assert not is_printed_as(third, "1", None)
    assert "0.66666666666666666667" == rounded(2 * third, 20)
    assert "1.00" == rounded(Fraction(999, 1000), 2)


def test_a_number_halfway_between_two_printed_ones_agrees_with_both_and_has_one_digit_more() -> None:
    for printed in ("37 %", "38 %"):
        figure = Figure({}, (printed,), (Fraction(3, 8),), ())
        assert (True, "3/8 = 37.5 %") == (figure.agrees, format_ours(figure, 0))
