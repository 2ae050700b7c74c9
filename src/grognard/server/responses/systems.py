"""The systems, and the structure of their battle files."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from grognard.core.systems import Json

Choice = str | int | bool


class RuleInfo(BaseModel):
    """A rule in our own words."""

    paragraph: str
    rule: str
    says: str


class SwitchInfo(BaseModel):
    """A choice between interpretations of an ambiguous rule, which a battle file may make."""

    name: str
    default: Choice
    alternatives: list[Choice]
    says: str
    paragraph: str


class SourceInfo(BaseModel):
    """A figure of the game, and its source."""

    what: str
    figure: str
    mark: str


class ValueForm(BaseModel):
    """What a value may be. `of` holds the kinds inside it: of the entries, the parts, or the alternatives."""

    kind: Literal["number", "text", "flag", "one of", "table", "list", "fixed", "named", "either"]
    nullable: Annotated[bool, Field(description="Whether it may be left empty.")] = False
    is_whole: Annotated[bool, Field(description="Of a number: whether it has no fraction.")] = True
    at_least: Annotated[int | None, Field(description="The least number, length of text, or number of entries.")] = None
    at_most: int | None = None
    choices: list[Choice] | None = None
    fields: "list[FieldForm] | None" = None
    of: "list[ValueForm] | None" = None


class FieldForm(BaseModel):
    """One key of a table in a battle file."""

    name: str
    says: str
    paragraph: str
    expects: str
    required: bool
    default: Any
    kind: ValueForm


class ExampleBattle(BaseModel):
    """An example battle."""

    name: str
    story: str
    battle: Json


class SystemInfo(BaseModel):
    """A system: its rules, switches, objectives, forms, ready-made units and examples."""

    name: str
    title: str
    summary: str
    rules: list[RuleInfo]
    paragraphs: Annotated[dict[str, str], Field(description="Paragraphs that are no rule, and how they are covered.")]
    switches: list[SwitchInfo]
    objectives: Annotated[dict[str, str], Field(description="What the attacking side may want much of.")]
    sources: list[SourceInfo]
    fields: Annotated[list[FieldForm], Field(description="What a battle file may say.")]
    roster: Annotated[dict[str, Json], Field(description="Ready-made units, as a battle file would write them.")]
    figures: Annotated[
        dict[str, Json],
        Field(description="Figures of the game, by the key under which a battle file would write its own."),
    ]
    example: Annotated[Json, Field(description="A small battle to start from.")]
    examples: list[ExampleBattle]
