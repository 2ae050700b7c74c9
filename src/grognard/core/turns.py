"""Helpers for all systems with whole turns."""

from collections import Counter
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

from grognard.core.errors import Fault, FaultCode, no_such_name
from grognard.core.fields import Doc, Name
from grognard.core.rules import Option, Question, choose
from grognard.core.systems import Json, Measure, PossibleAttack, Role
from grognard.core.wording import side_name

ON = " on "
"""Separates attacker and target in the id of an attack."""
END_TURN: Option[Any] = Option("end", "end the turn", None)
"""The last option of every choice of the next attack."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """The turn of one side, which chooses one attack after another."""

    side: Annotated[Name, Doc("the side whose turn it is")]
    target: Annotated[Name | None, Doc("the enemy unit that the objective kill is about; else all of them")] = None


def role_of(setup: Any, side: str) -> Role:
    """The side that attacks, or whose turn it is, is the attacker; every other side is the defender."""
    return Role.ATTACKER if side == setup.side else Role.DEFENDER


def choose_attack(
    setup: Any, state: Any, attacks: Iterable[PossibleAttack], is_possible: Callable[[Any, Any, Any], bool]
) -> Generator[Question, object, Any]:
    """Ask the side whose turn it is for its next attack; the declaration of that, or None if the turn ends."""
    possible = (attack for attack in attacks if is_possible(setup, state, attack.declaration))
    options = [Option(attack.id, attack.id, attack.declaration) for attack in possible]
    return (yield from choose(setup.side, "Which attack is next?", [*options, END_TURN]))


def duplicate_id_faults(table: str, ids: Iterable[str]) -> Iterator[Fault]:
    """Ids are unique in their table."""
    first: dict[str, int] = {}
    for number, name in enumerate(ids):
        if name in first:
            message = f'"{name}" is already the id of {table}[{first[name]}]'
            yield Fault(f"{table}[{number}].id", message, FaultCode.DUPLICATE)
        first.setdefault(name, number)


def attack_or_turn_faults(setup: Any, *others: str) -> Iterator[Fault]:
    """The faults of a file that does not have exactly one of `attack`, the other keys, and `turn`."""
    keys = ("attack", *others, "turn")
    declared = [key for key in keys if getattr(setup, key) is not None]
    if not declared:
        yield Fault("attack", f"is missing: expected {' or '.join(f'[{key}]' for key in keys)}", FaultCode.MISSING)
    for key in declared[1:]:
        yield Fault(key, f"[{declared[0]}] is there already: expected only one of them", FaultCode.CONFLICT)


class ListedAttack(NamedTuple):
    """An attack that a turn lists: its id, if it has one of its own, attacker, target and range."""

    id: str | None
    by: str
    on: str
    range: object = None


def listed_ids(attacks: Sequence[ListedAttack]) -> list[str]:
    """The ids of listed attacks. Default ids include the range if attacker and target are not unique."""
    names = [f"{attack.by}{ON}{attack.on}" for attack in attacks]
    times = Counter(name for attack, name in zip(attacks, names, strict=True) if attack.id is None)

    def default(name: str, range_: object) -> str:
        return name if times[name] == 1 or range_ is None else f"{name} at {range_}"

    pairs = zip(attacks, names, strict=True)
    return [default(name, attack.range) if attack.id is None else attack.id for attack, name in pairs]


def listed_id_faults(ids: Sequence[str]) -> Iterator[Fault]:
    """The faults of ids that are not unique, or that mean ending the turn."""
    yield from duplicate_id_faults("turn.shots", ids)
    for number, name in enumerate(ids):
        if name == END_TURN.id:
            yield Fault(f"turn.shots[{number}].id", f'"{name}" ends the turn: expected another id', "duplicate")


def turn_faults(setup: Any, is_listed: bool = False) -> Iterator[Fault]:
    """The faults of a turn: a side without units, a target that is no enemy, attacks whose ids are not unique.

    The ids of listed attacks are not checked here.
    """
    turn, units = setup.turn, setup.units
    sides = dict.fromkeys(unit.side for unit in units)
    if turn.side not in sides:
        yield Fault("turn.side", no_such_name("side", turn.side, sides), "unknown_name")
    enemies = [unit.id for unit in units if unit.side != turn.side]
    if turn.target is not None and turn.target not in enemies:
        yield Fault("turn.target", no_such_name("enemy unit", turn.target, enemies), "unknown_name")
    attackers = [unit.id for unit in units if unit.side == turn.side]
    if not is_listed and (shared := _shared_id(attackers, enemies)):
        message = f'"{shared}" would be two attacks: rename a unit so that every attack has an id of its own'
        yield Fault("turn", message, "duplicate")


def _shared_id(attackers: Collection[str], targets: Collection[str]) -> str | None:
    """An id that two attacks would share, such as `a on b on c` of `a` on `b on c` and of `a on b` on `c`."""
    by_name, on_name = dict.fromkeys(attackers), dict.fromkeys(targets)
    for longer in (name for name in by_name if ON.rstrip() in name):
        for end in range(len(longer)):
            rest = (longer + ON)[end:]
            if longer[:end] not in by_name or not rest.startswith(ON):
                continue
            prefix = rest.removeprefix(ON)  # of the target of the shorter name
            for target in on_name:
                if target.startswith(prefix) and target[len(prefix) :] in on_name:
                    return f"{longer[:end]}{ON}{target}"
    return None


def loss_measures(
    name: str,
    side: str,
    role: Role,
    owner: str,
    lost: Callable[[Any], int],
    is_destroyed: Callable[[Any], bool],
    part: int | None = None,
) -> tuple[Measure, Measure]:
    """What a unit loses, and whether it is destroyed, from the result."""
    return (
        Measure(f"{name} loses", lost, role, side, "losses", part, owner),
        Measure(f"{name} destroyed", is_destroyed, role, side, "destroyed", part, owner),
    )


def loss_contribution(objective: str, lost: int, *, is_destroyed: bool, is_enemy: bool, is_target: bool | None) -> int:
    """What the losses of a unit add to an objective of a turn, or to a measure that is a sum over units.

    `is_target` is None if every enemy is a target.
    """
    if objective == "swing":
        return lost if is_enemy else -lost
    if objective.endswith("side loses"):
        return lost * (is_enemy == objective.startswith("defending"))
    counts = is_enemy if objective == "enemies destroyed" or is_target is None else is_target
    return int(counts and is_destroyed)


def clear_marks(source: Json, marks: Collection[str]) -> Json:
    """The battle file without these marks on its units."""
    units = [{key: value for key, value in unit.items() if key not in marks} for unit in source.get("units", [])]
    return {**source, "units": units}


def side_losses(setup: Any, lost: Callable[[Any, Any, Role], int]) -> list[Measure]:
    """The losses of the defending and of the attacking side. A side that is alone in its role has its own name."""

    def measure(which: str, role: Role) -> Measure:
        sides = {unit.side for unit in setup.units if role_of(setup, unit.side) is role}
        name = f"{which} side"
        owner = side_name(*sides) if len(sides) == 1 else f"the {name}"
        return Measure(f"{name} loses", lambda result: lost(setup, result, role), role, what="losses", owner=owner)

    return [measure("defending", Role.DEFENDER), measure("attacking", Role.ATTACKER)]


def turn_measures(setup: Any, swing: Callable[[Any, Any], int], destroyed: Callable[[Any, Any], int]) -> list[Measure]:
    """The two measures that whole turns have and single attacks have not."""
    if setup.turn is None:
        return []
    return [
        Measure("enemies destroyed", lambda result: destroyed(setup, result), what="enemies destroyed"),
        Measure("swing", lambda result: swing(setup, result), what="net losses (swing)"),
    ]
