"""How many positions a battle has, as counted once: a rule that merges less or more than it did shows here.

In the open, by hand: the roll; 5 + 4·4 + 6·3 choices with none, one or two systems lost and some damage left, while
three lost leave nothing to choose; and 16 sets of systems left, or one white die less, to end with.
"""

from pathlib import Path

import pytest

from grognard.core.systems import Json
from grognard.files import battle, load
from grognard.solver.graph import explore

from .battles import COVER, TARGET, WALL, activation, attack, frame

EXAMPLES = Path(__file__).parents[3] / "examples" / "frames"
FULL_COVER = frame("cover", systems=["movement", "hand", "spotting", "artillery"])
COUNTED: dict[str, tuple[Json, int]] = {
    "a miss": (attack(TARGET, defense=6), 1),
    "in the open": (attack(TARGET), 57),
    "equal systems": (attack(frame("target", systems=["hand", "hand", "direct", "direct"])), 27),
    "terrain": (attack({"id": "target", "hits": 3}), 5),
    "behind a wall": (attack(TARGET, WALL, cover="wall", spot=2), 139),
    "near a station": (attack(TARGET, near_station=2, rules={"abandon_per_attack": "once_per_station"}), 198),
    "two covers": (attack(TARGET, COVER, WALL, cover=["wall", "cover"]), 261),
    "fourteen dice on two full frames": (attack(TARGET, FULL_COVER, attack=8, spot=6, cover="cover"), 1929),
    "a turn": (activation(frame("gunner", "Red", ["direct"], white=1), COVER, TARGET, cover="cover"), 529),
}


@pytest.mark.parametrize("name", COUNTED)
def test_the_number_of_positions(name: str) -> None:
    source, expected = COUNTED[name]
    assert len(explore(battle(source)).nodes) == expected


def test_the_number_of_positions_of_the_chapters_example() -> None:
    assert len(explore(load(EXAMPLES / "01-ragged-wall.toml")).nodes) == 51
