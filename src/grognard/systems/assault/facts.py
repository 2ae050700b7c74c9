"""The facts of an attack: given in the file, or else read off the board."""

from dataclasses import dataclass

from grognard.board.arcs import areas, entry, in_arc
from grognard.board.hexes import distance
from grognard.board.sight import MOST_HINDERING, Ground, Obstruction, Sight, sight
from grognard.board.tiles import Tile
from grognard.systems.assault.data import find_terrain
from grognard.systems.assault.figures import Area, Kind
from grognard.systems.assault.profile import profile
from grognard.systems.assault.setup import Fire, Hex, Setup, Unit


@dataclass(frozen=True, slots=True)
class Facts:
    """What the dice depend on. A shot on a boundary strikes two areas; none is known while a roll must decide it."""

    range: int
    hindering: int
    in_arc: bool
    areas: tuple[Area, ...]
    terrain: str


def facts(setup: Setup) -> Facts:
    """All facts of the attack, in a battle that was found to be legal."""
    return Facts(
        range_to(setup, setup.attacker, setup.attack.range) or 0,
        sight_to(setup, setup.attacker, setup.attack.hindering).hindering,
        is_in_arc(setup),
        areas_struck(setup),
        terrain_of_target(setup),
    )


def joint_range(setup: Setup, friend: Unit) -> int | None:
    """The range of the friend that joins the fire: that of the attack, if nothing else is known."""
    own = range_to(setup, friend, setup.attack.joint_range)
    return range_to(setup, setup.attacker, setup.attack.range) if own is None else own


def joint_sight(setup: Setup, friend: Unit) -> Sight:
    """The line of sight of the friend that joins the fire: as clear as that of the attack, if nothing else is known."""
    given = setup.attack.joint_hindering
    if given is None and not (friend.at and setup.board):
        given = setup.attack.hindering
    return sight_to(setup, friend, given)


def range_to(setup: Setup, unit: Unit, given: int | None) -> int | None:
    """The hexes from a unit to the target; None if neither file nor board says."""
    if given is not None:
        return given
    return distance(unit.at, setup.target.at) if setup.board and unit.at and setup.target.at else None


def sight_to(setup: Setup, unit: Unit, given: int | None) -> Sight:
    """The line of sight from a unit to the target; clear if neither file nor board says otherwise."""
    if given is not None:
        return Sight(given, given > MOST_HINDERING)
    if not (setup.board and unit.at and setup.target.at):
        return Sight(0, is_blocked=False)
    hexes = {place.at: place for place in setup.board.hexes}

    def ground(tile: Tile) -> Ground:
        return ground_of(setup, hexes[tile]) if tile in hexes else Ground()

    return sight(unit.at, setup.target.at, ground)


def ground_of(setup: Setup, place: Hex) -> Ground:
    """What a hex is to a line of sight; smoke hinders, a level high."""
    terrain = find_terrain(setup, place.terrain)
    assert terrain
    if place.smoke and terrain.obstruction is not Obstruction.BLOCKS:
        return Ground(place.elevation, Obstruction.HINDERS, max(1, terrain.height))
    return Ground(place.elevation, terrain.obstruction, terrain.height)


def is_in_arc(setup: Setup) -> bool:
    """Whether the target is in the arc of fire; infantry fires all round, whose facing is unsaid faces it (MR 10.6)."""
    attacker, target, attack = setup.attacker, setup.target, setup.attack
    if attack.in_arc is not None:
        return attack.in_arc
    if profile(setup, attacker).kind is Kind.INFANTRY:
        return True
    if setup.board and attacker.at and attacker.facing and target.at:
        return in_arc(attacker.at, attacker.facing, target.at)
    return attack.fire is not Fire.TURRET_FIRING


def areas_struck(setup: Setup) -> tuple[Area, ...]:
    """Where the shot strikes: where the line of sight enters the target's hex, as it faces; unsaid, the front."""
    attacker, target = setup.attacker, setup.target
    if setup.attack.area is not None:
        return (setup.attack.area,)
    if setup.attack.fire is Fire.INDIRECT:
        return () if profile(setup, target).is_vehicle else (Area.ABOVE,)
    if setup.board and attacker.at and target.at and target.facing:
        return tuple(Area(area) for area in areas(target.facing, entry(attacker.at, target.at)))
    return (Area.FRONT,)


def terrain_of_target(setup: Setup) -> str:
    """The terrain of the target's hex."""
    if setup.attack.terrain is not None:
        return setup.attack.terrain
    hexes = setup.board.hexes if setup.board else ()
    return next((place.terrain for place in hexes if place.at == setup.target.at), "clear")
