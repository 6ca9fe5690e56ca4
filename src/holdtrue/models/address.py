"""The address of a server: what is called, what is shown of it, and the secrets that it holds."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from urllib.parse import parse_qsl, unquote, urlsplit

from holdtrue.errors import SettingsError

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
