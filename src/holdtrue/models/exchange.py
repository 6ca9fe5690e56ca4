"""Send one request to a server and read its answer, within limits of time and size. Never show an address's secrets."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, unquote, urlsplit

from holdtrue.errors import SettingsError
from holdtrue.models.retry_policy import Fault, FaultKind

if TYPE_CHECKING:
    from ssl import SSLContext

    from httpx2 import AsyncClient, Response

MOST_BYTES = 8 * 2**20
"""The longest body of an answer, unpacked. A reply of 100,000 tokens has half a megabyte."""


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer of a server with any status. Names of headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class Call:
    """The request to send: the URL without a query, the query, headers, and the body."""

    url: str
    query: str
    headers: Mapping[str, str]
    body: bytes


def open_client() -> AsyncClient:
    """Return a client for `exchange`. It has no timeouts of its own, and follows no redirect."""
    import httpx2

    with suppress(ImportError):  # loaded now, so that the first call is not slower
        import_module("anyio._backends._asyncio")
    limits = httpx2.Limits(max_connections=None, max_keepalive_connections=100)
    return httpx2.AsyncClient(verify=_trusted(), timeout=None, limits=limits, follow_redirects=False)


@cache
def _trusted() -> SSLContext:
    """Return the trusted certificates, which are loaded once. Reading them blocks the event loop for 30 ms."""
    import httpx2

    return httpx2.create_ssl_context()


async def exchange(
    client: AsyncClient, call: Call, *, timeout_s: float, connect_s: float, most_bytes: int = MOST_BYTES
) -> Answered:
    """Return the answer to one POST.

    `timeout_s` limits the wall-clock time from connecting to the last byte of the body. `connect_s` limits connecting.
    No redirect is followed, so neither the key nor the request goes elsewhere. Raises `Fault`.
    """
    import httpx2

    try:
        async with asyncio.timeout(timeout_s):
            return await _post(client, call, connect_s, most_bytes)
    except TimeoutError:
        raise Fault(FaultKind.LATE, f"timed out: no whole answer within {timeout_s:.3g} s") from None
    except httpx2.ConnectTimeout:
        raise NoConnection(f"no connection within {connect_s:.3g} s") from None
    except (httpx2.ConnectError, httpx2.ProxyError) as error:
        raise NoConnection(f"no connection: {error}") from None
    except httpx2.DecodingError:
        raise Fault(FaultKind.GARBLED, "the answer cannot be unpacked") from None
    except httpx2.HTTPError as error:
        raise Fault(FaultKind.CONNECTION, f"the connection failed: {str(error) or type(error).__name__}") from None
    except httpx2.InvalidURL as error:
        raise Fault(FaultKind.REFUSED, f"the address cannot be called: {error}") from None


class NoConnection(Fault):
    """No server answers at the address."""

    def __init__(self, said: str) -> None:
        super().__init__(FaultKind.CONNECTION, said)


async def _post(client: AsyncClient, call: Call, connect_s: float, most_bytes: int) -> Answered:
    import httpx2

    request = client.build_request(
        "POST", call.url, content=call.body, headers=dict(call.headers), timeout=httpx2.Timeout(None, connect=connect_s)
    )
    if call.query:
        # The query is set separately, so that the client's log does not show it.
        request.extensions["target"] = f"{request.url.raw_path.decode()}?{call.query}".encode()
    response = await client.send(request, stream=True)
    try:
        if response.is_redirect:
            raise Fault(FaultKind.REFUSED, "the server redirects; give the address to which it does as the base URL")
        headers = {name.lower(): value for name, value in response.headers.items()}
        return Answered(response.status_code, headers, await _read(response, headers, most_bytes))
    finally:
        await response.aclose()


async def _read(response: Response, headers: Mapping[str, str], most_bytes: int) -> bytes:
    """Return the whole unpacked body. Reading stops if the body is too large."""
    packed = headers.get("content-encoding", "identity").strip().lower()
    if packed not in ("identity", "", "none", "gzip", "deflate"):
        raise Fault(FaultKind.GARBLED, f"the answer is packed by {packed!r}, which was not asked for")
    length = headers.get("content-length", "")
    if length.isascii() and length.isdigit() and len(length) < 20 and int(length) > most_bytes:
        raise _too_large(most_bytes)
    body = bytearray()
    async for block in response.aiter_bytes():
        body += block
        if len(body) > most_bytes:
            raise _too_large(most_bytes)
    return bytes(body)


def _too_large(most_bytes: int) -> Fault:
    return Fault(
        FaultKind.REQUEST, f"the answer is larger than {most_bytes / 2**20:.3g} MB, and was not read to its end"
    )


@dataclass(frozen=True, slots=True)
class Address:
    """The parts of a base URL.

    `public_url` has no user, password or query, and `secrets` are the values of these. `basic` is user and password as
    HTTP Basic authorization, or None if there are none.
    """

    public_url: str
    query: str
    basic: str | None
    secrets: tuple[str, ...]

    def endpoint(self, path: str) -> tuple[str, str]:
        """Return the URL of `path` below the base, and the query to send with it, which is never shown."""
        return f"{self.public_url.rstrip('/')}{path}", self.query


def read_address(url: str) -> Address:
    """Return the parts of an http address. Raises `SettingsError`, without secrets of `url`, for any other text."""
    url = url.strip()
    try:
        parts = urlsplit(url)
        port = parts.port
        host = parts.hostname
    except ValueError as error:
        # The original message may quote a password.
        fault = "port is no number from 0 to 65535" if "port" in str(error).lower() else "host is malformed"
        raise SettingsError(f"the base URL cannot be read: its {fault}") from None
    if parts.scheme not in ("http", "https") or not host:
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
