"""Serve the gateway over streamable HTTP: with sessions, each with a server of its own, and without sessions."""

from __future__ import annotations

import logging
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any
from uuid import uuid4

import anyio
import uvicorn
from anyio.abc import TaskGroup, TaskStatus
from mcp.server import Server
from mcp.server.streamable_http import StreamableHTTPServerTransport
from mcp.server.streamable_http_manager import DEFAULT_SESSION_IDLE_TIMEOUT, StreamableHTTPSessionManager
from mcp.server.transport_security import (
    DEFAULT_MAX_REQUEST_BODY_SIZE,
    RequestBodyLimitMiddleware,
    TransportSecuritySettings,
)
from mcp.shared.jsonrpc_dispatcher import JSONRPCDispatcher
from mcp.shared.message import ServerMessageMetadata
from mcp.types.jsonrpc import JSONRPCNotification
from mcp.types.version import HANDSHAKE_PROTOCOL_VERSIONS
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import Message, Receive, Scope, Send

from holdtrue.errors import InfrastructureError
from holdtrue.serve.mcp_calls import GuardedCalls
from holdtrue.serve.mcp_relay import OpenServer, Params, Relay, relay

_log = logging.getLogger(__name__)
PATH = "/mcp"
_LEAVE_S = 2
"""The seconds that open connections have at the end."""
_LOCAL = TransportSecuritySettings(
    enable_dns_rebinding_protection=True,
    allowed_hosts=["127.0.0.1:*", "localhost:*"],
    allowed_origins=["http://127.0.0.1:*", "http://localhost:*"],
)


class _Exchange:
    """One request without a session. Its server can notify the client meanwhile, and ask by the result only."""

    can_send_request = False

    def __init__(self, context: Any) -> None:
        self._session, self.request_id = context.session, context.request_id
        self.message_metadata = ServerMessageMetadata(request_context=context.request)
        self.progress = context.session.report_progress

    async def notify(self, method: str, params: Params) -> None:
        told: Any = JSONRPCNotification(jsonrpc="2.0", method=method, params=None if params is None else dict(params))
        await self._session.send_notification(told, related_request_id=self.request_id)


class HttpGateway:
    """An `HttpGateway` is the ASGI app of a gateway, to be entered with `async with gateway.running()`."""

    def __init__(self, calls: Callable[[], GuardedCalls], open_server: OpenServer) -> None:
        self._calls, self._open_server = calls, open_server
        self._sessions: dict[str, StreamableHTTPServerTransport] = {}
        self._tasks: TaskGroup | None = None
        self._shared: Relay | None = None
        self._opening = anyio.Lock()
        server: Server[Any] = Server("holdtrue")
        server.middleware.append(self._exchange)
        self._exchanges = StreamableHTTPSessionManager(server, security_settings=_LOCAL)
        self._app = RequestBodyLimitMiddleware(self._handle, DEFAULT_MAX_REQUEST_BODY_SIZE)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Keep sessions and servers open during the block."""
        async with self._exchanges.run(), anyio.create_task_group() as self._tasks:
            yield
            self._tasks.cancel_scope.cancel()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"] == PATH:
            await self._app(scope, receive, send)
        else:
            await PlainTextResponse(f"the server is at {PATH}", 404)(scope, receive, send)

    async def _handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        if headers.get("mcp-protocol-version", HANDSHAKE_PROTOCOL_VERSIONS[0]) not in HANDSHAKE_PROTOCOL_VERSIONS:
            return await self._exchanges.handle_request(scope, receive, send)
        id = headers.get("mcp-session-id")
        if id is None and scope["method"] == "POST":
            return await self._open_session(scope, receive, send)
        transport = self._sessions.get(id or "")
        if transport is None:
            return await PlainTextResponse("there is no such session", 404)(scope, receive, send)
        return await transport.handle_request(scope, receive, send)

    async def _open_session(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Begin a session by its first request, and end it again if that is refused."""
        id, status = uuid4().hex, list[int]()
        transport = StreamableHTTPServerTransport(
            id, security_settings=_LOCAL, idle_timeout=DEFAULT_SESSION_IDLE_TIMEOUT
        )

        async def watched(message: Message) -> None:
            status.append(int(message.get("status", 0)))
            await send(message)

        assert self._tasks is not None
        await self._tasks.start(self._serve_session, id, transport)
        try:
            await transport.handle_request(scope, receive, watched)
        finally:
            if not status or status[0] >= 400:
                with anyio.CancelScope(shield=True):
                    await transport.terminate()

    async def _serve_session(
        self, id: str, transport: StreamableHTTPServerTransport, *, task_status: TaskStatus[None]
    ) -> None:
        try:
            async with transport.connect() as streams:
                self._sessions[id] = transport
                task_status.started()
                with transport.idle_scope or anyio.CancelScope():
                    await relay(self._calls(), streams, self._open_server)
        except Exception:  # noqa: BLE001  one session's error ends no other session
            _log.exception("a session ended by an error")
        finally:
            self._sessions.pop(id, None)
            with anyio.CancelScope(shield=True):
                await transport.terminate()

    async def _exchange(self, ctx: Any, call_next: Any) -> Any:
        """Answer a request without a session. All of them share one server, which is started for the first."""
        if ctx.request_id is None:
            return None
        async with self._opening:
            assert self._tasks is not None
            shared = self._shared or await self._tasks.start(self._serve_exchanges)
        return await shared.from_client(_Exchange(ctx), ctx.method, ctx.params)

    async def _serve_exchanges(self, *, task_status: TaskStatus[Relay]) -> None:
        try:
            async with self._open_server() as streams, anyio.create_task_group() as tasks:
                server = JSONRPCDispatcher(*streams)
                self._shared = shared = Relay(self._calls(), server)
                await tasks.start(server.run, shared.from_server, shared.told_by_server)
                task_status.started(shared)
        except Exception:
            if self._shared is None:
                raise  # The first request tells its client.
            _log.exception("the server of requests without sessions ended by an error")
        finally:
            self._shared = None


async def serve_http(gateway: HttpGateway, port: int, say: Callable[[str], None]) -> None:
    """Serve a gateway on this machine until the process is told to end, and `say` the address.

    Port 0 lets the system choose one. Raises `InfrastructureError` if the port cannot be used.
    """
    try:
        listening = socket.create_server(("127.0.0.1", port))
    except OSError as error:
        raise InfrastructureError(f"port {port} cannot be used: {error.strerror}") from error
    say(f"http://127.0.0.1:{listening.getsockname()[1]}{PATH}")
    config = uvicorn.Config(gateway, log_level="warning", lifespan="off", timeout_graceful_shutdown=_LEAVE_S)
    async with gateway.running():
        await uvicorn.Server(config).serve(sockets=[listening])
