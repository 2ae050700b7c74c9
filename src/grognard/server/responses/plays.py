"""A battle that is being played: its questions, its events and its state."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from grognard.core.systems import Json
from grognard.server.responses.common import Face, Role, RoleName, Side

State = Annotated[
    Json,
    Field(description="The shape of a result plus all marks; everything with an owner has its `side` and `role`."),
]


class Checked(BaseModel):
    """A legal battle, and its house rules."""

    legal: Literal[True]
    system: str
    rules: Annotated[Json, Field(description="The switches that are not at their default, as the file has them.")]


class OpenPool(BaseModel):
    """Dice of one kind that are to be rolled."""

    by: str
    side: Side
    role: Role
    count: int
    die: str
    faces: Annotated[list[Face], Field(description="The faces of each die.")]


class RollQuestion(BaseModel):
    """Dice are to be rolled."""

    kind: Literal["roll"]
    rule: str
    text: Annotated[str, Field(description="The question in a line.")]
    purpose: Annotated[str, Field(description='What the roll is for: "Spotting roll".')]
    success: Annotated[str, Field(description='What counts: "4 or more spots the target".')]
    dice: list[OpenPool]


class Option(BaseModel):
    """One answer to a choice."""

    id: str
    label: str


class ChoiceQuestion(BaseModel):
    """A decision is to be made."""

    kind: Literal["choice"]
    rule: str
    text: Annotated[str, Field(description="The question in a line.")]
    by: str
    side: Annotated[str, Field(description="The side that decides.")]
    role: RoleName
    prompt: str
    optional: Annotated[bool, Field(description="A question of yes or no.")]
    options: list[Option]


Question = Annotated[RollQuestion | ChoiceQuestion, Field(discriminator="kind")]


class RolledPool(BaseModel):
    """Dice of one kind as they were rolled, and what became of each."""

    by: str
    side: Side
    role: Role
    die: str
    faces: list[Face]
    fates: list[Literal["wins", "loses", "ties", "unused"]]


class RollEvent(BaseModel):
    """Dice were rolled."""

    kind: Literal["roll"]
    rule: str
    what: str
    side: Side
    role: Role
    purpose: str
    success: str
    dice: list[RolledPool]
    state: State


class ChoiceEvent(BaseModel):
    """A decision was made."""

    kind: Literal["choice"]
    rule: str
    what: str
    side: Side
    role: Role
    by: str
    prompt: str
    choose: Annotated[str, Field(description="The id of the option chosen.")]
    label: Annotated[str, Field(description="Its label.")]
    state: State


class ChangeEvent(BaseModel):
    """A rule changed something."""

    kind: Literal["change"]
    rule: str
    what: str
    side: Side
    role: Role
    state: State


Event = Annotated[RollEvent | ChoiceEvent | ChangeEvent, Field(discriminator="kind")]


class Move(BaseModel):
    """A question that was answered, as logs have it."""

    rule: str
    question: str
    roll: list[Face] | None = None
    choose: str | None = None
    machine: bool | None = None


class Play(BaseModel):
    """A battle as far as it has been played: the open question, or the result."""

    system: str
    sides: Annotated[dict[str, RoleName], Field(description="Every side with its role, in the file's order.")]
    question: Question | None
    events: list[Event]
    state: State
    result: Json | None
    after: Annotated[Json | None, Field(description="The battle file after the attack, once the battle is over.")]
    moves: list[Move]
    seed: str | None


class FileText(BaseModel):
    """A file as text."""

    text: str
