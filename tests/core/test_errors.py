"""Faults and errors: their content, comparison and pickling."""

import difflib
import pickle
from collections.abc import Collection

import pytest

from grognard.core.errors import (
    MOST_SUGGESTIONS,
    BattleError,
    Endless,
    Fault,
    FaultCode,
    GrognardError,
    TooLarge,
    WrongAnswer,
    limit_suggestions,
    list_known,
    no_such_name,
    suggest,
)


def test_a_fault_is_a_pair_of_place_and_message_and_has_a_code() -> None:
    place, message = fault = Fault("attack.on", "is missing", FaultCode.MISSING)
    assert ("attack.on", "is missing", "missing") == (place, message, fault.code)
    assert {"place": "attack.on", "message": "is missing", "code": "missing"} == fault.to_dict()
    assert "Fault('attack.on', 'is missing', 'missing')" == repr(fault)


def test_the_default_code_of_a_fault_is_illegal() -> None:
    assert FaultCode.ILLEGAL is Fault("attack.on", "is out of range").code
    with pytest.raises(ValueError, match="no_such_code"):
        Fault("attack.on", "is out of range", "no_such_code")


def test_faults_compare_and_sort_by_place_and_message() -> None:
    first, second = Fault("a", "x", FaultCode.MISSING), Fault("b", "w")
    assert Fault("a", "x") == first
    assert [first, second] == sorted([second, first])
    assert 2 == len({first, second, Fault("a", "x")})


@pytest.mark.parametrize(("place", "below"), [("units[0]", "battle.units[0]"), ("", "battle"), ("[3]", "battle[3]")])
def test_a_fault_of_a_table_in_a_larger_file_has_a_longer_place(place: str, below: str) -> None:
    fault = Fault(place, "is missing", FaultCode.MISSING).below("battle")
    assert (below, "is missing", FaultCode.MISSING) == (*fault, fault.code)


@pytest.mark.parametrize(
    "error",
    [
        BattleError(
            [Fault("units[0]", "is missing", FaultCode.MISSING)], "a.toml", {"units[0]": 3}, {"units[0]": "id"}
        ),
        TooLarge("positions", 5_000, 1_000),
        WrongAnswer("no such option"),
        Endless("no end"),
    ],
)
def test_errors_survive_pickling(error: GrognardError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert (type(error), str(error), vars(error)) == (type(again), str(again), vars(again))
    if isinstance(again, BattleError):
        assert [FaultCode.MISSING] == [fault.code for fault in again.faults]


@pytest.mark.parametrize(
    ("name", "known", "meant"),
    [
        ("rifels", ["guns", "rifles"], "rifles"),
        ("RIFLES", ["guns", "rifles"], "rifles"),
        ("tank", ["guns", "rifles"], None),
        ("unit 4x", [f"unit {number}" for number in range(5_000)], "unit 4"),
        (4, ["4"], None),
        ("x" * 10**6, ["y" * 100], None),
    ],
)
def test_the_nearest_known_name_is_suggested(name: object, known: list[str], meant: str | None) -> None:
    assert meant == suggest(name, known)


def test_the_number_of_suggestions_for_one_file_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[int] = []

    def count(word: str, known: Collection[str], n: int) -> list[str]:
        compared.append(len(known))
        return []

    monkeypatch.setattr(difflib, "get_close_matches", count)
    known = [f"wall {number}" for number in range(5_000)]
    with limit_suggestions():
        for number in range(3_000):
            no_such_name("terrain", f"wall {number}x", known)
    assert MOST_SUGGESTIONS == len(compared)
    assert 200 >= max(compared)


def test_a_long_list_of_known_names_is_truncated() -> None:
    assert "none" == list_known([])
    assert "a, b" == list_known(["a", "b"])
    names = [f"u{number}" for number in range(5_000)]
    assert f"{', '.join(names[:20])}, … and 4,980 more" == list_known(names)
