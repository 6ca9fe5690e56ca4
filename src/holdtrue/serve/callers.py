"""Admit the callers of a server: limits of their requests, their keys and their tenants."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from holdtrue.errors import InputError
from holdtrue.options import Option
from holdtrue.serve.api_keys import Keys, tenant_of

if TYPE_CHECKING:
    from starlette.requests import Request

_EVERY_TENANT = "*"
"""The tenant of a key that may speak for each tenant."""
KEY_HEADER = "holdtrue-key"
"""The header of a caller's key, if `Authorization` has the key of the upstream."""


class BadRequest(InputError):
    """A request is answered with an HTTP status in place of a decision."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True, slots=True)
class CallerSettings:
    """`CallerSettings` say how a request names its conversation and tenant, and how large and long it may be."""

    conversation_header: Annotated[str, Option("The header with the conversation's id.")] = "Holdtrue-Conversation"
    tenant_header: Annotated[str, Option("The header with the tenant.")] = "Holdtrue-Tenant"
    most_bytes: Annotated[int, Option("The size limit of a request.", least=1)] = 8 * 2**20
    most_memory: Annotated[int, Option("The size limit of all requests under way.", least=1)] = 256 * 2**20
    most_requests: Annotated[int, Option("Requests at a time; a further one gets status 429.", least=1)] = 256
    body_timeout_s: Annotated[float, Option("Seconds in which a caller has to send its request.", least=0.001)] = 30.0


class Admission:
    """An `Admission` counts the requests under way and their bytes, and turns away what is too much."""

    def __init__(self, settings: CallerSettings) -> None:
        self.settings = settings
        self.under_way = 0
        self._bytes = 0

    @contextmanager
    def admitted(self) -> Iterator[Body]:
        """Count a request while the block runs. Raises `BadRequest` if too many are under way."""
        if self.under_way >= self.settings.most_requests:
            raise BadRequest(429, "too many requests are under way; send it again later")
        self.under_way += 1
        body = Body(self)
        try:
            yield body
        finally:
            self.under_way -= 1
            self._bytes -= body.size

    def add(self, size: int) -> None:
        """Count bytes. Raises `BadRequest` if there are too many."""
        if self._bytes + size > self.settings.most_memory:
            raise BadRequest(429, "the requests under way are too large together; send it again later")
        self._bytes += size


class Body:
    """The body of a request that was admitted."""

    def __init__(self, admission: Admission) -> None:
        self._admission = admission
        self.size = 0

    async def read(self, request: Request) -> bytes:
        """Return the bytes of a request. Raises `BadRequest` for one that is too large, cut or too slow."""
        from starlette.requests import ClientDisconnect

        settings, found = self._admission.settings, bytearray()
        if {"content-length", "transfer-encoding"} <= {*request.headers.keys()}:
            # Two servers could see two ends of one request (RFC 9112, 6.1).
            raise BadRequest(400, "the request has both Content-Length and Transfer-Encoding")
        try:
            async with asyncio.timeout(settings.body_timeout_s):
                async for part in request.stream():
                    self._admission.add(len(part))
                    self.size += len(part)
                    found += part
                    if len(found) > settings.most_bytes:
                        raise BadRequest(413, f"body: it has more than {settings.most_bytes:,} bytes")
        except ClientDisconnect:
            raise BadRequest(400, "body: it was cut") from None
        except TimeoutError:
            raise BadRequest(408, f"body: it did not come within {settings.body_timeout_s:g} seconds") from None
        return bytes(found)


def check_json(headers: Mapping[str, str]) -> None:
    """Raise `BadRequest` for a body that is no JSON. Pages of other sites cannot send this type."""
    if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise BadRequest(415, "content-type: application/json is needed")


def bound_tenant(headers: Mapping[str, str], keys: Keys | None) -> str | None:
    """Return the tenant of the caller's key, or None without keys. Raises `BadRequest` for an unknown key."""
    if keys is None:
        return None
    scheme, _, token = headers.get("authorization", "").partition(" ")
    given = headers.get(KEY_HEADER) or headers.get("x-api-key") or (token.strip() if scheme.lower() == "bearer" else "")
    tenant = tenant_of(keys, given)
    if tenant is None:
        raise BadRequest(
            401, f"the key in {KEY_HEADER}, x-api-key or Authorization: Bearer is missing, unknown or weak"
        )
    return tenant


def named_tenant(named: Any, where: str, bound: str | None, *, is_needed: bool = False) -> str:
    """Return the tenant: the one that the key is `bound` to, or the one that is `named` in the place `where`.

    `bound` is None if the server has no keys; then "" is the tenant if none is named and none `is_needed`. Raises
    `InputError` if the key is bound to another tenant, or if it may speak for each tenant and none is named.
    """
    if named is not None and not isinstance(named, str):
        raise InputError(f"{where}: the tenant is a text, not {named!r:.60}")
    if bound in (None, _EVERY_TENANT):
        if not named and (bound or is_needed):
            raise InputError(f"nobody said which tenant this is: send it in {where}")
        return named or ""
    if named and named != bound:
        raise InputError(f"{where}: the key is not for the tenant {named!r:.60}")
    return str(bound)
