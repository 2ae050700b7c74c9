"""A battle with another value in one place."""

import pytest

from grognard.core.errors import BattleError
from grognard.core.systems import Json
from grognard.files import battle, replace
from tests.files.toy import LARGE, SMALL, changed


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        ("turn", 4, changed(4, "turn")),
        ("units[1].range", 7, changed(7, "units", 1, "range")),
        ("units[1].at[0]", 7, changed(7, "units", 1, "at", 0)),
        ("rules.ties", "attacker", changed({"ties": "attacker"}, "rules")),
        ("board.size", (3, 3), changed({"size": [3, 3]}, "board")),
        ("attack.how", None, SMALL),
    ],
)
def test_replace_returns_a_battle_that_differs_in_one_place(path: str, value: object, expected: Json) -> None:
    legal = battle(SMALL)
    assert battle(expected) == legal.replace(path, value)
    assert battle(SMALL) == legal


def test_keys_in_quotes_are_found() -> None:
    replaced = replace(battle(LARGE), 'board.capitals."dark blue"', [2, 2])
    assert (2, 2) == replaced.setup.board.capitals["dark blue"]


@pytest.mark.parametrize(
    ("path", "value", "fault", "code"),
    [
        ("turn", "x", ("turn", 'found "x", expected a whole number'), "wrong_type"),
        ("units[0].range", -1, ("units[0].range", "found -1, expected a whole number ≥ 0"), "out_of_range"),
        (
            "units[2].range",
            1,
            ("units[2].range", "there is no `units[2]`: `units` has 2, counted from 0"),
            "unknown_key",
        ),
        ("turn[0]", 1, ("turn[0]", "there is no `turn[0]`: `turn` is not in this battle"), "unknown_key"),
        ("attack[0]", 1, ("attack[0]", "`attack` is a table, not a list"), "unknown_key"),
        ("", 1, ("", 'found "", expected a path such as rules.… or …[0].…'), "unknown_key"),
        ("attack.on", "nobody", ("attack.on", "no unit is called nobody"), "illegal"),
    ],
)
def test_faults_are_as_for_a_file(path: str, value: object, fault: tuple[str, str], code: str) -> None:
    with pytest.raises(BattleError) as caught:
        battle(SMALL).replace(path, value)
    assert [fault] == caught.value.faults
    assert code == caught.value.faults[0].code


def test_an_unknown_key_is_suggested() -> None:
    with pytest.raises(BattleError, match=r"units\[0\]\.rnage: unknown key `rnage`, did you mean `range`\?"):
        battle(SMALL).replace("units[0].rnage", 3)
