"""Every view of the page, and how somebody gets there."""

from collections.abc import Callable
from random import Random

from playwright.sync_api import expect

from tests.browser.live import add_numbers, follow, open_live, play_of, play_to_the_end
from tests.browser.people import Person
from tests.browser.tables import (
    Table,
    begin,
    begin_game,
    begin_turn,
    card,
    example,
    new_turn,
    options,
    play_game,
    play_machine,
    play_turn,
    type_dice,
)


def start(person: Person) -> None:
    person.go()
    expect(person.page.get_by_role("heading", level=1)).to_be_visible()


def start_unfolded(person: Person) -> None:
    start(person)
    for summary in person.page.locator("summary").all():
        summary.click()


def start_again(person: Person) -> None:
    table = supply(person)
    table.piece("guards").click()
    table.button("more: strength").click()
    person.page.get_by_role("link", name="grognard").click()
    expect(person.page.get_by_role("heading", name="Recent battles")).to_be_visible()


def supply(person: Person) -> Table:
    return example(person, "Call in")


def ranks(person: Person) -> Table:
    return example(person, "Friends of friends")


def tower(person: Person) -> Table:
    return example(person, "Shoulder to shoulder")


def frames(person: Person) -> Table:
    return example(person, "Behind a comrade")


def assault(person: Person) -> Table:
    return example(person, "Over the ridge")


def turn(person: Person) -> None:
    """A whole turn: a unit is picked, and its attacks stand in a table."""
    table = new_turn(person, "supply")
    table.tab("Advice")
    expect(table.page.get_by_role("region", name="Possible attacks")).to_be_visible()
    table.piece("guns").click()


def turn_played(person: Person) -> None:
    table = new_turn(person, "tower")
    play_turn(begin_turn(table, "3"))


def game(person: Person) -> None:
    play_game(begin_game(new_turn(person, "supply"), "7"))


def supply_picked(person: Person) -> None:
    supply(person).piece("guards").click()


def ranks_picked(person: Person) -> None:
    ranks(person).page.get_by_role("region", name="The Location").get_by_role("button").first.click()


def tower_picked(person: Person) -> None:
    table = tower(person)
    pick_first(table)


def frames_picked(person: Person) -> None:
    frames(person).page.get_by_role("button", name="target, ").click()


def assault_picked(person: Person) -> None:
    pick_first(assault(person))


def pick_first(table: Table) -> None:
    table.page.get_by_role("group", name="Board").get_by_role("button").first.click()
    expect(table.button("Done")).to_be_visible()


def faults(person: Person) -> None:
    table = supply(person)
    table.piece("guards").click()
    table.number("strength").fill("-1")
    expect(table.page.get_by_role("alert")).to_be_visible()


def unfolded(person: Person) -> None:
    odds = ranks(person).odds()
    for summary in odds.locator("summary").all():
        summary.click()
    odds.get_by_role("button", name="Exact fractions").click()
    odds.get_by_label("Chart of").select_option("Who holds the Location")


def sampled(person: Person) -> None:
    odds = supply(person).odds()
    odds.get_by_text("How both sides decide").click()
    odds.get_by_label("How odds are computed").select_option("sampled from 10,000 battles")
    expect(odds.get_by_text("sampled: 10,000 battles")).to_be_visible()


def advice(person: Person) -> None:
    expect(supply(person).tab("Advice").get_by_text("best", exact=True)).to_be_visible()


def frames_measured(person: Person) -> None:
    table = example(person, "Three covers")
    table.piece("bunker").click()
    expect(table.page.get_by_role("region", name="Measured")).to_contain_text("comrade covers")


def play_ready(person: Person) -> None:
    supply(person).tab("Play")


def play_deciding(person: Person) -> None:
    expect(options(begin(supply(person), "Roll for me")).first).to_be_visible()


def play_typing(person: Person) -> None:
    panel = begin(assault(person), "I’ll roll", who="computer, best play")
    type_dice(card(panel).get_by_role("textbox"), Random(1))


def play_over(person: Person) -> None:
    play_out(tower(person))


def play_out(table: Table) -> None:
    panel = begin(table, "Roll for me", "1", "computer, best play")
    play_machine(panel)
    expect(panel.get_by_role("region", name="Luck")).to_be_visible()


def log(person: Person) -> None:
    table = frames(person)
    play_out(table)
    expect(table.tab("Log").get_by_text("Attack 1")).to_be_visible()


def compare(person: Person) -> None:
    table = supply(person)
    panel = table.dock("Compare")
    panel.get_by_role("button", name="Pin this set-up").click()
    table.piece("guards").click()
    table.button("less: strength").click()
    expect(panel.get_by_text("guards strength")).to_be_visible()


def house_rules(person: Person) -> None:
    panel = ranks(person).dock("House rules")
    panel.get_by_role("button", name="Which rule matters?").click()
    expect(panel.get_by_role("listitem").first).to_be_visible()


def save(person: Person) -> None:
    supply(person).button("Save").click()


def share(person: Person) -> None:
    table = supply(person)
    table.button("Share").click()
    expect(table.sheet("Share").get_by_role("textbox", name="Link", exact=True)).to_be_visible()


def live_links(person: Person) -> None:
    share(person)
    person.page.get_by_role("button", name="Open a live battle").click()
    expect(person.page.get_by_role("button", name="Sit down as Red")).to_be_visible()


def shortcuts(person: Person) -> None:
    supply(person).button("Keyboard shortcuts").click()


def live_number(person: Person) -> None:
    open_live(person, "Who stands by whom")
    expect(play_of(person).get_by_role("button", name="Add my number")).to_be_visible()


def live_advice(person: Person) -> None:
    live_number(person)
    decisions = person.page.get_by_role("tab", name="Advice")
    decisions.click()
    expect(person.page.get_by_role("tabpanel", name="Advice").get_by_text("best", exact=True)).to_be_visible()


def live_watching(person: Person) -> None:
    _, links = open_live(person, "Who stands by whom")
    follow(person, links["spectator"])
    expect(card(play_of(person)).get_by_text("Waiting for")).to_be_visible()


def live_over(person: Person) -> None:
    """One person at both seats: a page beside the page."""
    _, links = open_live(person, "Guns on rifles")
    other = person.beside(links["defender"])
    add_numbers(person, other)
    play_to_the_end(person, other)
    play_of(person).get_by_role("button", name="Verify every die").click()
    expect(play_of(person).get_by_text("all are as they were rolled")).to_be_visible()


def live_unknown(person: Person) -> None:
    person.go("/live/nothing#key=none")
    expect(person.page.get_by_role("heading", name="This battle cannot be opened")).to_be_visible()


def docs(person: Person) -> None:
    """The first of its chapters: all of them are drawn alike, and there are very many."""
    person.go("/docs")
    person.page.evaluate("document.querySelectorAll('article:nth-of-type(n + 7)').forEach((one) => one.remove())")


VIEWS: dict[str, Callable[[Person], object]] = {
    opens.__name__: opens
    for opens in (
        start,
        start_unfolded,
        start_again,
        supply,
        ranks,
        tower,
        frames,
        assault,
        turn,
        turn_played,
        game,
        supply_picked,
        ranks_picked,
        tower_picked,
        frames_picked,
        assault_picked,
        faults,
        unfolded,
        sampled,
        advice,
        frames_measured,
        play_ready,
        play_deciding,
        play_typing,
        play_over,
        log,
        compare,
        house_rules,
        save,
        share,
        shortcuts,
        live_links,
        live_number,
        live_advice,
        live_watching,
        live_over,
        live_unknown,
        docs,
    )
}
