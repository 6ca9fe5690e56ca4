"""Conversations for the page: the list, a timeline, what holds now, the nearest call, and a person's changes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict
from functools import partial
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, StringConstraints

from holdtrue.errors import InputError, StoreConflict
from holdtrue.guard.clients.conversations import current_of
from holdtrue.guard.conversation.guarded_conversation import GuardedConversation
from holdtrue.guard.conversation.worker import in_worker
from holdtrue.guard.decision import Mend, as_json
from holdtrue.guard.fetching import call_text
from holdtrue.guard.guard import Guard
from holdtrue.guard.store.event import ERASED, Kept, Store, StoredEvent, chain_fault, key_of
from holdtrue.language.yes_words import answer_of
from holdtrue.serve.callers import BadRequest
from holdtrue.serve.page_people import EVERY_TENANT, Person
from holdtrue.serve.page_views import arguments_view, event_view, value_text

EVENTS_SHOWN = 60
CONVERSATIONS_SHOWN = 50
_NONE_SUCH = "there is no such conversation"
_OWN_YES = "a yes counts only from the user; to let the call through, approve it with a reason"
Cursor = tuple[str, str, str]
Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2_000)]


class _Change(BaseModel):
    """A change of a conversation. An unknown field is refused."""

    model_config = ConfigDict(extra="forbid", strict=True)

    tenant: str
    conversation: str


class Override(_Change):
    """An `Override` lets the stopped call of a decision through once."""

    decision: str
    reason: Text


class Withdrawal(_Change):
    """A `Withdrawal` takes an entry or a request back."""

    entry: str
    reason: Text


class PassedAnswer(_Change):
    """A `PassedAnswer` has the user's words on the question of a decision, which a person passes on."""

    decision: str
    words: Text


GuardNow = Callable[[], Guard | None]
"""Returns the guard for the next request, because its policy may have been replaced."""


