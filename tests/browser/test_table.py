"""What people do at a table and rely on: fingers that drag, buttons that stay, colours that last, links that open."""

import re
from pathlib import Path

from playwright.sync_api import Locator, expect

from tests.browser.conftest import Arrive
from tests.browser.people import PHONE, Person
from tests.browser.tables import (
    Table,
    begin,
    card,
    example,
    log_of,
    new_battle,
    open_file,
    opened,
    options,
    play_machine,
)
from tests.browser.test_battles import middle

A_PHONE = {"viewport": PHONE, "device_scale_factor": 2, "is_mobile": True, "has_touch": True}


def drag_by_finger(table: Table, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Put a finger down, move it in small steps, and lift it: as the browser gets it from a real screen."""
    device = table.page.context.new_cdp_session(table.page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        device.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    touch("touchStart", start)
    for step in range(1, 11):
        share = step / 10
        touch("touchMove", (start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])))
    touch("touchEnd")


def beside(piece: Locator, columns: int = 0, rows: int = 0) -> tuple[float, float]:
    """The middle of a tile near a piece, on the screen."""
    x, y = middle(piece)
    tile = piece.evaluate("(piece) => 100 * piece.ownerSVGElement.getScreenCTM().a")
    return x + columns * tile, y + rows * tile


def place_of(piece: Locator) -> str:
    """Where a piece says it stands."""
    found = re.search(r"column \d+, row \d+", piece.get_attribute("aria-label") or "")
    return found[0] if found else ""


def test_a_finger_drags_a_unit_to_another_tile(arrive: Arrive) -> None:
    table = new_battle(arrive(**A_PHONE), "supply")
    guns = table.piece("guns")
    guns.scroll_into_view_if_needed()
    drag_by_finger(table, middle(guns), beside(guns, rows=1))
    expect(guns).to_have_accessible_name(re.compile("column 2, row 4"))


def test_a_finger_drags_an_arrow_to_the_target(arrive: Arrive) -> None:
    table = new_battle(arrive(**A_PHONE), "supply")
    mortar, rifles = table.piece("mortar"), table.piece("rifles")
    mortar.scroll_into_view_if_needed()
    drag_by_finger(table, middle(mortar), middle(rifles))
    expect(mortar).to_have_accessible_name(re.compile("attacks"))


def test_a_finger_on_the_empty_map_scrolls_the_page(arrive: Arrive) -> None:
    table = new_battle(arrive(**A_PHONE), "supply")
    x, y = beside(table.piece("rifles"), rows=1)
    drag_by_finger(table, (x, y), (x, y - 150))
    table.page.wait_for_function("scrollY > 0")


def test_a_tap_on_a_unit_and_one_on_a_tile_move_it(arrive: Arrive) -> None:
    table = new_battle(arrive(**A_PHONE), "supply")
    guns = table.piece("guns")
    guns.tap()
    table.page.touchscreen.tap(*beside(guns, rows=1))
    table.button("Move guns here").tap()
    expect(guns).to_have_accessible_name(re.compile("column 2, row 4"))


def test_a_button_pressed_twice_does_nothing_else(person: Person) -> None:
    table = new_battle(person, "supply")
    table.piece("rifles").click()
    for name in ("Attacks", "Is the target"):
        table.button(name).dblclick()
        expect(table.button(name)).to_have_attribute("aria-pressed", "true")
    expect(table.piece("rifles")).to_be_visible()


def test_what_was_removed_is_brought_back(person: Person) -> None:
    table = new_battle(person, "supply")
    table.piece("rifles").click()
    table.page.get_by_text("More about rifles").click()
    table.button("Remove rifles").click()
    expect(table.piece("rifles")).to_have_count(0)
    table.button("Bring rifles back").click()
    expect(table.piece("rifles")).to_have_accessible_name(re.compile("is the target"))


def test_a_play_that_is_stopped_can_be_continued(person: Person) -> None:
    table = new_battle(person, "supply")
    panel = begin(table, "Roll for me", "1")
    options(panel).first.click()
    expect(card(panel).get_by_role("button", name="Roll the dice")).to_be_visible()
    table.button("Stop").click()
    table.button("Continue it").click()
    expect(card(panel).get_by_role("button", name="Roll the dice")).to_be_visible()


def test_the_way_of_rolling_is_kept_while_tabs_are_switched(person: Person) -> None:
    table = new_battle(person, "supply")
    table.tab("Play")
    table.choose("Dice", "I’ll roll")
    table.tab("Odds")
    expect(table.tab("Play").get_by_role("radio", name="I’ll roll")).to_be_checked()


def test_the_address_opens_the_same_battle_for_anybody(arrive: Arrive) -> None:
    table, friend = new_battle(arrive(), "supply"), arrive()
    table.piece("rifles").click()
    table.number("strength").fill("7")
    table.odds()
    table.page.wait_for_url(re.compile("#.*b="))
    friend.go(table.page.url)
    expect(opened(friend).piece("rifles")).to_have_accessible_name(re.compile("strength 7"))


def test_another_card_is_another_name_unless_the_unit_was_named(person: Person) -> None:
    table = new_battle(person, "assault")
    cards = table.page.get_by_role("combobox", name="card", exact=True)
    table.button("Add a unit").click()
    table.button("Add US Bazooka").click()
    table.piece("US bazooka").click()
    cards.select_option("US Rangers 43")
    expect(table.piece("US rangers 43")).to_be_visible()
    table.button("Done").click()
    table.piece("HMG").click()
    cards.select_option("US Bazooka")
    expect(table.piece("HMG")).to_be_visible()


def test_a_new_unit_stands_where_it_can_attack(person: Person) -> None:
    for system, kind in (("supply", "militia"), ("tower", "Hero")):
        table = new_battle(person, system)
        table.button("Add a unit").click()
        table.button(f"Add {kind}").click()
        table.piece(f"{kind.lower()}").last.click()
        table.button("Attacks").click()
        table.button("Done").click()
        table.await_odds()
        expect(table.page.get_by_role("alert")).to_have_count(0)


def colour_of(locator: Locator) -> str:
    """The colour of its text."""
    colour: str = locator.evaluate("(element) => getComputedStyle(element).color")
    return colour


def test_a_player_called_green_is_green_everywhere(person: Person) -> None:
    table = example(person, "Friends of friends")
    on_map = table.page.get_by_role("button", name=re.compile("^Green ")).locator("strong").first
    green = colour_of(on_map)
    panel = begin(table, "Roll for me", "1")
    while "Green" not in card(panel).get_by_role("heading").inner_text():
        rolls = len(panel.locator("ol > li").all())
        card(panel).get_by_role("button").last.click()
        expect(panel.locator("ol > li").nth(rolls)).to_be_visible()
    assert green == colour_of(card(panel).locator("h3 strong"))
    odds = table.odds()
    odds.get_by_label("Chart of").select_option("Green: losses")
    bar = odds.locator("figure svg rect.bar").first
    assert green == bar.evaluate("(bar) => getComputedStyle(bar).fill")


def test_the_map_shows_every_step_as_the_engine_has_it(person: Person) -> None:
    table = example(person, "Guns on rifles")
    panel = begin(table, "I’ll roll")
    guns, rifles = table.piece("guns"), table.piece("rifles")
    expect(guns).to_have_accessible_name(re.compile("2 supply, has fired, attacks"))
    card(panel).get_by_role("textbox").fill("1111 66666")
    card(panel).get_by_role("button", name="Confirm roll").click()
    card(panel).get_by_role("button", name="Yes").click()
    expect(rifles).to_have_accessible_name(re.compile("0 supply, has counterattacked, attacks"))
    expect(guns).to_have_accessible_name(re.compile("is the target"))

    panel.locator("ol > li button.what").first.click()
    expect(table.page.get_by_text("The map shows the moment after step 1.")).to_be_visible()
    expect(rifles).not_to_have_accessible_name(re.compile("has counterattacked"))
    table.page.keyboard.press("ArrowDown")
    expect(table.page.get_by_text("The map shows the moment after step 2.")).to_be_visible()
    steps = table.page.get_by_role("toolbar", name="Steps of the play")
    for button, words in (("Next", "step 3 of"), ("Previous", "step 2 of"), ("First", "step 1 of")):
        table.button(f"{button} step").click()
        expect(steps).to_contain_text(words)
    table.button("Last step").click()
    expect(rifles).to_have_accessible_name(re.compile("has counterattacked"))
    table.button("Back to the present").click()
    expect(table.page.get_by_text("The map shows the moment")).to_have_count(0)


def test_a_unit_that_falls_back_is_drawn_where_it_is_and_its_namesake_where_it_was(
    person: Person, tmp_path: Path
) -> None:
    tank = {"side": "us", "card": "light tank", "experience": "veteran"}
    rifles = {"side": "ge", "card": "GE Rifles 43"}
    battle = {
        "system": "assault",
        "board": {"size": [10, 7]},
        "units": [
            {"id": "tank", **tank, "at": [3, 4], "facing": "northeast"},
            {"id": "rifles", **rifles, "status": "suppressed", "at": [6, 4]},
            {"id": "rifles 2", **rifles, "at": [6, 6]},
        ],
        "attack": {"by": "tank", "on": "rifles"},
        "rules": {"fallback_way": "owner_chooses"},
    }
    table, _ = open_file(person, battle, tmp_path)
    play_machine(begin(table, "Roll for me", "4", "computer, best play"))
    after = log_of(table, tmp_path)["result"]["units"]
    assert "fallback" == after["rifles"]["status"]
    for unit in ("rifles", "rifles 2"):
        column, row = after[unit]["at"]
        expect(table.piece(unit)).to_have_accessible_name(re.compile(f"column {column}, row {row}"))
    assert after["rifles"]["at"] != [6, 4]


def test_systems_without_names_are_struck_out_when_they_are_lost(person: Person, tmp_path: Path) -> None:
    battle = {
        "system": "frames",
        "frames": [
            {"id": "scout", "player": "Red", "loadout": "WWRdRd"},
            {"id": "osprey", "player": "Blue", "loadout": "WWBBRdRd"},
        ],
        "attack": {"by": "scout", "on": "osprey", "range": "direct", "attack": 6, "defense": 4},
    }
    table, _ = open_file(person, battle, tmp_path)
    panel = begin(table, "I’ll roll")
    card(panel).get_by_role("textbox").fill("6 6")
    card(panel).get_by_role("button", name="Confirm roll").click()
    card(panel).get_by_role("button", name="Defense").click()
    osprey = table.page.get_by_role("button", name="target, ")
    expect(osprey.locator(".lost", has_text="defense")).to_have_count(1)
    expect(osprey.get_by_text("defense", exact=True)).to_have_count(2)
