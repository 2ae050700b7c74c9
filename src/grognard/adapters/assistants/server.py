"""The server that an assistant starts and talks to over standard input and output."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.resources import FunctionResource

from grognard import __version__
from grognard.adapters.assistants.asked import Asked
from grognard.adapters.assistants.chapters import pages
from grognard.adapters.assistants.desk import Desk
from grognard.adapters.assistants.tools import Tools
from grognard.server.settings import Limits

ABOUT = """Combat in tabletop wargames: exact odds and best decisions, with both sides' decisions in them.
Ask `rules` for the systems, and for one system's paragraphs, switches and a battle file to start from. Write a battle,
`check` it, then ask for its `odds`, `advise` on the decision that is due, `compare` it with other battles or rules.
Values are to the attacking side, which wants much of the objective; the defending side wants little of it."""


def create_server(limits: Limits | None = None) -> MCPServer[None]:
    """A server whose questions are bounded by these limits, those of the web server if none are given."""
    desk = Desk(limits or Limits())

    @asynccontextmanager
    async def running(server: MCPServer[None]) -> AsyncIterator[None]:
        async with desk.opened():
            yield

    tools = Tools(desk)
    server = MCPServer(
        "grognard",
        instructions=ABOUT,
        version=__version__,
        tools=[Asked.of(tool) for tool in (tools.check, tools.odds, tools.advise, tools.rules, tools.compare)],
        log_level="WARNING",
        lifespan=running,
    )
    for page in pages():
        server.add_resource(
            FunctionResource(
                uri=page.address, name=page.name, description=page.about, mime_type=page.kind, fn=page.text
            )
        )
    return server


def run() -> None:
    """Serve over standard input and output until the assistant goes away."""
    create_server().run("stdio")
