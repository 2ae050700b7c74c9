"""The readings of the chapter that a table may turn."""

from dataclasses import dataclass
from typing import Annotated, Literal

from grognard.core.fields import Says


@dataclass(frozen=True, slots=True, kw_only=True)
class Switches:
    """Each default is the chapter's literal reading, where there is one."""

    both_covers: Annotated[
        Literal["owner_picks", "terrain", "frame"],
        Says("terrain and a frame both cover the target: which one counts", "How Much Damage?"),
    ] = "owner_picks"
    abandon_per_attack: Annotated[
        Literal["once", "once_per_station"],
        Says(
            "a frame may ignore one damage of an attack, or one for each station that is near",
            "When a Mobile Frame Takes Damage",
        ),
    ] = "once"
    covering_frame_may_abandon: Annotated[
        bool,
        Says("a frame that covers another may abandon its position too", "When a Mobile Frame Takes Damage"),
    ] = True
    drop_white_first: Annotated[
        bool,
        Says(
            "an owner may give up a white die before the systems are gone, but never the last one",
            "When a Mobile Frame Takes Damage",
        ),
    ] = False
    rocket_spent: Annotated[
        Literal["when_assigned", "when_rolled"],
        Says("a rocket is gone once it is the attack die, or all rockets once they are rolled", "The frame's turn"),
    ] = "when_assigned"
    white_with_rocket_only: Annotated[
        bool,
        Says("a white die may be the attack at direct range though rockets are all there is", "The frame's turn"),
    ] = False
