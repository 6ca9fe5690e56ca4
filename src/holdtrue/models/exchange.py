"""One request to a server and its answer: bounded by the clock and in size, whatever trickles or floods in.

The address of a server has secrets; what is shown of it has none.
"""

from __future__ import annotations

import asyncio
import base64
import zlib
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, unquote, urljoin, urlsplit, urlunsplit

from holdtrue.errors import SettingsError
from holdtrue.models.retry_policy import Fault, FaultKind

if TYPE_CHECKING:
    from ssl import SSLContext

    from httpx2 import AsyncClient, Response

MOST_BYTES = 8 * 2**20
"""The longest body of an answer, unpacked; a reply of 100,000 tokens has half a megabyte."""

_MOST_REDIRECTS = 5
# Those that ask for the same request elsewhere. Clients turn some of them into a GET, which no chat server knows.
_REDIRECTS = (301, 302, 307, 308)
# What is unpacked at a time.
_BLOCK = 64 * 1024
# zlib reads gzip and zlib alike by its header.
_EITHER_HEADER = 32 + zlib.MAX_WBITS


@dataclass(frozen=True, slots=True)
class Answered:
    """An `Answered` is what a server answered, whatever the status; names of headers in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class Call:
    """A `Call` is what is sent: the URL without a query, the query, headers, and the body."""

    url: str
    query: str
    headers: Mapping[str, str]
    body: bytes


def open_client() -> AsyncClient:
    """Return a client for `exchange`: it waits for nothing by itself, and follows no redirect."""
    import httpx2

    with suppress(ImportError):  # or the first call would load it, and take that much longer
        import_module("anyio._backends._asyncio")
    limits = httpx2.Limits(max_connections=None, max_keepalive_connections=100)
    return httpx2.AsyncClient(verify=_trusted(), timeout=None, limits=limits, follow_redirects=False)


@cache
def _trusted() -> SSLContext:
    """Whom clients trust, loaded once: reading the certificates takes 30 ms, in which the event loop stands still."""
    import httpx2

    return httpx2.create_ssl_context()


async def exchange(
    client: AsyncClient, call: Call, *, timeout_s: float, connect_s: float, most_bytes: int = MOST_BYTES
) -> Answered:
    """Return the answer to one POST.

    `timeout_s` bounds all of it by the clock: the connection, redirects, headers and the last byte of the body.
    `connect_s` bounds making the connection. Redirects are followed where they stay on the same server; to another one
    goes neither the key nor what was asked. Raises `Fault`.
    """
    import httpx2

    try:
        async with asyncio.timeout(timeout_s):
            return await _follow(client, call, connect_s, most_bytes)
    except TimeoutError:
        raise Fault(FaultKind.CONNECTION, f"timed out: no whole answer within {timeout_s:.3g} s") from None
    except httpx2.ConnectTimeout:
        raise NoConnection(f"no connection within {connect_s:.3g} s") from None
    except (httpx2.ConnectError, httpx2.ProxyError) as error:
        raise NoConnection(f"no connection: {error}") from None
    except httpx2.HTTPError as error:
        raise Fault(FaultKind.CONNECTION, f"the connection failed: {str(error) or type(error).__name__}") from None
    except httpx2.InvalidURL as error:
        raise Fault(FaultKind.REFUSED, f"the address cannot be called: {error}") from None


class NoConnection(Fault):
    """Nobody answers at the address at all."""

    def __init__(self, said: str) -> None:
        super().__init__(FaultKind.CONNECTION, said)


async def _follow(client: AsyncClient, call: Call, connect_s: float, most_bytes: int) -> Answered:
    url, query = call.url, call.query
    for _ in range(_MOST_REDIRECTS + 1):
        answered, location = await _post(client, url, query, call, connect_s, most_bytes)
        if location is None:
            return answered
        try:
            target = urljoin(url, location)
            parts = urlsplit(target)
        except ValueError:
            raise Fault(FaultKind.REFUSED, "the server redirects to what is no address") from None
        if not same_server(url, target):
            raise Fault(
                FaultKind.REFUSED,
                f"the server redirects to {parts.scheme}://{parts.hostname}, to which neither the key nor the request "
                "is sent; if that is meant, give its address as the base URL",
            )
        url, query = urlunsplit(parts._replace(query="", fragment="")), parts.query or query
    raise Fault(FaultKind.REFUSED, f"the server redirects more than {_MOST_REDIRECTS} times")


async def _post(
    client: AsyncClient, url: str, query: str, call: Call, connect_s: float, most_bytes: int
) -> tuple[Answered, str | None]:
    """The answer, and where it redirects to."""
    import httpx2

    request = client.build_request(
        "POST", url, content=call.body, headers=dict(call.headers), timeout=httpx2.Timeout(None, connect=connect_s)
    )
    if query:
        # Set apart from the URL, so that the client's own log does not show it.
        request.extensions["target"] = f"{request.url.raw_path.decode()}?{query}".encode()
    response = await client.send(request, stream=True)
    try:
        headers = {name.lower(): value for name, value in response.headers.items()}
        location = headers.get("location")
        if response.status_code in _REDIRECTS and location is not None:
            return Answered(response.status_code, headers, b""), location
        return Answered(response.status_code, headers, await _read(response, headers, most_bytes)), None
    finally:
        await response.aclose()


async def _read(response: Response, headers: Mapping[str, str], most_bytes: int) -> bytes:
    """The whole body, unpacked; a body that is too large is not read to its end."""
    length = headers.get("content-length", "")
    packed = headers.get("content-encoding", "identity").strip().lower()
    if packed not in ("identity", "", "none", "gzip", "x-gzip", "deflate"):
        raise Fault(FaultKind.GARBLED, f"the answer is packed by {packed!r}, which was not asked for")
    if length.isascii() and length.isdigit() and len(length) < 20 and int(length) > most_bytes:
        raise _too_large(most_bytes)
    blocks = response.aiter_raw(_BLOCK)
    body = bytearray()
    async for block in blocks if packed in ("identity", "", "none") else _unpacked(blocks):
        body += block
        if len(body) > most_bytes:
            raise _too_large(most_bytes)
    return bytes(body)


async def _unpacked(blocks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Yield what the blocks hold, a little at a time, so that a small body cannot become a huge one at once."""
    unpacker = zlib.decompressobj(_EITHER_HEADER)
    whole = True
    async for block in blocks:
        left = block
        while left:
            try:
                made = unpacker.decompress(left, _BLOCK)
            except zlib.error:
                raise Fault(FaultKind.GARBLED, "the answer cannot be unpacked") from None
            yield made
            left = unpacker.unconsumed_tail
            whole = unpacker.eof
            if whole:
                left = unpacker.unused_data
                unpacker = zlib.decompressobj(_EITHER_HEADER)
            # Gives the loop a turn: a block unpacks to a thousand.
            await asyncio.sleep(0)
    if not whole:
        raise Fault(FaultKind.CONNECTION, "the answer ends in the middle of what is packed")


