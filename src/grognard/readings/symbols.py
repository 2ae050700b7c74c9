"""Symbol dice: faces that show Critical, Damage and Suppression symbols, one or two of them, or nothing.

A face is a text such as "CD", "X" or "". The value of a roll depends on the numbers of symbols only, so the dynamic
programme adds die after die to the distribution of these numbers.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb, prod
from typing import NamedTuple, TypeVar

from grognard.core.distributions import Distribution, collect
from grognard.core.readings import Face, Faces, Fate, Pool, Reading

_T = TypeVar("_T", bound=Hashable)

STRONG_TO_WEAK = "CDX"
BLANK = ""


class Symbols(NamedTuple):
    """The number of symbols of each kind."""

    critical: int = 0
    damage: int = 0
    suppression: int = 0

    def plus(self, other: "Symbols", times: int = 1) -> "Symbols":
        """These symbols plus `times` the others."""
        return Symbols(self[0] + times * other[0], self[1] + times * other[1], self[2] + times * other[2])

    @property
    def strongest(self) -> str:
        """The strongest symbol among them, or blank."""
        return next((symbol for symbol, count in zip(STRONG_TO_WEAK, self, strict=True) if count), BLANK)


NO_SYMBOLS = Symbols()


def strongest(face: Face) -> str:
    """The strongest symbol that a face shows, or blank."""
    return min(str(face), key=STRONG_TO_WEAK.index, default=BLANK)


def face_symbols(face: Face, stronger_only: bool = False) -> Symbols:
    """The symbols of a face; with `stronger_only`, only the stronger of two."""
    shown = strongest(face) if stronger_only else str(face)
    return Symbols(*(shown.count(symbol) for symbol in STRONG_TO_WEAK))


def uncancelled(attack: Symbols, defence: Symbols) -> Symbols:
    """The attacking symbols that the defence does not cancel.

    Each defending symbol cancels one attacking symbol that is not stronger. The strongest go first, and each cancels
    the strongest that it can: this cancels as many as possible. Cancelling in several steps gives the same.
    """
    (remaining,) = _left_by_each(attack, {defence: 1})
    return remaining


class Kept(NamedTuple):
    """Equal dice that may be rolled again: the index of their pool, their face, and their number."""

    pool: int
    face: str
    number: int


class RolledSymbols(NamedTuple):
    """The value of a roll: the dice that may be rolled again, and the symbols of all other dice."""

    kept: tuple[Kept, ...]
    symbols: Symbols


@dataclass(frozen=True, slots=True)
class SymbolRoll(Reading[RolledSymbols]):
    """The dice of one side. A die is kept apart if the strongest symbol that it shows is one of `keeps`.

    With `stronger_only`, a face of two symbols counts as the stronger one.
    """

    pools: tuple[Pool, ...]
    keeps: tuple[str, ...] = ()
    stronger_only: bool = False

    @property
    def dice(self) -> tuple[Pool, ...]:
        return self.pools

    @property
    def size(self) -> int:
        """The number of values that the dynamic programme visits, for all dice together."""
        dice = sum(pool.count for pool in self.pools)
        return max(1, dice) * _most_values(self.pools, self.keeps)

    def read(self, faces: Faces) -> RolledSymbols:
        """The dice kept apart, and the symbols of all others."""
        kept: Counter[tuple[int, str]] = Counter()
        symbols = NO_SYMBOLS
        for number, pool in enumerate(faces):
            for face, count in Counter(pool).items():
                if strongest(face) in self.keeps:
                    kept[number, _strongest_first(face)] += count
                else:
                    symbols = symbols.plus(face_symbols(face, self.stronger_only), count)
        return RolledSymbols(_sorted(kept), symbols)

    def odds(self, fractions: bool = False) -> Distribution[RolledSymbols]:
        """The distribution, die by die."""
        return _distribution(_rolls(self.pools, self.keeps, self.stronger_only), _total(self.pools), fractions)

    def fates(self, faces: Faces) -> tuple[tuple[Fate, ...], ...]:
        """A die that shows a symbol wins, a blank one is unused."""
        return tuple(tuple(Fate.WINS if face else Fate.UNUSED for face in pool) for pool in faces)


class Limit(NamedTuple):
    """How much of the remaining symbols matters: damage up to a number, and one Suppression if `suppression` is set."""

    damage: int
    suppression: bool

    def of(self, symbols: Symbols) -> Symbols:
        """The symbols, reduced to those that matter."""
        critical, damage, suppression = symbols
        if critical + damage >= self.damage:
            return Symbols(0, self.damage, 0)
        return Symbols(critical, damage, min(1, suppression) if self.suppression else 0)


@dataclass(frozen=True, slots=True)
class DefenceRoll(Reading[RolledSymbols]):
    """Defence dice against attack symbols: the dice kept apart, and the attack symbols that the others do not cancel.

    With a limit, these symbols are reduced to those that matter; no die is kept then.
    """

    attack: Symbols
    pools: tuple[Pool, ...]
    keeps: tuple[str, ...] = ()
    limit: Limit | None = None

    @property
    def dice(self) -> tuple[Pool, ...]:
        return self.pools

    @property
    def size(self) -> int:
        """The values of the defence times those of an attack with as many symbols: the solver needs all of them."""
        attacks = comb(self.attack.critical + self.attack.damage + 3, 3)
        return attacks * _most_values(self.pools, self.keeps)

    def read(self, faces: Faces) -> RolledSymbols:
        """The dice kept apart, and the attack symbols that are left."""
        kept, shown = SymbolRoll(self.pools, self.keeps).read(faces)
        return RolledSymbols(kept, self._left(shown))

    def odds(self, fractions: bool = False) -> Distribution[RolledSymbols]:
        """The distribution; rolls that leave the same symbols are merged."""
        ways: dict[RolledSymbols, int] = {}
        for kept, totals in _by_kept(self.pools, self.keeps).items():
            remaining: dict[Symbols, int] = {}
            for shown, count in _left_by_each(self.attack, totals).items():
                symbols = self.limit.of(shown) if self.limit else shown
                remaining[symbols] = remaining.get(symbols, 0) + count
            ways |= {RolledSymbols(kept, symbols): count for symbols, count in remaining.items()}
        return _distribution(ways, _total(self.pools), fractions)

    def _left(self, shown: Symbols) -> Symbols:
        remaining = uncancelled(self.attack, shown)
        return self.limit.of(remaining) if self.limit else remaining

    def fates(self, faces: Faces) -> tuple[tuple[Fate, ...], ...]:
        """A die that cancels a symbol wins, any other is unused."""
        defence = _shown(faces)
        counts = [min(count, len(defence)) for count in self.attack]
        attack = [_Shown(strength, None) for strength, count in enumerate(counts) for _ in range(count)]
        winners = {die for die, _ in _cancelled(attack, defence)}
        return _fates(faces, winners, set())


@dataclass(frozen=True, slots=True)
class StrongestLeft(Reading[str]):
    """Both sides roll at once: the strongest attack symbol that the defence leaves, or blank."""

    attack: tuple[Pool, ...]
    defence: tuple[Pool, ...]

    @property
    def dice(self) -> tuple[Pool, ...]:
        """The attack's pools, then the defence's."""
        return (*self.attack, *self.defence)

    @property
    def size(self) -> int:
        """The number of pairs of values."""
        return _most_totals(self.attack) * _most_totals(self.defence)

    def read(self, faces: Faces) -> str:
        """The strongest symbol left."""
        attack, defence = faces[: len(self.attack)], faces[len(self.attack) :]
        return uncancelled(_symbols(attack), _symbols(defence)).strongest

    def odds(self, fractions: bool = False) -> Distribution[str]:
        ways: dict[str, int] = {}
        defence = _rolls(self.defence, (), False).items()
        for (_, mine), count in _rolls(self.attack, (), False).items():
            for (_, yours), times in defence:
                symbol = uncancelled(mine, yours).strongest
                ways[symbol] = ways.get(symbol, 0) + count * times
        return _distribution(ways, _total(self.dice), fractions)

    def fates(self, faces: Faces) -> tuple[tuple[Fate, ...], ...]:
        """An attack die wins if one of its symbols is left, else loses; a defence die wins if it cancels a symbol."""
        attacking = len(self.attack)
        shown = _shown(faces)
        attack = [symbol for symbol in shown if symbol.die and symbol.die[0] < attacking]
        pairs = _cancelled(attack, [symbol for symbol in shown if symbol.die and symbol.die[0] >= attacking])
        remaining = {symbol.die for symbol in Counter(attack) - Counter(symbol for _, symbol in pairs)}
        losers = {symbol.die for symbol in attack} - remaining
        return _fates(faces, {die for die, _ in pairs} | remaining, losers)


class _Shown(NamedTuple):
    """A symbol on a die: its strength, where 0 is the strongest, and the die that shows it, by pool and place."""

    strength: int
    die: tuple[int, int] | None


def _shown(faces: Faces) -> list[_Shown]:
    """The symbols on all dice, the strongest first."""
    return sorted(
        _Shown(STRONG_TO_WEAK.index(symbol), (number, place))
        for number, pool in enumerate(faces)
        for place, face in enumerate(pool)
        for symbol in str(face)
    )


def _cancelled(attack: Iterable[_Shown], defence: Iterable[_Shown]) -> list[tuple[tuple[int, int] | None, _Shown]]:
    """The defence dice that cancel a symbol, each with the attack symbol that it cancels."""
    remaining, pairs = list(attack), []
    for strength, die in defence:
        cancelled = next((symbol for symbol in remaining if symbol.strength >= strength), None)
        if cancelled:
            remaining.remove(cancelled)
            pairs.append((die, cancelled))
    return pairs


def _fates(
    faces: Faces, winners: set[tuple[int, int] | None], losers: set[tuple[int, int] | None]
) -> tuple[tuple[Fate, ...], ...]:
    def fate(die: tuple[int, int]) -> Fate:
        return Fate.WINS if die in winners else Fate.LOSES if die in losers else Fate.UNUSED

    return tuple(tuple(fate((number, place)) for place in range(len(pool))) for number, pool in enumerate(faces))


def _symbols(faces: Faces) -> Symbols:
    total = NO_SYMBOLS
    for pool in faces:
        for face in pool:
            total = total.plus(face_symbols(face))
    return total


def _strongest_first(face: Face) -> str:
    return "".join(sorted(str(face), key=STRONG_TO_WEAK.index))


def _sorted(kept: Mapping[tuple[int, str], int]) -> tuple[Kept, ...]:
    return tuple(Kept(number, face, count) for (number, face), count in sorted(kept.items()) if count)


def _total(pools: Iterable[Pool]) -> int:
    """The number of rolls of these dice."""
    return prod(len(pool.die.faces) ** pool.count for pool in pools)


def _most_totals(pools: Iterable[Pool]) -> int:
    """An upper bound on the number of different totals of symbols."""
    symbols = sum(pool.count * max(len(str(face)) for face in pool.die.faces) for pool in pools)
    return comb(symbols + len(STRONG_TO_WEAK), len(STRONG_TO_WEAK))


def _ways_to_keep(pools: Iterable[Pool], keeps: tuple[str, ...]) -> int:
    """An upper bound on the number of ways to keep dice apart."""
    if not keeps:
        return 1
    faces = [{_strongest_first(face) for face in pool.die.faces if strongest(face) in keeps} for pool in pools]
    return prod(comb(pool.count + len(kept), len(kept)) for pool, kept in zip(pools, faces, strict=True))


def _most_values(pools: Sequence[Pool], keeps: tuple[str, ...]) -> int:
    """An upper bound on the number of different values of a roll."""
    kinds = [len({_strongest_first(face) for face in pool.die.faces}) for pool in pools]
    multisets = prod(comb(pool.count + faces - 1, faces - 1) for pool, faces in zip(pools, kinds, strict=True))
    return min(_most_totals(pools) * _ways_to_keep(pools, keeps), multisets)


def _distribution(ways: Mapping[_T, int], total: int, fractions: bool) -> Distribution[_T]:
    merged = collect(ways.items(), total)
    return merged if fractions else Distribution(merged.values, tuple(count / total for count in merged.weights))


def _rolls(pools: tuple[Pool, ...], keeps: tuple[str, ...], stronger_only: bool) -> dict[RolledSymbols, int]:
    """Every value of a roll, with the number of rolls that have it."""
    ways: dict[RolledSymbols, int] = {RolledSymbols((), NO_SYMBOLS): 1}
    for number, pool in enumerate(pools):
        of_pool = _rolls_of_pool(number, pool, keeps, stronger_only)
        more: dict[RolledSymbols, int] = {}
        for (kept, symbols), count in ways.items():
            for (others, shown), times in of_pool.items():
                rolled = RolledSymbols(kept + others, symbols.plus(shown))
                more[rolled] = more.get(rolled, 0) + count * times
        ways = more
    return ways


@lru_cache(maxsize=4)
def _by_kept(pools: tuple[Pool, ...], keeps: tuple[str, ...]) -> dict[tuple[Kept, ...], dict[Symbols, int]]:
    """The values of a roll, grouped by the dice kept apart; cached, because many attacks meet the same defence."""
    groups: dict[tuple[Kept, ...], dict[Symbols, int]] = {}
    for (kept, symbols), count in _rolls(pools, keeps, False).items():
        groups.setdefault(kept, {})[symbols] = count
    return groups


def _left_by_each(attack: Symbols, defences: Mapping[Symbols, int]) -> dict[Symbols, int]:
    """The attack symbols that each defence leaves, with the number of rolls. Cancelling is inlined in this hot loop."""
    criticals, damages, suppressions = attack
    ways: dict[tuple[int, int, int], int] = {}
    for (strong, middling, weak), count in defences.items():
        middling += strong - criticals if strong > criticals else 0
        weak += middling - damages if middling > damages else 0
        key = (
            criticals - strong if strong < criticals else 0,
            damages - middling if middling < damages else 0,
            suppressions - weak if weak < suppressions else 0,
        )
        ways[key] = ways.get(key, 0) + count
    return {Symbols(*key): count for key, count in ways.items()}


def _rolls_of_pool(number: int, pool: Pool, keeps: tuple[str, ...], stronger_only: bool) -> dict[RolledSymbols, int]:
    """Every value of the roll of one pool, with the number of rolls that have it."""
    kinds = Counter(_strongest_first(face) for face in pool.die.faces)
    kept_faces = sorted(face for face in kinds if strongest(face) in keeps)
    ways: dict[tuple[tuple[int, ...], Symbols], int] = {((0,) * len(kept_faces), NO_SYMBOLS): 1}
    for _ in range(pool.count):
        more: dict[tuple[tuple[int, ...], Symbols], int] = {}
        for face, faces in kinds.items():
            place = kept_faces.index(face) if face in kept_faces else None
            shown = face_symbols(face, stronger_only)
            for (counts, symbols), count in ways.items():
                key = (
                    (counts, symbols.plus(shown))
                    if place is None
                    else ((*counts[:place], counts[place] + 1, *counts[place + 1 :]), symbols)
                )
                more[key] = more.get(key, 0) + count * faces
        ways = more
    return {
        RolledSymbols(_sorted({(number, face): n for face, n in zip(kept_faces, counts, strict=True)}), symbols): count
        for (counts, symbols), count in ways.items()
    }
