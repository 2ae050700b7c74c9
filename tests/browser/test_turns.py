"""Whole turns: who can attack whom, the plan, a turn that is played, and a game against the computer."""

import re
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, expect

from tests.browser.conftest import Arrive
from tests.browser.people import PHONE, Person
from tests.browser.serving import command
from tests.browser.shown import percent, signed
from tests.browser.tables import (
    Table,
    answer,
    begin_game,
    begin_turn,
    card,
    example,
    new_battle,
    new_turn,
    open_file,
    options,
    play_game,
    play_turn,
)

UNIT = {"die": 8, "strength": 3, "range": 3, "ammo": 1, "supply": 3}
PLACES = {"guns": ("red", 2, 3), "armour": ("red", 3, 2), "rifles": ("blue", 4, 3), "guards": ("blue", 4, 2)}
BATTLE: dict[str, Any] = {
    "system": "supply",
    "units": [{"id": name, "side": side, **UNIT, "at": at} for name, (side, *at) in PLACES.items()],
    "turn": {"side": "red"},
}


def open_turn(person: Person, folder: Path) -> tuple[Table, Path]:
    """Two against two, on the page and as a file."""
    return open_file(person, BATTLE, folder)


def test_a_new_battle_is_a_whole_turn_and_can_be_one_attack(person: Person) -> None:
    for system, attacker in (("supply", "guns"), ("tower", "hero")):
        table = new_turn(person, system)
        played = table.page.get_by_role("radiogroup", name="What is played")
        expect(played.get_by_role("radio", name="Whole turn")).to_be_checked()
        expect(table.piece(attacker)).to_have_accessible_name(re.compile("can attack"))
        expect(table.odds()).to_contain_text("enemies destroyed")
        table.choose("What is played", "One attack")
        expect(table.piece(attacker)).to_have_accessible_name(re.compile("attacks"))


def test_a_picked_unit_shows_what_it_does_to_each_target(person: Person, tmp_path: Path) -> None:
    table, file = open_turn(person, tmp_path)
    table.piece("guns").click()
    for attack in command("attacks", file)["attacks"]:
        if attack["by"] == "guns":
            worth = f"net losses {signed(attack['swing'])}, destroyed {percent(attack['kill'], '1')}"
            expect(table.piece(attack["on"])).to_have_accessible_name(re.compile(re.escape(worth)))
    expect(table.piece("armour")).to_have_accessible_name(re.compile("can attack"))


def cells(table: Table, counted: str) -> dict[str, str]:
    """The cells of the table of attacks: what each says in one of its ways to count."""
    panel = table.tab("Advice")
    table.choose("What the table counts", counted)
    names = [cell.get_attribute("aria-label") or "" for cell in panel.locator("td button").all()]
    return dict(name.removesuffix(", best").split(": ", 1) for name in names)


def test_attackers_and_targets_are_a_table_with_the_numbers_of_the_engine(person: Person, tmp_path: Path) -> None:
    table, file = open_turn(person, tmp_path)
    attacks = command("attacks", file)["attacks"]
    assert {one["id"]: signed(one["swing"]) for one in attacks} == cells(table, "By itself")
    assert {one["id"]: percent(one["kill"], "0.1") for one in attacks} == cells(table, "Destroys")
    first = {one["id"]: signed(one["value"]) for one in command("advise", file)["options"] if one["id"] != "end"}
    expect(table.page.get_by_role("region", name="Plan")).to_be_visible()
    assert first == cells(table, "Whole turn")


def test_the_plan_stands_on_the_map_and_in_the_words_of_the_engine(person: Person, tmp_path: Path) -> None:
    table, file = open_turn(person, tmp_path)
    plan = command("advise", file, "--plan")["plan"]
    lines = table.tab("Advice").get_by_role("region", name="Plan").get_by_role("listitem")
    expect(lines.first).to_have_text(f"Plan: {plan['plan']['attack']}")
    region = table.page.get_by_role("region", name="Plan")
    for value in ("value", "greedy"):
        figure = region.get_by_role("cell", name=signed(plan[value]), exact=True).first
        expect(figure).to_have_attribute("title", f"+{plan[value]:.4f}")
    expect(table.page.locator("svg .number")).to_have_text(["1", "2"])


