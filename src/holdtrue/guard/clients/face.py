"""A face of another object: what is guarded stands in it, what brings no calls is passed on, the rest is refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from holdtrue.errors import InputError

HARMLESS = frozenset(
    "models embeddings files images audio moderations uploads vector_stores fine_tuning videos webhooks completions "
    "api_key admin_api_key organization project webhook_secret websocket_base_url base_url timeout max_retries "
    "default_headers default_query auth_headers custom_auth platform_headers user_agent qs is_closed close".split()
)
"""The attributes of a client that can bring no call of a tool."""


class Face:
    """A `Face` has some of an object's attributes: guarded ones in place of its own, and those that are harmless.

    Whatever else there is might bring calls that nobody has decided on, so that it is refused by name.
    """

    def __init__(self, inner: Any, path: str, own: Mapping[str, Any], harmless: frozenset[str] = frozenset()) -> None:
        self._inner, self._path, self._own, self._harmless = inner, path, dict(own), harmless

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(f"{self._path} behind a guard has no attribute {name!r}")
        if name in self._own:
            return self._own[name]
        found = getattr(self._inner, name)
        if name in self._harmless:
            return found
        raise InputError(
            f"{self._path}.{name} is not guarded, so it is refused on a guarded client: it could bring calls that "
            "nobody has decided on. Use chat.completions.create or responses.create, also with stream=True; what needs "
            "no guard can be done with the client that was wrapped"
        )

    def __dir__(self) -> list[str]:
        return sorted((*object.__dir__(self), *self._own, *self._harmless))


class ClientFace(Face):
    """The face of a whole client, which may be used in a `with` block as the client may."""

    def __enter__(self) -> ClientFace:
        self._inner.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self._inner.__exit__(*error)

    async def __aenter__(self) -> ClientFace:
        await self._inner.__aenter__()
        return self

    async def __aexit__(self, *error: Any) -> None:
        await self._inner.__aexit__(*error)
