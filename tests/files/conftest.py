from collections.abc import Iterator

import pytest

from grognard import systems
from tests.files.toy import TOY


@pytest.fixture(autouse=True, scope="module")
def _only_toys() -> Iterator[None]:
    """The toy system and one that is never looked at take the place of the real ones."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(systems, "names", lambda: ["marbles", "toys"])
        patch.setattr(systems, "find", {"toys": TOY}.__getitem__)
        yield
