"""Plans of a whole turn: what to do first and after each class of results, beside simpler ways to play it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, permutations

from grognard.core.distributions import Probability
from grognard.core.errors import BattleError, Fault, WrongAnswer
from grognard.core.lazy import NotebookDisplay
from grognard.core.numbers import to_json_number
from grognard.core.systems import Battle, Json, Role
from grognard.plays.play import Play
from grognard.solver.assumptions import Assumptions, Policy
from grognard.solver.conditions import ANYTHING_ELSE, Conditions, Row
from grognard.solver.graph import POSITIONS, Progress
from grognard.solver.induction import best_option
from grognard.solver.keys import Key
from grognard.solver.turn_solution import TurnSolution
from grognard.solver.turns import NextAttack, TurnSolver

MOST_ORDERS = 2_000
"""All fixed orders are tried if there are no more than these."""
DEPTH = 3
"""How many attacks ahead a plan is written out."""


@dataclass(frozen=True, slots=True)
class Branch:
    """What to do after a class of results of an attack."""

    conditions: tuple[str, ...]
    """Which results, in words: `rifles lost 2–3`."""
    probability: Probability
    """Given that the attack is made."""
    next: "PlanStep | None"
    """The next attack; None: end the turn."""
    is_cut: bool = False
    """Whether the plan goes on, but is not written out further."""

    def to_dict(self) -> Json:
        """As JSON."""
        return {
            "conditions": list(self.conditions),
            "probability": to_json_number(self.probability),
            "next": self.next and self.next.to_dict(),
            "is_cut": self.is_cut,
        }


@dataclass(frozen=True, slots=True)
class PlanStep:
    """An attack, and what follows its results, the likeliest first, and last what follows all others."""

    attack: str
    by: str
    on: str
    branches: tuple[Branch, ...]

    def to_dict(self) -> Json:
        """As JSON."""
        branches = [branch.to_dict() for branch in self.branches]
        return {"attack": self.attack, "by": self.by, "on": self.on, "branches": branches}


@dataclass(frozen=True, slots=True)
class TurnPlan(NotebookDisplay):
    """The best way to play a turn, and the values of stopping, of the best fixed order, and of greedy play."""

    battle: Battle
    assumptions: Assumptions
    value: Probability
    first: PlanStep | None
    """None: end the turn at once."""
    stop_value: Probability
    greedy_value: Probability
    order: tuple[str, ...]
    order_value: Probability
    is_exhaustive: bool
    """Whether all fixed orders were tried; otherwise `order` is the best of those that were."""

    def to_dict(self) -> Json:
        """As JSON."""
        return {
            "system": self.battle.system.name,
            "objective": self.assumptions.objective_name,
            "value": to_json_number(self.value),
            "stop": to_json_number(self.stop_value),
            "greedy": to_json_number(self.greedy_value),
            "order": {
                "attacks": list(self.order),
                "value": to_json_number(self.order_value),
                "exhaustive": self.is_exhaustive,
            },
            "plan": self.first and self.first.to_dict(),
        }


def plan_turn(
    battle: Battle,
    assumptions: Assumptions,
    *,
    start: Play | None = None,
    bound: int = POSITIONS,
    progress: Progress | None = None,
) -> TurnPlan:
    """The plan of a turn, or of what is left of it, under the defender's policy; its own side plays its best.

    With `start`, a play in which the next attack is to be chosen, the plan goes on from there. Values are of the whole
    turn.
    """
    if not battle.is_turn:
        raise BattleError([Fault("turn", "is missing: only a turn can be planned", "missing")])
    best = Assumptions(Policy.BEST, assumptions.defender, assumptions.objective, assumptions.fractions)
    best.check(battle)
    solution = TurnSolution(battle, best, start, bound, progress)
    solver, place = solution.solver, solution.place_of(start)
    if place.attack is not None:
        raise WrongAnswer("a plan begins where the next attack is chosen, and here one is under way")
    greedy = TurnSolution(
        battle, Assumptions(Policy.GREEDY, best.defender, best.objective, best.fractions), start, bound, progress
    )
    order, order_value, is_exhaustive = _best_order(solver, place.key)
    return TurnPlan(
        battle=battle,
        assumptions=best,
        value=place.gained + solver.value(place.key),
        first=_Writer(solver).step(place.key, DEPTH),
        stop_value=place.gained,
        greedy_value=place.gained + greedy.solver.value(greedy.place_of(start).key),
        order=tuple(solver.attacks[attack].id for attack in order),
        order_value=place.gained + order_value,
        is_exhaustive=is_exhaustive,
    )


class _Writer:
    """Writes a plan out: at each choice the best attack, its results grouped by what is best after them."""

    def __init__(self, solver: TurnSolver) -> None:
        self.solver, self.conditions = solver, Conditions(solver)

    def best(self, key: Key) -> NextAttack | None:
        """The best attack at a choice; None: end the turn."""
        attacks = self.solver.next_attacks(self.solver.standing(key))
        taken = self.solver.option_taken(attacks)
        if taken is None or taken == len(attacks):
            return None
        return self.solver.next_attack(key, attacks[taken].number)

    def step(self, key: Key, depth: int) -> PlanStep | None:
        """The best attack at a choice, with what follows it."""
        one = self.best(key)
        if one is None:
            return None
        solver = self.solver
        key_of = dict(zip(one.graph.slots, one.keys, strict=True))
        reached: dict[Key, Probability] = {}
        rows: dict[Key, list[Row]] = {}
        for end, probability in one.graph.end_probabilities(solver.slot_values(one)):
            after = key_of[end.open]
            reached[after] = reached.get(after, 0) + probability
            rows.setdefault(after, []).append(self.conditions.row(one, end))
        groups: dict[str, list[Key]] = {}
        for after in reached:
            following = self.best(after)
            groups.setdefault(following.attack.id if following else "", []).append(after)
        rows_of = [[row for key in keys for row in rows[key]] for keys in groups.values()]
        pairs = zip(groups.values(), self.conditions.words(one, rows_of), strict=True)
        branches = [self._branch(keys, reached, (text,) if text else (), depth) for keys, text in pairs]
        likeliest_first = tuple(sorted(branches, key=lambda one: (ANYTHING_ELSE in one.conditions, -one.probability)))
        return PlanStep(one.attack.id, one.attack.by, one.attack.on, likeliest_first)

    def _branch(
        self, keys: Sequence[Key], reached: Mapping[Key, Probability], conditions: tuple[str, ...], depth: int
    ) -> Branch:
        probability = sum(reached[key] for key in keys)
        likeliest = max(keys, key=lambda key: reached[key])
        following = self.best(likeliest)
        if following is None:
            return Branch(conditions, probability, None)
        if depth == 1:
            attack = following.attack
            return Branch(conditions, probability, PlanStep(attack.id, attack.by, attack.on, ()), is_cut=True)
        return Branch(conditions, probability, self.step(likeliest, depth - 1))


Order = tuple[int, ...]
"""Attacks by their numbers."""


class _Orders:
    """The values of attacks made in a fixed order: those that are not possible any more are skipped."""

    def __init__(self, solver: TurnSolver, start: Key) -> None:
        self.solver, self.start = solver, start
        self.known: dict[tuple[Key, Order], Probability] = {}

    def value(self, order: Order, key: Key | None = None) -> Probability:
        """The value at a choice, or at the start, of making the attacks of an order from there on."""
        solver = self.solver
        key = self.start if key is None else key
        if not order:
            return 0 * solver.one
        if (key, order) not in self.known:
            one, rest = solver.next_attack(key, order[0]), order[1:]
            if one is None:
                value = self.value(rest, key)
            else:
                value = one.graph.value([self.value(rest, after) for after in one.keys])
            self.known[key, order] = value
        return self.known[key, order]


def _best_order(solver: TurnSolver, start: Key) -> tuple[Order, Probability, bool]:
    """The best fixed order and its value; all are tried if there are few, else it is built up greedily."""
    values = _Orders(solver, start)
    orders = list(islice(_orders(len(solver.attacks)), MOST_ORDERS + 1))
    if len(orders) <= MOST_ORDERS:
        best = _best(values, orders)
        return best, values.value(best), True
    best = ()
    while True:
        longer = _best(values, [best, *_with_one_more(solver, best)])
        if longer == best:
            return best, values.value(best), False
        best = longer
        values.known.clear()


def _best(values: _Orders, orders: Iterable[Order]) -> Order:
    """The first of the best orders."""
    listed = list(orders)
    return listed[best_option([values.value(order) for order in listed], Role.ATTACKER)]


def _with_one_more(solver: TurnSolver, order: Order) -> Iterator[Order]:
    """The order with an attack of another attacker at each place."""
    used = {solver.attacks[attack].by for attack in order}
    for attack, one in enumerate(solver.attacks):
        if one.by not in used:
            yield from ((*order[:place], attack, *order[place:]) for place in range(len(order) + 1))


def _orders(attacks: int) -> Iterator[Order]:
    """Every list of different attacks, the short ones first. A unit may come twice: what is impossible is skipped."""
    for length in range(attacks + 1):
        yield from permutations(range(attacks), length)
