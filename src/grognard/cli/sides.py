"""Who fights on which side, read off the battle file in the words that all systems' files share."""

from collections.abc import Iterator

from grognard.core.systems import Battle, Json, Role


def opponents(battle: Battle) -> tuple[str, str]:
    """Who attacks and who is attacked: the units of the attack if the file names them, else the players."""
    attack = battle.source.get("attack")
    if isinstance(attack, dict) and "on" in attack:
        return str(attack.get("by", "an enemy")), str(attack["on"])
    sides = {player: role_of(battle, player) for player in players(battle)}
    attackers, defenders = (
        ", ".join(player for player, its in sides.items() if its is side) for side in (Role.ATTACKER, Role.DEFENDER)
    )
    return attackers, defenders


def players(battle: Battle) -> list[str]:
    """Everybody whom the file names as a player, in its order."""
    return list(dict.fromkeys(str(table["player"]) for table in tables(battle.source) if "player" in table))


def role_of(battle: Battle, name: str) -> Role:
    """The side of a player, of a unit by its owner, or of several players by the first of them."""
    first = name.partition(", ")[0]
    owners = {
        table["id"]: str(table.get("player", table.get("side"))) for table in tables(battle.source) if "id" in table
    }
    return battle.system.role_of(battle.setup, owners.get(name, first))


def tables(source: Json) -> Iterator[Json]:
    """The tables at the top of a battle file, those in lists too."""
    for value in source.values():
        yield from (table for table in (value if isinstance(value, list) else [value]) if isinstance(table, dict))
