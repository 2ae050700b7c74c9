"""The measured table: what is moved on it changes range, cover and odds; a play shows where everything stands."""

import re

from playwright.sync_api import Locator, expect

from tests.browser.conftest import Arrive
from tests.browser.people import Person
from tests.browser.tables import Table, begin, card, example, new_battle
from tests.browser.test_battles import middle
from tests.browser.test_table import A_PHONE, drag_by_finger

Place = tuple[float, float]


def place_of(piece: Locator) -> Place:
    """Where a piece says it stands."""
    found = re.search(r"at (-?[\d.]+), (-?[\d.]+)", piece.get_attribute("aria-label") or "")
    assert found is not None
    return float(found[1]), float(found[2])


def screen_of(table: Table, place: Place, frame: str, other: str) -> Place:
    """A place of the table on the screen, worked out from two frames that stand on it."""
    one, two = table.piece(frame), table.piece(other)
    (x, y), (x1, y1), (x2, y2) = middle(base(one)), place_of(one), place_of(two)
    there = middle(base(two))
    scale = (there[0] - x) / (x2 - x1) if x1 != x2 else (there[1] - y) / (y2 - y1)
    return x + (place[0] - x1) * scale, y + (place[1] - y1) * scale


def base(piece: Locator) -> Locator:
    """The round base of a frame."""
    return piece.locator("circle.base")


def drag(table: Table, start: Place, end: Place) -> None:
    """Drag with the mouse."""
    table.page.mouse.move(*start)
    table.page.mouse.down()
    for share in (0.3, 0.7, 1.0):
        table.page.mouse.move(start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1]))


def measured(table: Table) -> Locator:
    """What the engine measured."""
    return table.page.get_by_role("region", name="Measured", exact=True)


def value(table: Table) -> Locator:
    """The net losses that are expected."""
    return table.page.get_by_role("tabpanel", name="Odds").get_by_text(re.compile(r"^Net losses \(swing\) "))


def test_a_frame_that_is_dragged_to_its_target_changes_range_and_odds_while_it_is_held(person: Person) -> None:
    table = example(person, "Ragged wall on the table")
    attacker, target = "Ekauechihé", "Osprey"
    before = value(table).inner_text()
    expect(measured(table)).to_contain_text("5.52 units, direct range")
    drag(table, middle(base(table.piece(attacker))), screen_of(table, (20, 13.2), attacker, target))
    expect(measured(table)).to_contain_text("hand to hand")
    expect(value(table)).not_to_have_text(before)
    table.page.mouse.up()
    expect(measured(table)).to_contain_text("hand to hand")
    table.button("Undo").click()
    expect(measured(table)).to_contain_text("5.52 units, direct range")
    expect(value(table)).to_have_text(before)


def test_a_drag_that_is_given_up_changes_nothing(person: Person) -> None:
    table = example(person, "Ragged wall on the table")
    attacker = table.piece("Ekauechihé")
    attacker.focus()
    x, y = middle(base(attacker))
    drag(table, (x, y), (x + 60, y + 60))
    expect(attacker).not_to_have_accessible_name(re.compile("at 26, 12.5"))
    table.page.keyboard.press("Escape")
    table.page.mouse.up()
    expect(attacker).to_have_accessible_name(re.compile("at 26, 12.5"))
    expect(measured(table)).to_contain_text("5.52 units")
    expect(table.button("Undo")).to_be_disabled()


def test_terrain_that_is_dragged_into_the_lane_is_cover_and_changes_the_odds(person: Person) -> None:
    table = example(person, "From the flank")
    before = value(table).inner_text()
    expect(measured(table)).to_contain_text("wall does not cover")
    start = screen_of(table, (8.8, 7.4), "flanker", "straggler")
    drag(table, start, screen_of(table, (8, 8.4), "flanker", "straggler"))
    table.page.mouse.up()
    expect(measured(table)).to_contain_text("wall covers")
    expect(table.piece("wall")).to_have_accessible_name(re.compile("covers the target"))
    expect(value(table)).not_to_have_text(before)