def _too_large(most_bytes: int) -> Fault:
    return Fault(
        FaultKind.REQUEST, f"the answer is larger than {most_bytes / 2**20:.3g} MB, and was not read to its end"
    )


_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Address:
    """An `Address` is a base URL taken apart.

    `public_url` has neither user and password nor a query; `secrets` are what these hold. `basic`: user and
    password as HTTP's Basic authorization, None where there are none.
    """

    public_url: str
    query: str
    basic: str | None
    secrets: tuple[str, ...]

    def endpoint(self, path: str) -> tuple[str, str]:
        """Return the URL of `path` below the base, and the query to send with it, which is never shown."""
        return f"{self.public_url.rstrip('/')}{path}", self.query


def read_address(url: str) -> Address:
    """Return the address; raises `SettingsError`, without the secrets of `url`, where that is no http address."""
    url = url.strip()
    try:
        parts = urlsplit(url)
        port = parts.port
        host = parts.hostname
    except ValueError as error:
        # Not in its own words: the text in which the fault was found may hold a password.
        fault = "port is no number from 0 to 65535" if "port" in str(error).lower() else "host is malformed"
        raise SettingsError(f"the base URL cannot be read: its {fault}") from None
    if parts.scheme not in _PORTS or not host:
        raise SettingsError("the base URL is no address of a server: http:// or https:// and a host have to begin it")
    if any(character.isspace() or not character.isprintable() for character in url):
        raise SettingsError("the base URL holds a space or a character that is not shown")
    place = f"[{host}]" if ":" in host else host
    public_url = f"{parts.scheme}://{place}{'' if port is None else f':{port}'}{parts.path}"
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    basic = None if parts.username is None else base64.b64encode(f"{user}:{password}".encode()).decode()
    found = [value for _, value in parse_qsl(parts.query)]
    if basic is not None:
        # A user without a password is a token.
        found += [password or user, f"{user}:{password}", basic]
    return Address(public_url, parts.query, basic, tuple(dict.fromkeys(filter(None, found))))


def same_server(one: str, other: str) -> bool:
    """Return whether a request to `one` may go to `other`: the same host and port, or the same host by https."""
    first, second = urlsplit(one), urlsplit(other)
    try:
        ports = [parts.port or _PORTS.get(parts.scheme) for parts in (first, second)]
    except ValueError:
        return False
    if first.hostname != second.hostname or second.scheme not in _PORTS:
        return False
    upgraded = first.scheme == "http" and second.scheme == "https" and ports == [80, 443]
    return upgraded or (first.scheme == second.scheme and ports[0] == ports[1])
