"""Policies: how a side decides when nobody is asked."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from grognard.core.errors import BattleError, Fault
from grognard.core.rules import Choose
from grognard.core.systems import Battle, Objective, Role


class Policy(StrEnum):
    """`best` replies best to the other side's policy; the others do not look ahead."""

    BEST = "best"
    EAGER = "eager"
    CAUTIOUS = "cautious"
    RANDOM = "random"


@dataclass(frozen=True, slots=True)
class Aims:
    """What both sides do in a battle, and what they do it for."""

    policies: Mapping[Role, Policy]
    name: str
    objective: Objective

    @property
    def has_best(self) -> bool:
        """Whether either side looks ahead."""
        return Policy.BEST in self.policies.values()


def aims(battle: Battle, attacker: str, defender: str, objective: str, deciders: Iterable[str] = tuple(Policy)) -> Aims:
    """Check the names of policies and objective, all at once; a fault lists all who might decide."""
    faults = [
        Fault(side, f'unknown policy "{name}": expected one of {", ".join(deciders)}')
        for side, name in ((Role.ATTACKER, attacker), (Role.DEFENDER, defender))
        if name not in set(Policy)
    ]
    objectives = battle.system.objectives
    if objective not in objectives:
        faults.append(
            Fault("objective", f'{battle.system.name} has no objective "{objective}": it has {", ".join(objectives)}')
        )
    if faults:
        raise BattleError(faults)
    policies = {Role.ATTACKER: Policy(attacker), Role.DEFENDER: Policy(defender)}
    return Aims(policies, objective, objectives[objective])


def habit(policy: Policy, question: Choose) -> int | None:
    """Which option a policy that does not look ahead takes; None: each with equal chance."""
    if policy is Policy.RANDOM:
        return None
    return 1 if question.optional and policy is Policy.CAUTIOUS else 0  # yes is listed before no
