"""The errors of live battles."""

from types import MappingProxyType

from grognard.core.errors import Fault
from grognard.server.errors import ApiError


class NoKey(ApiError):
    """The request has no key."""

    status, code, place = 401, "no_key", "key"
    headers = MappingProxyType({"WWW-Authenticate": "Bearer"})

    def __init__(self) -> None:
        super().__init__("a key is needed: `Authorization: Bearer KEY`, or `?key=KEY`")


class UnknownBattle(ApiError):
    """There is no such battle, or the key is not one of its keys; the response does not say which."""

    status, code = 404, "unknown"

    def __init__(self) -> None:
        super().__init__("there is no such battle, or the key is not one of its keys")


class NotAllowed(ApiError):
    """The seat of this key may not do this."""

    status, code, place = 403, "not_allowed", "key"


class WrongAnswer(ApiError):
    """The open question does not allow this answer."""

    code, place = "answer", "answer"


class InvalidNames(ApiError):
    """The request has names for sides that the battle does not have."""

    def __init__(self, faults: list[Fault]) -> None:
        super().__init__("there are names for sides that the battle does not have")
        self.body = {"faults": [fault.to_dict() for fault in faults]}


class TooManySeats(ApiError):
    """The battle has more sides than a table has seats."""

    code = "too_large"

    def __init__(self, seats: int, most: int) -> None:
        super().__init__(f"a table has at most {most} seats, and this battle needs {seats}")


class StorageFull(ApiError):
    """The database is full, or the client has stored too much."""

    status, code = 507, "full"


class OtherDice(ApiError):
    """The next battle has another kind of dice than the first one at the table."""

    code, place = "not_allowed", "dice"

    def __init__(self) -> None:
        super().__init__("the dice stay as the players agreed at this table: open a new battle to change them")
