"""The conversation that a piece of code runs in, for clients and functions that are not told it with each call."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from holdtrue.errors import InputError

if TYPE_CHECKING:
    from holdtrue.guard.conversation.guarded_conversation import GuardedConversation
    from holdtrue.guard.guard import Guard

_current: ContextVar[GuardedConversation | None] = ContextVar("holdtrue_conversation", default=None)


@contextmanager
def in_conversation(talk: GuardedConversation) -> Iterator[GuardedConversation]:
    """Let everything inside of a `with` block, and the tasks that it starts, be of a conversation."""
    token = _current.set(talk)
    try:
        yield talk
    finally:
        _current.reset(token)


def current_tenant(guard: Guard) -> str:
    """Return the tenant of the conversation that code runs in, "" where it runs in none."""
    found = _current.get()
    return "" if found is None or found.guard is not guard else found.tenant


def current_of(guard: Guard, id: str | None, tenant: str) -> GuardedConversation:
    """Return the conversation with an id, or the one that code runs in. Raises `InputError` where there is neither.

    It is never guessed: two users whose messages are alike would be taken for one.
    """
    if id is not None:
        return guard.conversation(id, tenant)
    found = _current.get()
    if found is None or found.guard is not guard:
        raise InputError(
            "which conversation this is, nobody said: use `with guard.inside(id):`, give `conversation=` to `wrap`, "
            'or send metadata={"conversation": id} with the request'
        )
    return found
