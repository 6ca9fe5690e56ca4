"""The gateway as a process, over stdio and HTTP, before servers that are processes: real ones, and one that dies."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp")
import httpx2
import mcp.types as types
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from typer.testing import CliRunner

from holdtrue.cli.main import app
from holdtrue.guard import SqliteStore, load_policy
from holdtrue.guard.guard import Guard
from tests.serve.mcp_pair import BOTH, meta, text_of
from tests.test_docs_examples import blocks

ENV = {name: os.environ[name] for name in ("PYTHONPATH",) if name in os.environ}
SERVERS = Path(os.environ.get("HOLDTRUE_MCP_SERVERS", "/nowhere"))
pytestmark = pytest.mark.slow
REAL = pytest.mark.skipif(
    not (SERVERS / "mcp-server-git").exists(),
    reason="HOLDTRUE_MCP_SERVERS names no folder with mcp-server-time and mcp-server-git (make test-adapters makes it)",
)
PLAIN = """
import os, sys
from mcp.server.mcpserver import MCPServer
server = MCPServer("plain")

@server.tool()
def count(name: str, number: int) -> dict[str, int]:
    if number == 13:
        os._exit(3)
    return {"number": number, "secret": len(os.environ.get("SECRET", "")), "other": len(os.environ.get("OTHER", ""))}

print("a server that prints before it begins")
server.run()
"""
POLICY = """
policy: plain
tools: {file: tools.json, writes: [count], consent: [{on: count, when: call.number > 90}]}
limits: [{id: most, on: count, most: 3, per: name, say: Three times at most.}]
"""


def command(tmp_path: Path, *options: str, policy: str = POLICY, server: Sequence[str] = ()) -> list[str]:
    """Write a policy on the tools that a server lists, and return the arguments of a gateway before it."""
    (tmp_path / "server.py").write_text(PLAIN)
    (tmp_path / "policy.yaml").write_text(policy)
    own = [*server] or [sys.executable, str(tmp_path / "server.py")]
    listing = [sys.executable, "-m", "holdtrue", "mcp-gateway", "--list-tools", "--", *own]
    listed = subprocess.run(listing, capture_output=True, check=True, text=True)
    (tmp_path / "tools.json").write_text(listed.stdout)
    return ["-m", "holdtrue", "mcp-gateway", "--policy", str(tmp_path / "policy.yaml"), *options, "--", *own]


def before(tmp_path: Path, *options: str) -> StdioServerParameters:
    return StdioServerParameters(
        command=sys.executable, args=command(tmp_path, *options), env={**ENV, "SECRET": "abc", "OTHER": "abcd"}
    )


@BOTH
async def test_a_process_serves_its_conversation_and_passes_only_named_variables_on(tmp_path: Path, mode: str) -> None:
    options = ("--store", str(tmp_path / "talks.db"), "--conversation", "a", "--env", "SECRET")
    async with Client(before(tmp_path, *options), mode=mode) as client:
        result = await client.call_tool("count", {"name": "x", "number": 1})
        assert result.structured_content == {"number": 1, "secret": 3, "other": 0}
        assert text_of(await client.call_tool("count", {"name": "x"})).startswith("[holdtrue: stopped block]")
    store = SqliteStore(tmp_path / "talks.db")
    assert [own.kind for own in await store.read("", "a")] == ["decided", "saw", "decided"]
    await store.aclose()


async def test_a_server_that_dies_leaves_its_call_pending_and_ends_the_gateway(tmp_path: Path) -> None:
    errors = (tmp_path / "errors.txt").open("w+")
    options = ("--store", str(tmp_path / "talks.db"), "--conversation", "a")
    with errors:
        transport = stdio_client(before(tmp_path, *options), errlog=errors)
        async with Client(transport) as client:
            result = await client.call_tool("count", {"name": "x", "number": 13})
            assert result.is_error and "nobody knows whether the call took effect" in text_of(result)
            with pytest.raises(MCPError, match=r"closed|ended"):
                for _ in range(50):
                    await client.list_tools()
                    await asyncio.sleep(0.1)
        errors.seek(0)
        assert "holdtrue: the MCP server ended, so its gateway ends, too" in errors.read()
    store = SqliteStore(tmp_path / "talks.db")
    talk = Guard(load_policy(tmp_path / "policy.yaml"), store=store).conversation("a")
    assert [own.arguments["number"] for own in await talk.pending()] == [13]
    await store.aclose()


async def test_nothing_but_the_protocol_is_written_to_standard_output(tmp_path: Path) -> None:
    params = before(tmp_path)
    process = await asyncio.create_subprocess_exec(
        params.command, *params.args, env={**os.environ}, stdin=-1, stdout=-1, stderr=-1
    )
    client = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}}
    call = {"name": "count", "arguments": {"name": "x", "number": 1}}
    sent: list[dict[str, Any]] = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": client},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": "two", "method": "tools/call", "params": call},
    ]
    assert process.stdin is not None and process.stdout is not None
    lines = list[Any]()
    for message in sent:
        process.stdin.write(json.dumps(message).encode() + b"\n")
        if "id" in message:
            lines.append(json.loads(await asyncio.wait_for(process.stdout.readline(), 60)))
    rest, errors = await process.communicate(b"")
    assert [own["id"] for own in lines] == [1, "two"] and rest == b""
    assert "nobody said which conversation" in str(lines[1]["result"])
    assert b"holdtrue: calls that do not name their conversation are refused" in errors


@asynccontextmanager
async def served(arguments: list[str]) -> AsyncIterator[str]:
    """Run a gateway over HTTP, and give its address."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, *arguments, env={**os.environ}, stdin=-3, stdout=-1, stderr=None
    )
    assert process.stdout is not None
    try:
        yield (await asyncio.wait_for(process.stdout.readline(), 60)).decode().strip()
    finally:
        process.terminate()
        await process.wait()


