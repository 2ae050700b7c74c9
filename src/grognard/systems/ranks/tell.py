"""Combat in words for people."""

from collections.abc import Iterable, Iterator

from grognard.systems.ranks.setup import Setup
from grognard.systems.ranks.state import Combat, Resolved, at_location


def units(count: int) -> str:
    """`1 unit`, `2 units`."""
    return f"{count} unit" if count == 1 else f"{count} units"


def names(setup: Setup, armies: Iterable[int]) -> str:
    """The players of these armies."""
    return ", ".join(setup.player(army) for army in armies)


def of(setup: Setup, combat: Combat, army: int) -> str:
    """`Blue (2 units left)`."""
    return f"{setup.player(army)} ({units(combat.units[army])} left)"


def invitation(setup: Setup, combat: Combat) -> str:
    """The question to the player of an optional army, at its turn."""
    army = setup.arrivals[combat.turn]
    arrived = [other for other in range(1, combat.turn + 1) if other not in combat.held_back]
    attacker = next((setup.player(other) for other in arrived if setup.side(other) == "attack"), None)
    if army.side == "defend":
        return f"Send {units(army.units)} to help {setup.defender.player}?"
    if attacker is None:
        return f"Send {units(army.units)} to attack {setup.defender.player}?"
    return f"Send {units(army.units)} to help {attacker}?"


def changes(setup: Setup, before: Combat, after: Combat | Resolved) -> Iterator[str]:
    """What a rule changed."""
    if isinstance(after, Resolved):
        yield from resolved(setup, before, after)
        return
    for army in range(before.turn + 1, after.turn + 1):
        number = units(after.units[army])
        if army in after.held_back:
            yield f"{setup.player(army)} holds {number} back"
        else:
            yield f"{setup.player(army)} arrives with {number} to {setup.side(army)}"
    for army, (had, has) in enumerate(zip(before.units, after.units, strict=True)):
        if had != has:
            yield f"{setup.player(army)}: {had} → {units(has)}"


def resolved(setup: Setup, before: Combat, after: Resolved) -> Iterator[str]:
    """Who has the Location, who stays with them, who goes."""
    if after.possessor is None:
        yield "no unit is left: nobody holds the Location"
    elif setup.side(after.possessor) == "attack":
        yield f"{setup.player(after.possessor)} takes the Location"
    elif at_location(setup, before, "defend"):
        yield f"{setup.player(after.possessor)} holds the Location"
    else:
        yield f"no unit is left: {setup.player(after.possessor)} keeps the Location"
    for army in after.guests:
        yield f"{setup.player(army)} stays there with {units(after.units[army])}"
    for army in after.returns:
        yield f"{setup.player(army)} returns with {units(after.units[army])}"
