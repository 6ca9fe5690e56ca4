"""A client of OpenAI's library behind a guard: it is used as before, and lets no call out that is not allowed.

Its faces have what is guarded in place of the client's own, pass on what brings no calls, and refuse the rest; its
streams of the events of an answer that was decided on are used as those of OpenAI's library are.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from holdtrue.errors import InputError
from holdtrue.guard.clients.blocking import OnBlock, check_on_block
from holdtrue.guard.clients.chat_form import ChatForm
from holdtrue.guard.clients.current import current_of, current_tenant
from holdtrue.guard.clients.forms import Form
from holdtrue.guard.clients.guarded_turn import GuardedTurn
from holdtrue.guard.clients.requests import merged
from holdtrue.guard.clients.responses_form import ResponsesForm
from holdtrue.guard.contents import plain

if TYPE_CHECKING:
    from holdtrue.guard.conversation.guarded_conversation import GuardedConversation
    from holdtrue.guard.guard import Guard


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


class EventStream:
    """An `EventStream` gives the events of an answer; a server's response, where calls may be, is not in it."""

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
        """Give no more events."""
        self._events = iter(())


class AsyncEventStream:
    """An `AsyncEventStream` is an `EventStream` for code that is asynchronous."""

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
        """Give no more events."""
        self._events.close()


def guarded_client(
    guard: Guard, client: Any, conversation: str | None, tenant: str, on_block: OnBlock, attempts: int
) -> Any:
    """Return a client like another one, whose chat completions and responses are guarded.

    Raises `InputError` for an object that is no client of OpenAI's library.
    """
    check_on_block(on_block, attempts)
    completions = getattr(getattr(client, "chat", None), "completions", None)
    if completions is None or not hasattr(completions, "create"):
        other = "around another library, guard functions with guard.tool, or use heard, check and saw"
        raise InputError(f"wrap takes an OpenAI or AsyncOpenAI client, not {client!r:.80}; {other}")
    is_async = any(own.__name__.startswith("Async") for own in type(client).__mro__)

    def guarded(resource: Any, path: str, form: Form, harmless: frozenset[str] = frozenset()) -> Face:
        turn = GuardedTurn(form, on_block, attempts)
        make = _asynchronous if is_async else _synchronous
        return Face(resource, path, {"create": make(guard, resource.create, turn, conversation, tenant)}, harmless)

    def with_options(**options: Any) -> Any:
        return guarded_client(guard, client.with_options(**options), conversation, tenant, on_block, attempts)

    chat = Face(client.chat, "chat", {"completions": guarded(completions, "chat.completions", ChatForm())})
    own: dict[str, Any] = {"chat": chat, "with_options": with_options, "copy": with_options}
    if hasattr(client, "responses"):
        count = frozenset({"input_tokens"})
        own["responses"] = guarded(client.responses, "responses", ResponsesForm(), count)
    if hasattr(client, "beta"):
        own["beta"] = Face(client.beta, "beta", {"chat": chat})
    if hasattr(client, "conversations"):
        begin = frozenset({"retrieve", "update", "delete"})
        own["conversations"] = Face(client.conversations, "conversations", {"create": _begun(client)}, begin)
    return ClientFace(client, "client", own, HARMLESS)


def _talk(guard: Guard, request: Mapping[str, Any], conversation: str | None, tenant: str) -> GuardedConversation:
    """Return the conversation that a request is of; its metadata goes before the block that it runs in.

    An id in the metadata is one of the tenant there, or of the client's, or of the conversation that the code runs in.
    """
    metadata = plain(request.get("metadata") or {})
    id = metadata.get("conversation") or conversation
    own = metadata.get("tenant") or tenant
    if not own and metadata.get("conversation"):
        own = current_tenant(guard)
    return current_of(guard, None if id is None else str(id), str(own))


def _inner(request: Mapping[str, Any]) -> dict[str, Any]:
    """Return the request that is sent: streams are buffered, for a call in them is whole only at their end."""
    return {name: own for name, own in request.items() if name not in ("stream", "stream_options")}


def _begun(client: Any) -> Callable[..., Any]:
    """Return the method that begins a stored conversation, which has to be empty: nobody would hear its items."""

    def create(**settings: Any) -> Any:
        if settings.get("items") or plain(settings.get("extra_body") or {}).get("items"):
            raise InputError("the items of a new conversation are refused on a guarded client: send them as input")
        return client.conversations.create(**settings)

    return create


def _accepted(create: Callable[..., Any]) -> frozenset[str]:
    return frozenset(inspect.signature(create).parameters)


def _asynchronous(
    guard: Guard, create: Callable[..., Any], turn: GuardedTurn, conversation: str | None, tenant: str
) -> Callable[..., Any]:
    accepted = _accepted(create)

    async def guarded_create(**given: Any) -> Any:
        request = merged(given, accepted)
        talk = _talk(guard, request, conversation, tenant)

        async def send(own: dict[str, Any]) -> Any:
            return await create(**own)

        answer = await turn.play(talk, _inner(request), send)
        return AsyncEventStream(turn.form.events(answer, request)) if request.get("stream") else answer

    return guarded_create


def _synchronous(
    guard: Guard, create: Callable[..., Any], turn: GuardedTurn, conversation: str | None, tenant: str
) -> Callable[..., Any]:
    accepted = _accepted(create)

    def guarded_create(**given: Any) -> Any:
        request = merged(given, accepted)
        talk = _talk(guard, request, conversation, tenant)

        async def send(own: dict[str, Any]) -> Any:
            return await asyncio.to_thread(create, **own)

        answer = guard.run(turn.play(talk, _inner(request), send))
        return EventStream(turn.form.events(answer, request)) if request.get("stream") else answer

    return guarded_create