class PageConversations:
    """`PageConversations` are the conversations in a store, for people with rights.

    Without a guard they can only be read.
    """

    def __init__(self, guard: GuardNow, store: Store) -> None:
        self.guard, self.store = guard, store

    async def recent(
        self, person: Person, tenant: str | None, containing: str, before: Cursor | None
    ) -> tuple[Kept, ...]:
        """Return the conversations that a person may see, the latest first."""
        if person.tenant != EVERY_TENANT:
            tenant = person.tenant if tenant in (None, person.tenant) else _refuse()
        return await self.store.recent(tenant, containing=containing, before=before, most=CONVERSATIONS_SHOWN)

    async def events(self, person: Person, tenant: str, id: str, after: int = 0) -> tuple[StoredEvent, ...]:
        """Return the events of a conversation. Raises `BadRequest` if the person may not see it."""
        return await self.store.read(tenant, id, after) if person.sees(tenant) else _refuse()

    async def timeline(self, person: Person, tenant: str, id: str, before: int | None) -> dict[str, Any]:
        """Return the last events of a conversation, or those before a number, for the page."""
        after = 0 if before is None else max(0, before - 1 - EVENTS_SHOWN)
        found = await self.events(person, tenant, id, after) or _refuse()
        events = [own for own in found if before is None or own.seq < before][-EVENTS_SHOWN:]
        fault = await asyncio.to_thread(chain_fault, found, key_of(self.store)) if before is None else None
        return {
            "events": [event_view(own) for own in events],
            "has_earlier": bool(events) and events[0].seq > 1 and events[0].kind != ERASED,
            "fault": fault or "",
        }

    async def holds(self, person: Person, tenant: str, id: str) -> dict[str, Any] | None:
        """Return the requests, promises and obligations of a conversation, or None without a policy."""
        talk = await self._opened(person, tenant, id)
        if talk is None:
            return None
        requests, words = await talk.requests(), await talk.entries()
        known = {own.id for own in requests}
        said = [{**as_json(own), "sentence": own.sentence, "source": own.source.value} for own in words]
        return {
            "requests": [
                {**as_json(own), "words": [each for each in said if each["request"] == own.id]} for own in requests
            ],
            "general": [own for own in said if own["request"] not in known],
            "unmet": [as_json(own) for own in await talk.unmet()],
            "pending": [
                {"id": own.id, "tool": own.tool, "arguments": arguments_view(own.arguments)}
                for own in await talk.pending()
            ],
        }

    async def mend(self, person: Person, tenant: str, id: str, decision: str) -> dict[str, Any]:
        """Return the nearest call that keeps every rule, as the decision's record gives it, or why there is none."""
        event = _decided(await self.events(person, tenant, id), decision)
        if (guard := self.guard()) is None:
            return {"why": "the page has no policy to compute it by"}
        again = await in_worker(partial(guard.policy.replay, json.loads(event.content["record"])))
        found = await in_worker(lambda: again.mend or again.no_mend)
        if not isinstance(found, Mend):
            return {"why": found}
        changes = [{"path": own.path, "after": value_text(own.after)} for own in found.changes]
        return {"changes": changes, "optimal": found.optimal}

    # Changes by a person

    async def override(self, person: Person, own: Override) -> None:
        """Let the stopped call of a decision through once, in the person's name."""

        async def work(talk: GuardedConversation) -> None:
            _check_latest(await self.store.read(own.tenant, own.conversation), own.decision)
            await talk.override(own.decision, by=person.name, role=person.role, reason=own.reason)

        await self._changed(person, own, work)

    async def withdraw(self, person: Person, own: Withdrawal) -> None:
        """Take an entry or a request back, in the person's name."""

        async def work(talk: GuardedConversation) -> None:
            await talk.withdraw(own.entry, own.reason, by=person.name, role=person.role)

        await self._changed(person, own, work)

    async def answer(self, person: Person, own: PassedAnswer) -> None:
        """Take in the user's words on a question, which the person passes on. They are never a yes."""
        if answer_of(own.words) == "yes":
            raise BadRequest(409, _OWN_YES)

        async def work(talk: GuardedConversation) -> None:
            events = await self.store.read(own.tenant, own.conversation)
            if not json.loads(_check_latest(events, own.decision).content["record"])["questions"]:
                raise BadRequest(409, f"{own.decision} asks the user nothing")
            await talk.heard(user=own.words, answers=own.decision, by=person.name, role=person.role)
            if not await self.store.read(own.tenant, own.conversation, events[-1].seq):
                raise BadRequest(409, _OWN_YES)

        await self._changed(person, own, work)

    async def _changed(
        self, person: Person, own: _Change, work: Callable[[GuardedConversation], Awaitable[None]]
    ) -> None:
        """Do work in a conversation, and once more if another process has written to it meanwhile."""
        if person.role != "operator":
            raise BadRequest(403, "only an operator may change a conversation")
        for is_last in (False, True):
            talk = await self._opened(person, own.tenant, own.conversation)
            if talk is None:
                raise BadRequest(409, "this page has no policy, so that it only shows events")
            try:
                await work(talk)
                return
            except StoreConflict:
                if is_last:
                    raise

    async def _opened(self, person: Person, tenant: str, id: str) -> GuardedConversation | None:
        """Return a conversation with the events of all processes, or None without a policy."""
        if not await self.events(person, tenant, id):
            _refuse()
        if (guard := self.guard()) is None:
            return None
        talk = current_of(guard, id, tenant)
        await talk.catch_up()
        return talk


def list_view(kept: Sequence[Kept]) -> dict[str, Any]:
    """Return a part of the list as JSON values for the page."""
    return {"conversations": [asdict(own) for own in kept], "has_more": len(kept) == CONVERSATIONS_SHOWN}


def _refuse() -> Any:
    """Refuse a conversation that is not there, or that the person may not see; the answers do not differ."""
    raise BadRequest(404, _NONE_SUCH)


def _decided(events: Sequence[StoredEvent], id: str) -> StoredEvent:
    """Return the event of a decision. Raises `BadRequest` if the conversation has none with this id."""
    if not events:
        _refuse()
    found = [own for own in events if own.kind == "decided" and own.content["decision"] == id]
    if not found:
        raise BadRequest(404, f"there is no decision {id!r:.60} in this conversation")
    return found[0]


def _check_latest(events: Sequence[StoredEvent], id: str) -> StoredEvent:
    """Return the event of the last decision on a call, which has stopped it. Raises `InputError` for another one."""
    event = _decided(events, id)
    own = event.content
    later = [each for each in events if each.seq > event.seq]
    for each in (each.content for each in later if each.kind == "decided"):
        if each["tool"] == own["tool"] and call_text(each["arguments"]) == call_text(own["arguments"]):
            raise InputError(f"{id} is out of date: {each['decision']} is a later decision on the same call")
    if any(each.kind == "overridden" and each.content["decision"] == id for each in later):
        raise InputError(f"{id} is let through already")
    if not own.get("stops"):
        raise InputError(f"{id} stopped no call")
    return event
