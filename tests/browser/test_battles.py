"""A battle of every system: set up by clicking, its odds the command's, played with typed and with machine dice.

What the page says is held against what the command says of the file that the page saves.
"""

import json
import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.people import Person
from tests.browser.serving import command
from tests.browser.shown import percent, rows_of, shown_rows, signed
from tests.browser.tables import Table, begin, log_of, new_battle, play_machine, play_typed, saved
from tests.nearly import is_nearly

SEED = "1815"
FIRST_SHOWN = 50
"""So many results are shown at first."""
CERTAIN = 1 - 1e-9
"""What could not have been otherwise is nobody's luck."""


def set_up_supply(table: Table) -> dict[str, Any]:
    table.piece("mortar").click()
    table.piece("rifles").click()
    table.piece("rifles").click()
    table.number("strength").fill("3")
    table.button("more: supply").click()
    table.button("Done").click()
    return {"attack": {"by": "mortar", "on": "rifles"}, "rifles": {"strength": 3, "supply": 3}}


def set_up_ranks(table: Table) -> dict[str, Any]:
    table.page.get_by_role("spinbutton", name=re.compile("^units.*Red$")).fill("5")
    table.button("less: units, Blue").click()
    table.page.get_by_role("checkbox", name=re.compile("^optional.*Yellow$")).check()
    table.choose("side of Green", "attacks")
    table.button("Add an army").click()
    table.choose("side of Black", "defends")
    return {
        "Red": {"units": 5},
        "defender": {"units": 3},
        "Yellow": {"optional": True},
        "Green": {"side": "attack"},
        "Black": {"side": "defend"},
    }


def set_up_tower(table: Table) -> dict[str, Any]:
    table.piece("hero").click()
    table.piece("guard").click()
    expect(table.page.get_by_role("alert")).to_contain_text("guard")  # out of reach
    drag(table.piece("hero"), away_from=table.piece("squire"))
    table.piece("guard").click()
    table.number("health").fill("2")
    table.button("Done").click()
    return {"attack": {"by": "hero", "on": "guard"}, "hero": {"at": [5, 4]}, "guard": {"health": 2}}


def set_up_frames(table: Table) -> dict[str, Any]:
    table.number("attack").fill("6")
    table.button("no spot").click()
    table.page.get_by_role("button", name="covers wall").click()
    table.button("more: hits it stands").click()
    table.button("Done").click()
    table.page.get_by_role("combobox", name="roster").select_option("Tank")
    table.button("Add frame").click()
    table.button("is the target").click()
    table.button("more: rockets").click()
    return {"attack": {"on": "tank", "attack": 6, "cover": "wall"}, "wall": {"hits": 2}, "tank": {"player": "Joshua"}}


def set_up_assault(table: Table) -> dict[str, Any]:
    table.piece("HMG").click()
    table.piece("rifles").click()
    table.number("range").fill("2")
    table.page.get_by_role("combobox", name="terrain", exact=True).select_option("brush")
    table.piece("rifles").click()
    table.page.get_by_role("combobox", name="experience", exact=True).select_option("veteran")
    table.button("Done").click()
    attack = {"by": "HMG", "on": "rifles", "range": 2, "terrain": "brush"}
    return {"attack": attack, "rifles": {"experience": "veteran"}}


def drag(piece: Locator, away_from: Locator) -> None:
    """Drag a piece one tile farther from its neighbour."""
    (x, y), (other_x, other_y) = middle(piece), middle(away_from)
    mouse = piece.page.mouse
    mouse.move(x, y)
    mouse.down()
    mouse.move(2 * x - other_x, 2 * y - other_y, steps=4)
    mouse.up()


def middle(piece: Locator) -> tuple[float, float]:
    box = piece.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


SETTING_UP: dict[str, Callable[[Table], dict[str, Any]]] = {
    "supply": set_up_supply,
    "ranks": set_up_ranks,
    "tower": set_up_tower,
    "frames": set_up_frames,
    "assault": set_up_assault,
}
"""By system: how it is set up, and what of the file it changes, units by their names."""


