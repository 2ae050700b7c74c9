"""The set-up (units with their cards and squares, one attack or a turn), and the state that an attack changes.

Rules refer to a unit by its index in the file.
"""

import tomllib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

from grognard.core.fields import Count, Doc, Name, Positive
from grognard.core.systems import Json, SourcedFigure
from grognard.core.turns import Turn
from grognard.core.wording import of_side

How = Literal["direct", "call in"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Switches:
    """The house rules. Each default is the chapter's literal interpretation."""

    distance: Annotated[
        Literal["orthogonal", "diagonal"],
        Doc("squares are counted along rows and columns, or a diagonal step counts as one too", "range"),
    ] = "orthogonal"
    cancelling: Annotated[
        Literal["matching", "ranked"],
        Doc(
            "the defender removes as many attack dice as possible, or dice are paired from high to low as in Risk",
            "comparing dice",
        ),
    ] = "matching"
    counter_timing: Annotated[
        Literal["after_losses", "simultaneous"],
        Doc("a counterattack rolls the strength left after the losses, or the strength before them", "counterattack"),
    ] = "after_losses"
    counters_per_turn: Annotated[
        Literal["any", "one"], Doc("how often a unit may counterattack in a turn", "counterattack")
    ] = "any"
    counter_counts_as_fired: Annotated[
        bool,
        Doc("a unit that has fired may not counterattack, and a counterattack counts as firing", "counterattack"),
    ] = False
    caller_keeps_attack: Annotated[
        bool, Doc("a unit that calls in another may still attack by itself this turn", "call in")
    ] = False
    indirect_can_be_countered: Annotated[
        bool, Doc("an Indirect Fire unit that attacks by itself can be counterattacked", "call in")
    ] = True
    destroyed_supplies: Annotated[
        Literal["discarded", "captured"],
        Doc("a destroyed unit's supplies are gone, or go to the unit that destroyed it", "destroyed"),
    ] = "discarded"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """A unit on the board, with its Tracking Card."""

    id: Annotated[Name, Doc("its name, which no other unit has")]
    side: Annotated[Name, Doc("who plays it")]
    die: Annotated[Literal[4, 6, 8, 10, 12, 20], Doc("the faces of its Battle Die")]
    strength: Annotated[Positive, Doc("its Troop Strength: health, and how many dice it rolls")]
    range: Annotated[Count, Doc("its Attack Range in squares")]
    ammo: Annotated[Count, Doc("its Ammunition Cost: the Supply Tokens that an attack costs")]
    supply: Annotated[Count, Doc("the Supply Tokens on its card")]
    at: Annotated[tuple[Positive, Positive], Doc("its square: column and row")]
    indirect: Annotated[bool, Doc("whether it has Indirect Fire, so that others may call it in")] = False
    fired: Annotated[bool, Doc("whether it has attacked this turn")] = False
    countered: Annotated[bool, Doc("whether it has counterattacked this turn")] = False

    def __str__(self) -> str:
        return of_side(self.side, self.id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """Who attacks whom; `how` and `through` settle what would otherwise be asked."""

    by: Annotated[Name, Doc("the unit that attacks")]
    on: Annotated[Name, Doc("the enemy unit that is attacked")]
    how: Annotated[How | None, Doc("whether it fires itself or calls in another")] = None
    through: Annotated[Name | None, Doc("the Indirect Fire unit that it calls in")] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """All units, and one attack or a whole turn."""

    units: Annotated[tuple[Unit, ...], Doc("the units, each on its own square")]
    attack: Annotated[Attack | None, Doc("the attack to resolve")] = None
    turn: Annotated[Turn | None, Doc("in the place of the attack: a whole turn of one side")] = None
    rules: Annotated[Switches, Doc("the house rules")] = field(default_factory=Switches)

    @property
    def side(self) -> str:
        """The attacking side."""
        if self.turn:
            return self.turn.side
        return self.units[self.number(self.declared.by)].side

    @property
    def declared(self) -> Attack:
        """The attack of the file."""
        assert self.attack is not None
        return self.attack

    @property
    def target(self) -> int | None:
        """The unit that the objective kill is about; None: all enemies."""
        name = self.turn.target if self.turn else self.declared.on
        return None if name is None else self.number(name)

    def number(self, name: str) -> int:
        """The index of the unit with this id."""
        return [unit.id for unit in self.units].index(name)


class Card(NamedTuple):
    """A unit's strength and supplies, and whether it has fired and counterattacked this turn."""

    strength: int
    supply: int
    fired: bool = False
    countered: bool = False


DESTROYED = Card(strength=0, supply=0)
"""A discarded card, without supplies."""


class Declared(NamedTuple):
    """An attack that is being resolved."""

    by: int
    on: int
    how: How | None = None
    """Whether the attacking unit fires itself or calls in another; None: its player chooses."""
    through: int | None = None
    """The unit to call in, if the file names it."""
    firing: int | None = None
    """The unit that fires, once that is decided."""
    strength: int = 0
    """The target's strength when the dice were rolled."""
    is_countered: bool = False
    """Whether the target counterattacks."""


class State(NamedTuple):
    """Every unit's card, in the file's order, and the attack that is being resolved."""

    cards: tuple[Card, ...]
    attack: Declared | None = None

    def with_card(self, unit: int, card: Card) -> "State":
        return self._replace(cards=(*self.cards[:unit], card, *self.cards[unit + 1 :]))

    def after_payment(self, setup: Setup, unit: int) -> "State":
        """The state after the unit has paid its Ammunition Cost."""
        return self.with_card(unit, self.cards[unit]._replace(supply=self.cards[unit].supply - setup.units[unit].ammo))

    def after_firing(self, unit: int) -> "State":
        """The state after the unit has used its attack of this turn."""
        return self.with_card(unit, self.cards[unit]._replace(fired=True))

    def after_losses(self, setup: Setup, unit: int, losses: int, firing: int) -> "State":
        """The state after the unit has lost strength. At 0 its card is discarded, or its supplies are captured."""
        card = self.cards[unit]
        if losses < card.strength:
            return self.with_card(unit, card._replace(strength=card.strength - losses))
        state = self.with_card(unit, DESTROYED)
        if setup.rules.destroyed_supplies == "discarded":
            return state
        return state.with_card(firing, self.cards[firing]._replace(supply=self.cards[firing].supply + card.supply))


def first_state(setup: Setup) -> State:
    """Every card as the file has it; no attack is declared."""
    return State(
        cards=tuple(
            Card(strength=unit.strength, supply=unit.supply, fired=unit.fired, countered=unit.countered)
            for unit in setup.units
        )
    )


@cache
def roster() -> dict[str, Json]:
    """Our own unit types by name, as the chapter names none; a battle file adds id, side and square."""
    return tomllib.loads((Path(__file__).with_name("data") / "roster.toml").read_text(encoding="utf-8"))


def sources() -> tuple[SourcedFigure, ...]:
    """Every figure in the roster is ours."""
    return tuple(SourcedFigure(name, _figures(unit), "ours") for name, unit in roster().items())


def _figures(unit: Json) -> str:
    figures = (f"{key} {value}" for key, value in unit.items() if key != "indirect")
    return ", ".join([*figures, *(["Indirect Fire"] if unit.get("indirect") else [])])


EXAMPLE: Json = {
    "system": "supply",
    "units": [
        {"id": "guns", "side": "red", "die": 8, "strength": 4, "range": 3, "ammo": 1, "supply": 3, "at": [2, 3]},
        {"id": "rifles", "side": "blue", "die": 6, "strength": 5, "range": 3, "ammo": 1, "supply": 2, "at": [4, 3]},
        {
            "id": "mortar",
            "side": "red",
            "die": 10,
            "strength": 2,
            "range": 5,
            "ammo": 2,
            "supply": 4,
            "at": [1, 2],
            "indirect": True,
        },
    ],
    "attack": {"by": "guns", "on": "rifles"},
}
