"""The models of request bodies and of options in the query. An unknown key is a fault."""

from typing import Annotated, Any, Literal, TypeVar

from pydantic import (
    AliasChoices,
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    GetJsonSchemaHandler,
    RootModel,
    StrictBool,
    StrictInt,
    StrictStr,
    StringConstraints,
    Tag,
    model_validator,
)
from pydantic.json_schema import JsonSchemaValue, SkipJsonSchema
from pydantic_core import CoreSchema

from grognard.core.systems import Json
from grognard.solver.assumptions import Policy
from grognard.solver.simulate import WALKS
from grognard.words.catalogue import battle_schema

MOST_WALKS = 10_000_000
MOST_DICE = 10_000
"""The most dice in one roll of a live battle."""
LONGEST_OPTION = 4_000
"""The most characters of an option's id, which may consist of several names of a battle file."""
LONGEST_CLOCK = 86_400 * 30
"""In seconds."""


class RequestModel(BaseModel):
    """A request."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)


class Battle(RootModel[Json]):
    """A battle, in the structure of a battle file."""

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """The schema of battle files. The file reader checks them, with better messages."""
        return {"description": cls.__doc__, **battle_schema()}


class Answer(RootModel[Any]):
    """The faces rolled, those of the side that attacks in this roll first, or the id of the option chosen.

    Symbol dice are texts such as "DD", and a blank face is an empty one.
    """

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """The schema of an answer. The worker checks answers, with better messages."""
        faces = {"type": "array", "items": {"anyOf": [{"type": "integer"}, {"type": "string"}]}}
        return {"description": cls.__doc__, "oneOf": [_only("roll", faces), _only("choose", {"type": "string"})]}


def _only(key: str, schema: Json) -> Json:
    return {"type": "object", "properties": {key: schema}, "required": [key], "additionalProperties": False}


Answers = Annotated[
    list[Answer],
    Field(
        description="Answers in the order asked. `script` is another name for it.",
        validation_alias=AliasChoices("answers", "script"),
    ),
]
Fractions = Annotated[bool, Field(description='Exact fractions, as texts such as "7/36".')]
Summaries = Annotated[bool, Field(description="Add every measure with its distribution, mean and deviation.")]


class AssumptionOptions(RequestModel):
    """The policies of both sides, and the objective."""

    attacker: Annotated[Policy, Field(description="How the attacking side decides.")] = Policy.BEST
    defender: Annotated[Policy, Field(description="How the defending side decides.")] = Policy.BEST
    objective: Annotated[str, Field(description="What the attacking side maximises: an objective of the system.")] = (
        "swing"
    )


class CheckRequest(RequestModel):
    """A battle in an envelope."""

    battle: Battle


class OddsOptions(AssumptionOptions):
    """The options of odds."""

    fractions: Fractions = False
    summaries: Summaries = False


class OddsRequest(OddsOptions, CheckRequest):
    """A battle with options."""


class ReportRequest(AssumptionOptions, CheckRequest):
    """A battle with options."""


class AdviceRequest(OddsRequest):
    """A battle with options, and the answers so far."""

    answers: Answers = []


class SampleOptions(AssumptionOptions):
    """The options of sampled odds."""

    n: Annotated[int, Field(ge=1, le=MOST_WALKS, description="How many battles are sampled.")] = WALKS
    seed: Annotated[int | None, Field(description="The same seed gives the same sample.")] = None
    summaries: Summaries = False


class SampleRequest(SampleOptions, CheckRequest):
    """A battle with options."""


class LuckRequest(AssumptionOptions, CheckRequest):
    """A battle with options, and the answers of a play that is over."""

    answers: Answers = []
    n: Annotated[
        int | None,
        Field(ge=1, le=MOST_WALKS, description="Compare it with this number of sampled battles, not with all."),
    ] = None
    seed: Annotated[int, Field(description="The seed of the sample.")] = 0


class AttacksOptions(RequestModel):
    """How both sides decide inside an attack."""

    attacker: Annotated[Policy, Field(description="How the attacking side decides.")] = Policy.BEST
    defender: Annotated[Policy, Field(description="How the defending side decides.")] = Policy.BEST
    fractions: Fractions = False


class AttacksRequest(AttacksOptions, CheckRequest):
    """A battle with options, and the answers so far in a turn."""

    answers: Answers = []


class PlanOptions(RequestModel):
    """The options of a plan, in which the attacking side plays its best."""

    defender: Annotated[Policy, Field(description="How the defending side decides.")] = Policy.BEST
    objective: Annotated[str, Field(description="What the attacking side maximises: an objective of the system.")] = (
        "swing"
    )
    fractions: Fractions = False


class PlanRequest(PlanOptions, CheckRequest):
    """A turn with options, and the answers so far, after which the next attack is chosen."""

    answers: Answers = []


class CompareRequest(AssumptionOptions):
    """Several battles, or one battle whose house rules are changed."""

    battles: Annotated[list[Battle], Field(min_length=1, max_length=20)]
    switch: Annotated[
        str | None, Field(description="For a single battle: the house rule to change; null: each of them.")
    ] = None
    fractions: Fractions = False


Decider = Literal["ask"] | Policy


class PlayRequest(CheckRequest):
    """A battle, the answers so far, and what the machine does.

    With a seed the machine rolls. The answers then contain no rolls, which follow from the seed.
    """

    answers: Answers = []
    attacker: Annotated[Decider, Field(description="Who decides for the attacking side: people, or a policy.")] = "ask"
    defender: Annotated[Decider, Field(description="Who decides for the defending side.")] = "ask"
    objective: Annotated[str, Field(description="The objective of policies that look ahead.")] = "swing"
    seed: Annotated[StrictInt | StrictStr | None, Field(description="The machine's dice; null: people roll.")] = None


class DraftRequest(RequestModel):
    """A battle file that need not be a legal battle yet."""

    battle: Annotated[Json, Field(description="A battle, in the structure of a battle file, perhaps unfinished.")]


class TextRequest(RequestModel):
    """A battle file as text."""

    text: Annotated[str, Field(description="TOML or JSON.")]


BARE, ENVELOPE = "bare battle", "envelope"


def _form_of(body: object) -> str:
    """Whether a body is a battle or an envelope: no battle has a key `battle`."""
    return ENVELOPE if isinstance(body, dict) and "battle" in body else BARE


R = TypeVar("R")
BareOrEnvelope = Annotated[Annotated[Battle, Tag(BARE)] | Annotated[R, Tag(ENVELOPE)], Discriminator(_form_of)]
"""A bare battle or an envelope, `BareOrEnvelope[OddsRequest]`."""

Dice = Annotated[
    Literal["fair", "table"],
    Field(
        description="fair: the server rolls, and everybody can verify it. table: the players roll, and enter the faces."
    ),
]
Advice = Annotated[StrictBool, Field(description="Whether the players allow the advice of the page.")]
Names = Annotated[
    dict[str, Annotated[str, StringConstraints(max_length=80)]],
    Field(description="What the players are called, by their sides."),
]


class Options(BaseModel):
    """What the players of a live battle agree on."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    dice: Dice = "fair"
    advice: Advice = True
    names: Names = {}


