"""The server as an assistant has it: the protocol's own client, over standard input and output."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, TypeVar

import pytest
from anyio.from_thread import start_blocking_portal
from mcp import Client, MCPError, StdioServerParameters
from mcp.server.mcpserver import MCPServer
from mcp.types import CallToolResult, TextContent, TextResourceContents
from tests.cli.conftest import duel, invitation
from tests.server.running import crowd

import grognard
from grognard.adapters.assistants import Limits, create_server
from grognard.cli.errors import INTERRUPTED
from grognard.core.errors import BattleError
from grognard.core.systems import Json
from grognard.files import battle_from_text as read
from grognard.files import switches, to_toml
from grognard.files.examples import examples
from grognard.systems import find, names
from grognard.words import describe

T = TypeVar("T")
Call = Callable[..., CallToolResult]
Server = StdioServerParameters | MCPServer[None]
COMMAND = [sys.executable, "-P", "-m", "grognard", "mcp"]
STDIO = StdioServerParameters(command=COMMAND[0], args=COMMAND[1:], env={**os.environ})
WRONG: Json = {"system": "ranks", "defender": {"player": "Blue", "units": 0}, "arrivals": [], "colour": "red"}


@pytest.fixture(scope="module")
def call() -> Iterator[Call]:
    """Calls a tool of one server that runs for all these tests."""
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(Client(STDIO)) as client:
        yield lambda tool, **arguments: portal.call(client.call_tool, tool, arguments)


def talk(conversation: Callable[[Client], Awaitable[T]], server: Server = STDIO, mode: str = "auto") -> T:
    """What comes of a conversation with a server of its own."""

    async def main() -> T:
        async with Client(server, mode=mode, read_timeout_seconds=60) as client:
            return await conversation(client)

    return asyncio.run(main())


def content_of(result: CallToolResult) -> Any:
    """What a tool found, which it says twice: as data, and as JSON in a text."""
    assert not result.is_error
    assert json.loads(said(result)) == result.structured_content
    return result.structured_content


def said(result: CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


def refused(result: CallToolResult) -> str:
    """Why a tool found nothing."""
    assert result.is_error
    return said(result).partition(": ")[2]


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_new_and_old_clients_find_the_five_tools_each_told_in_words(mode: str) -> None:
    listed = talk(lambda client: client.list_tools(), mode=mode)
    assert ["check", "odds", "advise", "rules", "compare"] == [tool.name for tool in listed.tools]
    for tool in listed.tools:
        assert tool.description
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint
        assert all("description" in field for field in tool.input_schema["properties"].values())
        assert tool.input_schema["additionalProperties"] is False


@pytest.mark.parametrize("name", names())
def test_from_the_rules_to_advice(call: Call, name: str) -> None:
    text = content_of(call("rules", system=name))["template"]
    battle = read(text)
    assert {"legal": True, "system": name, "rules": {}} == content_of(call("check", battle=text))
    odds = content_of(call("odds", battle=text, fractions=True, most=1_000))
    assert grognard.odds(battle, fractions=True).to_dict().items() <= odds.items()
    expected = grognard.advise(battle).to_dict()
    for option in expected["options"]:
        del option["outcomes"]
    for entry in (expected, *expected["options"]):  # where NumPy is loaded, the last digit may be another one
        entry["value"] = pytest.approx(entry["value"], rel=1e-12)
    advice = content_of(call("advise", battle=battle.source))
    for option in advice["options"]:
        assert option.pop("summaries")
    assert expected == advice


def test_without_a_system_the_rules_list_them(call: Call) -> None:
    assert names() == [system["name"] for system in content_of(call("rules"))["systems"]]


def test_rules_are_those_of_the_command(call: Call) -> None:
    expected = describe.system_to_dict(find("tower"))
    del expected["sources"]
    actual = content_of(call("rules", system="tower"))
    assert actual.pop("template")
    assert expected == actual


def test_results_are_listed_up_to_a_number_and_counted(call: Call) -> None:
    odds = content_of(call("odds", battle=duel(3, 4), attacker="eager", objective="kill", most=2))
    expected = grognard.odds(grognard.battle(duel(3, 4)), "eager", objective="kill").to_dict()
    assert len(expected["outcomes"]) == odds["outcomes_in_all"]
    assert expected["outcomes"][:2] == odds["outcomes"]
    assert (expected["value"], expected["policies"]) == (odds["value"], odds["policies"])


def test_a_sample_is_told_to_be_one(call: Call) -> None:
    odds = content_of(call("odds", battle=duel(3, 4), sample=500))
    assert grognard.simulate(grognard.battle(duel(3, 4)), 500, 1).value == odds["value"]
    assert (False, 500) == (odds["exact"], odds["n"])


def test_advice_after_a_script(call: Call) -> None:
    script = [{"roll": [1, 6]}]
    advice = content_of(call("advise", battle=invitation(), script=script))
    expected = grognard.advise(grognard.battle(invitation()), script)
    assert [option.id for option in expected.options] == [option["id"] for option in advice["options"]]
    assert "2 are rolled" in refused(call("advise", battle=invitation(), script=[{"roll": [1]}]))


def test_a_whole_turn_has_odds_and_advice(call: Call) -> None:
    source = {key: value for key, value in find("supply").example.items() if key != "attack"}
    turn = {"system": "supply", **source, "turn": {"side": "red"}}
    odds = content_of(call("odds", battle=turn, most=1_000))
    assert grognard.odds(grognard.battle(turn)).to_dict().items() <= odds.items()
    expected = [option.id for option in grognard.advise(grognard.battle(turn)).options]
    assert expected == [option["id"] for option in content_of(call("advise", battle=turn))["options"]]


def test_a_battle_is_compared_with_others(call: Call) -> None:
    several = content_of(call("compare", battle=duel(), others=[duel(2), to_toml(duel(3))], most=1))
    assert ["1", "3", "2"] == [case["name"] for case in several["cases"]]
    assert (1, 6) == (len(several["results"]), several["results_in_all"])


def test_a_battle_is_compared_under_a_switch(call: Call) -> None:
    comparison = content_of(call("compare", battle=duel(), switch="ties"))
    expected = grognard.compare(grognard.battle(duel()), "ties").to_dict()
    assert {case["to"]: case["value"] for case in expected["cases"]} == {
        case["to"]: case["value"] for case in comparison["cases"]
    }


def test_a_battle_is_compared_under_every_switch(call: Call) -> None:
    assert grognard.compare(grognard.battle(duel())).to_dict() == content_of(call("compare", battle=duel()))


def test_a_bad_battle_is_an_error_with_every_fault(call: Call) -> None:
    with pytest.raises(BattleError) as wrong:
        grognard.battle(WRONG)
    assert len(wrong.value.faults) == 3
    for tool in ("check", "odds", "advise", "compare"):
        assert str(wrong.value) == refused(call(tool, battle=WRONG))


def test_a_fault_in_a_text_has_its_line(call: Call) -> None:
    text = to_toml(duel()).replace("units = 1", "units = 0")
    lines = refused(call("check", battle=text)).splitlines()
    assert ["line 5: defender.units", "line 10: arrivals[0].units"] == [line.rpartition(": ")[0] for line in lines]
    assert "is not TOML" in refused(call("check", battle="units = = 1"))


@pytest.mark.parametrize(
    ("tool", "arguments", "why"),
    [
        (
            "odds",
            {"battle": duel(), "objective": "glory"},
            'ranks has no objective "glory": it has swing, kill, ground',
        ),
        (
            "odds",
            {"battle": duel(), "attacker": "bold"},
            "attacker: input should be 'best', 'eager', 'cautious', 'random' or 'greedy'",
        ),
        ("odds", {"battle": duel(), "objectve": "kill"}, "unknown argument `objectve`, did you mean `objective`?"),
        ("rules", {"sytem": "ranks"}, "unknown argument `sytem`, did you mean `system`? known: system"),
        ("check", {}, "battle: is missing"),
        ("advise", {"battle": duel(), "script": [{"roll": [1]}, 6]}, "script[1]: input should be a valid dictionary"),
        ("odds", {"battle": duel(), "sample": 10, "fractions": True}, "a sample has no exact fractions"),
        ("rules", {"system": "rank"}, "did you mean `ranks`?"),
        ("compare", {"battle": duel(), "switch": "tie"}, "did you mean `ties`?"),
        ("compare", {"battle": duel(), "switch": "ties", "others": [duel()]}, "a switch is compared in one battle"),
        ("compare", {"battle": duel(), "others": [{"system": "supply"}]}, "units: is missing"),
        ("odds", {"battle": duel(4_000, 4_000)}, "and the bound is"),
        ("check", {"battle": {"system": "ranks", "story": "!" * 300_000}}, "the request is too large: 300,"),
    ],
)
def test_what_cannot_be_done_is_an_error_that_says_why(call: Call, tool: str, arguments: Json, why: str) -> None:
    assert why in refused(call(tool, **arguments))


def test_everything_that_is_wrong_with_the_arguments_is_told_in_a_line_each(call: Call) -> None:
    wrong = refused(call("odds", batle=duel(), most=0))
    assert [
        "battle: is missing",
        "most: input should be greater than or equal to 1",
        "unknown argument `batle`, did you mean `battle`? known: battle, attacker, defender, objective, fractions, "
        "most, sample",
    ] == wrong.splitlines()


def test_work_that_takes_too_long_is_stopped_and_the_server_goes_on() -> None:
    async def conversation(client: Client) -> tuple[CallToolResult, CallToolResult]:
        long = await client.call_tool("odds", {"battle": crowd(20)})
        return long, await client.call_tool("check", {"battle": duel()})

    long, quick = talk(conversation, create_server(Limits(seconds=2)))
    assert "not worked out after 2 seconds" in refused(long)
    assert content_of(quick)["legal"]


def test_every_chapter_and_every_example_can_be_read() -> None:
    async def conversation(client: Client) -> dict[str, str]:
        texts = {}
        for resource in (await client.list_resources()).resources:
            (content,) = (await client.read_resource(resource.uri)).contents
            assert isinstance(content, TextResourceContents)
            assert resource.description
            texts[str(resource.uri)] = content.text
        return texts

    texts = talk(conversation)
    for name in names():
        chapter = texts.pop(f"grognard://rules/{name}")
        assert all(rule.description in chapter for rule in find(name).rules)
        assert all(f"`{switch.name}`" in chapter for switch in switches(find(name)))
        assert all(f"`{objective}`" in chapter for objective in find(name).objectives)
        assert read(texts.pop(f"grognard://template/{name}")).system is find(name)
        for example in examples(name):
            text = texts.pop(f"grognard://examples/{name}/{example.name}")
            assert (f"# {example.story}", example.source) == (text.splitlines()[0], read(text).source)
    assert {} == texts


def test_a_page_that_is_not_there_is_an_error() -> None:
    async def conversation(client: Client) -> str:
        with pytest.raises(MCPError) as wrong:
            await client.read_resource("grognard://rules/chess")
        return str(wrong.value)

    assert "grognard://rules/chess" in talk(conversation)


HELLO: Json = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}


def started(*messages: Json) -> tuple[subprocess.Popen[str], list[Any]]:
    """A server that was sent these messages after the greeting, and its answers; notifications have none."""
    server = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert server.stdin is not None
    assert server.stdout is not None
    for message in (HELLO, {"jsonrpc": "2.0", "method": "notifications/initialized"}, *messages):
        server.stdin.write(json.dumps(message) + "\n")
    server.stdin.flush()
    return server, [json.loads(server.stdout.readline()) for _ in range(1 + len(messages))]


def test_standard_output_has_nothing_but_messages_and_the_server_ends_with_its_input() -> None:
    asked = {"name": "check", "arguments": {"battle": WRONG}}
    server, replies = started({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": asked})
    rest, errors = server.communicate()
    assert [("2.0", 1), ("2.0", 2)] == [(answer["jsonrpc"], answer["id"]) for answer in replies]
    assert replies[1]["result"]["isError"]
    assert ("", "", 0) == (rest, errors, server.returncode)


def test_ctrl_c_ends_it_at_once() -> None:
    server, _ = started()
    server.send_signal(signal.SIGINT)
    assert INTERRUPTED == server.wait(30)
    assert ("", "interrupted\n") == server.communicate()
