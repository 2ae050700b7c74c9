"""The readings of the chapter that a table may turn."""

from dataclasses import dataclass
from typing import Annotated, Literal

from grognard.core.fields import Says


@dataclass(frozen=True, slots=True, kw_only=True)
class Switches:
    """Each default is the chapter's literal reading."""

    board: Annotated[
        Literal["squares", "hexes"], Says("squares, with neighbours along rows and columns, or a later edition's hexes")
    ] = "squares"
    capital_bonus: Annotated[
        Literal["to_the_highest", "to_that_unit"],
        Says("what a home capital's 2 is added to: the highest Defense, or that of the unit in it", "4, 7"),
    ] = "to_the_highest"
    half_of: Annotated[
        Literal["full_health", "health_before_this_attack"],
        Says("which Health a primary defender must be at half of, or below, to be pushed", "6"),
    ] = "full_health"
    ranged_push: Annotated[bool, Says("whether an attacker that is not adjacent pushes too", "6")] = True
    bumped_into_enemy: Annotated[
        Literal["primary_dies", "bumped_unit_dies"],
        Says("who dies if a friend cannot give way to an enemy: the unit that is pushed, or the last one bumped", "6"),
    ] = "primary_dies"
    off_the_board: Annotated[
        Literal["dies", "stays", "wraps"],
        Says("a push over the edge kills, or moves nobody, or comes in at the opposite edge", "6"),
    ] = "dies"
    counter_range: Annotated[
        Literal["after_push", "before_push"],
        Says("from which tile the primary defender must have the attacker in range to counterattack", "7"),
    ] = "after_push"
    counter_dice_from: Annotated[
        Literal["survivors", "all_who_defended"],
        Says("whose highest Defense counts in a counterattack: that of the living, or also of those who fell", "7"),
    ] = "survivors"
    ranged_advance: Annotated[
        bool, Says("whether an attacker that was not adjacent may move onto the tile too", "9")
    ] = True
