"""The readings of the chapter that a table may turn."""

from dataclasses import dataclass
from typing import Annotated, Literal

from grognard.core.fields import Says
from grognard.readings.ranked_pairs import Ties


@dataclass(frozen=True, slots=True, kw_only=True)
class Switches:
    """Each default is the chapter's literal reading."""

    ties: Annotated[Ties, Says("who wins a pair of equal dice; or both lose a unit, or neither does", "1.1.00")] = (
        "defender"
    )
    die: Annotated[Literal[4, 6, 8, 10, 12, 20], Says("the faces of the die that each unit rolls", "1.1.00")] = 10
    exchange_on: Annotated[
        Literal["attacker_arrives", "any_arrival"],
        Says("whether a defending ally's arrival makes the last attacker that has units roll again", "1.1.01–02"),
    ] = "attacker_arrives"
    who_rolls: Annotated[
        Literal["arriving_army", "all_attackers"],
        Says("whether earlier attackers sit an exchange out, or all roll and the Attacker's units fall last", "1.1.01"),
    ] = "arriving_army"
    defending_losses: Annotated[
        Literal["first_arrived", "last_arrived", "owner_chooses"],
        Says(
            "which Defending Reinforcements fall first, before the Defender; or the Defender's player picks", "1.1.02"
        ),
    ] = "first_arrived"
    duration: Annotated[
        Literal["one_round", "to_the_death"],
        Says("whether an exchange is rolled once, or until the army that rolls or the defence is gone", "1.1.00"),
    ] = "one_round"
    nobody_left: Annotated[
        Literal["unowned", "defender_keeps"], Says("whose the Location is when no unit is left there", "1.1.03")
    ] = "unowned"
