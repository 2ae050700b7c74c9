"""What is sent to the API: questions about battles, each with what it needs beside."""

from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    GetJsonSchemaHandler,
    RootModel,
    StrictInt,
    StrictStr,
    Tag,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from grognard.core.systems import Json
from grognard.server.forms import battle_schema
from grognard.solver.assumptions import Policy
from grognard.solver.simulate import WALKS

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


class Answer(RootModel[Any]):
    """Dice as they fell, those of whoever attacks in this roll first, or the id of the option taken.

    Symbol dice are texts such as "DD", and a blank face is an empty one.
    """

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Either of the two; the engine that takes it says what is wrong with it."""
        faces = {"type": "array", "items": {"anyOf": [{"type": "integer"}, {"type": "string"}]}}
        return {"description": cls.__doc__, "oneOf": [_only("roll", faces), _only("choose", {"type": "string"})]}


def _only(key: str, schema: Json) -> Json:
    return {"type": "object", "properties": {key: schema}, "required": [key], "additionalProperties": False}


Script = Annotated[list[Answer], Field(description="Answers in the order asked.")]


class Aims(Sent):
    """How both sides decide, and what for."""

    attacker: Annotated[Policy, Field(description="How the attacking side decides.")] = Policy.BEST
    defender: Annotated[Policy, Field(description="How the defending side decides.")] = Policy.BEST
    objective: Annotated[str, Field(description="What the attacking side wants much of: one of its system's.")] = (
        "swing"
    )


class CheckQuestion(Sent):
    """A battle in an envelope."""

    battle: Battle


class OddsOptions(Aims):
    """How odds are wanted."""

    fractions: Annotated[bool, Field(description='Exact fractions, as texts such as "7/36".')] = False
    measures: Annotated[bool, Field(description="Add what people ask about, each with its spread.")] = False


class OddsQuestion(OddsOptions, CheckQuestion):
    """A battle with the options beside it."""


class AdviceQuestion(OddsQuestion):
    """A battle, with the answers given so far."""

    script: Script = []


class SampleOptions(Aims):
    """How odds are sampled."""

    n: Annotated[int, Field(ge=1, le=MOST_WALKS, description="How many battles are sampled.")] = WALKS
    seed: Annotated[int | None, Field(description="The same seed, the same sample.")] = None
    measures: Annotated[bool, Field(description="Add what people ask about, each with its spread.")] = False


class SampleQuestion(SampleOptions, CheckQuestion):
    """A battle with the options beside it."""


class LuckQuestion(Aims, CheckQuestion):
    """A battle that was played to its end, and what it is held against."""

    script: Script = []
    n: Annotated[
        int | None, Field(ge=1, le=MOST_WALKS, description="Hold it against so many sampled battles, not against all.")
    ] = None
    seed: Annotated[int, Field(description="Of the sample.")] = 0


Decider = Literal["ask"] | Policy


class PlayQuestion(CheckQuestion):
    """A battle, the answers so far, and what the machine does.

    With a seed the machine rolls, and a script leaves its rolls out: they follow from the seed.
    """

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


BARE, ENVELOPE = "bare battle", "envelope"


def _which(sent: object) -> str:
    """Whether a battle was sent as it is, or in an envelope: no battle has a key of that name."""
    return ENVELOPE if isinstance(sent, dict) and "battle" in sent else BARE


Bare = Annotated[Battle, Tag(BARE)]
Enveloped = Tag(ENVELOPE)
Either = Discriminator(_which)
CheckSent = Annotated[Bare | Annotated[CheckQuestion, Enveloped], Either]
OddsSent = Annotated[Bare | Annotated[OddsQuestion, Enveloped], Either]
AdviceSent = Annotated[Bare | Annotated[AdviceQuestion, Enveloped], Either]
SampleSent = Annotated[Bare | Annotated[SampleQuestion, Enveloped], Either]