def test_a_finger_drags_a_frame_and_one_on_the_empty_table_scrolls_the_page(arrive: Arrive) -> None:
    table = example(arrive(**A_PHONE), "Ragged wall on the table")
    frame, other = "Ekauechihé", "Osprey"
    table.piece(frame).scroll_into_view_if_needed()
    end = screen_of(table, (20, 15), frame, other)
    drag_by_finger(table, middle(base(table.piece(frame))), end)
    expect(table.piece(frame)).to_have_accessible_name(re.compile(r"at (19\.9\d*|20|20\.0\d*), (14\.9\d*|15|15\.0\d*)"))
    expect(measured(table)).to_contain_text("wall does not cover")
    y = table.page.evaluate("scrollY")
    x0, y0 = screen_of(table, (24, 17), frame, other)
    drag_by_finger(table, (x0, y0), (x0, y0 - 150))
    table.page.wait_for_function(f"scrollY > {y}")


def test_a_tap_on_a_piece_and_one_on_the_table_move_it(arrive: Arrive) -> None:
    table = example(arrive(**A_PHONE), "Ragged wall on the table")
    frame = table.piece("Doajihé")
    frame.tap()
    frame.scroll_into_view_if_needed()
    table.page.touchscreen.tap(*screen_of(table, (24, 15), "Doajihé", "Osprey"))
    expect(frame).to_have_accessible_name(re.compile(r"at (23\.9\d*|24|24\.0\d*), (14\.9\d*|15|15\.0\d*)"))


def test_arrow_keys_move_what_is_picked_by_tenths_of_a_unit(person: Person) -> None:
    table = example(person, "Ragged wall on the table")
    frame = table.piece("Ekauechihé")
    frame.focus()
    for key in ("Enter", "ArrowRight", "ArrowRight", "ArrowUp", "Shift+ArrowRight"):
        table.page.keyboard.press(key)
    expect(frame).to_have_accessible_name(re.compile(r"at 27\.2, 12\.4"))
    expect(measured(table)).to_contain_text("6.71 units")


def test_the_ruler_measures_between_the_edges_of_frames(person: Person) -> None:
    table = example(person, "Ragged wall on the table")
    table.choose("What clicks and drags do", "Measure")
    table.piece("Ekauechihé").click()
    table.piece("Doajihé").click()
    expect(table.page.get_by_text("Ruler: 3.31 units")).to_be_visible()


def test_a_play_shows_who_moved_away_and_what_is_held(person: Person) -> None:
    table = example(person, "Give up the relay")
    panel = begin(table, "I’ll roll")
    card(panel).get_by_role("textbox").fill("6 6 1 1")
    card(panel).get_by_role("button", name="Confirm roll").click()
    card(panel).get_by_role("button", name="Yes").click()
    guard = table.piece("guard")
    expect(guard).to_have_accessible_name(re.compile("at 21, 18, has abandoned its position"))
    expect(table.piece("relay")).to_have_accessible_name(re.compile("^relay, station, at"))
    expect(table.page.get_by_text(re.compile("^Scores: Blue"))).to_be_visible()


def test_a_battle_goes_from_numbers_to_a_table_and_back_with_the_same_odds(person: Person) -> None:
    table = new_battle(person, "frames")
    before = value(table).inner_text()
    ways = "How it is set up"
    table.choose(ways, "On a table")
    expect(measured(table)).to_contain_text("wall covers")
    expect(value(table)).to_have_text(before)
    drag(
        table,
        middle(base(table.piece("scrambler"))),
        screen_of(table, (18, 24), "scrambler", "osprey"),
    )
    table.page.mouse.up()
    expect(measured(table)).to_contain_text("wall does not cover")
    moved = table.piece("scrambler").get_attribute("aria-label") or ""
    expect(value(table)).not_to_have_text(before)
    after = value(table).inner_text()
    table.choose(ways, "By numbers")
    expect(value(table)).to_have_text(after)
    table.choose(ways, "On a table")
    expect(table.piece("scrambler")).to_have_accessible_name(moved)
    expect(value(table)).to_have_text(after)
