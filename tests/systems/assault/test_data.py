"""The figures: shipped with their marks, and replaced by a user's own files."""

from pathlib import Path

import pytest

from grognard.core.errors import BattleError
from grognard.core.systems import Json
from grognard.files import battle, load
from grognard.systems.assault import SYSTEM

from .battles import HMG, RIFLES, fate, fight, gathered


def figures() -> dict[str, tuple[str, str]]:
    return {source.what: (source.figure, source.mark) for source in SYSTEM.sources()}


def test_every_figure_has_its_mark() -> None:
    actual = figures()
    assert actual["red die, transcribed"] == ("DD DX DD DD CD –", "T")
    assert actual["blue die, alternative"] == ("– – – – D D", "T")
    assert actual["card medium tank"][1] == "O"
    assert actual["card GE HMG 42"] == (
        "kind infantry, points 6, move 2, strength 3, defense Y, v_infantry 0 YYG, 1-5 RRYB, 6-7 RYGB, 8-11 YBB",
        "T",
    )
    assert actual["terrain heavy forest, infantry"] == ("GYY", "M")
    assert actual["terrain heavy forest"] == ("vehicle G, artillery G, obstruction blocks", "T")
    assert actual["terrain bunker, infantry.front"] == ("RRY", "M")
    assert actual["table hindered"] == ("dice G", "O")
    assert actual["table firing, normal"] == ("–", "M")
    assert actual["command card lucky escape"] == ("pool attack, cancels 1", "O")
    assert {mark for _, mark in actual.values()} == {"M", "T", "O"}


def test_every_card_of_the_roster_can_be_fired_on() -> None:
    for name, unit in SYSTEM.roster().items():
        setup = battle(fight(RIFLES, {**unit, "id": name, "side": "ge"}, dice="R")).setup
        assert setup.target.card == name


def test_a_file_of_cards_goes_before_the_shipped_ones(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('["GE HMG 42"]\nkind = "infantry"\nstrength = 2\ndefense = "RR"\n')
    source = SYSTEM.expand({**fight(), "cards": "mine.toml"}, tmp_path)
    assert source["cards"] == {"GE HMG 42": {"kind": "infantry", "strength": 2, "defense": "RR"}}
    assert gathered(source) == ("RRY", "RRG")


def test_a_file_of_terrain_goes_before_the_shipped_one(tmp_path: Path) -> None:
    (tmp_path / "mine.json").write_text('{"clear": {"infantry": "BB"}, "swamp": {"infantry": "B", "also": ["bog"]}}')
    source = {**fight(spotted=True), "terrain_data": "mine.json"}
    assert gathered(SYSTEM.expand(source, tmp_path))[1] == "YBB"
    bog = {**fight(spotted=True, terrain="bog"), "terrain_data": "mine.json"}
    assert gathered(SYSTEM.expand(bog, tmp_path))[1] == "YB"


def test_a_file_of_tables_replaces_those_it_has(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('[hindered]\ndice = "RB"\n')
    source = {**fight(on={**HMG, "dug_in": True}, hindering=1), "tables": "mine.toml"}
    assert gathered(SYSTEM.expand(source, tmp_path))[1] == "RYGGB"


def test_a_file_of_command_cards_goes_before_the_shipped_ones(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('["steady aim"]\neffect = { pool = "attack", gains = "RR" }\n')
    cards = [{"side": "us", "card": "steady aim"}]
    source = {**fight(), "command_cards": cards, "command_card_data": "mine.toml"}
    assert gathered(SYSTEM.expand(source, tmp_path), "yes")[0] == "RRRRY"


def test_the_faces_may_be_a_file(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('red = ["DD"]\nyellow = ["CX", ""]\ngreen = [""]\nblue = [""]\n')
    source = fight(dice="RY", defense="", rules={"faces": "mine.toml"})
    assert fate(SYSTEM.expand(source, tmp_path), ["DD", ""]) == (2, "none", False)


def test_a_battle_file_finds_its_figures_beside_it(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('["conscripts"]\nkind = "infantry"\nstrength = 7\n')
    path = tmp_path / "battle.toml"
    path.write_text(
        'system = "assault"\ncards = "mine.toml"\n'
        'units = [{ id = "a", side = "us", card = "US Rifles 43" }, { id = "d", side = "ge", card = "conscripts" }]\n'
        'attack = { by = "a", on = "d", range = 1 }\n'
    )
    fight_ = load(path)
    assert fight_.setup.cards["conscripts"].strength == 7
    assert battle(fight_.source).setup == fight_.setup


@pytest.mark.parametrize(("key", "place"), [("cards", "cards"), ("tables", "tables")])
def test_a_file_that_is_not_there_is_a_fault(key: str, place: str, tmp_path: Path) -> None:
    with pytest.raises(BattleError) as refused:
        SYSTEM.expand({**fight(), key: "no.toml"}, tmp_path)
    assert refused.value.faults == [(place, 'the file "no.toml" cannot be read: No such file or directory')]


@pytest.mark.parametrize(
    ("text", "why"), [("[" * 100_000, "maximum recursion depth"), (" " * 10_000_001, "is too large")]
)
def test_a_file_that_nobody_can_have_meant_is_a_fault(text: str, why: str, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(BattleError, match=f'the file "a.json" cannot be read: {why}'):
        SYSTEM.expand({**fight(), "cards": "a.json"}, tmp_path)


def test_what_names_no_file_stays_as_it_is(tmp_path: Path) -> None:
    source: Json = {**fight(rules={"faces": "alternative"}), "cards": {}}
    assert SYSTEM.expand(source, tmp_path) == source
