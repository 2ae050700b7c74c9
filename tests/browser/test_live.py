"""Two players and a spectator far apart at one battle: whose turn it is, coming back, and dice that nobody chose."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import Arrive
from tests.browser.live import (
    add_numbers,
    answer,
    follow,
    link_for,
    open_live,
    play_of,
    play_to_the_end,
    sees_step,
    steps,
)
from tests.browser.serving import PATIENCE, Server, command, refused
from tests.browser.tables import Table, card, example, options

NO = -1
BOTH_DECIDE = "Who stands by whom"
"""An example in which the attacker is asked twice, and then the defender."""


def test_each_player_answers_only_their_own_decisions_and_spectators_none(arrive: Arrive) -> None:
    attacker, links = open_live(arrive(), BOTH_DECIDE)
    defender, spectator = follow(arrive(), links["defender"]), follow(arrive(), links["spectator"])
    add_numbers(attacker, defender)

    for asked, waiting in ((attacker, defender), (attacker, defender), (defender, attacker)):
        expect(options(play_of(asked)).first).to_be_enabled()
        for others in (waiting, spectator):
            expect(card(play_of(others)).get_by_text("Waiting for")).to_be_visible()
            expect(options(play_of(others))).to_have_count(0)
            assert 403 == answer_by_api(others.page.url, {"choose": "yes"}).status_code
        before = len(steps(asked))
        answer(asked)
        for person in (waiting, spectator):
            sees_step(person, before)
    assert steps(attacker) == steps(defender) == steps(spectator)


def test_a_player_who_comes_back_has_lost_nothing(arrive: Arrive) -> None:
    attacker, links = open_live(arrive(), BOTH_DECIDE)
    first = follow(arrive(), links["defender"])
    add_numbers(attacker, first)
    answer(attacker)
    own = first.page.url
    first.leave()
    again = follow(arrive(), own)
    sees_step(again, 0)
    assert steps(attacker) == steps(again)
    play_to_the_end(attacker, again)
    assert steps(attacker) == steps(again)


def test_a_link_is_used_up_by_whoever_sits_down_with_it(arrive: Arrive) -> None:
    attacker, links = open_live(arrive(), BOTH_DECIDE)
    defender = follow(arrive(), links["defender"])
    add_numbers(attacker, defender)
    assert links["defender"] != defender.page.url
    assert 404 == answer_by_api(links["defender"], {"choose": "yes"}).status_code
    late = follow(arrive(), links["defender"])
    expect(late.page.get_by_role("heading", name="This battle cannot be opened")).to_be_visible()


@pytest.fixture
def mortal(built_page: None, tmp_path: Path) -> Iterator[Server]:
    """A server that may die."""
    server = Server(tmp_path)
    server.start()
    yield server
    server.stop()


def test_the_page_comes_back_by_itself_when_the_server_was_away(mortal: Server, arrive: Arrive) -> None:
    attacker, links = open_live(arrive(mortal), BOTH_DECIDE)
    defender = follow(arrive(mortal), links["defender"])
    add_numbers(attacker, defender)
    answer(attacker)
    sees_step(defender, 0)
    done = steps(attacker)
    assert [] == attacker.troubles + defender.troubles
    mortal.kill()
    for person in (attacker, defender):
        expect(person.page.get_by_text("connection lost, coming back")).to_be_visible()
    mortal.start()
    for person in (attacker, defender):
        expect(person.page.get_by_text("connected", exact=True)).to_be_visible()
        assert done == steps(person)
    play_to_the_end(attacker, defender)
    assert steps(attacker) == steps(defender)
    for person in (attacker, defender):
        person.troubles.clear()  # the engine for the browser cannot be loaded from a server that is away


def test_fair_dice_are_verified_by_the_button_and_by_the_command(arrive: Arrive, tmp_path: Path) -> None:
    attacker, links = open_live(arrive(), "Guns on rifles")
    defender, spectator = follow(arrive(), links["defender"]), follow(arrive(), links["spectator"])
    commitment = play_of(attacker).locator("code").inner_text()
    add_numbers(attacker, defender)
    play_to_the_end(attacker, defender)
    for person in (attacker, defender, spectator):
        play_of(person).get_by_role("button", name="Verify every die").click()
        expect(play_of(person).get_by_text("all are as they were rolled")).to_be_visible()

    file = attacker.download(play_of(attacker).get_by_role("button", name="Download the log"), tmp_path)
    found = command("verify", file, "--commitment", commitment)
    log = json.loads(file.read_text())
    assert (True, [{"side": "red", "number": "1815"}, {"side": "blue", "number": "1914"}]) == (
        found["verified"],
        log["fair"]["numbers"],
    )
    roll = next(move["roll"] for move in log["moves"] if "roll" in move)
    roll[0] = 1 if roll[0] != 1 else 2
    file.write_text(json.dumps(log))
    assert "NOT verified" in refused("verify", file)


def test_the_next_attack_at_the_same_table_takes_all_along(arrive: Arrive) -> None:
    attacker, links = open_live(arrive(), "Guns on rifles")
    defender = follow(arrive(), links["defender"])
    add_numbers(attacker, defender)
    play_to_the_end(attacker, defender, NO)  # without a counterattack both units live on
    play_of(attacker).get_by_role("button", name="Next attack").click()
    late: list[Route] = []
    attacker.page.route("**/api/end-turn", lambda route: route.continue_() if late else late.append(route))
    attacker.page.get_by_role("button", name="End turn").click()
    for unit in ("guns", "rifles"):  # picked before the turn's end is answered, and kept
        Table(attacker).piece(unit).click()
    late[0].continue_()
    attacker.page.get_by_role("button", name="Begin this attack").click()
    expect(play_of(defender).get_by_role("button", name="Add my number")).to_be_visible()  # taken there
    add_numbers(attacker, defender)
    play_to_the_end(attacker, defender)
    assert attacker.page.url.split("#")[0] == defender.page.url.split("#")[0] != links["defender"].split("#")[0]
    assert steps(attacker) == steps(defender)


def test_seats_hold_sides_whoever_attacks_next(arrive: Arrive) -> None:
    red, links = open_live(arrive(), "Guns on rifles", {"red": "Anna", "blue": "Ben"})
    blue = follow(arrive(), links["defender"])
    add_numbers(red, blue)
    play_to_the_end(red, blue, NO)
    play_of(blue).get_by_role("button", name="Next attack").click()
    for unit in ("rifles", "guns"):
        Table(blue).piece(unit).click()
    Table(blue).piece("rifles").click()
    Table(blue).number("strength").fill("9")
    blue.page.get_by_role("button", name="Begin this attack").click()
    for person, name in ((red, "Anna, the defender"), (blue, "Ben, the attacker")):
        expect(person.page.get_by_text(f"you are {name}")).to_be_visible()
        expect(person.page.get_by_role("heading", level=1)).to_have_text("Supply tokens · Anna against Ben")
        changed = person.page.get_by_role("region", name="Changed since the last attack")
        expect(changed).to_contain_text(re.compile(r"rifles strength: \d → 9"))
        expect(changed).to_contain_text("attack by: – → rifles")
    add_numbers(red, blue)
    play_to_the_end(blue, red)
    assert red.page.url.split("#")[0] == blue.page.url.split("#")[0]
    assert steps(red) == steps(blue)


def test_allies_have_seats_of_their_own(arrive: Arrive) -> None:
    table, green = example(arrive(), "Friends of friends"), arrive()
    table.button("Share").click()
    sheet = table.sheet("Share")
    sheet.get_by_role("button", name="Open a live battle").click()
    links = [link_for(sheet, side) for side in ("Blue", "Red", "Yellow", "Green")]
    assert 4 == len(set(links))
    follow(green, links[-1])
    expect(green.page.get_by_text("you are Green, the defender")).to_be_visible()


def answer_by_api(link: str, said: dict[str, Any]) -> httpx.Response:
    """Answer what is due with the key of a link, as no page would."""
    address, _, key = link.replace("/live/", "/api/battles/").partition("#key=")
    headers = {"Authorization": f"Bearer {key}"}
    number = httpx.get(address, headers=headers, timeout=PATIENCE).json().get("number", 1)
    return httpx.post(f"{address}/answers", headers=headers, json={"number": number, **said}, timeout=PATIENCE)
