"""The result of a combat, the state as data and as text, objectives, measures, and the battle file after it."""

from collections.abc import Iterator
from dataclasses import dataclass

from grognard.core.systems import Change, Json, Measure, Objective, Role
from grognard.core.turns import loss_measures
from grognard.core.wording import count_of
from grognard.systems.ranks.setup import DEFENDER, Combat, Faction, Resolved, Setup, at_location


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """Every player's units, who possesses the Location, and whose armies return."""

    armies: tuple[tuple[str, int], ...]
    possession: str | None
    returns: tuple[str, ...]

    def to_dict(self) -> Json:
        return {"armies": dict(self.armies), "possession": self.possession, "returns": list(self.returns)}


def result(setup: Setup, final: Resolved) -> Result:
    """The result of a final state, with players in place of army numbers."""
    players = [army.player for army in setup.armies]
    return Result(
        armies=tuple(zip(players, final.units, strict=True)),
        possession=None if final.possessor is None else players[final.possessor],
        returns=tuple(players[army] for army in final.returns),
    )


def snapshot(setup: Setup, state: Combat | Resolved) -> Json:
    """The state as a result, with each player's side and role, and whether the army has arrived.

    Until the combat is resolved, the Defender possesses the Location.
    """
    turn = len(setup.arrivals) if isinstance(state, Resolved) else state.turn
    possessor = state.possessor if isinstance(state, Resolved) else DEFENDER
    returns = state.returns if isinstance(state, Resolved) else ()
    return {
        "armies": {army.player: units for army, units in zip(setup.armies, state.units, strict=True)},
        "possession": None if possessor is None else setup.player(possessor),
        "returns": [setup.player(army) for army in returns],
        "players": {
            army.player: {
                "side": army.player,
                "role": setup.role(number).value,
                "arrived": number <= turn and number not in state.held_back,
                "held_back": number in state.held_back,
            }
            for number, army in enumerate(setup.armies)
        },
    }


def changes(setup: Setup, before: Combat, after: Combat | Resolved) -> Iterator[Change]:
    if isinstance(after, Resolved):
        yield from final_changes(setup, before, after)
        return
    for army in range(before.turn + 1, after.turn + 1):
        player, number = setup.player(army), count_of(after.units[army], "unit")
        if army in after.held_back:
            yield Change(f"{player} holds {number} back", player)
        else:
            yield Change(f"{player} arrives with {number} to {setup.side(army)}", player)
    for army, (had, has) in enumerate(zip(before.units, after.units, strict=True)):
        if had != has:
            left = "none" if not has else str(has)
            yield Change(f"{setup.player(army)} loses {count_of(had - has, 'unit')}, {left} left", setup.player(army))


def final_changes(setup: Setup, before: Combat, after: Resolved) -> Iterator[Change]:
    """The changes at the end: who possesses the Location, who stays, who leaves."""
    possessor = None if after.possessor is None else setup.player(after.possessor)
    if after.possessor is None:
        yield Change("No unit is left: nobody holds the Location")
    elif setup.side(after.possessor) == "attack":
        yield Change(f"{possessor} takes the Location", possessor)
    elif at_location(setup, before, "defend"):
        yield Change(f"{possessor} holds the Location", possessor)
    else:
        yield Change(f"No unit is left: {possessor} keeps the Location", possessor)
    for verb, armies in (("stays there", after.guests), ("returns", after.returns)):
        for army in armies:
            player = setup.player(army)
            yield Change(f"{player} {verb} with {count_of(after.units[army], 'unit')}", player)


def lost(setup: Setup, result: Result, side: str) -> int:
    of_defender = setup.defender.units - result.armies[0][1] if side == "defend" else 0
    came_and_left = zip(setup.arrivals, result.armies[1:], strict=True)
    return of_defender + sum(army.units - left for army, (_, left) in came_and_left if army.side == side)


def swing(setup: Setup, result: Result) -> int:
    return lost(setup, result, "defend") - lost(setup, result, "attack")


def ground(setup: Setup, result: Result) -> int:
    """1 if a player of the attacking side possesses the Location."""
    return int(any(army.player == result.possession and army.side == "attack" for army in setup.arrivals))


def kill(setup: Setup, result: Result) -> int:
    """1 if no defending unit is left: attackers possess the Location, or nobody does, or a Defender without units."""
    units: dict[str | None, int] = dict(result.armies)
    return int(bool(ground(setup, result)) or not units.get(result.possession))


OBJECTIVES = {
    "swing": Objective("units the defending side loses, less those the attacking side loses", swing),
    "kill": Objective("no defending unit is left at the Location", kill),
    "ground": Objective("a player of the attacking side possesses the Location", ground),
}


def measures(setup: Setup) -> list[Measure]:
    """Who holds the Location, what each side and each player loses, and whether an army is destroyed."""
    pairs = [_loss_measures(setup, army) for army in range(len(setup.armies))]
    return [
        Measure("Location held by", lambda result: result.possession or "nobody", what="who holds the Location"),
        *(_side_loses(setup, *of) for of in (("attack", Role.ATTACKER), ("defend", Role.DEFENDER))),
        *(losses for losses, _ in pairs),
        *(is_destroyed for _, is_destroyed in pairs),
    ]


def _side_loses(setup: Setup, side: Faction, role: Role) -> Measure:
    name = f"{side}ing side"
    return Measure(f"{name} loses", lambda result: lost(setup, result, side), role, what="losses", owner=f"the {name}")


def _loss_measures(setup: Setup, army: int) -> tuple[Measure, Measure]:
    player, units = setup.player(army), setup.armies[army].units
    return loss_measures(
        player,
        player,
        setup.role(army),
        player,
        lambda result: units - result.armies[army][1],
        lambda result: not result.armies[army][1],
    )


def after(setup: Setup, source: Json, final: Resolved) -> Json:
    """The battle file after the round: its possessor defends the Location, and guests are the first to arrive.

    Without a possessor the file has no defender, and without guests no arrivals, so that people can append theirs. A
    Defender who keeps the Location without units has 0 of them: the file needs a garrison before it is legal again.
    """
    left: Json = {key: value for key, value in source.items() if key not in ("defender", "arrivals")}
    if final.possessor is not None:
        left["defender"] = {"player": setup.player(final.possessor), "units": final.units[final.possessor]}
    if final.guests:
        left["arrivals"] = [
            {"player": setup.player(army), "side": "defend", "units": final.units[army]} for army in final.guests
        ]
    return left


def end_turn(source: Json) -> Json:
    """The same file: nothing is marked for a turn."""
    return source
