"""The readings of the chapter that a table may turn."""

from dataclasses import dataclass
from typing import Annotated, Literal

from grognard.core.fields import Says


@dataclass(frozen=True, slots=True, kw_only=True)
class Switches:
    """Each default is the chapter's literal reading."""

    distance: Annotated[
        Literal["orthogonal", "diagonal"],
        Says("squares are counted along rows and columns, or a diagonal step is one too", "range"),
    ] = "orthogonal"
    cancelling: Annotated[
        Literal["matching", "ranked"],
        Says(
            "the defender removes as many attack dice as can be, or dice meet high to high as in Risk", "comparing dice"
        ),
    ] = "matching"
    counter_timing: Annotated[
        Literal["after_losses", "simultaneous"],
        Says("a counterattack rolls the strength after the losses, or the one from before them", "counterattack"),
    ] = "after_losses"
    counters_per_turn: Annotated[
        Literal["any", "one"], Says("how often a unit may counterattack in a turn", "counterattack")
    ] = "any"
    counter_counts_as_fired: Annotated[
        bool,
        Says("a unit that has fired may not counterattack, and one that counterattacks has fired", "counterattack"),
    ] = False
    caller_keeps_attack: Annotated[
        bool, Says("a unit that calls in another may still attack by itself this turn", "call in")
    ] = False
    indirect_can_be_countered: Annotated[
        bool, Says("an Indirect Fire unit that attacks by itself can be counterattacked", "call in")
    ] = True
    destroyed_supplies: Annotated[
        Literal["discarded", "captured"],
        Says("a destroyed unit's supplies are gone, or go to the unit whose dice did it", "destroyed"),
    ] = "discarded"
