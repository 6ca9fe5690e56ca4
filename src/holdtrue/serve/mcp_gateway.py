"""Put the guard before any MCP server, which is a command or a URL, and serve its client over stdio or HTTP."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Awaitable, Callable, Sequence

from holdtrue.errors import SettingsError
from holdtrue.extras import need
from holdtrue.guard import Guard

try:
    from mcp import Client, StdioServerParameters
    from mcp.client.stdio import stdio_client
    from mcp.client.streamable_http import streamable_http_client
    from mcp.server.stdio import stdio_server
except ImportError:
    need("holdtrue mcp-gateway", "mcp")
    raise

from holdtrue.serve.mcp_calls import GuardedCalls
from holdtrue.serve.mcp_http import HttpGateway, serve_http
from holdtrue.serve.mcp_naming import Naming
from holdtrue.serve.mcp_relay import OpenServer, relay


def server_opener(command: Sequence[str], env: Sequence[str] = ()) -> OpenServer:
    """Return a function that starts the command of a server, or connects to its URL.

    A started server gets the usual variables of the environment and those that `env` names, and no others. Raises
    `SettingsError` for an unknown command or variable.
    """
    if len(command) == 1 and command[0].startswith(("http://", "https://")):
        return lambda: streamable_http_client(command[0])
    if shutil.which(command[0]) is None:
        raise SettingsError(f"there is no command {command[0]!r}; give the command of an MCP server, or its URL")
    for name in env:
        if name not in os.environ:
            raise SettingsError(f"--env {name}: this variable is not set")
    given = {name: os.environ[name] for name in env}
    server = StdioServerParameters(command=command[0], args=list(command[1:]), env=given)
    return lambda: stdio_client(server)


async def serve_on_stdio(
    guard: Guard, naming: Naming, open_server: OpenServer, gone: Callable[[], Awaitable[None]]
) -> None:
    """Serve the client on standard input and output until it leaves. If the server ends first, await `gone`.

    Standard input is still read then, so that only the end of the process tells the client.
    """
    async with stdio_server() as streams:
        if await relay(GuardedCalls(guard, naming), streams, open_server):
            await gone()


async def serve_on_http(
    guard: Guard, naming: Naming, open_server: OpenServer, port: int, say: Callable[[str], None]
) -> None:
    """Serve clients over streamable HTTP, and `say` the address. Port 0 lets the system choose one."""
    await serve_http(HttpGateway(lambda: GuardedCalls(guard, naming), open_server), port, say)


async def listed_tools(open_server: OpenServer) -> str:
    """Return the tools that a server lists, as the JSON that a policy's `tools.file` reads."""
    found, cursor = [], None
    async with Client(open_server()) as client:
        while True:
            page = await client.list_tools(cursor=cursor)
            found += [own.model_dump(mode="json", by_alias=True, exclude_none=True) for own in page.tools]
            cursor = page.next_cursor
            if cursor is None:
                return json.dumps({"tools": found}, indent=2, ensure_ascii=False)
