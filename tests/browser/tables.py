"""What people do at a table of the page, by the names of its controls."""

import json
import re
from pathlib import Path
from random import Random
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.people import Person

TITLES = {
    "supply": "Supply tokens",
    "ranks": "RiskyStars",
    "tower": "Tower of Spugah",
    "frames": "Mobile frames",
    "assault": "Assault",
}
NOWHERE = "about:blank"
"""Where a new page is."""
EXAMPLES = {
    file.stem.partition("-")[2].replace("-", " ").capitalize(): f"{file.parent.name}/{file.stem}"
    for system in TITLES
    for file in (Path(__file__).parents[2] / "examples" / system).glob("*.toml")
}
"""By title: how a link names it."""
BLANK = "-"
"""How a blank face is typed."""


class Table:
    """A battle that lies open on somebody's page."""

    def __init__(self, person: Person) -> None:
        self.person = person
        self.page: Page = person.page

    def button(self, name: str | re.Pattern[str]) -> Locator:
        """The button with exactly this name."""
        return self.page.get_by_role("button", name=name, exact=True)

    def piece(self, name: str) -> Locator:
        """What stands on the battlefield under this name."""
        return self.page.get_by_role("button", name=re.compile(f"^{re.escape(name)}, "))

    def number(self, name: str) -> Locator:
        """A number that can be changed where it stands."""
        return self.page.get_by_role("spinbutton", name=name, exact=True)

    def choose(self, name: str, words: str) -> None:
        """Choose one of a few, as in a switch of two words."""
        within = self.page.get_by_role("radiogroup", name=name, exact=True)
        within.get_by_text(words, exact=True).click()
        expect(within.get_by_role("radio", name=words, exact=True)).to_be_checked()

    def tab(self, name: str) -> Locator:
        """Open one of the tabs beside the battlefield: its panel."""
        self.page.get_by_role("tab", name=name, exact=True).click()
        return self.page.get_by_role("tabpanel", name=name, exact=True)

    def dock(self, name: str) -> Locator:
        """Open one of the tabs that stand beside the odds."""
        self.page.get_by_role("button", name="House rules").click()
        return self.tab(name)

    def sheet(self, name: str) -> Locator:
        """The dialog that lies open."""
        return self.page.get_by_role("dialog", name=re.compile(f"^{name}"))

    def odds(self) -> Locator:
        """The panel of the odds, once they are those of the battle as it stands."""
        panel = self.tab("Odds")
        self.await_odds()
        return panel

    def await_odds(self) -> None:
        """Wait for odds and map: those who cannot see them are told when the odds have changed."""
        expect(
            self.page.get_by_role("status").filter(has_text=re.compile(r"(net losses \(swing\)|kill|ground)\s"))
        ).to_be_attached()
        expect(self.page.get_by_text("Loading the map …")).to_have_count(0)


def new_turn(person: Person, system: str) -> Table:
    """Begin with the battle that the page offers: a whole turn, where the system has them."""
    person.go()
    person.page.get_by_role("button", name=f"New battle of {TITLES.get(system, system)}", exact=True).click()
    return opened(person)


def new_battle(person: Person, system: str) -> Table:
    """Begin with the one attack that a system starts from."""
    table = new_turn(person, system)
    if table.page.get_by_role("radiogroup", name="What is played", exact=True).count():
        table.choose("What is played", "One attack")
        expect(table.page.get_by_role("radiogroup", name="Whose turn it is")).to_have_count(0)
        table.odds()
    return table


def example(person: Person, title: str) -> Table:
    """Open an example: by its link, or from the start where a battle is open already."""
    if person.page.url == NOWHERE:
        person.go(f"/battle#e={EXAMPLES[title]}")
        return opened(person)
    person.go()
    return choose_example(person, title)


def choose_example(person: Person, title: str) -> Table:
    """Open an example, at the start already."""
    person.page.locator("details", has_text=title).locator("summary").click()
    person.page.get_by_role("button", name=re.compile(f"^{title} ")).click()
    return opened(person)


def open_file(person: Person, battle: dict[str, Any], folder: Path) -> tuple[Table, Path]:
    """Open a battle from a file: on the page, and the file."""
    file = folder / "battle.json"
    file.write_text(json.dumps(battle))
    person.go()
    person.page.get_by_label("Battle file").set_input_files(file)
    return opened(person), file


def opened(person: Person) -> Table:
    """The table that has just been opened, with its odds and its map."""
    table = Table(person)
    table.await_odds()
    return table


