"""Every fault of a battle file, with its message and place."""

from typing import Annotated, Literal

import pytest

from grognard.core.errors import BattleError, Fault
from grognard.core.fields import AtLeast, AtMost
from grognard.core.systems import Battle, Json
from grognard.files import battle, system_of
from grognard.files.fields import field_type
from tests.files.toy import (
    LARGE,
    SMALL,
    TOY,
    Attack,
    Board,
    Gun,
    Score,
    Setup,
    Switches,
    Terrain,
    Unit,
    Weather,
    changed,
    without,
)


def faults_of(data: Json) -> list[Fault]:
    with pytest.raises(BattleError) as caught:
        battle(data)
    return caught.value.faults


def test_a_legal_battle_becomes_its_set_up() -> None:
    read = battle(SMALL)
    hero = Unit(id="hero", die=6, range=0, at=(4, 4))
    regular = Unit(id="regular", die=8, range=3, at=(4, 5))
    assert Battle(TOY, Setup((hero, regular), Attack("hero", "regular")), {}) == read


def test_every_kind_of_field_is_read() -> None:
    guns = ("hand", Gun("direct", "“Bertha”"))
    hero = Unit("the hero", 4, 2, (1, 18), white=1, fired=True, guns=guns)
    regular = Unit("regular", 8, 3, (4, 5))
    expected = Setup(
        units=(hero, regular),
        attack=Attack("the hero", "regular", "call in", ("wall", "hedge"), True, True, ""),
        turn=3,
        board=Board((9, 9), {"red": (1, 1), "dark blue": (9, 9)}),
        terrain=(Terrain("wall", 0, (3, "high", False)), Terrain("hedge")),
        scores={"Joshua": Score(4)},
        rules=Switches("attacker", Weather.RAIN),
    )
    read = battle(LARGE).setup
    assert expected == read
    assert read.rules.weather is Weather.RAIN
    assert read.attack.near_station is True


def test_the_source_is_a_copy_in_plain_types() -> None:
    data = changed((4, 4), "units", 0, "at")
    read = battle(data)
    data["attack"]["by"] = "somebody else"
    assert SMALL == read.source


def test_null_is_the_same_as_leaving_out() -> None:
    assert battle(SMALL) == battle(changed(None, "attack", "how"))


@pytest.mark.parametrize(
    ("data", "place", "message"),
    [
        (changed("4", "turn"), "turn", 'found "4", expected a whole number'),
        (changed(True, "turn"), "turn", "found true, expected a whole number"),
        (changed(4.0, "turn"), "turn", "found 4.0, expected a whole number"),
        (changed(float("nan"), "turn"), "turn", "found nan, expected a whole number"),
        (changed(None, "turn"), "turn", "found null, expected a whole number"),
        (changed({}, "turn"), "turn", "found a table, expected a whole number"),
        (changed(-1, "units", 1, "range"), "units[1].range", "found -1, expected a whole number ≥ 0"),
        (changed(3, "units", 1, "white"), "units[1].white", "found 3, expected a whole number from 1 to 2"),
        (changed(1, "units", 0, "fired"), "units[0].fired", "found 1, expected true or false"),
        (changed(3, "units", 0, "id"), "units[0].id", "found 3, expected text"),
        (changed("", "units", 0, "id"), "units[0].id", 'found "", expected text that is not empty'),
        (changed(" \n", "units", 0, "id"), "units[0].id", 'found " \\n", expected text that is not empty'),
        (changed("\ud800", "attack", "by"), "attack.by", 'found "\\ud800", which holds half a character'),
        (changed(7, "units", 0, "die"), "units[0].die", "found 7, expected one of 4, 6, 8"),
        (changed(True, "units", 0, "die"), "units[0].die", "found true, expected one of 4, 6, 8"),
        (
            changed("Call_in", "attack", "how"),
            "attack.how",
            'found "Call_in", expected one of "direct", "call in"; did you mean "call in"?',
        ),
        (
            changed([2], "units", 0, "at"),
            "units[0].at",
            "found [2], expected a column and a row, each a whole number ≥ 1",
        ),
        (changed([4, 0], "units", 0, "at"), "units[0].at[1]", "found 0, expected a whole number ≥ 1"),
        (changed("9x9", "board", battle=LARGE), "board", 'found "9x9", expected a table'),
        (changed([9], "board", "size", battle=LARGE), "board.size", "found [9], expected a column and a row"),
        (
            changed([9], "board", "capitals", "dark blue", battle=LARGE),
            'board.capitals."dark blue"',
            "found [9], expected a column and a row",
        ),
        (
            changed([1, 1], "board", "capitals", "", battle=LARGE),
            'board.capitals.""',
            'found "", expected text that is not empty',
        ),
        (
            changed(4, "board", "capitals", battle=LARGE),
            "board.capitals",
            "found 4, expected a table of names, each with a column and a row",
        ),
        (
            changed([1, 2, True], "terrain", 0, "shape", battle=LARGE),
            "terrain[0].shape[1]",
            "found 2, expected text",
        ),
        (
            changed([1, 2], "terrain", 0, "shape", battle=LARGE),
            "terrain[0].shape",
            "found [1, 2], expected a list of 3: a whole number, text, true or false",
        ),
        (changed(10, "terrain", 0, "hits", battle=LARGE), "terrain[0].hits", "found 10, expected a whole number ≤ 9"),
        (
            changed([], "units"),
            "units",
            "found [], expected a list, at least 1 long, of tables with `id`, `die`, `range`, `at`",
        ),
        (
            changed(["a"] * 4, "units", 0, "guns"),
            "units[0].guns",
            'found ["a", "a", "a", "a"], expected a list, at most 3 long, of entries, each text or a table with `kind`',
        ),
        (changed("abcde", "attack", "dice"), "attack.dice", 'found "abcde", expected text of at most 4 characters'),
    ],
)
def test_a_fault_says_what_was_expected(data: Json, place: str, message: str) -> None:
    assert [(place, message)] == faults_of(data)


