"""Live battles, as each seat sees them."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field
from pydantic.json_schema import SkipJsonSchema

from grognard.server.requests import Battle, Options
from grognard.server.responses.common import Faults, RoleName
from grognard.server.responses.plays import Play

SeatName = Annotated[str, Field(description="A side of the battle, or `spectator`.")]
Keys = dict[SeatName, str]


class OpenedBattle(BaseModel):
    """A battle that was opened. The keys are shown only once."""

    id: str
    links: Annotated[Keys, Field(description="One for each seat: the link gives access to the seat.")]
    keys: Annotated[Keys, Field(description="One for each side in the file's order, and one for spectators.")]
    commitment: Annotated[str | None, Field(description="SHA-256 of the fair dice's secret; null: the players roll.")]


class NextBattle(BaseModel):
    """The battle that follows. The keys are those of the battle before."""

    id: str
    links: Annotated[Keys, Field(description="For sides that had no seat in the battle before.")]
    keys: Annotated[Keys, Field(description="For sides that had no seat in the battle before.")]
    commitment: str | None


class ClaimedSeat(BaseModel):
    """A seat with a new key; the former one is void, in all battles at this table."""

    side: str
    key: str
    link: str


class FairState(BaseModel):
    """The fair dice, as far as they are public."""

    commitment: str
    numbers: Annotated[dict[str, bool], Field(description="Whether each side has added its number.")]
    secret: Annotated[str | None, Field(description="Published once the battle is over.")]


class Ended(BaseModel):
    """How a battle ended early."""

    how: Literal["conceded", "time", "abandoned"]
    side: Annotated[str | None, Field(description="The side that conceded, or ran out of time.")]


class ClockState(BaseModel):
    """The clocks of the sides."""

    proposed: Annotated[dict[str, int | None], Field(description="The seconds that each side has proposed.")]
    seconds: Annotated[int | None, Field(description="The seconds that the sides have agreed on; null: no clock.")]
    left: Annotated[dict[str, float] | None, Field(description="The seconds that each side has left.")]


class Kept(BaseModel):
    """How many of the first events and moves that the client has are still valid. Those sent come after them."""

    events: int
    moves: int


class PublishedSecret(BaseModel):
    """The secret of the fair dice of a battle that was removed."""

    commitment: str
    secret: str


class LiveState(Play):
    """A live battle as one of its seats sees it."""

    id: str
    side: SeatName
    role: Annotated[RoleName | None, Field(description="The role of the seat's side in this attack.")]
    entries: Annotated[int, Field(description="How many actions there have been: the id of a live event.")]
    battle: Annotated[Battle | SkipJsonSchema[None], Field(description="Missing if the client has it.")] = None
    options: Options
    number: Annotated[int, Field(description="The number of the open question.")]
    can_answer: Annotated[bool, Field(description="Whether the question is yours to answer.")]
    can_undo: Annotated[bool, Field(description="Whether the last answer is yours to take back.")]
    fair: Annotated[FairState | None, Field(description="null: the players roll.")]
    next: Annotated[str | None, Field(description="The id of the battle that follows at this table.")]
    ended: Annotated[Ended | None, Field(description="null: it ended by its rules, or goes on.")]
    clock: ClockState
    keep: Annotated[
        Kept | SkipJsonSchema[None],
        Field(description="Only if the request was for changes; then `battle` is missing."),
    ] = None


class Conflict(Faults):
    """Why the action is impossible now, and the state of the battle."""

    state: LiveState
