"""A chat server on this machine that misbehaves in every way on request.

It writes HTTP by hand to a raw socket, so that it can also break it. It has a separate event loop and thread, so that
it cannot block the caller's loop. A mode is a function that handles each request.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

KEY = "sk-test-Zq9vL2mWx7Tn4Rb8Yc1Dk6Hs3"
"""The key with which the server is asked, and which some modes repeat."""


@dataclass(slots=True)
class Turn:
    """One request: its number on this server, its head and body, and the stream to write to."""

    number: int
    head: str
    body: dict[str, Any]
    writer: asyncio.StreamWriter

    async def send(self, *pieces: bytes, wait_s: float = 0.0) -> None:
        for piece in pieces:
            self.writer.write(piece)
            await self.writer.drain()
            if wait_s:
                await asyncio.sleep(wait_s)


Mode = Callable[[Turn], Awaitable[None]]


@dataclass(slots=True)
class Fake:
    """The running server: its base URL, and the bodies and heads of all requests so far."""

    url: str
    bodies: list[dict[str, Any]] = field(default_factory=list)
    heads: list[str] = field(default_factory=list)


@contextmanager
def serving(mode: Mode) -> Iterator[Fake]:
    """Serve on a free port of the loopback address, in a separate thread."""
    loop = asyncio.new_event_loop()
    fake = Fake("")
    ready = threading.Event()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
                while not writer.is_closing():
                    await respond(reader, writer)
        finally:
            writer.transport.abort()

    async def respond(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        lengths = [line.partition(":")[2] for line in head.lower().split("\r\n") if "content-length:" in line]
        body = json.loads(await reader.readexactly(int(lengths[0]))) if lengths else {}
        fake.heads.append(head)
        fake.bodies.append(body)
        await mode(Turn(len(fake.bodies) - 1, head, body, writer))

    async def run(stop: asyncio.Event) -> None:
        server = await asyncio.start_server(connected, "127.0.0.1", 0)
        fake.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
        ready.set()
        await stop.wait()
        server.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await server.wait_closed()
        await asyncio.sleep(0)  # transports close their sockets in the loop's next turn

    stop = asyncio.Event()
    thread = threading.Thread(target=lambda: loop.run_until_complete(run(stop)))
    thread.start()
    ready.wait()
    try:
        yield fake
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
        loop.close()
