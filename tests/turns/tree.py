"""A whole turn as a tree, and its value under two policies: shares no code with the package.

A system says which attacks are possible in a state, and gives each as a tree that ends in states. `Turn` puts the
choice of the next attack between them and works out everything in fractions, one full state at a time.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any, NamedTuple, Protocol

Json = dict[str, Any]
State = Hashable


class Ends(NamedTuple):
    """The distribution of states at the end: integer weights of numbered states, for speed."""

    weights: dict[int, int]
    whole: int


Solved = tuple[Fraction, Ends]


class TooLong(Exception):
    """A turn with too many trees."""


@dataclass(frozen=True)
class Decision:
    role: str
    optional: bool
    options: Mapping[str, "Lazy"]


@dataclass(frozen=True)
class Dice:
    chances: Mapping[Any, Fraction]
    count: Callable[[Sequence[Any]], Any]
    """The value of these faces: losses, hits or symbols."""
    then: Callable[[Any], "Tree"]


@dataclass(frozen=True)
class AttackOver:
    state: State


@dataclass(frozen=True)
class TurnOver:
    state: State


@dataclass(frozen=True)
class Same:
    """A tree that is the same wherever its key is the same: it is solved once."""

    key: Hashable
    tree: "Lazy"


Tree = Decision | Dice | Same | AttackOver | TurnOver
Lazy = Callable[[], Tree]


class Game(Protocol):
    source: Json

    @property
    def start(self) -> Any: ...
    def attacks(self, state: Any) -> dict[str, Lazy]: ...
    def left(self, state: Any) -> dict[str, int]:
        """The remaining strength or health of each unit."""

    def result(self, state: Any) -> Json: ...


def yes_or_no(role: str, yes: Lazy, no: Lazy) -> Decision:
    return Decision(role, True, {"yes": yes, "no": no})


def choice(role: str, options: Mapping[str, Lazy]) -> Tree:
    """A question with one option is not asked."""
    return Decision(role, False, options) if len(options) > 1 else next(iter(options.values()))()


def mix(branches: Iterable[tuple[Fraction, Solved]]) -> Solved:
    listed = list(branches)
    worths = [(p.numerator * value.numerator, p.denominator * value.denominator) for p, (value, _) in listed]
    common = lcm(*(whole for _, whole in worths))
    value = Fraction(sum(part * (common // whole) for part, whole in worths), common)
    all_of_it = lcm(*(p.denominator * ends.whole for p, (_, ends) in listed))
    weights = dict[int, int]()
    for p, (_, ends) in listed:
        factor = p.numerator * (all_of_it // (p.denominator * ends.whole))
        for state, weight in ends.weights.items():
            weights[state] = weights.get(state, 0) + factor * weight
    return value, Ends(weights, all_of_it)


class Turn:
    """One turn under two policies."""

    def __init__(
        self, game: Game, attacker: str, defender: str, objective: str = "swing", most: int | None = None
    ) -> None:
        self.game, self.objective, self.most = game, objective, most
        self.policies = {"attacker": attacker, "defender": defender}
        turn, units = game.source["turn"], game.source.get("units") or game.source["frames"]
        owner = "side" if "side" in turn else "player"
        self.side, self.target = turn[owner], turn.get("target")
        self.sides = {unit["id"]: unit[owner] for unit in units}
        self.before = game.left(game.start)
        self.known: dict[State, Solved] = {}
        self.trees: dict[tuple[int, bool], tuple[Tree, Solved]] = {}
        """The solved trees, by identity; they are kept, so that identities stay unique."""
        self.same: dict[tuple[Hashable, bool], Solved] = {}
        self.states: list[State] = []
        self.numbers: dict[State, int] = {}

    @cached_property
    def solved(self) -> Solved:
        return self.after(self.game.start)

    @property
    def value(self) -> Fraction:
        return self.solved[0]

    @property
    def odds(self) -> dict[State, Fraction]:
        """The distribution of states at the end."""
        ends = self.solved[1]
        return {self.states[number]: Fraction(weight, ends.whole) for number, weight in ends.weights.items()}

    def stay(self, state: State) -> Solved:
        """The turn is over in this state."""
        number = self.numbers.setdefault(state, len(self.states))
        if number == len(self.states):
            self.states.append(state)
        return Fraction(self.worth(state)), Ends({number: 1}, 1)

    def tree(self, state: State) -> Tree:
        """The choice of the next attack."""
        attacks = self.game.attacks(state)
        return choice("attacker", {**attacks, "end": lambda: TurnOver(state)})

    def after(self, state: State) -> Solved:
        if state not in self.known:
            self.known[state] = self.solve(self.tree(state))
        return self.known[state]

    def solve(self, tree: Tree, only_this_attack: bool = False) -> Solved:
        """The value and the states at the end; or as if the turn ended with the current attack."""
        key = id(tree), only_this_attack
        if key not in self.trees:
            if self.most is not None and len(self.trees) >= self.most:
                raise TooLong
            self.trees[key] = tree, self.solve_anew(tree, only_this_attack)
        return self.trees[key][1]

    def solve_anew(self, tree: Tree, only_this_attack: bool) -> Solved:
        if isinstance(tree, Dice):
            branches = [(p, tree.then(number)) for number, p in tree.chances.items() if p]
            return mix((p, self.solve(branch, only_this_attack)) for p, branch in branches)
        if isinstance(tree, Decision):
            return self.decide(tree, only_this_attack)
        if isinstance(tree, Same):
            key = tree.key, only_this_attack
            if key not in self.same:
                self.same[key] = self.solve(tree.tree(), only_this_attack)
            return self.same[key]
        if isinstance(tree, AttackOver) and not only_this_attack:
            return self.after(tree.state)
        return self.stay(tree.state)

    def decide(self, tree: Decision, only_this_attack: bool) -> Solved:
        options, policy = list(tree.options.values()), self.policies[tree.role]
        best = max if tree.role == "attacker" else min
        if policy == "eager":
            return self.solve(options[0](), only_this_attack)
        if policy == "cautious":
            return self.solve(options[-1 if tree.optional else 0](), only_this_attack)
        if policy == "random":
            return mix((Fraction(1, len(options)), self.solve(one(), only_this_attack)) for one in options)
        if policy == "greedy" and not only_this_attack:
            values = [self.solve(one(), only_this_attack=True)[0] for one in options]
            return self.solve(options[values.index(best(values))]())
        return best([self.solve(one(), only_this_attack) for one in options], key=lambda solved: solved[0])

    def worth(self, state: State) -> int:
        left = self.game.left(state)
        if self.objective == "swing":
            return self.lost(state, enemy=True) - self.lost(state, enemy=False)
        if self.target is not None:
            return int(left[self.target] == 0)
        return sum(not left[name] for name, side in self.sides.items() if side != self.side)

    def lost(self, state: State, enemy: bool) -> int:
        left = self.game.left(state)
        return sum(self.before[name] - left[name] for name, side in self.sides.items() if (side != self.side) == enemy)

    @property
    def measures(self) -> dict[str, dict[Any, Fraction]]:
        spreads = dict[str, dict[Any, Fraction]]()
        for state, p in self.odds.items():
            for name, value in self.measures_of(state).items():
                spread = spreads.setdefault(name, {})
                spread[value] = spread.get(value, Fraction(0)) + p
        return spreads

    def measures_of(self, state: State) -> dict[str, Any]:
        left = self.game.left(state)
        enemies = [name for name, side in self.sides.items() if side != self.side]
        return {
            **{f"{name} loses": self.before[name] - left[name] for name in left},
            **{f"{name} destroyed": not left[name] for name in left},
            "enemies destroyed": sum(not left[name] for name in enemies),
            "swing": self.lost(state, enemy=True) - self.lost(state, enemy=False),
        }
