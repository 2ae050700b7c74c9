"""On a phone beside the board: by touch, and in the light of the room."""

import re
from random import Random

from playwright.sync_api import expect

from tests.browser.conftest import Arrive
from tests.browser.people import PHONE, Person
from tests.browser.tables import begin, card, example, new_battle, options, play_typed

A_PHONE = {"viewport": PHONE, "device_scale_factor": 3, "is_mobile": True, "has_touch": True}


def test_a_battle_is_set_up_and_played_by_touch(arrive: Arrive) -> None:
    table = new_battle(arrive(**A_PHONE), "supply")
    table.piece("mortar").tap()
    table.piece("rifles").tap()
    expect(table.piece("mortar")).to_have_accessible_name(re.compile("attacks"))
    panel = begin(table, "I’ll roll")
    play_typed(panel, Random(1))
    table.button("Menu").tap()
    table.page.get_by_role("button", name="House rules").tap()
    expect(table.page.get_by_role("tabpanel", name="House rules")).to_be_in_viewport()


def test_dice_are_entered_with_one_thumb_on_one_pad(arrive: Arrive) -> None:
    table = example(arrive(**A_PHONE), "Guns on rifles")
    panel = begin(table, "I’ll roll")
    pad = card(panel).get_by_role("group", name=re.compile("faces of a"))
    for face in "3388":
        pad.get_by_role("button", name=face, exact=True).tap()
    expect(pad).to_have_accessible_name("rifles: faces of a d6")
    for face in "666":
        pad.get_by_role("button", name=face, exact=True).tap()
    card(panel).get_by_role("button", name="Take the last die back").tap()
    for face in "111":
        pad.get_by_role("button", name=face, exact=True).tap()
    expect(card(panel).get_by_role("textbox")).to_have_value("3 3 8 8 6 6 1 1 1")
    card(panel).get_by_role("button", name="Confirm roll").tap()
    expect(panel.locator("ol .cancelled")).to_have_count(2)


def test_an_answer_can_be_taken_back_up_to_the_last_die_of_the_machine(arrive: Arrive) -> None:
    table = new_battle(arrive(**A_PHONE), "supply")
    panel = begin(table, "Roll for me", "1")
    asked = card(panel).get_by_role("heading").inner_text()
    options(panel).last.tap()
    expect(card(panel).get_by_role("button", name="Roll the dice")).to_be_visible()
    table.button("Take back").tap()
    expect(card(panel).get_by_role("heading")).to_have_text(asked)
    options(panel).last.tap()
    card(panel).get_by_role("button", name="Roll the dice").tap()
    expect(table.button("Take back")).to_be_disabled()


def test_whoever_is_called_in_comes_into_sight(arrive: Arrive) -> None:
    table = example(arrive(**A_PHONE, reduced_motion="reduce"), "Call in")
    expect(table.piece("howitzers")).not_to_be_in_viewport()
    panel = begin(table, "Roll for me", "1")
    expect(table.button("Undo")).to_have_count(0)
    options(panel).filter(has_text="Howitzers").tap()
    expect(card(panel).get_by_role("button", name="Roll the dice")).to_be_visible()
    table.page.evaluate("scrollTo(0, 0)")
    expect(table.piece("howitzers")).to_be_in_viewport()
    expect(table.piece("guards")).to_be_in_viewport()


def test_the_theme_is_kept(person: Person) -> None:
    person.go()
    theme = person.page.get_by_role("button", name="Theme")
    paper = "getComputedStyle(document.body).backgroundColor"
    light = person.page.evaluate(paper)
    theme.click()
    theme.click()
    expect(theme).to_have_accessible_name("Theme: dark")
    dark = person.page.evaluate(paper)
    person.page.reload()
    expect(theme).to_have_accessible_name("Theme: dark")
    assert (True, dark) == (light != dark, person.page.evaluate(paper))


def test_the_attack_is_in_sight_again_when_the_window_becomes_narrow(person: Person) -> None:
    table = example(person, "Who stands by whom")
    table.page.set_viewport_size(PHONE)
    for name in ("hero", "guard"):
        expect(table.piece(name)).to_be_in_viewport(ratio=0.9)