@pytest.mark.parametrize("system", SETTING_UP)
def test_set_up_by_clicking_then_odds_then_typed_dice_then_machine_dice_as_by_the_command(
    system: str, person: Person, tmp_path: Path
) -> None:
    table = new_battle(person, system)
    changes = SETTING_UP[system](table)
    table.odds()
    assert changes == what_is_said(saved(table, "JSON", tmp_path), changes)
    file = saved(table, "TOML", tmp_path)
    odds_are_the_commands(table, file)
    typed_play_is_the_commands(table, file)
    machine_play_is_the_commands(table, file)


def what_is_said(file: Path, about: dict[str, Any]) -> dict[str, Any]:
    """What a battle file says about these things, units and armies by their names."""
    battle = json.loads(file.read_text())
    listed = [entry for entries in battle.values() if isinstance(entries, list) for entry in entries]
    things = {entry.get("id", entry.get("player")): entry for entry in listed} | battle
    return {name: {key: things[name].get(key) for key in said} for name, said in about.items()}


def odds_are_the_commands(table: Table, file: Path) -> None:
    told = command("odds", file)
    odds = table.odds()
    expect(odds.get_by_text(f"Net losses (swing) {signed(told['value'])}", exact=True)).to_be_visible()
    odds.get_by_text(f"All {len(told['outcomes']):,} results", exact=True).click()
    chances = [row[0] for row in shown_rows(odds.get_by_role("region", name="All results"))]
    assert [percent(outcome["p"]) for outcome in told["outcomes"][:FIRST_SHOWN]] == chances
    numbers = json.loads(saved(table, "All numbers, JSON", file.parent).read_text())
    assert is_nearly(told, {key: numbers[key] for key in told})


def typed_play_is_the_commands(table: Table, file: Path) -> None:
    panel = begin(table, "I’ll roll")
    rolls = play_typed(panel, Random(SEED))
    log = log_of(table, file.parent)
    assert rolls == [move["roll"] for move in log["moves"] if "roll" in move]
    answers = [{key: move[key] for key in ("roll", "choose") if key in move} for move in log["moves"]]
    script = file.with_name("answers.json")
    script.write_text(json.dumps(answers))
    result_is(command("play", file, "--script", script)["result"], log, panel)
    table.button("Back to the set-up").click()


def machine_play_is_the_commands(table: Table, file: Path) -> None:
    panel = begin(table, "Roll for me", SEED, "computer, best play")
    play_machine(panel)
    after = file.with_name("after.json")
    told = command("play", file, "--seed", SEED, "--attacker", "best", "--defender", "best", "--after", after)
    result_is(told["result"], log_of(table, file.parent), panel)
    luck_is_the_commands(panel, file)
    table.button("Next attack").click()
    expect(table.button("Play this attack")).to_be_visible()
    assert json.loads(after.read_text()) == json.loads(saved(table, "JSON", file.parent).read_text())


def luck_is_the_commands(panel: Locator, file: Path) -> None:
    log = next(file.parent.glob("*.log.json"))
    told = command("luck", log)
    luck = panel.get_by_role("region", name="Luck")
    expect(luck).to_contain_text(f"Chance of this very result: {percent(told['probability'])}")
    expect(luck).to_contain_text(
        f"Expected net losses (swing): {signed(told['start'])}. The dice added {signed(told['luck'])}"
    )
    for place in told["percentiles"]:
        less, more = (percent(place[key], "0.1") for key in ("less", "more"))
        words = f"{place['label']}: {place['value']}; fewer in {less} of battles, more in {more}."
        if not place["loser"]:
            words = f"{less} of battles end worse for"
        expect(luck.get_by_text(words)).to_have_count(0 if place["same"] > CERTAIN else 1)


def result_is(result: dict[str, Any], log: dict[str, Any], panel: Locator) -> None:
    assert result == log["result"]
    assert rows_of(result) == shown_rows(panel.get_by_role("region", name="Result", exact=True))
