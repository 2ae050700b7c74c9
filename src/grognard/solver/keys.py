"""Keys: a state between two attacks of a turn, reduced to what can still change or matter."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from struct import pack, unpack
from typing import Any

from grognard.core.distributions import Probability
from grognard.core.systems import Battle, Result, TurnRules
from grognard.solver.assumptions import Assumptions, Policy

Key = tuple[int, ...]
"""A number for each part of a state: SETTLED, or its number in the numbering of `TurnStates`."""
SETTLED = -1
"""The number of every part that is settled: it can no longer change or matter in this turn."""
PackedKey = int
"""A key as one integer with 32 bits for each part: fast to hash, and to change in some parts."""
BITS = 32
FIELD = (1 << BITS) - 1


def pack_key(key: Sequence[int]) -> PackedKey:
    """A key as one integer."""
    return int.from_bytes(pack(f"<{len(key)}I", *[number + 1 for number in key]), "little")


def unpack_key(packed: PackedKey, parts: int) -> Key:
    """The key with this many parts that was packed."""
    return tuple([number - 1 for number in unpack(f"<{parts}I", packed.to_bytes(parts * BITS // 8, "little"))])


def pack_parts(numbers: Iterable[int], indices: Iterable[int]) -> PackedKey:
    """A packed key in which the parts at these indices have these numbers, and all others are settled."""
    return sum((number + 1) << (BITS * index) for number, index in zip(numbers, indices, strict=True))


def part_mask(*indices: int) -> PackedKey:
    """The bit mask of these parts in a packed key."""
    return sum(FIELD << (BITS * index) for index in indices)


def part_bits(packed: PackedKey, index: int) -> int:
    """The bits of one part in a packed key: 0 if it is settled."""
    return packed >> (BITS * index) & FIELD


class TurnStates:
    """Translates the states of a turn between two attacks into keys, and back."""

    def __init__(self, battle: Battle, assumptions: Assumptions) -> None:
        assert battle.system.turn is not None
        self.system, self.setup = battle.system, battle.setup
        self.rules: TurnRules[Any] = battle.system.turn
        self.objective = assumptions.objective_name
        self.one = assumptions.one
        self.initial = battle.start().state
        self.initial_parts = self.rules.parts(self.initial)
        # The other policies depend on the order of the attacks, in which interchangeable parts differ.
        has_symmetry = assumptions.attacker in (Policy.BEST, Policy.RANDOM)
        groups = self.rules.interchangeable(self.setup, self.objective) if has_symmetry else ()
        self.symmetric_groups = [group for group in groups if len(group) > 1]
        self.numbering = list(range(len(self.initial_parts)))
        """The numbering that each part uses. Interchangeable parts share one: if they are swapped, so are their numbers
        in the key."""
        for group in self.symmetric_groups:
            for index in group:
                self.numbering[index] = group[0]
        self._numbers: list[dict[Hashable, int]] = [{} for _ in self.initial_parts]
        self._parts: list[list[Hashable]] = [[] for _ in self.initial_parts]
        """The inverse: the parts of each numbering, in order."""
        self._settled_example = list(self.initial_parts)
        """A settled part of each numbering, once one has occurred."""
        self._contributions: list[dict[Hashable, Probability]] = [{} for _ in self.initial_parts]
        self.start = self.key_of(self.initial_parts)

    def number(self, index: int, part: Hashable) -> int:
        """The number of a part, assigned when it first occurs."""
        numbering = self.numbering[index]
        number = self._numbers[numbering].get(part)
        if number is None:
            if self.rules.is_settled(self.setup, index, part):
                number = SETTLED
                self._settled_example[numbering] = part
            else:
                number = len(self._parts[numbering])
                self._parts[numbering].append(part)
            self._numbers[numbering][part] = number
        return number

    def part(self, index: int, number: int) -> Hashable:
        return self._parts[self.numbering[index]][number]

    def key_of(self, parts: Sequence[Hashable]) -> Key:
        """The key of a state with these parts."""
        return tuple([self.number(index, part) for index, part in enumerate(parts)])

    def state_of(self, key: Key) -> Any:
        """A state with this key."""
        parts = tuple(
            self._settled_example[self.numbering[index]] if number == SETTLED else self.part(index, number)
            for index, number in enumerate(key)
        )
        return self.rules.with_parts(self.initial, parts)

    def representative_key(self, key: Key) -> Key:
        """The key with every part replaced by the representative of its equivalents."""
        if self.rules.representative is None:
            return key
        return tuple([self._representative(index, number) for index, number in enumerate(key)])

    def _representative(self, index: int, number: int) -> int:
        if number == SETTLED or self.rules.representative is None:
            return number
        return self.number(index, self.rules.representative(self.setup, index, self.part(index, number)))

    def contribution(self, index: int, part: Hashable) -> Probability:
        """What a part adds to the objective if it stays as it is."""
        contribution = self._contributions[index].get(part)
        if contribution is None:
            contribution = self.rules.contribution(self.setup, self.objective, index, part) * self.one
            self._contributions[index][part] = contribution
        return contribution

    def value_of(self, parts: Sequence[Hashable]) -> Probability:
        """The value of ending the turn with these parts."""
        return sum((self.contribution(index, part) for index, part in enumerate(parts)), 0 * self.one)

    def result_with(self, parts: Mapping[int, Hashable]) -> Result:
        """The result of a turn that changes the parts at these indices only."""
        final = tuple(parts.get(index, part) for index, part in enumerate(self.initial_parts))
        return self.system.result(self.setup, self.rules.with_parts(self.initial, final))
