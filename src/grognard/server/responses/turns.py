"""Whole turns: the possible attacks, the plan, and the next turn."""

from typing import Annotated

from pydantic import BaseModel, Field

from grognard.core.systems import Json
from grognard.server.responses.common import Number


class AttackValue(BaseModel):
    """An attack that is possible now, by itself."""

    id: Annotated[str, Field(description="The id of the option in a turn.")]
    by: str
    on: str
    swing: Annotated[Number, Field(description="Expected net losses.")]
    kill: Annotated[Number, Field(description="The chance that the target is destroyed.")]
    own_losses: Annotated[Number, Field(description="Expected losses of the attacking side.")]


class Attacks(BaseModel):
    """Every attack that is possible now, in option order."""

    attacks: list[AttackValue]


class PlanBranch(BaseModel):
    """What to do after a class of results of an attack."""

    conditions: Annotated[list[str], Field(description="Which results, in words.")]
    probability: Annotated[Number, Field(description="Given that the attack is made.")]
    next: Annotated["PlanStep | None", Field(description="The next attack; null: end the turn.")]
    is_cut: Annotated[bool, Field(description="Whether the plan goes on, but is not written out further.")]


class PlanStep(BaseModel):
    """An attack, and what follows its results, the likeliest first."""

    attack: Annotated[str, Field(description="The id of the option in a turn.")]
    by: str
    on: str
    branches: list[PlanBranch]


class FixedOrder(BaseModel):
    """The best list of attacks that is made before the first die."""

    attacks: list[str]
    value: Number
    exhaustive: Annotated[bool, Field(description="Whether all orders were tried; else it is the best of those tried.")]


class PlanWords(BaseModel):
    """A plan as text."""

    values: Annotated[list[list[str]], Field(description="Ways to play the turn: name, value and note of each.")]
    lines: Annotated[list[tuple[int, str]], Field(description="The plan, each line with its depth.")]


class TurnPlan(BaseModel):
    """The best way to play a turn, and the values of stopping, of the best fixed order, and of greedy play."""

    system: str
    objective: str
    value: Number
    stop: Number
    greedy: Number
    order: FixedOrder
    plan: Annotated[PlanStep | None, Field(description="null: end the turn.")]
    words: PlanWords


class NextTurn(BaseModel):
    """What follows a turn that is over."""

    battle: Annotated[Json | None, Field(description="The battle of the next side's turn.")]
    over: Annotated[str | None, Field(description="Why no turn follows: a side has nothing left that can attack.")]
    swing: Annotated[int, Field(description="The net losses of the turn that is over, for the side whose it was.")]
