"""The conversations of a guard, found by their ids or by the current `with` block."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from holdtrue.errors import InputError
from holdtrue.guard.conversation.conversation_keeper import Keeper
from holdtrue.guard.conversation.guarded_conversation import GuardedConversation
from holdtrue.guard.store.event import check_names

_METADATA = 'metadata={"conversation": id} with the request'
_MOST_OPEN = 1_000
"""This many conversations stay in memory, since hooks of frameworks and servers hold none between two steps."""
_current: ContextVar[GuardedConversation | None] = ContextVar("holdtrue_conversation", default=None)


class Conversations(Keeper):
    """`Conversations` are the conversations of a guard. Each is opened once and shared by all callers."""

    def conversation(self, id: str, tenant: str = "") -> GuardedConversation:
        """Return the conversation with an id, the same object each time. Its events are read when it is used.

        Tenants have separate conversations. Raises `InputError` for an invalid id. Callers must not guess an unknown
        id, or the messages of two users would be mixed.
        """
        check_names(tenant, id)
        with self._opening:
            found = self._conversations.get((tenant, id))
            if found is None:
                found = self._conversations[tenant, id] = GuardedConversation(self, id, tenant)
            return found

    def kept_open(self, talk: GuardedConversation) -> GuardedConversation:
        """Return a conversation, and keep its state in memory for its next steps. The guard keeps the latest ones."""
        with self._opening:
            self._open[talk.tenant, talk.id] = talk
            self._open.move_to_end((talk.tenant, talk.id))
            while len(self._open) > _MOST_OPEN:
                self._open.popitem(last=False)
        return talk

    @contextmanager
    def inside(self, id: str, tenant: str = "") -> Iterator[GuardedConversation]:
        """Make a conversation the current one of wrapped clients and functions, in a `with` block."""
        talk = self.conversation(id, tenant)
        token = _current.set(talk)
        try:
            yield talk
        finally:
            _current.reset(token)


def check_guard(guard: object) -> None:
    """Raise `InputError` for an object that is no guard, such as a policy."""
    if not isinstance(guard, Conversations):
        raise InputError(f"a Guard is needed, not a {type(guard).__name__}; write Guard(policy)")


def current_tenant(guard: Conversations) -> str:
    """Return the tenant of the current conversation, or ""."""
    found = _current.get()
    return "" if found is None or found.guard is not guard else found.tenant


def current_of(guard: Conversations, id: str | None, tenant: str, how: str = _METADATA) -> GuardedConversation:
    """Return the conversation with an id, or the current one. Raises `InputError` if there is neither.

    `how` tells in the error message how the client or the framework can name the conversation, or is "".
    """
    check_guard(guard)
    if id is not None:
        return guard.kept_open(guard.conversation(id, tenant))
    found = _current.get()
    if found is None or found.guard is not guard:
        ways = ["use `with guard.inside(id):`", "give `conversation=`", *([f"send {how}"] if how else [])]
        raise InputError(f"which conversation this is, nobody said: {', or '.join(ways)}")
    return found
