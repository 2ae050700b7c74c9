from collections.abc import Iterator

import pytest

from grognard import systems
from tests.files.toy import TOY


@pytest.fixture(autouse=True, scope="module")
def _only_toys() -> Iterator[None]:
    """Replace the real systems by the toy system and one that is never used."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(systems, "names", lambda: ["marbles", "toys"])
        patch.setattr(systems, "find", {"toys": TOY}.__getitem__)
        yield
