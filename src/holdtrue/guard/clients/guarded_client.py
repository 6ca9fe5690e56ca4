"""A client of OpenAI's library behind a guard: it is used as before, and lets no call out that is not allowed."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from holdtrue.errors import InputError
from holdtrue.guard.clients.blocking import OnBlock, check_on_block
from holdtrue.guard.clients.chat_form import ChatForm
from holdtrue.guard.clients.current import current_of
from holdtrue.guard.clients.forms import Form, plain
from holdtrue.guard.clients.guarded_turn import GuardedTurn
from holdtrue.guard.clients.responses_form import ResponsesForm

if TYPE_CHECKING:
    from holdtrue.guard.conversation.guarded_conversation import GuardedConversation
    from holdtrue.guard.guard import Guard

_UNGUARDED = ("parse", "stream", "with_raw_response", "with_streaming_response", "connect")


class _Face:
    """Another object's attributes, but for those that are given here."""

    def __init__(self, inner: Any, own: Mapping[str, Any]) -> None:
        self._inner, self._own = inner, dict(own)

    def __getattr__(self, name: str) -> Any:
        if name in self._own:
            value = self._own[name]
            return value() if name in _UNGUARDED else value
        return getattr(self._inner, name)


def guarded_client(
    guard: Guard, client: Any, conversation: str | None, tenant: str, on_block: OnBlock, attempts: int
) -> Any:
    """Return a client like another one, whose chat completions and responses are guarded.

    Raises `InputError` for an object that is no client of OpenAI's library.
    """
    check_on_block(on_block, attempts)
    completions = getattr(getattr(client, "chat", None), "completions", None)
    if completions is None or not hasattr(completions, "create"):
        raise InputError(f"wrap takes an OpenAI or AsyncOpenAI client, not {client!r:.80}")
    is_async = type(client).__name__.startswith("Async")

    def guarded(resource: Any, form: Form) -> _Face:
        turn = GuardedTurn(form, on_block, attempts)
        make = _asynchronous if is_async else _synchronous
        own: dict[str, Any] = {"create": make(guard, resource.create, turn, conversation, tenant)}
        for name in _UNGUARDED:
            if hasattr(resource, name):
                own[name] = functools.partial(_refuse, name)
        return _Face(resource, own)

    own: dict[str, Any] = {"chat": _Face(client.chat, {"completions": guarded(completions, ChatForm())})}
    if hasattr(client, "responses"):
        own["responses"] = guarded(client.responses, ResponsesForm())

    def with_options(**options: Any) -> Any:
        return guarded_client(guard, client.with_options(**options), conversation, tenant, on_block, attempts)

    return _Face(client, {**own, "with_options": with_options, "copy": with_options})


def _refuse(name: str) -> Any:
    raise InputError(f"{name} is not guarded, so it is refused on a guarded client; use create, also with stream=True")


def _talk(guard: Guard, request: Mapping[str, Any], conversation: str | None, tenant: str) -> GuardedConversation:
    metadata = plain(request.get("metadata") or {})
    id = metadata.get("conversation") or conversation
    return current_of(guard, None if id is None else str(id), str(metadata.get("tenant") or tenant))


def _inner(request: Mapping[str, Any]) -> dict[str, Any]:
    """Return the request that is sent: streams are buffered, for a call in them is whole only at their end."""
    return {name: own for name, own in request.items() if name not in ("stream", "stream_options")}


def _asynchronous(
    guard: Guard, create: Callable[..., Any], turn: GuardedTurn, conversation: str | None, tenant: str
) -> Callable[..., Any]:
    async def guarded_create(**request: Any) -> Any:
        talk = _talk(guard, request, conversation, tenant)

        async def send(own: dict[str, Any]) -> Any:
            return await create(**own)

        answer = await turn.play(talk, _inner(request), send)
        return _stream(turn.form.events(answer, request)) if request.get("stream") else answer

    return guarded_create


async def _stream(events: Iterator[Any]) -> AsyncIterator[Any]:
    for own in events:
        yield own


def _synchronous(
    guard: Guard, create: Callable[..., Any], turn: GuardedTurn, conversation: str | None, tenant: str
) -> Callable[..., Any]:
    def guarded_create(**request: Any) -> Any:
        talk = _talk(guard, request, conversation, tenant)

        async def send(own: dict[str, Any]) -> Any:
            return await asyncio.to_thread(create, **own)

        answer = guard.run(turn.play(talk, _inner(request), send))
        return turn.form.events(answer, request) if request.get("stream") else answer

    return guarded_create
