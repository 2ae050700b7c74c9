"""The system that the documentation writes, on the page: it has a form, odds, colours, and a play."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import Arrive, gathering
from tests.browser.people import Person
from tests.browser.serving import Server
from tests.browser.tables import begin, card, new_battle, options
from tests.docs.blocks import write_files

PAGE = Path(__file__).parents[2] / "docs" / "sixth-system.md"
COLOUR = "(element) => getComputedStyle(element).color"


@pytest.fixture(scope="module")
def risk(built_page: None, browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arrive]:
    folder = tmp_path_factory.mktemp("risk")
    write_files(PAGE, folder)
    server = Server(folder, GROGNARD_SYSTEMS=str(folder / "systems"))
    server.start()
    with gathering(browser, server) as come:
        yield come
    server.stop()


@pytest.fixture
def person(risk: Arrive) -> Person:
    return risk()


def test_a_play_shows_the_state_of_every_side(person: Person) -> None:
    table = new_battle(person, "Risk")
    panel = begin(table, "Roll for me", "1")
    players = table.page.get_by_role("region", name="players").get_by_role("listitem")
    expect(players).to_have_text(["Red attacker 6 armies", "Blue defender 4 armies"])
    options(panel).first.click()
    options(panel).first.click()
    card(panel).get_by_role("button", name="Roll the dice").click()
    expect(players).not_to_have_text(["Red attacker 6 armies", "Blue defender 4 armies"])


def test_a_side_has_one_colour_on_the_map_in_the_odds_and_in_prompts(person: Person) -> None:
    table = new_battle(person, "Risk")
    odds = table.odds()
    figure = odds.locator("dl > div", has_text="Blue").locator("dd").evaluate(COLOUR)
    panel = begin(table, "Roll for me", "1")
    name = table.page.get_by_role("region", name="players").get_by_text("Blue", exact=True).evaluate(COLOUR)
    asked = card(panel).get_by_text("Red", exact=True).evaluate(COLOUR)
    red = table.page.get_by_role("region", name="players").get_by_text("Red", exact=True).evaluate(COLOUR)
    assert (name, red) == (figure, asked)
    assert name != red
