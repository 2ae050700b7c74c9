"""Machine dice, against an independent implementation of their description and stored numbers."""

import hashlib
from collections import Counter

import pytest

from grognard.core.readings import Die, d
from grognard.plays.dice import MachineDice


def by_hand(seed: str, draw: int) -> int:
    """HMAC-SHA-256 from its definition (RFC 2104), not from the library."""
    key = seed.encode().ljust(64, b"\0")
    inner = hashlib.sha256(bytes(b ^ 0x36 for b in key) + draw.to_bytes(8, "big")).digest()
    return int.from_bytes(hashlib.sha256(bytes(b ^ 0x5C for b in key) + inner).digest()[:8], "big")


def test_dice_follow_from_seed_and_counter() -> None:
    dice = MachineDice(7)
    assert [by_hand("7", n) % 6 + 1 for n in range(100)] == [dice.roll(d(6)) for _ in range(100)]
    assert dice.draws == 100


STORED = [6, 4, 1, 1, 6, 8, 6, 11, 4, 2, 2, 1]


def test_a_seed_always_gives_these_dice() -> None:
    dice = MachineDice(1)
    assert [dice.roll(d(faces)) for faces in (6, 6, 6, 6, 10, 10, 10, 20, 4, 8, 12, 6)] == STORED


def test_numbers_above_the_last_full_range_are_drawn_again() -> None:
    count = 2**63 + 1  # nearly half of all draws are refused
    dice = MachineDice("refuse")
    expected = [number for n in range(40) if (number := by_hand("refuse", n)) < count]
    assert expected[:10] == [dice.draw_below(count) for _ in range(10)]
    assert dice.draws > 10


def test_dice_can_continue_after_a_number_of_draws() -> None:
    dice = MachineDice("x")
    before = [dice.roll(d(10)) for _ in range(5)]
    assert [dice.roll(d(10)) for _ in range(5)] == [MachineDice("x", 5).roll(d(10))] + [
        MachineDice("x", n).roll(d(10)) for n in range(6, 10)
    ]
    assert before == [MachineDice("x", n).roll(d(10)) for n in range(5)]


def test_faces_are_equally_likely() -> None:
    dice = MachineDice("fair")
    counts = Counter(dice.roll(Die("odd", ("a", "b", "b"))) for _ in range(6000))
    assert pytest.approx(counts["a"], abs=5 * (6000 * 2 / 9) ** 0.5) == 2000


def test_without_a_seed_a_new_one_is_reported() -> None:
    dice = MachineDice()
    assert MachineDice(dice.seed).roll(d(20)) == dice.roll(d(20))
    assert dice.seed != MachineDice().seed
