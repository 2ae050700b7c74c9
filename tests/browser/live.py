"""What people do at a live battle."""

from collections.abc import Mapping

from playwright.sync_api import Locator, expect

from tests.browser.people import Person
from tests.browser.tables import card, example, options

MOST_ANSWERS = 500


def open_live(person: Person, title: str, names: Mapping[str, str] = {}) -> tuple[Person, dict[str, str]]:
    """Open a live battle of an example and sit down as its attacker: that person, and the links by role."""
    table = example(person, title)
    table.button("Share").click()
    sheet = table.sheet("Share")
    for side, name in names.items():
        sheet.get_by_label(f"Name of the player of {side.capitalize()}").fill(name)
    sheet.get_by_role("button", name="Open a live battle").click()
    sides = {"attacker": names.get("red", "Red"), "defender": names.get("blue", "Blue")}
    links = {role: link_for(sheet, side) for role, side in sides.items()} | {"spectator": link_for(sheet, "spectators")}
    sheet.get_by_role("button", name=f"Sit down as {sides['attacker']}").click()
    expect(person.page.get_by_text("connected", exact=True)).to_be_visible()  # whoever leaves earlier has no seat
    return person, links


def link_for(sheet: Locator, seat: str) -> str:
    """The link for a seat, as it is shown."""
    return sheet.get_by_role("textbox", name=f"Link for {seat}").input_value()


def follow(person: Person, link: str) -> Person:
    """Open a link that was sent."""
    person.go(link)
    return person


def play_of(person: Person) -> Locator:
    """The panel in which a live battle is played."""
    return person.page.get_by_role("tabpanel", name="Play", exact=True)


def add_numbers(attacker: Person, defender: Person) -> None:
    """Both add a number to the fair dice."""
    for person, number in ((attacker, "1815"), (defender, "1914")):
        play_of(person).get_by_role("textbox", name="Your number, or any text").fill(number)
        play_of(person).get_by_role("button", name="Add my number").click()


def steps(person: Person) -> list[str]:
    """What has happened, as somebody sees it."""
    return play_of(person).locator("ol > li").all_inner_texts()


def answer(person: Person) -> None:
    """Take the first option, and wait until it is done."""
    before = len(steps(person))
    options(play_of(person)).first.click()
    sees_step(person, before)


def sees_step(person: Person, number: int) -> None:
    """Wait until somebody sees this step, counted from 0."""
    expect(play_of(person).locator("ol > li").nth(number)).to_be_visible()


def is_asked(person: Person) -> bool | None:
    """Whether this person is asked, or the other one; None when it is over. To be asked of whoever acted last."""
    panel = play_of(person)
    waiting = card(panel).get_by_text("Waiting for")
    over = panel.get_by_role("region", name="Result", exact=True)
    expect(waiting.or_(over).or_(options(panel).and_(panel.locator(":enabled"))).first).to_be_visible()
    return None if over.count() else not waiting.count()


def play_to_the_end(acting: Person, waiting: Person, option: int = 0) -> None:
    """Both answer whenever they are asked, with the first option; or -1, the last."""
    for _ in range(MOST_ANSWERS):
        is_mine = is_asked(acting)
        if is_mine is None:
            break
        if is_mine:
            options(play_of(acting)).nth(option).click()
        else:
            acting, waiting = waiting, acting
    for person in (acting, waiting):
        expect(play_of(person).get_by_role("region", name="Result", exact=True)).to_be_visible()
