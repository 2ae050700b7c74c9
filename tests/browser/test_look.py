"""What the page shows first, what can be dragged on it, and what stands beside the odds."""

import re
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browser.conftest import Arrive
from tests.browser.people import PHONE, Person
from tests.browser.tables import TITLES, begin, example, new_battle, new_turn, open_file, play_machine, saved
from tests.browser.views import VIEWS

SMALLEST = 12
"""Pixels of text on a map."""
TOUCHED = 40
"""Pixels that a finger needs."""
SMALL_TEXT = """(least) => [...document.querySelectorAll('svg text')]
  .filter((text) => text.textContent.trim() && text.getClientRects().length)
  .filter((text) => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a < least - 0.01)
  .map((text) => text.textContent)"""
SMALL_TARGETS = """(least) => [...document.querySelectorAll('main :is(button, select, summary, label:has(:is(input)))')]
  .map((one) => [one, one.getBoundingClientRect()])
  .filter(([, box]) => box.height > 0 && box.height < least - 0.5)
  .map(([one, box]) => `${one.tagName} ${one.textContent.trim()} ${box.height}`)"""

OVERLAPPING = """() => [...document.querySelectorAll('.counter')].filter((counter) => {
  const [left, right] = ['.left', '.right'].map((which) => counter.querySelector(which).getBoundingClientRect())
  return right.width && left.right > right.left
}).map((counter) => counter.textContent)"""
TOO_WIDE = "document.documentElement.scrollWidth - innerWidth"
BOXES = """(names) => names.map((name) => {
  const { left, right, top, bottom } = document.querySelector(name).getBoundingClientRect()
  return { left, right, top, bottom }
})"""
CUT = "[...document.querySelectorAll('.table')].filter((one) => one.scrollWidth > one.clientWidth + 1).length"
TABLET: ViewportSize = {"width": 768, "height": 1024}
SHEET: ViewportSize = {"width": 680, "height": 960}
"""Pixels of a sheet of A4 within its margins."""


def told(page: Page) -> str:
    """What the line over the chart says."""
    return page.get_by_role("slider", name="At least").get_attribute("aria-valuetext") or ""


def test_the_line_over_the_chart_is_dragged_and_says_at_least(person: Person) -> None:
    page = example(person, "Call in").page
    line = page.get_by_role("slider", name="At least")
    assert told(page).startswith("at least 1: ")
    box = line.bounding_box()
    assert box is not None
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 20 + (box["width"] - 40) / 3, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 20, middle, steps=5)
    page.mouse.up()
    expect(line).to_have_attribute("aria-valuetext", re.compile("^at least 3: "))
    line.press("ArrowLeft")
    expect(line).to_have_attribute("aria-valuetext", re.compile("^at least 2: "))
    expect(page.get_by_role("columnheader", name="at least 2")).to_be_visible()


def test_a_tap_on_the_chart_moves_the_line_and_says_the_chance(arrive: Arrive) -> None:
    phone = arrive(viewport=PHONE, is_mobile=True, has_touch=True)
    page = example(phone, "Call in").page
    line = page.get_by_role("slider", name="At least")
    line.scroll_into_view_if_needed()
    box = line.bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + box["width"] - 25, box["y"] + box["height"] / 2)
    expect(line).to_have_attribute("aria-valuetext", re.compile("^at least 3: "))


def test_a_house_rule_is_changed_beside_the_odds_which_change_in_view(person: Person) -> None:
    table = example(person, "Friends of friends")
    rules = table.dock("House rules")
    figures = table.page.get_by_role("definition")
    before = figures.all_inner_texts()
    rules.get_by_role("button", name="Which rule matters?").click()
    rules.get_by_role("button", name=re.compile("^ties: attacker")).click()
    expect(figures).not_to_have_text(before)
    expect(figures.first).to_be_in_viewport()
    expect(rules.get_by_role("radio", name="attacker").first).to_be_checked()
    table.page.keyboard.press("Escape")
    expect(rules).to_have_count(0)


def test_the_start_shows_every_system_and_the_recent_battles_first(person: Person) -> None:
    VIEWS["start_again"](person)
    page = person.page
    headings = page.get_by_role("heading", level=2).all_inner_texts()
    assert ["Recent battles", *sorted(TITLES.values()), "A battle of your own"] == headings
    expect(page.get_by_role("link", name=re.compile("^Call in rifles v guards, just now"))).to_be_visible()
    assert [] == page.get_by_role("button", name=re.compile("^Guns on rifles ")).all()


