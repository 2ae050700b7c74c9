"""The four colours of dice, and dice as files write them: one letter a die."""

from collections.abc import Iterable
from enum import StrEnum


class Colour(StrEnum):
    """The colours of dice, strong to weak (MR 10.7)."""

    RED = "red"
    YELLOW = "yellow"
    GREEN = "green"
    BLUE = "blue"

    @property
    def letter(self) -> str:
        """The letter that stands for it."""
        return self[0].upper()

    @property
    def rank(self) -> int:
        """0 for the strongest."""
        return list(Colour).index(self)

    @property
    def weaker(self) -> "Colour":
        """One colour weaker; blue stays."""
        return list(Colour)[min(self.rank + 1, len(Colour) - 1)]


BY_LETTER = {colour.letter: colour for colour in Colour}


def parse(text: str) -> tuple[Colour, ...]:
    """The dice of a text such as "RRY", strong to weak."""
    return strong_to_weak(BY_LETTER[letter] for letter in text)


def strong_to_weak(dice: Iterable[Colour]) -> tuple[Colour, ...]:
    """Dice in order."""
    return tuple(sorted(dice, key=lambda colour: colour.rank))


def is_weaker(dice: tuple[Colour, ...], other: tuple[Colour, ...]) -> bool:
    """Whether these dice are the weaker ones: die by die from the strongest down, and then by their number."""
    return _standing(dice) > _standing(other)


def _standing(dice: tuple[Colour, ...]) -> list[int]:
    return [*(colour.rank for colour in strong_to_weak(dice)), len(Colour)]


def in_words(dice: Iterable[Colour]) -> str:
    """`2 red, 1 yellow`."""
    listed = list(dice)
    return ", ".join(f"{listed.count(colour)} {colour}" for colour in Colour if colour in listed)


def parse_band(text: str) -> range:
    """The ranges of a band such as "1-3" or "4"."""
    first, _, last = text.replace("–", "-").partition("-")
    return range(int(first), int(last or first) + 1)
