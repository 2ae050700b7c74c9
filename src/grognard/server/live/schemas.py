"""What travels: requests as people send them, and a battle as they see it."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictInt, StrictStr, model_validator
from pydantic.json_schema import SkipJsonSchema

from grognard.core.systems import Json
from grognard.server.live.keys import Role
from grognard.server.live.records import MOST_DICE, Advice, Dice, Names, Options
from grognard.server.sent import Bare, Battle, CheckQuestion, Either, Enveloped, Sent
from grognard.server.shapes import Faults, Played

OptionId = Annotated[StrictStr, Field(max_length=500)]


class Opening(Options, CheckQuestion):
    """A battle to open, and what its players agree on."""

    @property
    def options(self) -> Options:
        """What the players agree on."""
        return Options(dice=self.dice, advice=self.advice, names=self.names)


OpeningSent = Annotated[Bare | Annotated[Opening, Enveloped], Either]
"""A battle on its own is opened with everything by default."""


class NextOpening(CheckQuestion):
    """The battle that follows at the same table; what is not said stays as it was."""

    dice: Dice | None = None
    advice: Advice | None = None
    names: Names | None = None

    def options(self, before: Options) -> Options:
        """What the players agree on."""
        said = {name: value for name, value in self if name != "battle" and value is not None}
        return before.model_copy(update=said)


class AnswerBody(Sent):
    """An answer to the question that is due: one of `choose`, `roll` and `undo`."""

    model_config = ConfigDict(json_schema_extra={"oneOf": [{"required": [key]} for key in ("choose", "roll", "undo")]})

    number: Annotated[
        StrictInt, Field(ge=1, description="Of the question that is meant: if another is due by now, nothing is done.")
    ]
    choose: Annotated[OptionId | SkipJsonSchema[None], Field(description="A decision: the id of an option.")] = None
    roll: Annotated[
        Literal["fair"] | Annotated[list[StrictInt | StrictStr], Field(max_length=MOST_DICE)] | SkipJsonSchema[None],
        Field(
            description='"fair" has the server roll; a list tells what fell on the table, the attacker\'s dice first.'
        ),
    ] = None
    undo: Annotated[
        Literal[True] | SkipJsonSchema[None],
        Field(description="Takes back one's own decision, if nothing came after it and the battle is not over."),
    ] = None

    @model_validator(mode="after")
    def say_one_thing(self) -> "AnswerBody":
        """Refuse none, and more than one."""
        said = [value for name, value in self if name != "number" and name in self.model_fields_set]
        if len(said) != 1 or said == [None]:
            raise ValueError("an answer has exactly one of `choose`, `roll` and `undo`")
        return self


class NumberBody(Sent):
    """A number, or any text, of a player's own: all fair dice depend on it."""

    number: Annotated[StrictStr, Field(min_length=1, max_length=200)]


class Keys(BaseModel):
    """One for each role."""

    attacker: str
    defender: str
    spectator: str


class OpenedBattle(BaseModel):
    """A battle that was opened. The keys are told this once."""

    id: str
    links: Annotated[Keys, Field(description="One for each role: whoever has it, has the role.")]
    keys: Keys
    commitment: Annotated[str | None, Field(description="SHA-256 of the fair dice's secret; null: the players roll.")]


class NextBattle(BaseModel):
    """The battle that follows. The keys are those of the battle before."""

    id: str
    commitment: str | None


class NumbersAdded(BaseModel):
    """Who has added a number."""

    attacker: bool
    defender: bool


class FairState(BaseModel):
    """The fair dice, as far as they are public."""

    commitment: str
    numbers: NumbersAdded
    secret: Annotated[str | None, Field(description="Published once the battle is over.")]


class State(Played):
    """A battle as one of its roles sees it."""

    id: str
    role: Role
    entries: Annotated[int, Field(description="How many things were done so far: the id of a live event.")]
    battle: Battle
    options: Options
    number: Annotated[int, Field(description="The number of the question that is due.")]
    can_answer: Annotated[bool, Field(description="Whether the question is yours to answer.")]
    can_undo: Annotated[bool, Field(description="Whether the last answer is yours to take back.")]
    after: Annotated[Json | None, Field(description="The battle file after the attack, once the battle is over.")]
    fair: Annotated[FairState | None, Field(description="null: the players roll.")]
    next: Annotated[str | None, Field(description="The id of the battle that follows at this table.")]


class Conflict(Faults):
    """Why something cannot be done as the battle stands now, and how that is."""

    state: State
