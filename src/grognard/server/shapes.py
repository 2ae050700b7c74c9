"""What the API answers, for its documentation."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from grognard.core.systems import Json
from grognard.solver.assumptions import Policy


class Fault(BaseModel):
    """One thing wrong."""

    place: Annotated[str, Field(description="Where in what was sent, such as `units[0].die`; empty for all of it.")]
    message: Annotated[str, Field(description="What was found there, and what was expected.")]
    line: Annotated[int | None, Field(description="The line, where a text was sent.")] = None


class Faults(BaseModel):
    """Everything that is wrong with what was sent."""

    faults: list[Fault]
    size: Annotated[int | None, Field(description="Of a battle too large: how large it was found to be.")] = None
    bound: Annotated[int | None, Field(description="Of a battle too large: how large it may be.")] = None


Number = Annotated[float | str, Field(description='A number; with fractions a text such as "7/36".')]


class Measured(BaseModel):
    """What people ask about in a battle, and how likely each value of it is."""

    name: str
    side: Annotated[Literal["attacker", "defender"] | None, Field(description="Whose loss it is.")]
    values: Annotated[list[tuple[int | bool | str, Number]], Field(description="Each value with its chance.")]
    mean: Number | None
    sd: float | None


class Outcome(BaseModel):
    """A result, and how likely it is."""

    p: Number
    result: Json
    error: Annotated[float | None, Field(description="Of a sampled chance: its standard error.")] = None


class Policies(BaseModel):
    """How each side was assumed to decide."""

    attacker: Policy
    defender: Policy


class Odds(BaseModel):
    """The odds of every result, likeliest first."""

    system: str
    exact: Annotated[bool, Field(description="Not sampled.")]
    objective: str
    value: Number
    policies: Policies
    outcomes: list[Outcome]
    measures: list[Measured] | None = None


class Sampled(Odds):
    """Sampled odds, with how far off they may be."""

    n: int
    seed: int
    value_error: float


class Advised(BaseModel):
    """One option, and the odds once it is taken."""

    id: str
    label: str
    value: Number
    best: bool
    outcomes: list[Outcome]
    measures: list[Measured] | None = None


class Advice(BaseModel):
    """The decision that is due, best option first; if dice are due, or nothing, there are no options."""

    by: Literal["attacker", "defender"] | None
    player: str | None
    prompt: str
    rule: str | None
    objective: str
    options: list[Advised]


class Standing(BaseModel):
    """Where a number of a result lies in the odds at the start: how likely less, just as much and more of it were."""

    name: str
    got: int
    less: float
    same: float
    more: float
    percentile: float
    loss_of: Annotated[
        Literal["attacker", "defender"] | None, Field(description="null: the attacking side wants much.")
    ]


class Luck(BaseModel):
    """How lucky each side was. What was expected, and what dice and decisions made of it, is left out of a sample."""

    system: str
    exact: Annotated[bool, Field(description="Not sampled.")]
    objective: str
    policies: Policies
    result: Json
    chance: float
    rank: Annotated[int, Field(description="Of the result by likelihood, from 1; 0: it cannot come about so.")]
    results: Annotated[int, Field(description="How many can.")]
    standings: list[Standing]
    start: Annotated[float | None, Field(description="What the attacking side could expect.")] = None
    luck: Annotated[float | None, Field(description="What the dice added to it.")] = None
    decisions: Annotated[float | None, Field(description="What the decisions added to it.")] = None
    worth: Annotated[int | None, Field(description="What it came to.")] = None
    sides: Json | None = None
    steps: list[Json] | None = None


class Checked(BaseModel):
    """A legal battle, and the switches that it turns."""

    legal: Literal[True]
    system: str
    rules: Json


class Hand(BaseModel):
    """Dice of one kind that are due."""

    by: str
    count: int
    die: str
    faces: Annotated[list[int | str], Field(description="The faces of each die.")]


class RollDue(BaseModel):
    """Dice are due."""

    kind: Literal["roll"]
    rule: str
    asked: str
    dice: list[Hand]


class Option(BaseModel):
    """One answer to a choice."""

    id: str
    label: str


class ChoiceDue(BaseModel):
    """A decision is due."""

    kind: Literal["choice"]
    rule: str
    asked: str
    by: str
    side: Literal["attacker", "defender"]
    prompt: str
    optional: bool
    options: list[Option]


QuestionDue = Annotated[RollDue | ChoiceDue, Field(discriminator="kind")]


class RolledHand(BaseModel):
    """Dice of one kind as they fell, and what became of each."""

    by: str
    die: str
    faces: list[int | str]
    fates: list[Literal["wins", "loses", "ties", "unused"]]


class Event(BaseModel):
    """Something that happened."""

    rule: str
    what: str
    kind: Literal["change", "choice", "roll"]
    by: str | None = None
    prompt: str | None = None
    choose: str | None = None
    dice: list[RolledHand] | None = None


class Move(BaseModel):
    """A question that was answered, as it was asked."""

    rule: str
    asked: str
    roll: list[int | str] | None = None
    choose: str | None = None
    machine: bool | None = None


class Played(BaseModel):
    """A battle as far as it has been played: the question that is due, or the result."""

    system: str
    question: QuestionDue | None
    result: Json | None
    events: list[Event]
    moves: list[Move]
    seed: str | None


class FileText(BaseModel):
    """A battle file as text."""

    text: str
