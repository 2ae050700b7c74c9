"""Keys: what can still change or matter at a choice of the next attack, as numbers."""

from collections.abc import Iterable, Sequence
from struct import pack, unpack

Key = tuple[int, ...]
"""The parts of a state between two attacks, each by its number; what is settled is left out."""
SETTLED = -1
"""Stands in a key for a part that is settled."""
Code = int
"""A key as one whole number, with 32 bits for each part: quick to compare, and to change in some parts."""
BITS = 32
FIELD = (1 << BITS) - 1


def encode(key: Sequence[int]) -> Code:
    """A key as one whole number."""
    return int.from_bytes(pack(f"<{len(key)}I", *[number + 1 for number in key]), "little")


def decode(code: Code, parts: int) -> Key:
    """The key of this many parts that a whole number stands for."""
    return tuple([number - 1 for number in unpack(f"<{parts}I", code.to_bytes(parts * BITS // 8, "little"))])


def encode_some(numbers: Iterable[int], indices: Iterable[int]) -> Code:
    """The code of a key in which all parts but these are settled."""
    return sum((number + 1) << (BITS * index) for number, index in zip(numbers, indices, strict=True))


def mask(indices: Iterable[int]) -> Code:
    """The bits of these parts."""
    return sum(FIELD << (BITS * index) for index in indices)


def field(code: Code, index: int) -> int:
    """What a code says of one part: 0 if it is settled."""
    return code >> (BITS * index) & FIELD
