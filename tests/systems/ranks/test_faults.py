"""What makes a combat illegal."""

import pytest

from grognard.core.errors import BattleError, Fault
from grognard.core.systems import Json
from grognard.files import battle


def faults(arrivals: list[Json]) -> list[Fault]:
    with pytest.raises(BattleError) as refused:
        battle({"system": "ranks", "defender": {"player": "Blue", "units": 1}, "arrivals": arrivals})
    return refused.value.faults


def test_somebody_attacks() -> None:
    expected = [Fault("arrivals", 'nobody attacks: at least one arrival needs side = "attack"')]
    assert faults([]) == expected
    assert faults([{"player": "Green", "side": "defend", "units": 1}]) == expected


def test_every_player_once() -> None:
    assert faults(
        [
            {"player": "Red", "side": "attack", "units": 1},
            {"player": "Blue", "side": "attack", "units": 1},
            {"player": "Red", "side": "defend", "units": 1},
        ]
    ) == [
        Fault("arrivals[1].player", '"Blue" is already the Defender: every player has one army here'),
        Fault("arrivals[2].player", '"Red" is already arrival 1: every player has one army here'),
    ]


@pytest.mark.parametrize(
    ("key", "value"), [("units", 0), ("units", True), ("side", "attacks"), ("optional", 1), ("player", "")]
)
def test_a_wrong_field_is_known_by_its_place(key: str, value: object) -> None:
    arrival = {"player": "Red", "side": "attack", "units": 1, key: value}
    assert [fault.place for fault in faults([arrival])] == [f"arrivals[0].{key}"]