def test_no_text_on_a_map_or_chart_is_smaller_than_12_pixels(person: Person) -> None:
    found = {}
    for system in TITLES:
        page = new_battle(person, system).page
        for width in (390, 1280, 1920):
            page.set_viewport_size({"width": width, "height": 900})
            page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
            found[system, width] = page.evaluate(SMALL_TEXT, SMALLEST)
    example(person, "Three covers")
    found["measured", 1920] = page.evaluate(SMALL_TEXT, SMALLEST)
    page.set_viewport_size(PHONE)
    found["measured", 390] = page.evaluate(SMALL_TEXT, SMALLEST)
    new_turn(person, "supply").piece("guns").click()
    expect(page.locator("svg .worth").first).to_be_visible()
    found["turn", 390] = page.evaluate(SMALL_TEXT, SMALLEST)
    assert {} == {where: text for where, text in found.items() if text}


def test_what_is_touched_on_a_phone_is_40_pixels_high(arrive: Arrive) -> None:
    phone = arrive(viewport=PHONE, is_mobile=True, has_touch=True)
    found = {system: new_battle(phone, system).page.evaluate(SMALL_TARGETS, TOUCHED) for system in TITLES}
    assert {} == {system: small for system, small in found.items() if small}


def test_words_on_a_counter_never_lie_over_its_number(arrive: Arrive) -> None:
    phone = arrive(viewport=PHONE, is_mobile=True, has_touch=True)
    page = example(phone, "Over the ridge").page
    assert page.evaluate(OVERLAPPING) == []
    page.set_viewport_size({"width": 1280, "height": 900})
    expect(page.locator(".counter .right", has_text="hard")).to_be_visible()
    assert page.evaluate(OVERLAPPING) == []


def test_long_names_make_nothing_wider_than_the_screen(arrive: Arrive, tmp_path: Path) -> None:
    phone = arrive(viewport=PHONE, is_mobile=True, has_touch=True)
    units: list[dict[str, Any]] = [
        {"id": "Third Battalion " * 12, "side": "red", "at": [2, 3]},
        {"id": "Donaudampfschifffahrt" * 9, "side": "blue", "at": [4, 3]},
    ]
    figures = {"die": 6, "strength": 4, "range": 3, "ammo": 1, "supply": 2}
    names = [unit["id"].strip() for unit in units]
    listed = [unit | figures | {"id": name} for unit, name in zip(units, names, strict=True)]
    battle = {"system": "supply", "units": listed, "attack": {"by": names[0], "on": names[1]}}
    table, _ = open_file(phone, battle, tmp_path)
    assert table.page.evaluate(TOO_WIDE) <= 0
    play_machine(begin(table, "Roll for me", "1", "computer, best play"))
    assert table.page.evaluate(TOO_WIDE) <= 0


def test_the_head_of_a_tablet_is_one_row(arrive: Arrive) -> None:
    table = example(arrive(viewport=TABLET), "Call in")
    table.button("Menu").click()
    table.button("Save").click()
    table.page.keyboard.press("Escape")
    head = [table.page.get_by_role("link", name="grognard"), table.button("Menu"), table.button("Share")]
    tops = [box["y"] + box["height"] / 2 for box in (one.bounding_box() for one in head) if box]
    assert max(tops) - min(tops) < TOUCHED / 2
    assert table.page.evaluate(TOO_WIDE) <= 0


def test_the_window_of_a_unit_leaves_its_attack_in_sight(person: Person) -> None:
    table = example(person, "Over the ridge")
    table.piece("sherman").click()
    expect(table.button("Done")).to_be_visible()
    window, *seen = person.page.evaluate(BOXES, ["section:has(> .title)", ".over .hindered", ".met"])
    for box in seen:
        apart = [window["left"] - box["right"], box["left"] - window["right"]]
        apart += [window["top"] - box["bottom"], box["top"] - window["bottom"]]
        assert max(apart) >= 0


def test_a_printed_report_cuts_no_table(person: Person, browser: Browser, tmp_path: Path) -> None:
    report = saved(example(person, "Three covers"), "Report, HTML", tmp_path)
    sheet = browser.new_page(viewport=SHEET)
    sheet.emulate_media(media="print")
    sheet.goto(report.as_uri())
    assert sheet.evaluate(CUT) == 0
    sheet.close()
