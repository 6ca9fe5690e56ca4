"""An MCP server of the refund desk, and clients that reach servers in this process through a gateway."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from typing import Any

import anyio
import mcp.types as types
import pytest
from mcp import Client
from mcp.server import Server
from mcp.shared.memory import create_client_server_memory_streams

from holdtrue.guard import Guard
from holdtrue.serve.mcp_calls import GuardedCalls
from holdtrue.serve.mcp_naming import Naming
from holdtrue.serve.mcp_relay import relay
from tests.adapters.desk import DEFINITIONS, Tools

TOOLS = [
    types.Tool(name=own["name"], description=own["description"], input_schema=own["parameters"], title=own["name"])
    for own in DEFINITIONS
]
Answer = Callable[[Any, Any], Awaitable[Any]]
MODES = ("auto", "legacy")
BOTH = pytest.mark.parametrize("mode", MODES)


def desk_server(tools: Tools, *, structured: bool = True, answer: Answer | None = None, **more: Any) -> Server[Any]:
    """Return a server with the tools of the desk. `answer` replaces the answer to each call."""

    async def list_tools(_ctx: Any, _params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=TOOLS)

    async def call_tool(ctx: Any, params: types.CallToolRequestParams) -> Any:
        if answer is not None:
            return await answer(ctx, params)
        result = tools.run(params.name, params.arguments or {})
        text = types.TextContent(type="text", text=json.dumps(result))
        return types.CallToolResult(content=[text], structured_content=result if structured else None)

    async def read(_ctx: Any, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        return types.ReadResourceResult(contents=[types.TextResourceContents(uri=params.uri, text="House rules")])

    return Server(
        "desk",
        version="7",
        instructions="Be kind.",
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_read_resource=read,
        **more,
    )


@asynccontextmanager
async def _served(server: Server[Any]) -> AsyncIterator[Any]:
    """Serve a connection to a server in this process, and give the client's streams."""
    async with create_client_server_memory_streams() as (client, own), anyio.create_task_group() as tasks:
        tasks.start_soon(server.run, *own, server.create_initialization_options())
        yield client
        tasks.cancel_scope.cancel()


@asynccontextmanager
async def through(guard: Guard, server: Server[Any], naming: Naming) -> AsyncIterator[Any]:
    """Give the streams of a connection to a server through a gateway."""
    opener = partial(_served, server)
    async with create_client_server_memory_streams() as (client, own), anyio.create_task_group() as tasks:
        tasks.start_soon(relay, GuardedCalls(guard, naming), own, opener)
        yield client
        tasks.cancel_scope.cancel()


def reach(
    guard: Guard, server: Server[Any], mode: str, *, naming: Naming | None = None, **more: Any
) -> AbstractAsyncContextManager[Client]:
    """Return a client that reaches a server through a gateway, to be entered."""
    return Client(through(guard, server, naming or Naming("desk")), mode=mode, **more)


def text_of(result: types.CallToolResult) -> str:
    return "".join(own.text for own in result.content if isinstance(own, types.TextContent))


def meta(**own: Any) -> Any:
    """Return the `_meta` of a call with keys of the gateway."""
    return {f"holdtrue/{name}": value for name, value in own.items()}
