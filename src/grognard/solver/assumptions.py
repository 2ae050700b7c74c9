"""Assumptions: the policies of both sides, the objective, and whether to calculate in fractions."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import partial
from typing import Any

from grognard.core.distributions import Probability
from grognard.core.errors import BattleError, Fault, suggest
from grognard.core.rules import Choose
from grognard.core.systems import Battle, Objective, Role


class Policy(StrEnum):
    """How a side decides. `best` is the best reply to the other side's policy; the others do not depend on it."""

    BEST = "best"
    EAGER = "eager"
    CAUTIOUS = "cautious"
    RANDOM = "random"
    GREEDY = "greedy"


POLICIES: dict[str, str] = {
    Policy.BEST: "takes the best option at every decision, knowing how the other side decides; of equal ones the first",
    Policy.EAGER: "says yes to everything optional, and takes the first option of every choice",
    Policy.CAUTIOUS: "says no to everything optional, and takes the first option of every choice",
    Policy.RANDOM: "takes any option with equal chance",
    Policy.GREEDY: "decides as if the turn ended with the current attack; in a single attack the same as best",
}
"""What each policy does, for people."""

PolicyFunction = Callable[[Choose], str]
"""A custom policy: from a question to the id of one of its options."""
ObjectiveFunction = Callable[[Any, Any], Any]
"""A custom objective: from set-up and result to a number that the attacker maximises."""


@dataclass(frozen=True, slots=True)
class Assumptions:
    """The policy of each side and the objective, each a name or a function."""

    attacker: str | PolicyFunction = Policy.BEST
    defender: str | PolicyFunction = Policy.BEST
    objective: str | ObjectiveFunction = "swing"
    fractions: bool = False

    def check(self, battle: Battle) -> None:
        """Raise an error that lists all unknown names."""
        faults = [
            Fault(str(role), f'unknown policy "{policy}": expected one of {", ".join(Policy)}')
            for role, policy in ((Role.ATTACKER, self.attacker), (Role.DEFENDER, self.defender))
            if not callable(policy) and policy not in tuple(Policy)
        ]
        known = battle.objectives
        if not callable(self.objective) and self.objective not in known:
            what = f"a turn of {battle.system.name}" if battle.is_turn else battle.system.name
            meant = suggest(self.objective, known)
            hint = f' (did you mean "{meant}"?)' if meant else ""
            message = f'{what} has no objective "{self.objective}"{hint}: it has {", ".join(known)}'
            faults.append(Fault("objective", message))
        if faults:
            raise BattleError(faults)

    def policy(self, role: Role) -> str | PolicyFunction:
        """The policy of the side with this role."""
        return self.attacker if role is Role.ATTACKER else self.defender

    def looks_ahead(self, role: Role) -> bool:
        """Whether the side with this role takes the best option."""
        return self.policy(role) in (Policy.BEST, Policy.GREEDY)

    def fixed_option(self, role: Role, question: Choose) -> int | None:
        """The option that a side without lookahead takes; None: each with equal chance."""
        policy = self.policy(role)
        if callable(policy):
            return question.options.index(question.pick(policy(question)))
        if policy == Policy.RANDOM:
            return None
        return 1 if question.optional and policy == Policy.CAUTIOUS else 0  # yes is listed before no

    @property
    def one(self) -> Probability:
        """The number 1, as a Fraction or a float."""
        return Fraction(1) if self.fractions else 1.0

    @property
    def zero(self) -> Probability:
        """The number 0, as a Fraction or a float."""
        return Fraction(0) if self.fractions else 0.0

    @property
    def has_greedy(self) -> bool:
        """Whether a side is greedy."""
        return Policy.GREEDY in (self.attacker, self.defender)

    def without_greedy(self) -> "Assumptions":
        """The same with `best` in the place of `greedy`."""
        attacker, defender = (
            Policy.BEST if policy == Policy.GREEDY else policy for policy in (self.attacker, self.defender)
        )
        return replace(self, attacker=attacker, defender=defender)

    @property
    def has_functions(self) -> bool:
        """Whether a policy or the objective is a function."""
        return any(map(callable, (self.attacker, self.defender, self.objective)))

    @property
    def objective_name(self) -> str:
        """The name of the objective, or of its function."""
        return name_of(self.objective)

    @property
    def policy_names(self) -> dict[str, str]:
        """The policies' names by role."""
        return {str(role): name_of(self.policy(role)) for role in Role}

    def objective_of(self, battle: Battle) -> Objective:
        """The objective as a function of the result."""
        if callable(self.objective):
            return Objective(self.objective_name, partial(_number_of, self.objective, self.fractions))
        return battle.system.objectives[self.objective]


def _number_of(objective: ObjectiveFunction, fractions: bool, setup: object, result: object) -> Any:
    """The value of a custom objective, as a Fraction if `fractions` is set."""
    number = objective(setup, result)
    try:
        return Fraction(number) if fractions and not isinstance(number, str) else 0 + number
    except (TypeError, ValueError, OverflowError):
        message = f"{name_of(objective)} returned {number!r}, expected a number"
        raise BattleError([Fault("objective", message)]) from None


def name_of(policy: object) -> str:
    """The name of a policy or an objective, or of its function."""
    return str(getattr(policy, "__name__", type(policy).__name__)) if callable(policy) else str(policy)
