"""A battle and what was done in it, as the store hands them out."""

from dataclasses import dataclass, field
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StringConstraints

from grognard.core.systems import Json
from grognard.server.live.keys import Hashes, Role

MOST_DICE = 10_000
"""In one roll."""
Dice = Annotated[
    Literal["fair", "table"],
    Field(description="fair: the server rolls, and can be checked. table: the players roll, and type what fell."),
]
Advice = Annotated[StrictBool, Field(description="Whether the players mean to let the page advise them.")]
Name = Annotated[str, StringConstraints(max_length=80)]


class Names(BaseModel):
    """What the players are called."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    attacker: Name = ""
    defender: Name = ""


class Options(BaseModel):
    """What the players of a battle agree on."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    dice: Dice = "fair"
    advice: Advice = True
    names: Names = Names()


@dataclass(frozen=True, slots=True)
class Record:
    """A battle as it was opened."""

    id: str
    opened: int
    """In milliseconds since 1970."""
    source: Json
    options: Options
    secret: bytes | None = field(repr=False)
    """What the fair dice follow from."""
    keys: Hashes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that somebody did in a battle.

    `what` is an answer as in scripts (machine dice with the number of draws after them), `{"undo": true}`,
    `{"number": text}` for the fair dice, or `{"next": id}` of the battle that follows.
    """

    number: int
    who: Role
    done: int
    """In milliseconds since 1970."""
    what: Json
