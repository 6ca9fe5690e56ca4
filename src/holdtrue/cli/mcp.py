"""The command `holdtrue mcp`: serve the ledger and the decisions of a guard as tools."""

from __future__ import annotations

import asyncio

from holdtrue.cli.guard_options import Mode, PolicyFile, Reader, StoreName, open_guard
from holdtrue.cli.model_options import BaseUrl


def mcp(
    policy: PolicyFile, store: StoreName = None, mode: Mode = "enforce", model: Reader = None, base_url: BaseUrl = None
) -> None:
    """Serve a guard over MCP on standard input and output.

    Its tools check calls, hear messages, see results, list requests, promises and obligations, and explain decisions.

    Exit code: 2 for wrong options or an unusable policy, and 0 otherwise.
    """
    from holdtrue.serve.mcp_tools import guard_server

    guard = open_guard(policy, store, mode, model, base_url)

    async def serve() -> None:
        try:
            await guard_server(guard).run_stdio_async()
        finally:
            await guard.aclose()

    asyncio.run(serve())