def saved(table: Table, button: str, folder: Path) -> Path:
    """One of the files that can be saved."""
    table.button("Save").click()
    sheet = table.sheet("Save")
    file = table.person.download(sheet.get_by_role("button", name=button, exact=True), folder)
    sheet.get_by_role("button", name="Close").click()
    return file


def begin(table: Table, dice: str, seed: str | None = None, who: str = "a player") -> Locator:
    """Sit down to play the set-up as it stands: the panel of the play."""
    panel = table.tab("Play")
    table.choose("Dice", dice)
    for role in ("Attacker", "Defender"):
        panel.get_by_label(re.compile(f"^{role}")).select_option(who)
    if seed is not None:
        panel.get_by_label(re.compile("^Seed")).fill(seed)
    table.button("Play this attack").click()
    return panel


def begin_turn(table: Table, seed: str) -> Locator:
    """Begin to play the turn as it stands, with the machine's dice: the panel of the play."""
    panel = table.tab("Play")
    panel.get_by_label(re.compile("^Seed")).fill(seed)
    table.button("Play this turn").click()
    return panel


def begin_game(table: Table, seed: str, policy: str = "best") -> Locator:
    """Begin a game against the computer with the turn as it stands: the panel of the play."""
    panel = table.tab("Play")
    panel.get_by_label(re.compile("^Seed")).fill(seed)
    table.choose("How the computer plays", policy)
    panel.get_by_role("button", name=re.compile("^Begin the game")).click()
    return panel


def play_game(panel: Locator) -> list[str]:
    """Play a game to its end, the first option at every decision: whose turns were played."""
    turns: list[str] = []
    over, heading = panel.locator("section.game.over"), panel.locator("section.game h3")
    following = panel.get_by_role("button", name=re.compile("^Turn of "))
    while True:
        expect(over.or_(following).or_(options(panel)).first).to_be_enabled()
        if over.count():
            return turns
        if following.count():
            turns.append(following.inner_text().removeprefix("Turn of "))
            before = heading.inner_text()
            following.click()
            expect(heading).not_to_have_text(before)
        else:
            answer(panel)


def play_turn(panel: Locator) -> None:
    """Play a turn to its end, the first option at every decision."""
    while not is_over(panel):
        answer(panel)


def answer(panel: Locator) -> None:
    """Take the first option or roll, and wait until that is done."""
    steps = panel.locator("ol > li").count()
    options(panel).first.click()
    expect(panel.locator("ol > li").nth(steps)).to_be_attached()


def card(panel: Locator) -> Locator:
    """What is asked now."""
    return panel.locator("section[aria-labelledby]")


def is_over(panel: Locator) -> bool:
    """Whether there is a result, once the page either has it or has something to be answered here."""
    result = panel.get_by_role("region", name="Result", exact=True)
    expect(result.or_(card(panel).locator(":is(input, button:not([aria-expanded])):enabled")).first).to_be_visible()
    return result.count() > 0


def play_typed(panel: Locator, dice: Random) -> list[list[int | str]]:
    """Play to the end with typed dice, the first option at each decision: every roll."""
    rolls: list[list[int | str]] = []
    while not is_over(panel):
        entry = card(panel).get_by_role("textbox")
        if entry.count():
            rolls.append(type_dice(entry, dice))
            card(panel).get_by_role("button", name="Confirm roll").click()
        else:
            options(panel).first.click()
    return rolls


def type_dice(entry: Locator, dice: Random) -> list[int | str]:
    """Roll all dice on the table and type what fell."""
    fallen: list[str] = []
    while face := roll_by_hand(entry, dice):
        fallen.append(face)
        entry.fill(" ".join(fallen))
    return [int(face) if face.isdecimal() else face.strip(BLANK) for face in fallen]


def roll_by_hand(entry: Locator, dice: Random) -> str:
    """What falls when the next die is rolled, as it is typed; nothing if all dice are there."""
    pad = entry.locator("xpath=ancestor::form").get_by_role("group", name="faces of")
    faces = pad.locator("button[value]:enabled")
    return str(dice.choice([face.get_attribute("value") for face in faces.all()])) if faces.count() else ""


def options(panel: Locator) -> Locator:
    """The options of the decision that is due, if it is made here."""
    return card(panel).locator("button:not([aria-expanded])")


def play_machine(panel: Locator) -> None:
    """Play to the end with the machine's dice, where the machine decides too."""
    while not is_over(panel):
        card(panel).get_by_role("button", name="Roll the dice").click()


def log_of(table: Table, folder: Path) -> dict[str, Any]:
    """The log of the attack that was played."""
    log: dict[str, Any] = json.loads(saved(table, "Log", folder).read_text("utf-8"))
    return log
