"""A server of the Model Context Protocol, for assistants: `pip install 'grognard[mcp]'`, then `grognard mcp`.

The tools run the same tasks as the web server, in worker processes with a time limit, so that no client can hang the
server. Resources are every chapter as it is implemented, a battle file to start from, and the examples.
"""

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.resources import FunctionResource
from mcp.server.mcpserver.tools import Tool
from mcp.types import ToolAnnotations
from pydantic import Field, ValidationError
from pydantic_core import ErrorDetails

from grognard import __version__
from grognard.core.errors import BattleError
from grognard.core.systems import Json, System
from grognard.files import FieldInfo, switches, system_of, template, to_toml
from grognard.files.examples import Example, examples
from grognard.files.fields import to_plain
from grognard.files.messages import format_value, join_index, unknown_name
from grognard.solver.assumptions import Policy
from grognard.solver.graph import POSITIONS
from grognard.systems import find, names
from grognard.words import describe
from grognard.work.pool import Busy, Lost, Pool, TooLong, request, worker_command
from grognard.work.worker import Status

INSTRUCTIONS = """Combat in tabletop wargames: exact odds and best decisions, with both sides' decisions in them.
Ask `rules` for the systems, and for one system's paragraphs, switches and a battle file to start from. Write a battle,
`check` it, then ask for its `odds`, `advise` on the open decision, `compare` it with other battles or house rules.
Values are to the attacker, who maximises the objective; the defender minimises it."""
ONLY_READS = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
WORKERS = 2
MOST = 20
"""The number of results that are listed by default."""
SEED = 1
SCHEME = "grognard://"
MARKDOWN, TOML = "text/markdown", "application/toml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The limits of one request."""

    positions: int = POSITIONS
    """The most positions of a battle that is solved."""
    seconds: float = 20.0
    """The time limit of a request."""
    waiting: int = 64
    """The most requests that may wait for a worker."""
    patience: float = 30.0
    """The most seconds that they wait."""
    memory: int = 2 * 1024**3
    """The most bytes of memory that a worker may use."""
    body: int = 256 * 1024
    """The most bytes of a request."""


class Tasks:
    """Runs tasks in worker processes; faults of a request are raised as a ToolError."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        command = worker_command("grognard.tasks", memory=limits.memory)
        self.pool = Pool(command, WORKERS, limits.seconds, limits.waiting, limits.patience)

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[None]:
        """A context in which the workers run."""
        self.pool.open()
        try:
            yield
        finally:
            await self.pool.close()

    async def run(self, task: str, about: Json) -> Json:
        """The reply to a task. Cancelling this cancels the task."""
        size = len(json.dumps(about))
        if size > self.limits.body:
            raise ToolError(f"the request is too large: {size:,} bytes, and the limit is {self.limits.body:,}")
        try:
            reply = await self.pool.run(request(task, {**about, "bound": self.limits.positions}))
        except Busy:
            raise ToolError("too many requests are waiting: try again") from None
        except Lost:
            raise ToolError("the worker was lost: try again") from None
        except TooLong as long:
            raise ToolError(f"{long}: a smaller battle, fixed policies or a sample take less") from None
        data = reply.to_dict()
        if reply.status is not Status.DONE:
            raise ToolError("\n".join(map(format_fault, data["faults"])))
        return data

    async def parse(self, battle: Json | str) -> Json:
        """A battle as data; one that is text is parsed."""
        return await self.run("read", {"text": battle}) if isinstance(battle, str) else battle


def format_fault(fault: Json) -> str:
    """A fault as one line: its line in the text, its place, its message."""
    line = f"line {fault['line']}" if "line" in fault else ""
    return ": ".join(part for part in (line, fault["place"], fault["message"]) if part)


class StrictTool(Tool):
    """A tool that refuses unknown arguments, which the library's tool ignores."""

    @classmethod
    def of(cls, method: Callable[..., Awaitable[Json]]) -> Tool:
        """The tool that calls this method."""
        tool = cls.from_function(method, annotations=ONLY_READS)
        arguments = tool.fn_metadata.arg_model
        arguments.model_config["extra"] = "forbid"
        arguments.model_rebuild(force=True)
        tool.parameters = arguments.model_json_schema()
        return tool

    async def run(self, arguments: Json, context: Context[Any, Any], convert_result: bool = False) -> Any:
        """Call the tool; each fault of its arguments is one line of the error."""
        try:
            return await super().run(arguments, context, convert_result)
        except ToolError as error:
            if not isinstance(error.__cause__, ValidationError):
                raise
            lines = [
                format_wrong_argument(argument, self.parameters["properties"]) for argument in error.__cause__.errors()
            ]
            raise ToolError("\n".join([f"Error executing tool {self.name}: {lines[0]}", *lines[1:]])) from None


