"""Sides with their roles and colours. A side called red is red; others have the colour of their role."""

from collections.abc import Iterator

from grognard.core.systems import Battle, Role
from grognard.core.wording import side_name
from grognard.words.blocks import Inline, Span, join_inline

TONES = {
    "red": "#d0533f",
    "blue": "#4a86c5",
    "green": "#5f9150",
    "yellow": "#b98a1d",
    "purple": "#9a6fb0",
    "orange": "#c8702f",
    "brown": "#96704f",
    "grey": "#8a887a",
}
"""Tones that can be read on a light and on a dark background."""
INKS = TONES | {"muted": "#8a887a", "best": "#7f8f3a", "bad": "#d0533f"}
ALIASES = {"gray": "grey", "black": "grey", "white": "grey", "gold": "yellow", "violet": "purple", "teal": "green"}
ROLES = {Role.ATTACKER: "red", Role.DEFENDER: "blue"}
NEUTRAL = "grey"


class Sides:
    """The sides of a battle as the system names them, with their roles and colours."""

    def __init__(self, battle: Battle) -> None:
        self.battle = battle
        self.roles = dict(_owners(battle.system.snapshot(battle.setup, battle.start().state)))
        if not self.roles:
            measures = battle.system.measures(battle.setup)
            self.roles = {measure.side: measure.role for measure in measures if measure.side}
        self._colours = _colours(self.roles)

    def role(self, side: str) -> Role:
        """What a side does in this attack."""
        return self.roles.get(side) or self.battle.system.role_of(self.battle.setup, side)

    def colour(self, side: str | None, role: Role | None = None) -> str:
        """The colour of a side; of a role, if the side is not known."""
        if side in self._colours:
            return self._colours[side]
        if side and role is None:
            role = self.role(side)
        return self.colour_of(role)

    def colour_of(self, role: Role | None) -> str:
        """The colour of the first side in a role."""
        if role is None:
            return NEUTRAL
        return next((self._colours[side] for side in self.named(role)), ROLES[role])

    def name(self, side: str, role: Role | None = None) -> Span:
        """`Red`, in its colour."""
        return Span(side_name(side), self.colour(side, role))

    def named(self, role: Role) -> list[str]:
        """The sides in a role, in the file's order."""
        return [side for side, its in self.roles.items() if its == role]

    @property
    def title(self) -> Inline:
        """`Red against Blue`, each in its colour."""
        if not self.roles:
            return "attacker against defender"
        who = {Role.ATTACKER: "an enemy", Role.DEFENDER: "nobody"}
        parts = [
            join_inline([self.name(side) for side in self.named(role)], ", ") or other for role, other in who.items()
        ]
        return join_inline(parts, " against ")


def _owners(data: object) -> Iterator[tuple[str, Role | None]]:
    """Everything in a snapshot that has a side, with its role."""
    if isinstance(data, dict):
        side, role = data.get("side"), data.get("role")
        if isinstance(side, str):
            yield side, Role(role) if role else None
        for value in data.values():
            yield from _owners(value)
    elif isinstance(data, list):
        for value in data:
            yield from _owners(value)


def _colours(roles: dict[str, Role | None]) -> dict[str, str]:
    """A colour for each side: that of its name, else of its role, else any other."""
    names = {side: ALIASES.get(side.casefold(), side.casefold()) for side in roles}
    colours = {side: name for side, name in names.items() if name in TONES}
    for side, role in roles.items():
        if side not in colours:
            wanted = ROLES[role] if role else NEUTRAL
            free = [tone for tone in (wanted, *TONES) if tone not in colours.values()]
            colours[side] = free[0] if free else wanted
    return colours
