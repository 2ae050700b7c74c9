"""Pictures drawn with matplotlib: files that are the same each time and load nothing; a hint where it is missing."""

import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from matplotlib.patches import Rectangle
from tests.cli.conftest import duel

import grognard
from grognard.core.errors import GrognardError
from grognard.studies.switches import SwitchEffects
from grognard.words.plots import save

EXAMPLES = Path(__file__).parents[2] / "examples"


def texts(path: Path) -> set[str]:
    return {element.text or "" for element in ElementTree.parse(path).iter("{http://www.w3.org/2000/svg}text")}


def test_a_comparison_names_every_case_and_every_measure_that_is_drawn(tmp_path: Path) -> None:
    comparison = grognard.compare(grognard.battle(duel(2, 2)), "ties")
    save(comparison.plot(), tmp_path / "ties.svg")
    said = texts(tmp_path / "ties.svg")
    assert "RiskyStars: ties" in said
    assert {measured.label for measured in comparison.measures[:4]} <= said
    labels = {text.partition(" (net losses")[0] for text in said if "(net losses" in text}
    assert {"defender, as it is", "attacker", "both", "neither"} == labels


def test_switches_are_drawn_the_largest_change_on_top(tmp_path: Path) -> None:
    comparison = grognard.compare(grognard.battle(duel(2, 2)))
    figure = comparison.plot()
    names = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert [f"{effect.switch} = {effect.case.name}" for effect in comparison.effects] == names[::-1]


def test_a_battle_in_which_no_switch_matters_is_drawn_too(tmp_path: Path) -> None:
    save(SwitchEffects(grognard.odds(grognard.battle(duel())), ()).plot(), tmp_path / "none.svg")
    assert "No house rule changes anything here" in texts(tmp_path / "none.svg")


def test_switches_that_only_move_the_odds_are_drawn_by_how_much(tmp_path: Path) -> None:
    comparison = grognard.compare(grognard.load(EXAMPLES / "tower" / "05-long-shot.toml"))
    panel = comparison.plot().axes[0]
    assert {0.0} == {round(float(effect.change), 12) for effect in comparison.effects}
    drawn = [bar.get_width() for bar in panel.patches if isinstance(bar, Rectangle)]
    assert pytest.approx([100 * effect.distance for effect in comparison.effects][::-1]) == drawn
    assert "odds that move in %, while they leave net losses (swing) +2.67 as it is" == panel.get_xlabel()


def test_no_panel_is_left_empty_and_long_titles_are_broken() -> None:
    paths = sorted((EXAMPLES / "frames").glob("0[1-3]*.toml"))
    figure = grognard.compare([grognard.load(path) for path in paths]).plot()
    assert all(bool(panel.patches) == panel.axison for panel in figure.axes)
    titles = [panel.get_title(loc="left") for panel in figure.axes]
    assert any("\n" in title for title in titles)
    assert all(len(line) <= 52 for title in titles for line in title.splitlines())


def test_a_measure_of_many_values_is_drawn_as_lines() -> None:
    figure = grognard.compare(grognard.battle(duel(12, 12)), "ties").plot()
    assert any(panel.lines for panel in figure.axes)


def test_a_switch_that_changes_nothing_can_be_drawn() -> None:
    assert grognard.compare(grognard.battle(duel()), "nobody_left").plot().axes


def test_the_same_comparison_is_the_same_file_and_loads_nothing(tmp_path: Path) -> None:
    battle = grognard.battle(duel(2, 2))
    for name in ("one.svg", "two.svg"):
        save(grognard.compare(battle, "ties").plot(), tmp_path / name)
    one, two = ((tmp_path / name).read_text() for name in ("one.svg", "two.svg"))
    assert one == two
    assert [] == [link for link in re.findall(r'href="([^"]*)"', one) if not link.startswith("#")]


def test_png_too(tmp_path: Path) -> None:
    save(grognard.compare(grognard.battle(duel()), "ties").plot(), tmp_path / "ties.png")
    assert (tmp_path / "ties.png").read_bytes().startswith(b"\x89PNG")


def test_a_full_disk_is_told_with_the_name_of_the_picture(tmp_path: Path) -> None:
    (tmp_path / "ties.svg").symlink_to("/dev/full")
    with pytest.raises(GrognardError) as error:
        save(grognard.compare(grognard.battle(duel()), "ties").plot(), tmp_path / "ties.svg")
    assert f"cannot write {tmp_path}/ties.svg: No space left on device" == str(error.value)


def test_without_matplotlib_the_hint_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(GrognardError) as error:
        grognard.compare(grognard.battle(duel()), "ties").plot()
    assert "this needs matplotlib: pip install 'grognard[plot]'" == str(error.value)