def format_wrong_argument(error: ErrorDetails, known: Iterable[str]) -> str:
    """The place and the message of a wrong argument."""
    name, *inner = error["loc"]
    if error["type"] == "extra_forbidden":
        return unknown_name("argument", str(name), known)
    place = str(name)
    for part in inner:
        place = join_index(place, part) if isinstance(part, int) else place  # else it names a type that was tried
    return f"{place}: {'is missing' if error['type'] == 'missing' else error['msg'][:1].lower() + error['msg'][1:]}"


BattleLike = Annotated[
    dict[str, Any] | str,
    Field(description="A battle: the text of a TOML battle file, or the same as JSON. `rules` has one to start from."),
]
Attacker = Annotated[Policy, Field(description="How the attacker decides.")]
Defender = Annotated[Policy, Field(description="How the defender decides.")]
ObjectiveName = Annotated[
    str, Field(description="What the attacker maximises: swing, kill, or ground where the system has it.")
]
Fractions = Annotated[bool, Field(description='Exact fractions, as texts such as "7/36".')]
Most = Annotated[int, Field(ge=1, le=1_000, description="How many results to list, the likeliest first.")]


class Tools:
    """One method for each tool; its docstring is what the assistant reads."""

    def __init__(self, tasks: Tasks) -> None:
        self.tasks = tasks

    async def check(self, battle: BattleLike) -> Json:
        """Check whether this is a legal battle: its house rules, or every fault with its place."""
        return await self.tasks.run("check", {"battle": await self.tasks.parse(battle)})

    async def odds(
        self,
        battle: BattleLike,
        attacker: Attacker = Policy.BEST,
        defender: Defender = Policy.BEST,
        objective: ObjectiveName = "swing",
        fractions: Fractions = False,
        most: Most = MOST,
        sample: Annotated[
            int, Field(ge=0, le=1_000_000, description="Sample this number of battles, if exact odds are too large.")
        ] = 0,
    ) -> Json:
        """Calculate the exact odds of every result, with both sides' decisions in them.

        `value` is the mean of the objective; `summaries` has every measure with its mean and standard deviation.
        """
        if sample and fractions:
            raise ToolError("a sample has no exact fractions: ask for one or the other")
        about = {
            **_assumptions(attacker, defender, objective),
            "battle": await self.tasks.parse(battle),
            "summaries": True,
        }
        if sample:
            reply = await self.tasks.run("simulate", {**about, "n": sample, "seed": SEED})
        else:
            reply = await self.tasks.run("odds", {**about, "fractions": fractions})
        return _cut(reply, "outcomes", most)

    async def advise(
        self,
        battle: BattleLike,
        script: Annotated[
            Sequence[dict[str, Any]],
            Field(description='What was answered so far, in order: {"roll": [6, 4]} or {"choose": "yes"}.'),
        ] = (),
        attacker: Attacker = Policy.BEST,
        defender: Defender = Policy.BEST,
        objective: ObjectiveName = "swing",
        fractions: Fractions = False,
    ) -> Json:
        """Give the value of every option of the open decision to the attacker, the best first.

        The decision is the first of the battle, or the one after the answers of a script. If dice are rolled next, the
        prompt says which, and there are no options.
        """
        about = {
            **_assumptions(attacker, defender, objective),
            "battle": await self.tasks.parse(battle),
            "answers": script,
        }
        reply = await self.tasks.run("advise", {**about, "fractions": fractions, "summaries": True})
        return reply | {"options": [_without(option, "outcomes") for option in reply["options"]]}

    async def rules(
        self,
        system: Annotated[str | None, Field(description=f"One of {', '.join(names())}; none lists them.")] = None,
    ) -> Json:
        """Give a system's paragraphs as they are implemented, its switches and objectives, and a battle to start from.

        `template` is a small legal battle file with every key explained.
        """
        if system is None:
            keys = ("name", "title", "summary")
            return {"systems": [{key: getattr(find(name), key) for key in keys} for name in names()]}
        try:
            known = system_of(system)
        except BattleError as error:
            raise ToolError(str(error)) from None
        return _without(describe.system_to_dict(known), "sources") | {"template": template(known, known.example)}

    async def compare(
        self,
        battle: BattleLike,
        others: Annotated[
            Sequence[BattleLike], Field(description="Battles of the same system to compare it with.")
        ] = (),
        switch: Annotated[
            str | None, Field(description="Compare it under each value of this switch; none tries every switch.")
        ] = None,
        attacker: Attacker = Policy.BEST,
        defender: Defender = Policy.BEST,
        objective: ObjectiveName = "swing",
        fractions: Fractions = False,
        most: Most = MOST,
    ) -> Json:
        """Compare a battle with others, or under other house rules; the largest change comes first."""
        if others and switch is not None:
            raise ToolError("a switch is compared in one battle, but several are given")
        battles = [await self.tasks.parse(entry) for entry in (battle, *others)]
        about = {"battles": battles, "switch": switch, "fractions": fractions}
        reply = await self.tasks.run("compare", {**_assumptions(attacker, defender, objective), **about})
        if "cases" not in reply:
            return reply
        return _cut(reply, "results", most) | {"cases": [_without(case, "outcomes") for case in reply["cases"]]}


