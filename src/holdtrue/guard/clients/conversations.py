"""The conversations of a guard, by their ids or as the one that code runs in, for code that is asynchronous or not."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from holdtrue.errors import InputError
from holdtrue.guard.conversation.guard_base import GuardBase
from holdtrue.guard.conversation.guarded_conversation import GuardedConversation
from holdtrue.guard.store.event import check_names

_current: ContextVar[GuardedConversation | None] = ContextVar("holdtrue_conversation", default=None)


class Conversations(GuardBase):
    """The `Conversations` of a guard: each is opened once, whoever asks for it."""

    def conversation(self, id: str, tenant: str = "") -> GuardedConversation:
        """Return a conversation by its id, the same one for the same id; what is kept of it is read when it is used.

        Conversations of two tenants are two, whatever their ids. Raises `InputError` for an id that is none: who knows
        of no id must not guess one, or what two users said is mixed.
        """
        check_names(tenant, id)
        with self._opening:
            found = self._conversations.get((tenant, id))
            if not isinstance(found, GuardedConversation):
                found = self._conversations[tenant, id] = GuardedConversation(self, id, tenant)
            return found

    @contextmanager
    def inside(self, id: str, tenant: str = "") -> Iterator[GuardedConversation]:
        """Let clients and functions that this guard wraps be of a conversation, inside of a `with` block."""
        talk = self.conversation(id, tenant)
        token = _current.set(talk)
        try:
            yield talk
        finally:
            _current.reset(token)


def current_tenant(guard: Conversations) -> str:
    """Return the tenant of the conversation that code runs in, "" where it runs in none."""
    found = _current.get()
    return "" if found is None or found.guard is not guard else found.tenant


def current_of(guard: Conversations, id: str | None, tenant: str) -> GuardedConversation:
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
