"""Ask the upstream, the server of the model, and read its answer whole."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from holdtrue.errors import HoldtrueError, InputError, SettingsError
from holdtrue.guard.recorded_words import load_once

if TYPE_CHECKING:
    import aiohttp

_OF_ONE_CONNECTION = frozenset(
    "connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding "
    "upgrade content-length host accept-encoding content-encoding expect cookie".split()
)
"""Headers that are about one connection or one encoding of a body, so they do not go on."""
_OWN = "holdtrue-"
_KEYS = ("authorization", "x-api-key", "api-key")
Headers = tuple[tuple[str, str], ...]
Begun = Callable[[Headers], None]


class UpstreamFault(HoldtrueError):
    """The upstream gave no answer that can be read. `status` is the HTTP status for the caller."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True, slots=True)
class UpstreamAnswer:
    """An `UpstreamAnswer` is an HTTP answer that was read whole: its status, headers and body."""

    status: int
    headers: Headers
    body: bytes

    @property
    def is_stream(self) -> bool:
        """Return whether the body is a stream of server-sent events."""
        return self.header("content-type").partition(";")[0].strip().lower() == "text/event-stream"

    def header(self, name: str) -> str:
        """Return the first header of a name, or ""."""
        return next((value for own, value in self.headers if own.lower() == name), "")

    def json(self) -> dict[str, Any]:
        """Return the body as an object. Raises `InputError` if it is none, or names a key twice."""
        try:
            found = load_once(self.body, "the answer")
        except (ValueError, RecursionError) as error:
            raise InputError(f"the upstream gave an answer that is no JSON: {error}") from error
        if not isinstance(found, dict):
            raise InputError("the upstream gave an answer that is no JSON object")
        return found

    def events(self) -> list[dict[str, Any]]:
        """Return the events of a stream. Raises `InputError` for data that is no JSON object."""
        return [*_events(self.body)]


def _events(body: bytes) -> Iterable[dict[str, Any]]:
    text = body.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    for block in text.split(b"\n\n"):
        lines = [own[5:].removeprefix(b" ") for own in block.split(b"\n") if own.startswith(b"data:")]
        data = b"\n".join(lines)
        if not lines or data.strip() == b"[DONE]":
            continue
        try:
            found = load_once(data, "an event")
        except (ValueError, RecursionError) as error:
            raise InputError(f"the upstream gave an event that is no JSON: {error}") from error
        if not isinstance(found, dict):
            raise InputError("the upstream gave an event that is no JSON object")
        yield found


class Upstream:
    """An `Upstream` sends requests to one server.

    Args:
        url: Its address, such as `https://api.openai.com`. A `/v1` at the end makes no difference.
        key: The key that replaces those of callers, or None to pass on the callers' keys.
        timeout_s: The time limit for one answer.
        most_bytes: The size limit of one answer.
    """

    def __init__(self, url: str, key: str | None, timeout_s: float, most_bytes: int) -> None:
        if not url.startswith(("http://", "https://")):
            raise SettingsError(f"--upstream is an address such as https://HOST/v1, not {url!r:.80}")
        self.url = url.rstrip("/").removesuffix("/v1")
        self._key, self._timeout_s, self._most_bytes = key, timeout_s, most_bytes
        self._session: aiohttp.ClientSession | None = None

    @property
    def has_own_key(self) -> bool:
        """Return whether the upstream sees the key of this server, and not those of callers."""
        return self._key is not None

    async def send(
        self, method: str, path: str, headers: Headers, body: bytes | None, begun: Begun | None = None
    ) -> UpstreamAnswer:
        """Return the answer to a request. `begun` is called with the headers of a good answer when they come.

        Raises `UpstreamFault` if the server cannot be reached, is too slow, or leads to another address. Answers that
        are cut or too large raise it, too.
        """
        import aiohttp

        if self._session is None:
            # The callers' own limit bounds the number of connections.
            connector = aiohttp.TCPConnector(limit=0, keepalive_timeout=30)
            timeout = aiohttp.ClientTimeout(total=None, sock_connect=10)
            self._session = aiohttp.ClientSession(
                connector=connector, timeout=timeout, cookie_jar=aiohttp.DummyCookieJar()
            )
        try:
            async with asyncio.timeout(self._timeout_s):
                request = self._session.request(
                    method, self.url + path, headers=headers, data=body, allow_redirects=False
                )
                async with request as answer:
                    if 300 <= answer.status < 400 and answer.status != 304:
                        # A caller would follow it around the guard.
                        raise UpstreamFault(502, "the upstream leads to another address; give that one as --upstream")
                    if begun is not None and answer.status < 300:
                        begun(_passed_back(answer.headers))
                    found = bytearray()
                    async for part in answer.content.iter_any():
                        found += part
                        if len(found) > self._most_bytes:
                            raise UpstreamFault(502, f"the upstream's answer has more than {self._most_bytes:,} bytes")
                    return UpstreamAnswer(answer.status, _passed_back(answer.headers), bytes(found))
        except TimeoutError:
            raise UpstreamFault(504, f"the upstream gave no answer within {self._timeout_s:g} seconds") from None
        except aiohttp.ClientConnectorError as error:
            raise UpstreamFault(
                502, f"the upstream cannot be reached: {error.strerror or type(error).__name__}"
            ) from None
        except aiohttp.ClientError as error:
            raise UpstreamFault(502, f"the upstream's answer was cut: {type(error).__name__}") from None

    def headers(self, given: Iterable[tuple[bytes, bytes]], *, has_key: bool, own: Iterable[str] = ()) -> Headers:
        """Return a caller's headers for the upstream. If `has_key`, its key is one of this server and stays here.

        Headers with the names in `own` are for this server, too.
        """
        dropped = {*map(str.lower, own), *(_KEYS if has_key or self._key is not None else ())}
        read = [(name.decode("latin-1"), value.decode("utf-8", "replace")) for name, value in given]
        passed = _going_on(read, dropped)
        if self._key is not None:
            # OpenAI and Anthropic look for a key in different headers.
            passed += [("authorization", f"Bearer {self._key}"), ("x-api-key", self._key)]
        return (*passed,)

    async def aclose(self) -> None:
        """Close the connections."""
        if self._session is not None:
            await self._session.close()


def _passed_back(headers: Mapping[str, str]) -> Headers:
    return tuple(_going_on(headers.items(), {"set-cookie"}))


def _going_on(headers: Iterable[tuple[str, str]], dropped: Container[str]) -> list[tuple[str, str]]:
    """Return the headers that are about no single connection, and for nobody but the two ends."""
    found = [*headers]
    named = {own.strip().lower() for name, value in found if name.lower() == "connection" for own in value.split(",")}
    return [
        (name, value)
        for name, value in found
        if (own := name.lower()) not in _OF_ONE_CONNECTION
        and own not in named
        and own not in dropped
        and not own.startswith(_OWN)
    ]
