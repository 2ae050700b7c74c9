"""Odds, advice and luck."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from grognard.core.systems import Json
from grognard.server.responses.common import Face, Number, Role, RoleName
from grognard.solver.assumptions import Policy


class Summary(BaseModel):
    """A measure, with the probability of each value."""

    name: Annotated[str, Field(description="For programs, such as `rifles loses`.")]
    label: Annotated[str, Field(description="For people: `Blue rifles: losses`.")]
    owner: Annotated[str, Field(description="Whose it is, as text: `Blue rifles`; may be empty.")]
    what: Annotated[str, Field(description="What it is: `losses`.")]
    side: Annotated[str | None, Field(description="The side that loses by it.")]
    role: Role
    values: Annotated[list[tuple[int | bool | str, Number]], Field(description="Each value with its chance.")]
    mean: Number | None
    sd: float | None


class Outcome(BaseModel):
    """A result, and how likely it is."""

    p: Number
    result: Json
    error: Annotated[float | None, Field(description="The standard error, if it is sampled.")] = None


class Policies(BaseModel):
    """How each side was assumed to decide."""

    attacker: Policy
    defender: Policy


Measures = Annotated[
    dict[str, list[tuple[int | bool | str, Number]]] | None,
    Field(description="For a turn: the distribution of every measure."),
]


class Odds(BaseModel):
    """The odds of every result, likeliest first."""

    system: str
    exact: Annotated[bool, Field(description="Whether it is computed, not sampled.")]
    objective: str
    value: Number
    policies: Policies
    outcomes: Annotated[list[Outcome] | None, Field(description="null: a turn with too many results to list.")]
    results: Annotated[int | None, Field(description="For a turn: how many different results there are.")] = None
    measures: Measures = None
    summaries: list[Summary] | None = None


class Sample(Odds):
    """Sampled odds, with their standard errors."""

    n: int
    seed: int
    value_error: float


class OptionAdvice(BaseModel):
    """One option, and the odds once it is chosen."""

    id: str
    label: str
    value: Number
    best: Annotated[bool, Field(description="Strictly better than all others.")]
    regret: Annotated[Number, Field(description="What choosing it costs, compared with the best option.")]
    outcomes: list[Outcome] | None
    results: int | None = None
    measures: Measures = None
    summaries: list[Summary] | None = None


class OptionAhead(BaseModel):
    """An option, in all positions in which it is offered."""

    label: str
    best: Annotated[Number, Field(description="How often no other option is better.")]
    regret: Annotated[Number, Field(description="What choosing it costs on average.")]
    offered: Annotated[Number, Field(description="How often it is offered, of the times that the question is asked.")]


class DecisionAhead(BaseModel):
    """A question that may come, in all positions in which its text is the same."""

    side: str
    role: RoleName
    prompt: str
    rule: str
    times: Annotated[Number, Field(description="How often it is asked in a battle, on average.")]
    options: list[OptionAhead]


class Advice(BaseModel):
    """The open decision, best option first; if dice are to be rolled, or the battle is over, there are no options."""

    by: Annotated[RoleName | None, Field(description="The role of the side that decides.")]
    side: Annotated[str | None, Field(description="The side that decides.")]
    prompt: str
    rule: str | None
    objective: str
    value: Number
    options: list[OptionAdvice]
    ahead: Annotated[list[DecisionAhead], Field(description="Decisions that may come after a roll.")]


class Percentile(BaseModel):
    """The place of a measure of the result in the odds at the start: the chances of less, the same and more."""

    name: str
    label: str
    value: int
    less: Number
    same: Number
    more: Number
    percentile: Number
    loser: Annotated[
        RoleName | None, Field(description="The role that loses by it; null: the attacker wants much of it.")
    ]


class DieLuck(BaseModel):
    """A die, and how much more the attacker got from it than a new roll of it would give on average."""

    by: str
    side: str | None
    die: str
    face: Face
    gain: Number


class RollLuck(BaseModel):
    """A roll: the value before and after it, and its dice."""

    kind: Literal["roll"]
    rule: str
    purpose: str
    before: Number
    after: Number
    gain: Number
    dice: list[DieLuck]


class DecisionLuck(BaseModel):
    """A decision: the value before and after it, the option taken and the best one."""

    kind: Literal["choice"]
    rule: str
    side: str
    role: RoleName
    prompt: str
    choose: str
    best: str
    before: Number
    after: Number
    gain: Number
    regret: Number


class RoleLuck(BaseModel):
    """How lucky one side was, and what its decisions cost it."""

    luck: Number
    regret: Number
    percentiles: dict[str, Number]


class RolesLuck(BaseModel):
    """Both sides, by their roles."""

    attacker: RoleLuck
    defender: RoleLuck


class Luck(BaseModel):
    """How lucky each side was. If it is compared with a sample, the fields from `start` on are missing."""

    system: str
    exact: Annotated[bool, Field(description="Whether it is computed, not sampled.")]
    objective: str
    policies: Policies
    result: Json
    probability: Number
    rank: Annotated[int, Field(description="The rank of the result by probability, from 1; 0: no result is like it.")]
    results: Annotated[int, Field(description="How many results there are.")]
    percentiles: list[Percentile]
    start: Annotated[Number | None, Field(description="What the attacking side could expect.")] = None
    luck: Annotated[Number | None, Field(description="What the dice added to it.")] = None
    decisions: Annotated[Number | None, Field(description="What the decisions added to it.")] = None
    value: Annotated[Number | None, Field(description="The value of the result.")] = None
    left_best_line: Annotated[
        bool | None, Field(description="Whether a side decided differently from what was assumed.")
    ] = None
    roles: RolesLuck | None = None
    steps: list[Annotated[RollLuck | DecisionLuck, Field(discriminator="kind")]] | None = None
