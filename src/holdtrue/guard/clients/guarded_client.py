"""A client of a model behind a guard. It is used like the client itself, and returns only allowed tool calls.

A `Face` replaces the guarded methods, passes on the harmless ones, and refuses all others. Streams are read whole, and
their events are written again from the answer that was decided on.
"""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from holdtrue.errors import InputError
from holdtrue.guard.clients.blocking import OnBlock, check_on_block
from holdtrue.guard.clients.client_shapes import METHODS, ClientShape, shape_of
from holdtrue.guard.clients.conversations import Conversations, current_of, current_tenant
from holdtrue.guard.clients.forms import plain
from holdtrue.guard.clients.guarded_turn import GuardedTurn
from holdtrue.guard.clients.request_checks import merged
from holdtrue.guard.conversation.guarded_conversation import GuardedConversation

_NAMES = ("conversation", "tenant")
"""The keys of a request's metadata that name its conversation."""
_NO_RESPONSE = SimpleNamespace(headers={}, request=SimpleNamespace(headers={}))
"""The response that a stream shows to the helpers of a client's library."""


class Face:
    """A `Face` offers some attributes of an object: the guarded replacements in `own`, and the `harmless` originals.

    Any other attribute could return calls that nobody has decided on, so it is refused by name.
    """

    def __init__(self, inner: Any, path: str, own: Mapping[str, Any], harmless: frozenset[str], use: str) -> None:
        self._inner, self._path, self._own, self._harmless, self._use = inner, path, dict(own), harmless, use

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(f"{self._path} behind a guard has no attribute {name!r}")
        if name in self._own:
            return self._own[name]
        found = getattr(self._inner, name)
        if name in self._harmless:
            is_part = hasattr(found, "with_raw_response")
            return Face(found, f"{self._path}.{name}", {}, METHODS, self._use) if is_part else found
        raise InputError(
            f"{self._path}.{name} is not guarded, so it is refused on a guarded client: it could bring calls that "
            f"nobody has decided on. Use {self._use}; what needs no guard can be done with the client that was wrapped"
        )

    def __dir__(self) -> list[str]:
        return sorted((*object.__dir__(self), *self._own, *self._harmless))

    def __enter__(self) -> Face:
        self._inner.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self._inner.__exit__(*error)

    async def __aenter__(self) -> Face:
        await self._inner.__aenter__()
        return self

    async def __aexit__(self, *error: Any) -> None:
        await self._inner.__aexit__(*error)


class EventStream:
    """An `EventStream` yields the events of an answer. It hides the server's response, which may have other calls."""

    response = _NO_RESPONSE

    def __init__(self, events: Iterator[Any]) -> None:
        self._events = events

    def __iter__(self) -> EventStream:
        return self

    def __next__(self) -> Any:
        return next(self._events)

    def __enter__(self) -> EventStream:
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()

    def close(self) -> None:
        """End the stream."""
        self._events = iter(())


class AsyncEventStream:
    """An `AsyncEventStream` is an `EventStream` for asynchronous code."""

    response = _NO_RESPONSE

    def __init__(self, events: Iterator[Any]) -> None:
        self._events = EventStream(events)

    def __aiter__(self) -> AsyncEventStream:
        return self

    async def __anext__(self) -> Any:
        for own in self._events:
            return own
        raise StopAsyncIteration

    async def __aenter__(self) -> AsyncEventStream:
        return self

    async def __aexit__(self, *error: Any) -> None:
        self._events.close()

    async def close(self) -> None:
        """End the stream."""
        self._events.close()


