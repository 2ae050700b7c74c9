"""Distances and directions on the board of a battle, squares or hexes."""

from grognard.board import hexes, squares
from grognard.board.tiles import Tile, inside, wrapped
from grognard.systems.tower.setup import Setup, Unit


def distance(setup: Setup, a: Tile, b: Tile) -> int:
    """The steps from tile to tile; nobody reaches over the edge of the board."""
    return hexes.distance(a, b) if setup.rules.board == "hexes" else squares.orthogonal(a, b)


def reaches(setup: Setup, unit: Unit, tile: Tile, target: Tile) -> bool:
    """Whether a unit on a tile has the target in range: Range counts the tiles between, and 0 is adjacent."""
    return distance(setup, tile, target) <= unit.range + 1


def is_adjacent_attack(setup: Setup) -> bool:
    """Whether the primary units were neighbours when the attack began."""
    return distance(setup, setup.attacker.at, setup.defender.at) == 1


def directions(setup: Setup) -> list[str]:
    """The directions there are on this board."""
    return [str(way) for way in (hexes.Direction if setup.rules.board == "hexes" else squares.Direction)]


def direction(setup: Setup) -> str | None:
    """The direction of the attacker's movement, or None where the file must name it."""
    if setup.attack.direction is not None:
        return setup.attack.direction
    plain = hexes.direction if setup.rules.board == "hexes" else squares.direction
    return plain(setup.attacker.at, setup.defender.at)


def onward(setup: Setup, tile: Tile) -> Tile | None:
    """The next tile in the direction of the attacker's movement; None beyond the edge, unless the board wraps."""
    way = direction(setup)
    assert way is not None  # a file that leaves it open is refused
    if setup.rules.board == "hexes":
        ahead = hexes.step(tile, hexes.Direction(way))
    else:
        ahead = squares.step(tile, squares.Direction(way))
    if setup.rules.off_the_board == "wraps":
        return wrapped(ahead, setup.board.size)
    return ahead if inside(ahead, setup.board.size) else None
