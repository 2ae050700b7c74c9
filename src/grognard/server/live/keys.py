"""Keys: whoever holds one has a role at the table. Only their hashes are stored."""

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from enum import StrEnum

KEY_BYTES = 24
ID_BYTES = 12
NOBODY = hashlib.sha256(b"").hexdigest()
"""The hash that a key is compared with if there is no such battle, so that finding out takes as long as for others."""


class Role(StrEnum):
    """What a key lets one do: decide and roll for a side, or watch."""

    ATTACKER = "attacker"
    DEFENDER = "defender"
    SPECTATOR = "spectator"


Hashes = Mapping[Role, str]
"""The SHA-256 of every role's key, in hexadecimal digits."""


def new_id() -> str:
    """The id of a battle: free of clashes, and no secret."""
    return secrets.token_urlsafe(ID_BYTES)


def new_keys() -> dict[Role, str]:
    """A key for every role, beyond guessing."""
    return {role: secrets.token_urlsafe(KEY_BYTES) for role in Role}


def hash_key(key: str) -> str:
    """What is stored of a key. It is random and long: nothing slower is needed to keep it from being guessed."""
    return hashlib.sha256(key.encode(errors="replace")).hexdigest()


def role_of(key: str, hashes: Hashes | None) -> Role | None:
    """Whose key it is, found out in the same time whether it is anybody's or not."""
    given = hash_key(key)
    fits = {role: hmac.compare_digest(given, hashes[role] if hashes else NOBODY) for role in Role}
    return next((role for role in Role if fits[role] and hashes), None)
