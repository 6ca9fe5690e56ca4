"""Relay everything between an MCP client and an MCP server unchanged, except for the calls of tools."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from functools import partial
from typing import Any
from uuid import uuid4

import anyio
from mcp.shared.dispatcher import CallOptions, Outbound
from mcp.shared.exceptions import MCPError, NoBackChannelError
from mcp.shared.inbound import (
    MCP_METHOD_HEADER,
    MCP_NAME_HEADER,
    MCP_PARAM_HEADER_PREFIX,
    MCP_PROTOCOL_VERSION_HEADER,
    NAME_BEARING_METHODS,
    encode_header_value,
)
from mcp.shared.jsonrpc_dispatcher import JSONRPCDispatcher, progress_token_from_params
from mcp.types import CLIENT_CAPABILITIES_META_KEY, CONNECTION_CLOSED, PROTOCOL_VERSION_META_KEY

from holdtrue.serve.mcp_calls import Caller, GuardedCalls
from holdtrue.serve.mcp_naming import CONVERSATION_HEADER, TENANT_HEADER

Streams = tuple[Any, Any]
"""The stream of messages that one side sends, and the stream of messages to it."""
OpenServer = Callable[[], AbstractAsyncContextManager[Streams]]
"""A function that starts or connects to the server, and gives the streams of its messages."""
Params = Mapping[str, Any] | None
_CORRELATED = ("notifications/cancelled", "notifications/progress")
"""Notifications about one request. The dispatchers relay them, because each side has its own ids of requests."""
_SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"
_LAST_ANSWERS_S = 0.3
"""The seconds in which the last answers go out after the server has ended."""


def _meta(params: Params) -> Mapping[str, Any]:
    found = (params or {}).get("_meta")
    return found if isinstance(found, Mapping) else {}


class Relay:
    """A `Relay` passes requests and notifications on, in both directions.

    Args:
        calls: Decides on the calls of tools.
        server: The connection to the server.
        client: The connection to the client, or None if every request of the client stands alone.
    """

    def __init__(self, calls: GuardedCalls, server: Outbound, client: Outbound | None = None) -> None:
        self._calls, self._server, self._client = calls, server, client
        self._running: dict[int, Any] = {}
        self._subscriptions: dict[str, Any] = {}
        self._capabilities: Mapping[str, Any] = {}
        self._version = ""

    async def from_client(self, context: Any, method: str, params: Params) -> dict[str, Any]:
        """Answer a request of the client. `context` is its `DispatchContext`."""
        self._running[id(context)] = context
        forward = partial(self._to_server, context, method)
        try:
            if method == "tools/call":
                return await self._calls.answer(params or {}, self._caller(context, params), forward)
            if method == "initialize":
                self._capabilities = (params or {}).get("capabilities") or {}
            return await forward(params)
        except MCPError as error:
            if error.code != CONNECTION_CLOSED:
                raise
            raise MCPError(CONNECTION_CLOSED, f"the MCP server ended before it answered {method}") from error
        finally:
            del self._running[id(context)]
            self._subscriptions = {key: own for key, own in self._subscriptions.items() if own is not context}

    async def from_server(self, context: Any, method: str, params: Params) -> dict[str, Any]:
        """Answer a request of the server, such as for a sample, by asking the client."""
        client: Outbound | None = self._nearest()
        if client is None:
            raise NoBackChannelError(method)
        return await client.send_raw_request(method, params, _progress(context, params))

    async def told_by_client(self, _context: Any, method: str, params: Params) -> None:
        """Pass a notification of the client on. A call without an id is none, and goes nowhere."""
        if method.startswith("notifications/") and method not in _CORRELATED:
            await self._server.notify(method, params, {"headers": self._headers(method, params)})

    async def told_by_server(self, _context: Any, method: str, params: Params) -> None:
        """Pass a notification of the server on: to its subscription, the only running request, or the client."""
        if method in _CORRELATED:
            return
        meta, client = _meta(params), self._nearest()
        subscribed = self._subscriptions.get(str(meta.get(_SUBSCRIPTION)))
        if subscribed is not None:
            client, params = subscribed, {**(params or {}), "_meta": {**meta, _SUBSCRIPTION: subscribed.request_id}}
        if client is not None:
            await client.notify(method, params)

    def _nearest(self) -> Any:
        """Return the only running request of the client, by which HTTP finds its way back, or its connection."""
        return next(iter(self._running.values())) if len(self._running) == 1 else self._client

    async def _to_server(self, context: Any, method: str, params: Params) -> dict[str, Any]:
        options = _progress(context, params)
        request = getattr(context.message_metadata, "request_context", None)
        given = {} if request is None else dict(request.headers)
        own = {key: each for key, each in given.items() if key.startswith(MCP_PARAM_HEADER_PREFIX.lower())}
        options["headers"] = {**own, **self._headers(method, params)}
        if method == "subscriptions/listen":
            id = options["request_id"] = f"listen-{uuid4().hex}"
            self._subscriptions[id] = context
        result = await self._server.send_raw_request(method, params, options)
        if method == "initialize":
            self._version = str(result.get("protocolVersion", ""))
        return result

    def _headers(self, method: str, params: Params) -> dict[str, str]:
        """Return the headers of a message to a server behind HTTP, which repeat parts of it."""
        version = _meta(params).get(PROTOCOL_VERSION_META_KEY)
        if not isinstance(version, str):
            return {MCP_PROTOCOL_VERSION_HEADER: self._version} if self._version and method != "initialize" else {}
        name = (params or {}).get(NAME_BEARING_METHODS.get(method, ""))
        named = {MCP_NAME_HEADER: encode_header_value(name)} if isinstance(name, str) else {}
        return {MCP_PROTOCOL_VERSION_HEADER: version, MCP_METHOD_HEADER: method, **named}

    def _caller(self, context: Any, params: Params) -> Caller:
        meta, request = _meta(params), getattr(context.message_metadata, "request_context", None)
        names = (CONVERSATION_HEADER, TENANT_HEADER)
        named = [tuple(request.headers.getlist(own)) if request is not None else () for own in names]
        is_modern = PROTOCOL_VERSION_META_KEY in meta
        capabilities = meta.get(CLIENT_CAPABILITIES_META_KEY) if is_modern else self._capabilities
        form = capabilities.get("elicitation") if isinstance(capabilities, Mapping) else None
        can_ask = isinstance(form, Mapping) and (not form or "form" in form)
        reaches = can_ask and not is_modern and context.can_send_request
        ask = partial(context.send_raw_request, "elicitation/create") if reaches else None
        return Caller(named[0], named[1], is_modern, can_ask, ask)


def _progress(context: Any, params: Params) -> CallOptions:
    return {} if progress_token_from_params(params) is None else {"on_progress": context.progress}


async def relay(calls: GuardedCalls, client_streams: Streams, open_server: OpenServer) -> bool:
    """Relay one connection of a client to a server of its own, and return whether the server ended first."""
    has_ended = False
    async with open_server() as server_streams, anyio.create_task_group() as tasks:
        client, server = JSONRPCDispatcher(*client_streams), JSONRPCDispatcher(*server_streams)
        own = Relay(calls, server, client)

        async def run_server(*, task_status: anyio.abc.TaskStatus[None]) -> None:
            nonlocal has_ended
            await server.run(own.from_server, own.told_by_server, task_status=task_status)
            has_ended = True
            await anyio.sleep(_LAST_ANSWERS_S)
            tasks.cancel_scope.cancel()

        await tasks.start(run_server)
        await client.run(own.from_client, own.told_by_client)
        tasks.cancel_scope.cancel()
    return has_ended