def attack_on_map(table: Table, by: str, on: str) -> None:
    """Tap an attacker and its target."""
    table.piece(by).click()
    expect(table.piece(by)).to_have_attribute("aria-pressed", "true")
    table.piece(on).click()


def test_a_turn_is_played_attack_by_attack_until_it_is_ended(person: Person, tmp_path: Path) -> None:
    table, _ = open_turn(person, tmp_path)
    panel = begin_turn(table, "5")
    attack_on_map(table, "guns", "guards")
    expect(card(panel).get_by_role("button", name="Roll the dice")).to_be_visible()
    table.button("Take back").click()
    expect(card(panel).get_by_role("heading")).to_have_text("Red: Which attack is next?")
    attack_on_map(table, "guns", "guards")
    expect(card(panel).get_by_role("button", name="Roll the dice")).to_be_visible()
    while not options(panel).filter(has_text="End turn").count():
        answer(panel)
    expect(table.piece("guns")).to_have_accessible_name(re.compile("has fired"))
    expect(table.piece("guns")).not_to_have_accessible_name(re.compile("can attack"))
    expect(panel.locator("strong.attack")).to_have_text(["1. guns on guards"])
    options(panel).filter(has_text="End turn").click()
    expect(panel.get_by_role("region", name="Result", exact=True)).to_be_visible()
    expect(panel.locator("strong.attack").last).to_have_text("Red ends the turn")
    expect(panel.get_by_role("region", name="Luck")).to_contain_text("Which attack is next?")
    table.button("Turn of Blue").click()
    expect(table.piece("rifles")).to_have_accessible_name(re.compile("can attack"))


def test_a_battle_begins_with_an_attack_that_is_aimed_on_the_map(person: Person, tmp_path: Path) -> None:
    table, _ = open_turn(person, tmp_path)
    attack_on_map(table, "armour", "rifles")
    strip = table.page.get_by_role("region", name="Attack: armour on rifles")
    expect(strip).to_be_visible()
    table.button("Add a unit").click()  # on a phone both would stand in the same place
    expect(strip).to_have_count(0)
    table.button("Done").click()
    attack_on_map(table, "armour", "rifles")
    strip.get_by_role("button", name="Attack", exact=True).click()
    panel = table.page.get_by_role("tabpanel", name="Play")
    expect(panel.locator("strong.attack")).to_have_text("1. armour on rifles")