@pytest.mark.parametrize(
    ("value", "place", "message"),
    [
        ([1], "units[0].guns[0]", "found 1, expected text or a table with `kind`"),
        ([""], "units[0].guns[0]", 'found "", expected text or a table with `kind`'),
        (
            [{"kind": "dircet"}],
            "units[0].guns[0].kind",
            'found "dircet", expected one of "hand", "direct", "artillery"; did you mean "direct"?',
        ),
        ([{}], "units[0].guns[0].kind", 'is missing: expected one of "hand", "direct", "artillery"'),
    ],
)
def test_of_several_types_the_one_that_was_meant_is_reported(value: object, place: str, message: str) -> None:
    assert [(place, message)] == faults_of(changed(value, "units", 0, "guns"))


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("spotted", "rol", 'found "rol", expected "roll" or true or false; did you mean "roll"?'),
        ("spotted", 1, 'found 1, expected "roll" or true or false'),
        ("near_station", 1.0, "found 1.0, expected a whole number or true or false"),
        ("cover", 1, "found 1, expected text or a list of text"),
    ],
)
def test_of_several_types_all_are_reported_if_none_was_meant(key: str, value: object, message: str) -> None:
    assert [(f"attack.{key}", message)] == faults_of(changed(value, "attack", key))


def test_an_entry_of_a_list_has_its_own_place() -> None:
    assert [("attack.cover[1]", "found 2, expected text")] == faults_of(changed(["wall", 2], "attack", "cover"))


def test_an_unknown_key_lists_the_known_ones_and_the_near_miss() -> None:
    known = "by, on, how, cover, spotted, near_station, dice"
    assert [("attack.hwo", f"unknown key `hwo`, did you mean `how`? known: {known}")] == faults_of(
        changed("direct", "attack", "hwo")
    )
    assert [('attack."x y"', f"unknown key `x y`; known: {known}")] == faults_of(changed(1, "attack", "x y"))


def test_an_unknown_key_at_the_top_knows_system_too() -> None:
    known = "system, units, attack, turn, board, terrain, scores, rules"
    assert [("computed", f"unknown key `computed`; known: {known}")] == faults_of(changed(8, "computed"))


def test_keys_of_the_rules_are_switches() -> None:
    assert [
        ("rules.tiez", "unknown switch `tiez`, did you mean `ties`? known: ties, weather, captured"),
        ("rules.weather", 'found "snow", expected one of "clear", "rain"'),
    ] == faults_of(changed({"tiez": "defender", "weather": "snow"}, "rules"))