def guarded_client(
    guard: Conversations,
    client: Any,
    conversation: str | None,
    tenant: str,
    on_block: OnBlock,
    attempts: int,
    hold_claims: bool = False,
) -> Any:
    """Return a guarded client of a known library. Raises `InputError` for any other object."""
    check_on_block(on_block, attempts)
    shape, is_async = shape_of(client), any(own.__name__.startswith("Async") for own in type(client).__mro__)
    wrapping = _Wrapping(guard, shape, conversation, tenant, is_async)

    def with_options(**options: Any) -> Any:
        own = client.with_options(**options)
        return guarded_client(guard, own, conversation, tenant, on_block, attempts, hold_claims)

    def face(inner: Any, path: str) -> Face:
        own: dict[str, Any] = {}
        if path in shape.forms:
            turn = GuardedTurn(shape.forms[path](guard.policy), on_block, attempts, hold_claims)
            own["create"] = _guarded(wrapping, inner.create, turn)
        begin = f"{path}." if path else ""
        for place in (*shape.forms, *shape.replaced):
            name = place.removeprefix(begin).partition(".")[0]
            if place.startswith(begin) and hasattr(inner, name):
                made = shape.replaced.get(f"{begin}{name}")
                found = getattr(inner, name)
                own[name] = made(found, own.get("create")) if made else face(found, f"{begin}{name}")
        own |= {} if path else {"with_options": with_options, "copy": with_options}
        return Face(inner, path or "client", own, shape.harmless.get(path, frozenset()), shape.use)

    return face(client, "")


@dataclass(frozen=True, slots=True)
class _Wrapping:
    """The settings with which a client is wrapped."""

    guard: Conversations
    shape: ClientShape
    conversation: str | None
    tenant: str
    is_async: bool


def _talk(
    guard: Conversations, request: Mapping[str, Any], conversation: str | None, tenant: str
) -> GuardedConversation:
    """Return the conversation of a request. Its metadata outranks the client's settings and the surrounding block."""
    metadata = plain(request.get("metadata") or {})
    id = metadata.get("conversation") or conversation
    own = metadata.get("tenant") or tenant
    if not own and metadata.get("conversation"):
        own = current_tenant(guard)
    return current_of(guard, None if id is None else str(id), str(own))


def _without_names(request: Mapping[str, Any]) -> dict[str, Any]:
    """Return a request whose metadata does not name the conversation."""
    metadata = {name: own for name, own in plain(request.get("metadata")).items() if name not in _NAMES}
    found = {name: own for name, own in request.items() if name != "metadata"}
    return found | ({"metadata": metadata} if metadata else {})


def _guarded(wrapping: _Wrapping, create: Callable[..., Any], turn: GuardedTurn) -> Callable[..., Any]:
    """Return a guarded `create` method. It reads a stream to its end, where each call is complete."""
    guard, is_async = wrapping.guard, wrapping.is_async
    accepted = frozenset(inspect.signature(create).parameters)

    def is_json(stream: Any) -> bool:
        return str(stream.response.headers.get("content-type")).startswith("application/json")

    def read(stream: Any) -> Any:
        with stream:
            return stream.response.read() if is_json(stream) else [*stream]

    async def read_async(stream: Any) -> Any:
        async with stream:
            return await stream.response.aread() if is_json(stream) else [own async for own in stream]

    async def guarded_create(**given: Any) -> Any:
        request = merged(given, accepted)
        talk = _talk(guard, request, wrapping.conversation, wrapping.tenant)
        if not wrapping.shape.keeps_metadata:
            request = _without_names(request)

        async def send(own: dict[str, Any]) -> Any:
            found = await (create(**own) if is_async else asyncio.to_thread(create, **own))
            if not hasattr(found, "__anext__" if is_async else "__next__"):
                return found
            told = await (read_async(found) if is_async else asyncio.to_thread(read, found))
            try:
                is_whole = isinstance(told, bytes)  # A server may answer a request for a stream without one.
                return turn.form.whole(json.loads(told) if is_whole else turn.form.body_of(told))
            except (ValueError, TypeError, AttributeError, LookupError) as error:
                raise InputError(f"the client gave a stream that cannot be read: {error}") from error

        answer = (await turn.play(talk, request, send)).answer
        if not request.get("stream"):
            return answer
        # New events contain nothing but the answer that was decided on.
        return (AsyncEventStream if is_async else EventStream)(turn.form.events(answer, request))

    return guarded_create if is_async else lambda **given: guard.run(guarded_create(**given))
