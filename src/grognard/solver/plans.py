"""Plans of a whole turn: the best attack, the next one after each group of its results, and simpler ways to play."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from grognard.core.distributions import Probability
from grognard.core.errors import BattleError, Fault, WrongAnswer
from grognard.core.lazy import NotebookDisplay
from grognard.core.numbers import fields_to_json, to_json_number
from grognard.core.systems import Battle, Json, PossibleAttack, Role
from grognard.plays.play import Play
from grognard.solver.assumptions import Assumptions, Policy
from grognard.solver.attack_explorer import NextAttack
from grognard.solver.conditions import ANYTHING_ELSE, Conditions, Row
from grognard.solver.graph import POSITIONS, Progress
from grognard.solver.induction import best_option
from grognard.solver.keys import Key
from grognard.solver.turn_solution import TurnSolution
from grognard.solver.turns import TurnSolver

MOST_ORDERS = 2_000
"""All fixed orders are tried if there are no more than these."""
PLAN_DEPTH = 3
"""How many attacks in a row a plan writes out."""


@dataclass(frozen=True, slots=True)
class Branch:
    """What to do after a group of results of an attack."""

    conditions: tuple[str, ...]
    """The results in words: `rifles lost 2–3`."""
    probability: Probability
    """The probability of these results, given that the attack is made."""
    next: "PlanStep | None"
    """The next attack; None: end the turn."""
    is_cut: bool = False
    """Whether the plan goes on after the next attack, but is not written out."""

    def to_dict(self) -> Json:
        """As JSON."""
        return fields_to_json(self, "conditions", "probability", "next", "is_cut")


@dataclass(frozen=True, slots=True)
class PlanStep:
    """An attack and its branches, the likeliest first; a branch for any other result is last."""

    attack: str
    by: str
    on: str
    branches: tuple[Branch, ...]

    def to_dict(self) -> Json:
        """As JSON."""
        return fields_to_json(self, "attack", "by", "on", "branches")


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
    """Whether all fixed orders were tried; otherwise `order` is the best one that was tried."""

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
    """The best plan of a turn against the defender's policy.

    With `start`, a play at a choice of the next attack, it is the plan of the rest of the turn. Values are always those
    of the whole turn.
    """
    if not battle.is_turn:
        raise BattleError([Fault("turn", "is missing: only a turn can be planned", "missing")])
    best = Assumptions(Policy.BEST, assumptions.defender, assumptions.objective, assumptions.fractions)
    best.check(battle)
    solution = TurnSolution(battle, best, start, bound, progress)
    solver, point = solution.solver, solution.locate(start)
    if point.attack is not None:
        raise WrongAnswer("a plan begins where the next attack is chosen, and here one is under way")
    greedy = TurnSolution(
        battle, Assumptions(Policy.GREEDY, best.defender, best.objective, best.fractions), start, bound, progress
    )
    order, order_value, is_exhaustive = _best_order(solver, point.key)
    return TurnPlan(
        battle=battle,
        assumptions=best,
        value=point.gained + solver.value(point.key),
        first=_PlanWriter(solver).step(point.key, PLAN_DEPTH),
        stop_value=point.gained,
        greedy_value=point.gained + greedy.solver.value(greedy.locate(start).key),
        order=tuple(solver.explorer.attacks[attack].id for attack in order),
        order_value=point.gained + order_value,
        is_exhaustive=is_exhaustive,
    )


class _PlanWriter:
    """Writes a plan out: at each choice the best attack, with its results grouped by the best attack after them."""

    def __init__(self, solver: TurnSolver) -> None:
        self.solver, self.conditions = solver, Conditions(solver)

    def best(self, key: Key) -> NextAttack | None:
        """The best attack at a choice; None: end the turn."""
        attacks = self.solver.next_attacks(key)
        taken = self.solver.option_taken(attacks)
        if taken is None or taken == len(attacks):
            return None
        return self.solver.explorer.next_attack(key, attacks[taken].number)

    def step(self, key: Key, depth: int) -> PlanStep | None:
        """The best attack at a choice, with its branches."""
        best = self.best(key)
        if best is None:
            return None
        key_of = dict(zip(best.graph.exits, best.exit_keys, strict=True))
        reach: dict[Key, Probability] = {}
        rows: dict[Key, list[Row]] = {}
        for end, probability in best.graph.end_probabilities(self.solver.exit_values(best)):
            after = key_of[end.exit]
            reach[after] = reach.get(after, 0) + probability
            rows.setdefault(after, []).append(self.conditions.row(best, end))
        groups: dict[str, list[Key]] = {}
        for after in reach:
            following = self.best(after)
            groups.setdefault(following.listed.id if following else "", []).append(after)
        rows_of_groups = [[row for key in keys for row in rows[key]] for keys in groups.values()]
        texts = self.conditions.describe(best, rows_of_groups)
        branches = [
            self._branch(keys, reach, (text,) if text else (), depth)
            for keys, text in zip(groups.values(), texts, strict=True)
        ]
        branches.sort(key=lambda branch: (ANYTHING_ELSE in branch.conditions, -branch.probability))
        return PlanStep(best.listed.id, best.listed.by, best.listed.on, tuple(branches))

    def _branch(
        self, keys: Sequence[Key], reach: Mapping[Key, Probability], conditions: tuple[str, ...], depth: int
    ) -> Branch:
        probability = sum(reach[key] for key in keys)
        likeliest = max(keys, key=lambda key: reach[key])
        following = self.best(likeliest)
        if following is None:
            return Branch(conditions, probability, None)
        if depth == 1:
            attack = following.listed
            return Branch(conditions, probability, PlanStep(attack.id, attack.by, attack.on, ()), is_cut=True)
        return Branch(conditions, probability, self.step(likeliest, depth - 1))


Order = tuple[int, ...]
"""Attacks by number, to be made in this order; those that are not possible any more are skipped."""


class _OrderValues:
    """The values of fixed orders of attacks."""

    def __init__(self, solver: TurnSolver, start: Key) -> None:
        self.solver, self.start = solver, start
        self.memo: dict[tuple[Key, Order], Probability] = {}

    def value(self, order: Order) -> Probability:
        return self._value(order, self.start)

    def _value(self, order: Order, key: Key) -> Probability:
        if not order:
            return self.solver.zero
        if (key, order) not in self.memo:
            attack, rest = self.solver.explorer.next_attack(key, order[0]), order[1:]
            if attack is None:
                value = self._value(rest, key)
            else:
                value = attack.graph.value([self._value(rest, after) for after in attack.exit_keys])
            self.memo[key, order] = value
        return self.memo[key, order]

    def best(self, orders: Iterable[Order]) -> Order:
        listed = list(orders)
        return listed[best_option([self.value(order) for order in listed], Role.ATTACKER)]


def _best_order(solver: TurnSolver, start: Key) -> tuple[Order, Probability, bool]:
    """The best fixed order, its value, and whether all were tried; a long order is built up greedily."""
    values = _OrderValues(solver, start)
    attacks = solver.explorer.attacks
    longest = sum(attack.times for attack in attacks)
    every_order = chain.from_iterable(_orders_of_length(attacks, length) for length in range(longest + 1))
    orders = list(islice(every_order, MOST_ORDERS + 1))
    if len(orders) <= MOST_ORDERS:
        best = values.best(orders)
        return best, values.value(best), True
    best = ()
    while True:
        longer = values.best([best, *_with_one_more(solver, best)])
        if longer == best:
            return best, values.value(best), False
        best = longer
        values.memo.clear()


def _orders_of_length(attacks: Sequence[PossibleAttack], length: int) -> Iterator[Order]:
    """Every fixed order of this many attacks."""
    if not length:
        yield ()
        return
    for order in _orders_of_length(attacks, length - 1):
        yield from ((*order, number) for number, attack in enumerate(attacks) if order.count(number) < attack.times)


def _with_one_more(solver: TurnSolver, order: Order) -> Iterator[Order]:
    """The order with an attack inserted at each place, by an attacker that is in it less often than it can attack."""
    attacks = solver.explorer.attacks
    used = Counter(attacks[number].by for number in order)
    for number, attack in enumerate(attacks):
        if used[attack.by] < attack.times:
            yield from ((*order[:place], number, *order[place:]) for place in range(len(order) + 1))
