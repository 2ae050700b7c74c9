import sys
from importlib import import_module

import pytest
from tests.cli.conftest import Command


def test_without_the_extra_it_says_in_a_line_how_to_install_it(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "mcp", None)
    ran = command("mcp")
    assert (1, "", "this needs mcp: pip install 'grognard[mcp]'\n") == ran


def test_an_older_library_is_not_enough(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    import_module("mcp")  # the new one needs at once what the old one lacks
    monkeypatch.setitem(sys.modules, "mcp.server.mcpserver", None)
    ran = command("mcp")
    assert (1, "", "this needs mcp.server.mcpserver: pip install 'grognard[mcp]'\n") == ran
