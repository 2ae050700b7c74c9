"""An attack is possible exactly if the file as it stands, with that attack and its direction, is a legal battle."""

from itertools import product
from random import Random

import pytest

from grognard.core.errors import BattleError
from grognard.files import battle
from grognard.systems.tower import SYSTEM
from grognard.systems.tower.attacks import directions_to, is_possible
from grognard.systems.tower.setup import Declared, Setup, State, first_state
from tests.soak import cases
from tests.systems.tower.battles import Json, attack, random_battle, unit
from tests.systems.walking import final_state


def named(setup: Setup, state: State) -> list[tuple[str, str]]:
    """Every pair of units whose attack is possible now, in the file's order."""
    pairs = product(range(len(setup.units)), repeat=2)
    possible = [(by, on) for by, on in pairs if is_possible(setup, state, Declared(by, on))]
    return [(setup.units[by].id, setup.units[on].id) for by, on in possible]


def legal(source: Json) -> list[tuple[str, str]]:
    """Every pair of units of a file whose attack is a legal battle, in the file's order."""
    ids = [unit["id"] for unit in source["units"]]
    return [(by, on) for by in ids for on in ids if is_legal(source, {"by": by, "on": on, "direction": "east"})]


def is_legal(source: Json, declared: Json) -> bool:
    try:
        battle({**source, "attack": declared})
    except BattleError:
        return False
    return True


@pytest.mark.soak("possible attacks against the file reader")
@pytest.mark.parametrize("seed", range(cases(60)))
def test_the_possible_attacks_of_a_file_are_those_that_are_legal(seed: int) -> None:
    source = random_battle(Random(seed))
    setup = battle(source).setup
    assert named(setup, first_state(setup)) == legal(source)


@pytest.mark.soak("possible attacks against the file reader")
@pytest.mark.parametrize("seed", range(cases(60)))
def test_the_possible_attacks_after_an_attack_are_those_of_the_file_after_it(seed: int) -> None:
    fight = battle(source := random_battle(Random(seed)))
    state = final_state(fight, Random(seed))
    assert named(fight.setup, state) == legal(SYSTEM.after(fight.setup, source, state))


@pytest.mark.parametrize(
    ("board", "goal", "expected"),
    [
        ("squares", (6, 5), ["east"]),
        ("squares", (4, 2), ["north"]),
        ("squares", (6, 6), ["east", "south"]),
        ("squares", (2, 2), ["west", "north"]),
        ("hexes", (5, 4), ["east"]),
        ("hexes", (4, 2), ["northeast", "northwest"]),
        ("hexes", (4, 6), ["southeast", "southwest"]),
    ],
)
def test_the_directions_to_a_target_that_lies_between_two(
    board: str, goal: tuple[int, int], expected: list[str]
) -> None:
    setup = battle(attack(unit("red", 4, 4), unit("blue", 5, 4), board=board)).setup
    assert directions_to(setup, (4, 4), goal) == expected
