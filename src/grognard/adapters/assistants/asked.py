"""A tool as an assistant calls it: arguments that it has not are refused, and what is wrong is said in a line each."""

from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from mcp.types import ToolAnnotations
from pydantic import ValidationError
from pydantic_core import ErrorDetails

from grognard.core.systems import Json
from grognard.files.messages import join_index, unknown_name

ONLY_READS = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)


class Asked(Tool):
    """The library's tool, but strict: else a misspelt argument is passed over, and another question is answered."""

    @classmethod
    def of(cls, method: Callable[..., Awaitable[Json]]) -> Tool:
        """The tool that asks this method."""
        tool = cls.from_function(method, annotations=ONLY_READS)
        arguments = tool.fn_metadata.arg_model
        arguments.model_config["extra"] = "forbid"
        arguments.model_rebuild(force=True)
        tool.parameters = arguments.model_json_schema()
        return tool

    async def run(self, arguments: Json, context: Context[Any, Any], convert_result: bool = False) -> Any:
        """Answer, or say what is wrong with the arguments."""
        try:
            return await super().run(arguments, context, convert_result)
        except ToolError as refused:
            if not isinstance(refused.__cause__, ValidationError):
                raise
            wrong = [in_words(fault, self.parameters["properties"]) for fault in refused.__cause__.errors()]
            raise ToolError("\n".join([f"Error executing tool {self.name}: {wrong[0]}", *wrong[1:]])) from None


def in_words(fault: ErrorDetails, known: Iterable[str]) -> str:
    """One fault of the arguments: its place, and what is wrong there."""
    name, *inner = fault["loc"]
    if fault["type"] == "extra_forbidden":
        return unknown_name("argument", str(name), known)
    place = str(name)
    for part in inner:
        place = join_index(place, part) if isinstance(part, int) else place  # else it names a type that was tried
    return f"{place}: {'is missing' if fault['type'] == 'missing' else fault['msg'][:1].lower() + fault['msg'][1:]}"
