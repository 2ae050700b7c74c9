"""Machine dice: a generator that gives the same dice for a seed on every machine and in every version.

Draw number n of seed s is the first eight bytes, as a big-endian whole number x, of HMAC-SHA-256 with the seed's
text (UTF-8) as key and n as eight big-endian bytes as message; n starts at 0 and grows by one with every draw. A die
of k faces shows face number x mod k (from 0), unless x is among the last 2**64 mod k numbers below 2**64: then it is
drawn again, so that every face is exactly as likely as any other.
"""

from collections.abc import Sequence

from grognard.core.errors import TooLarge
from grognard.core.readings import Die, Face, Reading

DRAWS = 2**64
MOST_DICE = 1_000_000


class MachineDice:
    """Dice that follow from a seed; `draws` counts the numbers drawn so far."""

    def __init__(self, seed: int | str | None = None, draws: int = 0) -> None:
        self.seed = str(_any_seed() if seed is None else seed)
        self.draws = draws

    def roll(self, die: Die) -> Face:
        """Roll one die."""
        return die.faces[self.draw_below(len(die.faces))]

    def roll_all(self, reading: Reading[object]) -> tuple[Face, ...]:
        """Roll every die of a reading, in order; an error if they are more than a million."""
        count = sum(pool.count for pool in reading.dice)
        if count > MOST_DICE:
            raise TooLarge("too many dice to roll one by one", count, MOST_DICE, advice="")
        return tuple(self.roll(pool.die) for pool in reading.dice for _ in range(pool.count))

    def complete(self, reading: Reading[object], faces: Sequence[Face | None], moves: int) -> tuple[Face, ...]:
        """Roll the dice that are None; the others were rolled on a table.

        These dice depend on the seed and the number of moves before, not on the draws so far.
        """
        dice = MachineDice(f"{self.seed} roll {moves}")
        kinds = [pool.die for pool in reading.dice for _ in range(pool.count)]
        return tuple(dice.roll(die) if face is None else face for die, face in zip(kinds, faces, strict=True))

    def draw_below(self, count: int) -> int:
        """A number from 0 to `count` − 1, all equally likely."""
        fair = DRAWS - DRAWS % count
        while (number := self._draw()) >= fair:
            pass
        return number % count

    def _draw(self) -> int:
        from hmac import digest

        digits = digest(self.seed.encode("utf-8", "surrogatepass"), self.draws.to_bytes(8, "big"), "sha256")
        self.draws += 1
        return int.from_bytes(digits[:8], "big")


def _any_seed() -> int:
    from secrets import randbits

    return randbits(48)
