"""A battle without a mouse: set up, its odds, played to the end, its log saved."""

import json
from pathlib import Path
from random import Random

from playwright.sync_api import Locator, expect

from tests.browser.people import Person
from tests.browser.serving import command
from tests.browser.tables import TITLES, Table, card, is_over, opened, options, roll_by_hand

MOST_STOPS = 200
"""So often Tab is pressed before a control counts as one that cannot be reached."""


def test_a_battle_is_set_up_weighed_played_and_saved_by_keys_alone(person: Person, tmp_path: Path) -> None:
    person.go()
    start = person.page.get_by_role("button", name=f"New battle of {TITLES['supply']}")
    expect(start).to_be_visible()
    press(start, "Enter")
    table = opened(person)
    press(table.page.get_by_role("radio", name="Whole turn"), "ArrowLeft")
    set_up(table)
    panel = play(table)

    press(table.button("Save"), "Enter")
    with person.page.expect_download() as started:
        press(table.sheet("Save").get_by_role("button", name="Log", exact=True), "Enter")
    started.value.save_as(tmp_path / "log.json")
    person.page.keyboard.press("Escape")
    expect(table.button("Save")).to_be_focused()
    log = json.loads((tmp_path / "log.json").read_text())
    assert {"by": "mortar", "on": "rifles"} == log["battle"]["attack"]
    assert 3 == log["battle"]["units"][1]["strength"]
    assert log["result"] == command("replay", tmp_path / "log.json")["result"]
    expect(panel.get_by_role("region", name="Luck")).to_be_visible()


def set_up(table: Table) -> None:
    """The mortar fires at the rifles, who are fewer than they were."""
    press(table.piece("guns"), "ArrowUp")
    expect(table.piece("mortar")).to_be_focused()
    press(table.piece("mortar"), "Enter", "ArrowRight", "ArrowRight")
    expect(table.piece("rifles")).to_be_focused()
    press(table.piece("rifles"), "Enter", "Enter")
    press(table.number("strength"), "Control+a", "3")
    press(table.button("Done"), "Enter")
    table.await_odds()


def play(table: Table) -> Locator:
    """To the end, with dice from the table."""
    table.page.keyboard.press("p")
    panel = table.page.get_by_role("tabpanel", name="Play", exact=True)
    press(panel.get_by_role("radio", name="Roll for me"), "ArrowRight")
    press(table.button("Play this attack"), "Enter")
    dice = Random(1)
    while not is_over(panel):
        entry = card(panel).get_by_role("textbox")
        if entry.count():
            while face := roll_by_hand(entry, dice):
                press(entry, *face, " ")
            table.page.keyboard.press("Enter")
        else:
            press(options(panel).first, "Enter")
    return panel


def press(control: Locator, *keys: str) -> None:
    """Press Tab until a control has the focus, and then these keys."""
    for _ in range(MOST_STOPS):
        if control.evaluate("(element) => element === document.activeElement"):
            for key in keys:
                control.page.keyboard.press(key)
            return
        control.page.keyboard.press("Tab")
    raise AssertionError(f"Tab never comes to {control}")