def _assumptions(attacker: Policy, defender: Policy, objective: str) -> Json:
    return {"attacker": str(attacker), "defender": str(defender), "objective": objective}


def _without(data: Json, key: str) -> Json:
    return {name: value for name, value in data.items() if name != key}


def _cut(data: Json, key: str, most: int) -> Json:
    """The data with only the first entries of a list, and how many there are; of a turn there may be no list."""
    return data if data[key] is None else data | {key: data[key][:most], f"{key}_in_all": len(data[key])}


def resources() -> Iterator[FunctionResource]:
    """Every text that an assistant may read, written when it is read."""
    for system in map(find, names()):
        name, title = system.name, system.title
        chapter = f"The combat rules of {title} as they are implemented, with switches and objectives."
        yield _resource(f"rules/{name}", f"{name} rules", chapter, MARKDOWN, partial(format_chapter, system))
        about = f"A battle file of {title} to start from, with every key explained."
        text = partial(template, system, system.example)
        yield _resource(f"template/{name}", f"{name} template", about, TOML, text)
        for example in examples(name):
            title = f"{name} {example.name}"
            path = f"examples/{name}/{example.name}"
            yield _resource(path, title, example.story, TOML, partial(format_example, example))


def _resource(path: str, name: str, about: str, kind: str, text: Callable[[], str]) -> FunctionResource:
    return FunctionResource(uri=f"{SCHEME}{path}", name=name, description=about, mime_type=kind, fn=text)


def format_example(example: Example) -> str:
    return f"# {example.story}\n{to_toml(example.source)}"


def format_chapter(system: System[Any]) -> str:
    """A system's paragraphs, switches and objectives in Markdown."""
    paragraphs = [
        f"- **{paragraph}**: {' '.join(explanation.words for explanation in lines)}"
        for paragraph, lines in describe.chapter(system)
    ]
    return "\n".join(
        [
            f"# {system.title} (`{system.name}`)\n\n{system.summary}\n\n## Paragraphs, in our words\n",
            *paragraphs,
            "\n## Switches, for the `[rules]` of a battle file\n",
            *map(format_switch, switches(system)),
            "\n## Objectives\n",
            *(f"- `{name}`: {objective.description}" for name, objective in system.objectives.items()),
            "",
        ]
    )


def format_switch(switch: FieldInfo) -> str:
    """A switch in a line of Markdown: what it does, its default, its other values."""
    default = format_value(to_plain(switch.default))
    others = ", ".join(f"`{format_value(other)}`" for other in describe.alternatives(switch))
    where = f" ({switch.paragraph})" if switch.paragraph else ""
    return f"- `{switch.name}`{where}: {switch.description}. Default `{default}`, else {others or 'any other'}."


def create_server(limits: Limits | None = None) -> MCPServer[None]:
    """The server for assistants, with limits for each request."""
    tasks = Tasks(limits or Limits())

    @asynccontextmanager
    async def lifespan(server: MCPServer[None]) -> AsyncIterator[None]:
        async with tasks.opened():
            yield

    tools = Tools(tasks)
    server = MCPServer(
        "grognard",
        instructions=INSTRUCTIONS,
        version=__version__,
        tools=[StrictTool.of(tool) for tool in (tools.check, tools.odds, tools.advise, tools.rules, tools.compare)],
        log_level="WARNING",
        lifespan=lifespan,
    )
    for resource in resources():
        server.add_resource(resource)
    return server


def run() -> None:
    """Serve over standard input and output until the assistant goes away."""
    create_server().run("stdio")
