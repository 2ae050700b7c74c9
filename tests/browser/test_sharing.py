"""A link that carries the battle in itself; a page that is small, and remembers."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Arrive
from tests.browser.people import Person
from tests.browser.tables import example, new_battle, opened, saved

FIRST_VIEW = 200_000
"""The bytes that a first view may take, as they are sent."""
SENT = """
() => Object.fromEntries([...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  .map((entry) => [entry.name, entry.encodedBodySize]))
"""
"""What the page asked for, and its bytes; without what the service worker fetches for later visits."""


def test_a_link_opens_the_same_set_up_in_another_browser(arrive: Arrive, tmp_path: Path) -> None:
    sender, receiver = arrive(), arrive()
    table = new_battle(sender, "supply")
    table.page.get_by_role("textbox", name="Name of this battle").fill("Brücke bei Nacht")
    table.piece("rifles").click()
    table.number("strength").fill("7")
    table.button("Share").click()
    link = table.sheet("Share").get_by_role("textbox", name="Link", exact=True)
    receiver.go(link.input_value())
    table.sheet("Share").get_by_role("button", name="Close").click()

    arrived = opened(receiver)
    expect(arrived.page.get_by_role("textbox", name="Name of this battle")).to_have_value("Brücke bei Nacht")
    sent, received = (json.loads(saved(one, "JSON", tmp_path).read_text()) for one in (table, arrived))
    assert (7, sent) == (received["units"][1]["strength"], received)


def test_a_battle_survives_that_the_page_is_loaded_again(person: Person) -> None:
    table = new_battle(person, "supply")
    table.piece("rifles").click()
    table.number("strength").fill("7")
    table.odds()
    person.page.reload()
    opened(person).piece("rifles").click()
    expect(table.number("strength")).to_have_value("7")


def test_a_saved_file_is_opened_again_in_another_browser(arrive: Arrive, tmp_path: Path) -> None:
    saver, loader = arrive(), arrive()
    table = example(saver, "Over the ridge")
    file = saved(table, "TOML", tmp_path)
    loader.go()
    loader.page.get_by_label("Battle file").set_input_files(file)
    loaded = saved(opened(loader), "JSON", tmp_path / "loaded")
    assert json.loads(saved(table, "JSON", tmp_path).read_text()) == json.loads(loaded.read_text())


def test_a_file_that_is_no_battle_is_refused_with_its_faults(person: Person, tmp_path: Path) -> None:
    file = tmp_path / "wrong.toml"
    file.write_text('system = "supply"\nunits = 3\n')
    person.go()
    person.page.get_by_label("Battle file").set_input_files(file)
    expect(person.page.get_by_role("alert")).to_contain_text("wrong.toml cannot be opened")
    expect(person.page.get_by_role("alert")).to_contain_text("units")


def test_the_odds_are_saved_as_pictures(person: Person, tmp_path: Path) -> None:
    table = example(person, "Call in")
    drawn = ElementTree.parse(saved(table, "Picture, SVG", tmp_path)).getroot()
    assert "{http://www.w3.org/2000/svg}svg" == drawn.tag
    assert "Call in" in " ".join(drawn.itertext())
    assert saved(table, "Picture, PNG", tmp_path).read_bytes().startswith(b"\x89PNG")


# of each system the turn, where it has one that is soon computed: that shows the most
LARGE = (
    "supply/08-the-mortar-fires-once",
    "ranks/03-friends-of-friends",
    "tower/09-two-waves",
    "frames/14-spot-then-fire",
    "assault/06-over-the-ridge",
)


@pytest.mark.parametrize("address", ["/", *(f"/battle#e={name}" for name in LARGE)])
def test_the_first_view_takes_less_than_200_kb_with_its_fonts(person: Person, address: str) -> None:
    person.go(address)
    if address == "/":
        expect(person.page.get_by_role("heading", level=1)).to_be_visible()
    else:
        opened(person)
    person.page.wait_for_load_state("networkidle")
    sizes = person.page.evaluate(SENT)
    assert f"{person.url}/api/systems" in sizes
    assert sum(sizes.values()) < FIRST_VIEW, sizes
