"""The readings of the chapter that a table may turn."""

from dataclasses import dataclass
from typing import Annotated, Literal

from grognard.core.fields import Says
from grognard.systems.assault.figures import Faces


@dataclass(frozen=True, slots=True, kw_only=True)
class Switches:
    """Each default is the chapter's literal reading."""

    weakest_die_lost: Annotated[
        Literal["in_sequence", "last"],
        Says("the weakest dice are lost where the sequence says so, or when all are gathered", "attack 8.0"),
    ] = "in_sequence"
    elite_ignores_critical_x: Annotated[
        bool, Says("an elite unit also ignores a Suppression that is the strongest symbol of a critical roll", "10.7.5")
    ] = True
    hindrance_dice: Annotated[
        Literal["each", "once"],
        Says("a hindered line of sight gives a die for each hindering hex, or one in all", "defence 3.0"),
    ] = "each"
    faces: Annotated[
        Literal["transcribed", "alternative"] | Faces,
        Says("the faces of the dice: one of two transcriptions, or a file of your own", "10.7.2"),
    ] = "transcribed"
