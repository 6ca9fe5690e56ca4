"""An HTTP request and the answer to it, of which a part may have gone out already."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from holdtrue.serve.upstream import Headers

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send


PIECE = 64 * 1024
"""The most bytes of an answer that are sent at a time. The next ones wait until the caller has read enough."""
READ_S = 60.0
"""Seconds in which a caller has to read a piece."""


class SlowReader(Exception):
    """The caller does not read the answer, or has gone."""


class Exchange:
    """An `Exchange` is a request of an ASGI server with the answer to it."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        from starlette.requests import Request

        self.request = Request(scope, receive)
        self._receive, self._send = receive, send
        self.status = 0
        """The status of the answer, or 0 before it has begun."""

    @property
    def has_begun(self) -> bool:
        """Return whether the status and the headers have gone out."""
        return self.status > 0

    async def gone(self) -> None:
        """Wait until the caller has gone. The body of the request was read before."""
        while (await self._receive())["type"] != "http.disconnect":
            pass

    async def begin(self, status: int, headers: Headers) -> None:
        """Send the status and the headers, unless they have gone out."""
        if not self.has_begun:
            self.status = status
            await self._send({"type": "http.response.start", "status": status, "headers": _raw(headers)})

    async def write(self, body: bytes) -> None:
        """Send a part of the body."""
        await self._send({"type": "http.response.body", "body": body, "more_body": True})

    async def end(self, body: bytes) -> None:
        """Send the last part of the body. Raises `SlowReader`."""
        for start in range(0, max(1, len(body)), PIECE):
            end = start + PIECE
            message = {"type": "http.response.body", "body": body[start:end], "more_body": end < len(body)}
            try:
                async with asyncio.timeout(READ_S):
                    await self._send(message)
            except TimeoutError:
                raise SlowReader from None

    async def answer(self, status: int, headers: Headers, body: bytes) -> None:
        """Send a whole answer, or the rest of one that has begun."""
        await self.begin(status, (*headers, ("content-length", str(len(body)))))
        await self.end(body)


def _raw(headers: Headers) -> list[tuple[bytes, bytes]]:
    return [(name.lower().encode(), value.encode("utf-8", "surrogateescape")) for name, value in headers]


def endpoint(answer: Any) -> Any:
    """Return the ASGI app of a route whose requests `answer` gets as exchanges."""

    class Endpoint:
        async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
            await answer(Exchange(scope, receive, send))

    return Endpoint()
