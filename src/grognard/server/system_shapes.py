"""What the API tells about a system, for its documentation."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from grognard.core.systems import Json

Choice = str | int | bool


class RuleShape(BaseModel):
    """A rule in our own words."""

    paragraph: str
    rule: str
    says: str


class Switch(BaseModel):
    """A reading of the chapter that a battle file may turn."""

    name: str
    default: Choice
    alternatives: list[Choice]
    says: str
    paragraph: str


class SourceShape(BaseModel):
    """A figure of the game, and where it is known from."""

    what: str
    figure: str
    mark: str


class Kind(BaseModel):
    """What a value may be. `of` holds the kinds inside it: of the entries, the parts, or the alternatives."""

    kind: Literal["number", "text", "flag", "one of", "table", "list", "fixed", "named", "either"]
    nullable: Annotated[bool, Field(description="Whether it may be left empty.")] = False
    at_least: Annotated[int | None, Field(description="The least number, length of text, or number of entries.")] = None
    at_most: int | None = None
    choices: list[Choice] | None = None
    fields: "list[FieldShape] | None" = None
    of: "list[Kind] | None" = None


class FieldShape(BaseModel):
    """One key of a table in a battle file."""

    name: str
    says: str
    paragraph: str
    expects: str
    required: bool
    default: Any
    kind: Kind


class ExampleShape(BaseModel):
    """An example battle."""

    name: str
    story: str
    battle: Json


class SystemShape(BaseModel):
    """A system: its rules, switches, objectives, forms, ready-made units and examples."""

    name: str
    title: str
    summary: str
    rules: list[RuleShape]
    paragraphs: Annotated[dict[str, str], Field(description="Paragraphs that are no rule, and how they are covered.")]
    switches: list[Switch]
    objectives: Annotated[dict[str, str], Field(description="What the attacking side may want much of.")]
    sources: list[SourceShape]
    fields: Annotated[list[FieldShape], Field(description="What a battle file may say.")]
    roster: Annotated[dict[str, Json], Field(description="Ready-made units, as a battle file would write them.")]
    example: Annotated[Json, Field(description="A small battle to start from.")]
    examples: list[ExampleShape]