@BOTH
async def test_over_http_a_header_names_the_conversation(tmp_path: Path, mode: str) -> None:
    async def person(_context: Any, params: Any) -> types.ElicitResult:
        assert "99" in params.message
        return types.ElicitResult(action="accept", content={"yes": True})

    more: Any = {"elicitation_callback": person}
    async with served(command(tmp_path, "--http")) as url:

        async def calls(id: str) -> list[bool]:
            async with (
                httpx2.AsyncClient(headers={"Holdtrue-Conversation": id}, timeout=60) as http,
                Client(streamable_http_client(url, http_client=http), mode=mode, **more) as client,
            ):
                made = [await client.call_tool("count", {"name": "x", "number": own}) for own in range(5)]
                made.append(await client.call_tool("count", {"name": "y", "number": 99}))
            return [own.is_error for own in made]

        assert tuple(await asyncio.gather(calls("a"), calls("b"))) == ([False] * 3 + [True] * 2 + [False],) * 2
        async with Client(url, mode=mode) as client:
            assert (await client.call_tool("count", {"name": "x", "number": 1})).is_error
        async with httpx2.AsyncClient() as http:
            assert (await http.get(url.removesuffix("/mcp"))).status_code == 404
            assert (await http.post(url, headers={"Host": "evil.example"}, json={})).status_code == 421


@BOTH
async def test_a_server_behind_a_url_is_reached_alike(tmp_path: Path, mode: str) -> None:
    arguments = command(tmp_path, "--conversation", "a")
    async with served(command(tmp_path, "--http", "--mode", "observe")) as url:
        before = StdioServerParameters(command=sys.executable, args=[*arguments[:-2], url], env=ENV)
        async with Client(before, mode=mode) as client:
            made = [await client.call_tool("count", {"name": "x", "number": own}) for own in range(4)]
            assert [own.is_error for own in made] == [False] * 3 + [True]
            assert client.server_info is not None and client.server_info.name == "plain"


