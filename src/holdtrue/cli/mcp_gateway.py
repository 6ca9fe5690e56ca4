"""The command `holdtrue mcp-gateway`: put the guard before any MCP server."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Annotated
from uuid import uuid4

import typer

from holdtrue.cli.exits import fail
from holdtrue.cli.guard_options import Mode, Reader, StoreName, open_guard
from holdtrue.cli.model_options import BaseUrl


def mcp_gateway(
    command: Annotated[list[str], typer.Argument(metavar="-- COMMAND ARGS... | URL", help="The MCP server.")],
    policy: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The operator's policy, as YAML; --list-tools needs none.")
    ] = None,
    store: StoreName = None,
    mode: Mode = "enforce",
    model: Reader = None,
    base_url: BaseUrl = None,
    conversation: Annotated[str | None, typer.Option(help="The id of the one conversation that is served.")] = None,
    one_conversation: Annotated[
        bool, typer.Option("--one-conversation", help="This process serves one conversation, with a new id.")
    ] = False,
    conversation_argument: Annotated[
        str | None, typer.Option(metavar="NAME", help="The argument of calls that names their conversation.")
    ] = None,
    env: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A variable of the environment that the server gets, too.")
    ] = None,
    http: Annotated[bool, typer.Option("--http", help="Serve streamable HTTP on 127.0.0.1, not stdio.")] = False,
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port of --http; 0 takes a free one.")] = 0,
    list_tools: Annotated[
        bool, typer.Option("--list-tools", help="Print the server's tools for the policy, and leave.")
    ] = False,
) -> None:
    """Decide on each call of an MCP server's tools before the server gets it. All else passes unchanged.

    A conversation is named by each call, in _meta, in a header or in an argument, or by --conversation. Notes go to
    standard error.

    Exit code: 2 for wrong options or an unusable policy, 4 if the server ends first, and 0 otherwise.
    """
    from holdtrue.errors import InfrastructureError, SettingsError
    from holdtrue.serve import mcp_gateway as gateway
    from holdtrue.serve.mcp_naming import Naming

    opener = gateway.server_opener(command, env or ())
    if list_tools:
        typer.echo(asyncio.run(gateway.listed_tools(opener)))
        return
    if http and one_conversation:
        raise SettingsError("--one-conversation is for stdio: over HTTP any number of clients may come")
    naming = Naming(conversation or (uuid4().hex if one_conversation else None), conversation_argument)
    if policy is None:
        raise SettingsError("--policy FILE is needed")
    guard = open_guard(policy, store, mode, model, base_url)
    for note in naming.notes(guard.policy):
        typer.echo(f"holdtrue: {note}", err=True)

    async def leave() -> None:
        code = fail(InfrastructureError("the MCP server ended, so its gateway ends, too"))
        await guard.aclose()
        os._exit(code)

    async def serve() -> None:
        try:
            if http:
                await gateway.serve_on_http(guard, naming, opener, port, typer.echo)
            else:
                await gateway.serve_on_stdio(guard, naming, opener, leave)
        finally:
            await guard.aclose()

    asyncio.run(serve())
