"""A client of OpenAI's library behind a guard. It is used like the client itself, and returns only allowed tool calls.

A `Face` replaces the guarded methods, passes on the harmless ones, and refuses all others. Streams are read whole, and
their events are written again from the answer that was decided on.
"""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from holdtrue.errors import InputError
from holdtrue.guard.clients.blocking import OnBlock, check_on_block
from holdtrue.guard.clients.chat_form import ChatForm
from holdtrue.guard.clients.conversations import Conversations, current_of, current_tenant
from holdtrue.guard.clients.forms import plain
from holdtrue.guard.clients.guarded_turn import Form, GuardedTurn
from holdtrue.guard.clients.request_checks import let_run, merged
from holdtrue.guard.clients.responses_form import ResponsesForm
from holdtrue.guard.conversation.guarded_conversation import GuardedConversation

HARMLESS = frozenset(
    "models embeddings files images audio moderations uploads vector_stores fine_tuning videos webhooks "
    "api_key admin_api_key organization project webhook_secret websocket_base_url base_url timeout max_retries "
    "default_headers default_query auth_headers custom_auth platform_headers user_agent qs is_closed close".split()
)
"""The attributes of a client that cannot return a tool call."""
_METHODS = frozenset(
    "create retrieve list update delete cancel complete parts search files file_batches upload upload_and_poll poll "
    "create_and_poll wait_for_processing upload_file_chunked generate edit create_variation remix extend "
    "download_content create_character get_character speech transcriptions translations voices voice_consents jobs "
    "checkpoints permissions pause resume list_events list_files count unwrap verify_signature".split()
)
"""The methods and parts of harmless attributes that return no text of a model. The contents of files are not among
them.
"""


class Face:
    """A `Face` offers some attributes of an object: the guarded replacements in `own`, and the `harmless` originals.

    Any other attribute could return calls that nobody has decided on, so it is refused by name.
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
            is_part = hasattr(found, "with_raw_response")
            return Face(found, f"{self._path}.{name}", {}, _METHODS) if is_part else found
        raise InputError(
            f"{self._path}.{name} is not guarded, so it is refused on a guarded client: it could bring calls that "
            "nobody has decided on. Use chat.completions.create or responses.create, also with stream=True; what needs "
            "no guard can be done with the client that was wrapped"
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
    """Return a guarded client of OpenAI's library. Raises `InputError` for any other object."""
    check_on_block(on_block, attempts)
    completions = getattr(getattr(client, "chat", None), "completions", None)
    if completions is None or not hasattr(completions, "create"):
        other = "around another library, guard functions with guard.tool, or use heard, check and saw"
        raise InputError(f"wrap takes an OpenAI or AsyncOpenAI client, not {client!r:.80}; {other}")
    is_async = any(own.__name__.startswith("Async") for own in type(client).__mro__)

    def guarded(resource: Any, path: str, form: Form, harmless: frozenset[str] = frozenset()) -> Face:
        turn = GuardedTurn(form, on_block, attempts, hold_claims)
        create = _guarded(guard, resource.create, turn, conversation, tenant, is_async)
        return Face(resource, path, {"create": create}, harmless)

    def with_options(**options: Any) -> Any:
        own = client.with_options(**options)
        return guarded_client(guard, own, conversation, tenant, on_block, attempts, hold_claims)

    chat = Face(client.chat, "chat", {"completions": guarded(completions, "chat.completions", ChatForm())})
    own: dict[str, Any] = {"chat": chat, "with_options": with_options, "copy": with_options}
    if hasattr(client, "responses"):
        count = frozenset({"input_tokens"})
        own["responses"] = guarded(client.responses, "responses", ResponsesForm(let_run(guard.policy)), count)
    if hasattr(client, "beta"):
        own["beta"] = Face(client.beta, "beta", {"chat": chat})
    if hasattr(client, "conversations"):
        begin = frozenset({"retrieve", "update", "delete"})
        own["conversations"] = Face(client.conversations, "conversations", {"create": _begun(client)}, begin)
    return Face(client, "client", own, HARMLESS)


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


def _begun(client: Any) -> Callable[..., Any]:
    """Return the method that begins a stored conversation. It refuses items, because nobody would take them in."""

    def create(**settings: Any) -> Any:
        if settings.get("items") or plain(settings.get("extra_body") or {}).get("items"):
            raise InputError("the items of a new conversation are refused on a guarded client: send them as input")
        return client.conversations.create(**settings)

    return create


def _guarded(
    guard: Conversations,
    create: Callable[..., Any],
    turn: GuardedTurn,
    conversation: str | None,
    tenant: str,
    is_async: bool,
) -> Callable[..., Any]:
    """Return a guarded `create` method. It reads a stream to its end, where each call is complete."""
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
        talk = _talk(guard, request, conversation, tenant)

        async def send(own: dict[str, Any]) -> Any:
            found = await (create(**own) if is_async else asyncio.to_thread(create, **own))
            if not hasattr(found, "__anext__" if is_async else "__next__"):
                return found
            told = await (read_async(found) if is_async else asyncio.to_thread(read, found))
            try:
                return turn.form.put_together([json.loads(told)] if isinstance(told, bytes) else told)
            except (ValueError, TypeError, AttributeError, LookupError) as error:
                raise InputError(f"the client gave a stream that cannot be read: {error}") from error

        answer = await turn.play(talk, request, send)
        if not request.get("stream"):
            return answer
        # New events contain nothing but the answer that was decided on.
        return (AsyncEventStream if is_async else EventStream)(turn.form.events(answer, request))

    return guarded_create if is_async else lambda **given: guard.run(guarded_create(**given))