def test_a_game_against_the_computer_ends_and_is_the_same_with_the_same_seed(arrive: Arrive, tmp_path: Path) -> None:
    endings = []
    for _ in range(2):
        table, _ = open_turn(arrive(reduced_motion="reduce"), tmp_path)
        panel = begin_game(table, "11", "greedy")
        turns = play_game(panel)
        assert turns == ["Blue", "Red"] * (len(turns) // 2) + ["Blue"] * (len(turns) % 2)
        endings.append((turns, game(panel).inner_text()))
    assert endings[0] == endings[1]
    assert re.search("has nothing left that can attack|two turns passed", endings[0][1], re.IGNORECASE)


def game(panel: Locator) -> Locator:
    """What is said of the game."""
    return panel.get_by_role("region", name="The game")


def test_a_game_survives_that_the_page_is_loaded_again(arrive: Arrive) -> None:
    person = arrive(viewport=PHONE, reduced_motion="reduce")
    table = new_turn(person, "tower")
    panel = begin_game(table, "2")
    play_turn(panel)
    table.button("Turn of Blue").click()
    expect(game(panel)).to_contain_text("Turn 2: Blue, the computer (best)")
    expect(panel.get_by_role("region", name="Result", exact=True)).to_be_visible()
    said = game(panel).inner_text()
    person.page.reload()
    expect(game(panel)).to_have_text(said)
    play_game(panel)
    expect(panel.locator("section.game.over")).to_be_visible()


def empty_tile(table: Table, columns: int, rows: int) -> tuple[float, float]:
    """The middle of a tile of a map without units, on the screen."""
    board = table.page.get_by_role("group", name=re.compile("^Board"))
    place: list[float] = board.evaluate(
        "(svg, [x, y]) => { const at = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM()); return [at.x, at.y] }",
        [100 * columns - 50, 100 * rows - 50],
    )
    return place[0], place[1]


def test_two_units_are_set_up_in_five_taps(arrive: Arrive) -> None:
    table = new_turn(arrive(viewport=PHONE, has_touch=True, is_mobile=True), "supply")
    table.page.get_by_text("More about the turn").tap()
    table.button("Remove all units").tap()
    expect(table.tab("Odds")).to_contain_text("Add a unit of the side whose turn it is.")
    table.page.evaluate("scrollTo(0, 0)")
    taps = table.page.touchscreen
    taps.tap(*empty_tile(table, 2, 2))
    table.button("Add rifles").tap()
    taps.tap(*empty_tile(table, 4, 2))
    table.page.get_by_role("radiogroup", name="Side of the new unit").get_by_text("blue").tap()
    table.button("Add rifles").tap()
    expect(table.piece("rifles")).to_have_accessible_name(re.compile("can attack"))
    expect(table.piece("rifles 2")).to_have_accessible_name(re.compile("Blue"))
    expect(table.odds()).to_contain_text("enemies destroyed")


def test_the_last_odds_stay_while_a_target_is_missing(person: Person) -> None:
    table = new_battle(person, "supply")
    table.piece("rifles").focus()
    table.page.keyboard.press("Delete")
    odds = table.tab("Odds")
    expect(odds.get_by_role("status").filter(has_text="Choose a target.")).to_be_visible()
    expect(odds.locator("dl.stale")).to_be_visible()


def width_of(piece: Locator) -> float:
    """How large a piece is drawn."""
    box = piece.bounding_box()
    assert box is not None
    return box["width"]


def await_width(table: Table, relation: str) -> None:
    """Wait until pieces are drawn larger or smaller."""
    table.page.wait_for_function(f"document.querySelector('.piece').getBoundingClientRect().width {relation}")


def test_the_wheel_zooms_the_map(person: Person) -> None:
    table = new_turn(person, "tower")
    hero = table.piece("hero")
    before = width_of(table.page.locator(".piece").first)
    hero.hover()
    table.page.mouse.wheel(0, -300)
    await_width(table, f"> {before}")
    for _ in range(3):
        table.button("Zoom out").click()
    await_width(table, f"< {before * 1.3}")


def test_two_fingers_zoom_the_map(arrive: Arrive) -> None:
    phone = arrive(viewport=PHONE, has_touch=True, is_mobile=True)
    for table in (new_turn(phone, "supply"), example(phone, "Three covers")):
        frame = table.page.locator(":is(.frame):has(.piece)").first
        frame.scroll_into_view_if_needed()
        before = scale_of(table)
        box = frame.bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        pinch(table, (x, y), 30, 90)
        table.page.wait_for_function("([scale, before]) => eval(scale) > 1.5 * before", arg=[SCALE, before])


SCALE = """(() => {
  const [one, two] = [...document.querySelectorAll('.piece')].map((piece) => piece.getBoundingClientRect())
  return Math.hypot(one.x - two.x, one.y - two.y)
})()"""
"""How far the first two pieces are from each other."""


def scale_of(table: Table) -> float:
    """How large the map is drawn."""
    scale: float = table.page.evaluate(SCALE)
    return scale


def pinch(table: Table, middle: tuple[float, float], start: float, end: float) -> None:
    """Put two fingers on the screen, and move them from so far beside the middle to so far."""
    device = table.page.context.new_cdp_session(table.page)
    x, y = middle

    def touch(kind: str, *far: float) -> None:
        points = [{"x": x + way * one, "y": y, "id": place} for one in far for place, way in enumerate((-1, 1))]
        device.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", start)
    for step in range(1, 11):
        touch("touchMove", start + step / 10 * (end - start))
    touch("touchEnd")