class OpenRequest(Options, CheckRequest):
    """A battle to open, and what its players agree on."""

    @property
    def options(self) -> Options:
        """What the players agree on."""
        return Options(dice=self.dice, advice=self.advice, names=self.names)


class NextRequest(CheckRequest):
    """The battle that follows at the same table. Options that are missing stay as they are."""

    dice: Dice | None = None
    advice: Advice | None = None
    names: Names | None = None

    def options(self, before: Options) -> Options:
        """What the players agree on."""
        changes = {name: value for name, value in self if name != "battle" and value is not None}
        return before.model_copy(update=changes)


class LiveAnswer(RequestModel):
    """An answer to the open question: one of `choose`, `roll` and `undo`."""

    model_config = ConfigDict(json_schema_extra={"oneOf": [{"required": [key]} for key in ("choose", "roll", "undo")]})

    number: Annotated[
        StrictInt,
        Field(ge=1, description="The number of the question. If another question is open, nothing happens."),
    ]
    choose: Annotated[
        Annotated[StrictStr, Field(max_length=LONGEST_OPTION)] | SkipJsonSchema[None],
        Field(description="A decision: the id of an option."),
    ] = None
    roll: Annotated[
        Literal["fair"] | Annotated[list[StrictInt | StrictStr], Field(max_length=MOST_DICE)] | SkipJsonSchema[None],
        Field(description='"fair" has the server roll; a list has the faces rolled on the table.'),
    ] = None
    undo: Annotated[
        Literal[True] | SkipJsonSchema[None],
        Field(description="Takes back your own decision, if it is the last answer and the battle is not over."),
    ] = None

    @model_validator(mode="after")
    def check_single_answer(self) -> "LiveAnswer":
        """Raise an error unless there is exactly one answer."""
        answers = [value for name, value in self if name != "number" and name in self.model_fields_set]
        if len(answers) != 1 or answers == [None]:
            raise ValueError("an answer has exactly one of `choose`, `roll` and `undo`")
        return self


class NumberRequest(RequestModel):
    """A number, or any text, that a player adds to the fair dice."""

    number: Annotated[StrictStr, Field(min_length=1, max_length=200)]


class ClockRequest(RequestModel):
    """The seconds that each side has for all its decisions; null withdraws a proposal."""

    seconds: Annotated[StrictInt | None, Field(ge=10, le=LONGEST_CLOCK)]


class ClaimRequest(RequestModel):
    """The key that the seat should have: long and random."""

    key: Annotated[StrictStr | None, Field(pattern=r"^[A-Za-z0-9_-]{32,64}$")] = None
