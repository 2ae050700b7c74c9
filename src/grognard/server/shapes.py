"""What is sent to the API and what comes back, for its documentation and for checking what is sent."""

from typing import Annotated, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    GetJsonSchemaHandler,
    RootModel,
    StrictInt,
    StrictStr,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from grognard.core.systems import Json
from grognard.engines.policies import Policy
from grognard.engines.simulate import WALKS
from grognard.server.forms import battle_schema

MOST_WALKS = 10_000_000


class Sent(BaseModel):
    """Whatever is sent: a key that nobody knows is a fault."""

    model_config = ConfigDict(extra="forbid")


class Battle(RootModel[Json]):
    """A battle, in the structure of a battle file."""

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """What each system's file may say; the file reader checks it, with better words."""
        return {"description": cls.__doc__, **battle_schema()}


class Rolled(Sent):
    """Dice as they fell, those of whoever attacks in this roll first; symbol dice as texts such as "DD"."""

    roll: list[StrictInt | StrictStr]


class Chosen(Sent):
    """The id of the option taken."""

    choose: str


Script = Annotated[list[Rolled | Chosen], Field(description="Answers in the order asked.")]


class Aims(Sent):
    """How both sides decide, and what for."""

    attacker: Annotated[Policy, Field(description="How the attacking side decides.")] = Policy.BEST
    defender: Annotated[Policy, Field(description="How the defending side decides.")] = Policy.BEST
    objective: Annotated[str, Field(description="What the attacking side wants much of: one of its system's.")] = (
        "swing"
    )


class OddsOptions(Aims):
    """How odds are wanted."""

    fractions: Annotated[bool, Field(description='Exact fractions, as texts such as "7/36".')] = False
    measures: Annotated[bool, Field(description="Add what people ask about, each with its spread.")] = False


class OddsQuestion(OddsOptions):
    """A battle with the options beside it."""

    battle: Battle


class AdviceQuestion(OddsQuestion):
    """A battle, with the answers given so far."""

    script: Script = []


class SampleOptions(Aims):
    """How odds are sampled."""

    n: Annotated[int, Field(ge=1, le=MOST_WALKS, description="How many battles are sampled.")] = WALKS
    seed: Annotated[int | None, Field(description="The same seed, the same sample.")] = None
    measures: Annotated[bool, Field(description="Add what people ask about, each with its spread.")] = False


class SampleQuestion(SampleOptions):
    """A battle with the options beside it."""

    battle: Battle


class CheckQuestion(Sent):
    """A battle."""

    battle: Battle


Decider = Literal["ask"] | Policy


class PlayQuestion(Sent):
    """A battle, the answers so far, and what the machine does.

    With a seed the machine rolls, and a script leaves its rolls out: they follow from the seed.
    """

    battle: Battle
    script: Script = []
    attacker: Annotated[Decider, Field(description="Who decides for the attacking side: people, or a policy.")] = "ask"
    defender: Annotated[Decider, Field(description="Who decides for the defending side.")] = "ask"
    objective: Annotated[str, Field(description="What a policy that looks ahead plays for.")] = "swing"
    seed: Annotated[StrictInt | StrictStr | None, Field(description="The machine's dice; null: people roll.")] = None


class DraftQuestion(Sent):
    """A battle file that need not be a legal battle yet."""

    battle: Annotated[Json, Field(description="A battle, in the structure of a battle file, perhaps unfinished.")]


class TextQuestion(Sent):
    """A battle file as text."""

    text: Annotated[str, Field(description="TOML or JSON.")]


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