@REAL
@BOTH
async def test_a_real_server_of_the_time_answers_alike_behind_the_gateway(tmp_path: Path, mode: str) -> None:
    server = str(SERVERS / "mcp-server-time")
    hold = "call.source_timezone != call.target_timezone"
    rule = f'{{id: there, on: convert_time, hold: "{hold}", say: That is the same place.}}'
    policy = f"policy: time\ntools: {{file: tools.json, reads: [get_current_time, convert_time]}}\nrules: [{rule}]\n"
    same = {"source_timezone": "Asia/Tokyo", "time": "10:00", "target_timezone": "Asia/Tokyo"}
    other = {**same, "target_timezone": "Asia/Kolkata"}
    args = command(tmp_path, policy=policy, server=[server])
    direct = StdioServerParameters(command=server)
    async with (
        Client(direct, mode=mode) as bare,
        Client(StdioServerParameters(command=sys.executable, args=args, env=ENV), mode=mode) as client,
    ):
        assert await client.list_tools() == await bare.list_tools()
        assert client.server_capabilities == bare.server_capabilities
        assert await client.call_tool("convert_time", other) == await bare.call_tool("convert_time", other)
        assert "That is the same place" in text_of(await client.call_tool("convert_time", same))


@REAL
async def test_two_hundred_conversations_before_a_real_server_of_git_are_kept_apart(tmp_path: Path) -> None:
    server, repository = str(SERVERS / "mcp-server-git"), tmp_path / "repository"
    repository.mkdir()
    for line in (
        ["init", "-q"],
        ["-c", "user.name=A", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "x"],
    ):
        made = await asyncio.create_subprocess_exec("git", "-C", str(repository), *line)
        assert await made.wait() == 0
    limit = "{id: once, on: git_create_branch, most: 1, say: One branch in a conversation.}"
    tools = "{file: tools.json, reads: [git_status], writes: [git_create_branch]}"
    policy = f"policy: git\ntools: {tools}\nlimits: [{limit}]\n"
    args = command(tmp_path, policy=policy, server=[server, "--repository", str(repository)])
    async with Client(StdioServerParameters(command=sys.executable, args=args, env=ENV)) as client:

        async def branch(id: int, number: int) -> bool:
            arguments: dict[str, Any] = {"repo_path": str(repository), "branch_name": f"b-{id}-{number}"}
            result = await client.call_tool("git_create_branch", arguments, meta=meta(conversation=f"talk-{id}"))
            return result.is_error and "One branch" in text_of(result)

        first = await asyncio.gather(*(branch(id, 1) for id in range(200)))
        second = await asyncio.gather(*(branch(id, 2) for id in range(200)))
        status = await client.call_tool("git_status", {"repo_path": str(repository)})
    assert first == [False] * 200 and second == [True] * 200
    assert not status.is_error
    assert len([*(repository / ".git" / "refs" / "heads").glob("b-*-1")]) == 200
    assert not [*(repository / ".git" / "refs" / "heads").glob("b-*-2")]


async def test_the_page_shows_what_the_gateway_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "stock.py").write_text(blocks("docs/mcp.md", "python")[0])
    settings = json.loads(blocks("docs/mcp.md", "json")[0])["mcpServers"]["stock"]
    monkeypatch.chdir(tmp_path)
    command(tmp_path, policy=blocks("docs/mcp.md", "yaml")[0], server=[sys.executable, "stock.py"])
    args = ["-m", settings["command"], *settings["args"][:-2], sys.executable, "stock.py"]
    calls = [("order", {"item": "lamp", "pieces": own}) for own in (3, 7, 5)]
    calls.insert(1, ("look_up", {"item": "lamp"}))
    said = list[str]()
    async with Client(StdioServerParameters(command=sys.executable, args=args, cwd=tmp_path, env=ENV)) as client:
        for tool, arguments in calls:
            given = ", ".join(f"{name}={json.dumps(value)}" for name, value in arguments.items())
            said += [f"{tool}({given})", text_of(await client.call_tool(tool, arguments))]
    assert "\n".join(said) == blocks("docs/mcp.md", "text")[1].rstrip()


def test_wrong_options_are_told_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = command(tmp_path)[2:-3]
    cases = {
        (*given, "--", "no-such-command"): "there is no command 'no-such-command'",
        (*given, "--env", "NOT_SET", "--", sys.executable): "NOT_SET: this variable is not set",
        (*given, "--http", "--one-conversation", "--", sys.executable): "--one-conversation is for stdio",
        ("mcp-gateway", "--", sys.executable): "--policy FILE is needed",
    }
    for arguments, why in cases.items():
        assert why in str(CliRunner().invoke(app, [*arguments]).exception)
