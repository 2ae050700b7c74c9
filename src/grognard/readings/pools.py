"""The dice of an attack and of a defence, rolled together."""

from dataclasses import dataclass

from grognard.core.readings import Face, Pool, d


@dataclass(frozen=True, slots=True)
class Pools:
    """So many dice of one kind against so many of another."""

    attack: int
    attack_die: int
    defence: int
    defence_die: int

    @property
    def dice(self) -> tuple[Pool, Pool]:
        """The two pools, the attack first."""
        return Pool(self.attack, d(self.attack_die)), Pool(self.defence, d(self.defence_die))

    @property
    def total(self) -> int:
        """In how many ways these dice can fall."""
        return int(self.attack_die**self.attack * self.defence_die**self.defence)

    @property
    def faces(self) -> range:
        """The faces of all these dice, from the highest down."""
        return range(max(self.attack_die, self.defence_die), 0, -1)

    @property
    def swapped(self) -> "Pools":
        """The defence as the attack, and the other way round."""
        return Pools(self.defence, self.defence_die, self.attack, self.attack_die)

    def cover(self, other: "Pools") -> bool:
        """Whether neither pool of the other is larger."""
        return self.attack >= other.attack and self.defence >= other.defence

    def joined(self, other: "Pools") -> "Pools":
        """The smallest pools that cover both."""
        return Pools(
            max(self.attack, other.attack), self.attack_die, max(self.defence, other.defence), self.defence_die
        )


def check(count: int, die: int) -> None:
    """Refuse dice that cannot be."""
    if count < 0 or die < 1:
        raise ValueError(f"{count} dice with {die} faces cannot be rolled")


def high_to_low(faces: tuple[Face, ...]) -> list[int]:
    """The places of numbered dice in their order, from the one that shows most to the one that shows least."""
    return sorted(range(len(faces)), key=lambda place: -int(faces[place]))