def faults_at_x(hint: object, value: object) -> list[Fault]:
    """The faults of a value at the place "x", by its type."""
    faults: list[Fault] = []
    field_type(hint).parse(value, "x", faults)
    return faults


def test_true_is_no_choice_of_1() -> None:
    assert [] == faults_at_x(Literal[0, 1], 1)
    assert [("x", "found true, expected one of 0, 1")] == faults_at_x(Literal[0, 1], True)


def test_the_tightest_bounds_count() -> None:
    hint = Annotated[Annotated[int, AtLeast(1), AtMost(6)] | None, AtLeast(2), AtMost(9)]
    assert [("x", "found 1, expected a whole number from 2 to 6")] == faults_at_x(hint, 1)


def test_of_two_tables_the_one_with_fewer_faults_was_meant() -> None:
    assert [("x.kind", 'found 1, expected one of "hand", "direct", "artillery"')] == faults_at_x(
        Terrain | Gun, {"kind": 1, "name": "x"}
    )


def test_a_near_miss_may_differ_in_case() -> None:
    message = 'found "kv-1", expected "KV-1"; did you mean "KV-1"?'
    assert [("x", message)] == faults_at_x(Literal["KV-1"], "kv-1")


def test_a_missing_key_is_reported_at_its_place() -> None:
    assert [("attack.on", "is missing: expected text")] == faults_of(without("attack", "on"))
    assert [("attack", "is missing: expected a table with `by`, `on`")] == faults_of(without("attack"))


def test_all_faults_are_reported_at_once() -> None:
    data = changed("6", "units", 0, "die", battle=changed(-1, "units", 1, "range", battle=without("attack", "by")))
    assert ["units[0].die", "units[1].range", "attack.by"] == [fault.place for fault in faults_of(data)]


def test_the_whole_battle_is_checked_beside_its_fields() -> None:
    nobody = changed({"by": "nobody", "on": "none"}, "attack")
    whole = [("attack.by", "no unit is called nobody"), ("attack.on", "no unit is called none")]
    assert whole == faults_of(nobody)
    assert [("turn", 'found "x", expected a whole number'), *whole] == faults_of(changed("x", "turn", battle=nobody))


def test_an_unknown_system_lists_the_known_ones() -> None:
    known = "known: marbles, toys"
    assert [("system", f"unknown system `toy`, did you mean `toys`? {known}")] == faults_of({"system": "toy"})
    assert [("system", f"unknown system `../os`; {known}")] == faults_of({"system": "../os"})
    assert [("system", 'is missing: expected one of "marbles", "toys"')] == faults_of({})
    assert [("system", 'found [], expected one of "marbles", "toys"')] == faults_of({"system": []})


def test_a_system_is_found_by_its_name() -> None:
    assert TOY is system_of("toys")
    with pytest.raises(BattleError, match=r"unknown system `TOYS`, did you mean `toys`\?"):
        system_of("TOYS")


def test_keys_that_are_not_text_are_faults() -> None:
    assert ["3"] == [fault.place for fault in faults_of({**SMALL, 3: 4})]  # type: ignore[dict-item]  # that is the fault
    odd = changed({3: [1, 1]}, "board", "capitals", battle=LARGE)
    assert [("board.capitals.3", "found 3, expected text")] == faults_of(odd)


def test_a_fault_shows_the_value_on_one_short_line() -> None:
    long = faults_of(changed("x" * 1000, "turn"))[0].message
    assert f'found "{"x" * 60}…", expected a whole number' == long
    assert (
        "found a number far too large, expected one of 4, 6, 8"
        == faults_of(changed(10**5000, "units", 0, "die"))[0].message
    )
    assert "found a list of 300, expected a whole number" == faults_of(changed([1] * 300, "turn"))[0].message
    assert "found a list of 1, expected a whole number" == faults_of(changed([[1]], "turn"))[0].message
    assert "found a value of type object, expected a whole number" == faults_of(changed(object(), "turn"))[0].message
    assert 'found "\\x1b[2J", expected a whole number' == faults_of(changed("\x1b[2J", "turn"))[0].message
