"""An attack is possible exactly if the file as it stands, with that attack, is a legal battle."""

from itertools import product
from random import Random

import pytest

from grognard.core.errors import BattleError
from grognard.core.systems import Json
from grognard.files import battle
from grognard.systems.supply import SYSTEM
from grognard.systems.supply.attacks import is_possible
from grognard.systems.supply.setup import Declared, Setup, State, first_state
from tests.soak import cases

from ..walking import final_state
from .test_against_brute import random_battle


def named(setup: Setup, state: State) -> list[tuple[str, str]]:
    """Every pair of units whose attack is possible now, in the file's order."""
    pairs = product(range(len(setup.units)), repeat=2)
    possible = [(by, on) for by, on in pairs if is_possible(setup, state, Declared(by=by, on=on))]
    return [(setup.units[by].id, setup.units[on].id) for by, on in possible]


def legal(source: Json) -> list[tuple[str, str]]:
    """Every pair of units of a file whose attack is a legal battle, in the file's order."""
    ids = [unit["id"] for unit in source["units"]]
    return [(by, on) for by in ids for on in ids if is_legal({**source, "attack": {"by": by, "on": on}})]


def is_legal(source: Json) -> bool:
    try:
        battle(source)
    except BattleError:
        return False
    return True


@pytest.mark.soak("possible attacks against the file reader")
@pytest.mark.parametrize("seed", range(cases(60)))
def test_the_possible_attacks_of_a_file_are_those_that_are_legal(seed: int) -> None:
    source = random_battle(seed)
    setup = battle(source).setup
    assert named(setup, first_state(setup)) == legal(source)


@pytest.mark.soak("possible attacks against the file reader")
@pytest.mark.parametrize("seed", range(cases(60)))
def test_the_possible_attacks_after_an_attack_are_those_of_the_file_after_it(seed: int) -> None:
    fight = battle(source := random_battle(seed))
    state = final_state(fight, Random(seed))
    assert named(fight.setup, state) == legal(SYSTEM.after(fight.setup, source, state))
