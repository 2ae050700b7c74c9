"""Loadouts in one word, read and written; the game's sample frames."""

from itertools import combinations_with_replacement

import pytest

from grognard.files import battle
from grognard.systems.frames import SYSTEM
from grognard.systems.frames.loadout import ALIKE, SYSTEMS, Kind, Loadout, read_loadout, write_loadout

from .battles import attack

SAMPLES = {
    "Soldier": "WWBGYRdRd",
    "Osprey": "WWBBYRdRd",
    "Anvil": "WWBYRdRdR8d",
    "Tank": "WWBBRdRdR8d",
    "Artillerist": "WWBBRaRaR8a",
    "Recon": "WWYYRaRaR8a",
    "Brawler": "WWBBG8RhRhR8h",
    "Watchtower": "WWBBYYG8",
    "Bare": "WWG8",
}


@pytest.mark.parametrize(
    ("word", "systems", "white", "rockets"),
    [
        ("WWBBYRdRdR8r", "defense defense spotting direct", 2, 1),
        ("WWBYRdRdR8dR8r", "defense spotting direct direct", 2, 1),
        ("WWBBG8RhRhR8h", "defense defense hand hand", 2, 0),
        ("WGG8R8rR8rR8r", "movement", 1, 3),
        ("RaRaYWRhRhB", "artillery spotting hand defense", 1, 0),
        ("WWBB", "defense defense", 2, 0),
    ],
)
def test_a_loadout_is_read_in_the_order_of_its_letters(word: str, systems: str, white: int, rockets: int) -> None:
    assert read_loadout(word) == Loadout(tuple(map(Kind, systems.split())), white, rockets)


def test_every_legal_loadout_is_read_as_it_was_written() -> None:
    kinds = [systems for count in range(SYSTEMS + 1) for systems in combinations_with_replacement(Kind, count)]
    legal = [systems for systems in kinds if all(systems.count(kind) <= ALIKE for kind in systems)]
    for systems in legal:
        for white, rockets in ((1, 0), (2, 3)):
            word = write_loadout(systems, white, rockets)
            assert read_loadout(word) == Loadout(systems, white, rockets)
    assert len(legal) == 1 + 6 + 21 + 50 + 90


@pytest.mark.parametrize("name", SAMPLES)
def test_the_sample_frames_are_the_roster_and_are_written_as_they_are_read(name: str) -> None:
    word = SYSTEM.roster()[name]["loadout"]
    fit = read_loadout(word)
    assert isinstance(fit, Loadout)
    assert (word, write_loadout(*fit)) == (SAMPLES[name], SAMPLES[name])


def test_the_roster_can_be_put_on_the_field_and_says_where_it_is_from() -> None:
    assert list(SYSTEM.roster()) == list(SAMPLES)
    assert [(source.what, source.figure) for source in SYSTEM.sources()] == list(SAMPLES.items())
    for name, fields in SYSTEM.roster().items():
        fielded = {"id": "target", "player": "Blue", **fields}
        assert battle(attack(fielded)).setup.frames[0].loadout == SAMPLES[name]


@pytest.mark.parametrize(
    ("word", "reasons"),
    [
        (
            "WWX",
            ['"WWX" is not made of W, B, G, Y, Rh, Rd, Ra, R8h, R8d, R8a, R8r and G8: no die begins at "X"'],
        ),
        (
            "WWRBB",
            ['"WWRBB" is not made of W, B, G, Y, Rh, Rd, Ra, R8h, R8d, R8a, R8r and G8: no die begins at "RBB"'],
        ),
        ("BB", ["0 white dice, but a frame has 1 or 2 (W, WW)"]),
        ("WWW", ["3 white dice, but a frame has 1 or 2 (W, WW)"]),
        ("WWBBB", ["3 defense systems, but a frame carries at most 2 of a kind"]),
        ("WWBBGGY", ["5 systems, but a frame carries at most 4"]),
        ("WWRd", ["1 Rd: one direct weapon is RdRd, two are RdRdR8d"]),
        ("WWRdRdRdRd", ["4 Rd: one direct weapon is RdRd, two are RdRdR8d"]),
        ("WWR8a", ["1 R8a: one artillery weapon is RaRa, two are RaRaR8a"]),
        ("WWRhRhR8hR8h", ["2 Rh and 2 R8h: one hand weapon is RhRh, two are RhRhR8h"]),
        ("WWRdRdG8", ["a sprint die (G8), but a frame with a ranged weapon has none"]),
        ("WWG8G8", ["2 sprint dice, but a frame has at most one (G8)"]),
        ("WWR8rR8rR8rR8r", ["4 rockets, but a frame carries at most 3"]),
    ],
)
def test_an_illegal_loadout_is_refused_with_the_reason(word: str, reasons: list[str]) -> None:
    assert read_loadout(word) == tuple(reasons)
