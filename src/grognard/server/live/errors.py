"""What is refused at a live table, and why."""

from types import MappingProxyType

from grognard.core.errors import BattleError
from grognard.server.errors import ApiError


class NoKey(ApiError):
    """No key was given."""

    status, code, place = 401, "no_key", "key"
    headers = MappingProxyType({"WWW-Authenticate": "Bearer"})

    def __init__(self) -> None:
        super().__init__("a key is needed: `Authorization: Bearer KEY`, or `?key=KEY`")


class Unknown(ApiError):
    """No such battle, or not with this key; the response does not say which."""

    status, code = 404, "unknown"

    def __init__(self) -> None:
        super().__init__("there is no such battle, or the key is not one of its keys")


class NotAllowed(ApiError):
    """Something that this key does not let one do."""

    status, code, place = 403, "not_allowed", "key"


class WrongAnswer(ApiError):
    """An answer that the question does not allow."""

    code, place = "answer", "answer"


class InvalidNames(ApiError):
    """Names for sides that the battle does not have."""

    def __init__(self, error: BattleError) -> None:
        super().__init__(str(error))
        self.body = {"faults": [fault.to_dict() for fault in error.faults]}


class TooManySeats(ApiError):
    """More sides than a table has seats."""

    code = "too_large"

    def __init__(self, seats: int, most: int) -> None:
        super().__init__(f"a table has at most {most} seats, and this battle needs {seats}")


class Full(ApiError):
    """No room for another battle, or for more of a client."""

    status, code = 507, "full"


class DiceAgreed(ApiError):
    """Other dice for the next battle than the players agreed on."""

    code, place = "not_allowed", "dice"

    def __init__(self) -> None:
        super().__init__("the dice stay as the players agreed at this table: open a new battle to change them")
