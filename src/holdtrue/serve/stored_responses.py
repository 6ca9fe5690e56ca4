"""Responses that the upstream stores: which conversation has one, and how a changed one is continued.

The upstream has the answers of the model, and not what the guard made of them. So a changed answer gets an id of its
own. A request that continues it goes to the upstream with all items since the last answer that was not changed.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from holdtrue.guard.clients import forms
from holdtrue.guard.store.event import ANSWERED, Store
from holdtrue.serve.proxy_request import ProxyRequest

if TYPE_CHECKING:
    from holdtrue.guard.clients.guarded_turn import PlayedTurn
    from holdtrue.guard.conversation.guarded_conversation import GuardedConversation

_CHANGED = "changed"
"""The kind of events that keep what the upstream does not have of a changed response."""
_OWN_IDS = "resp_holdtrue_"


async def stored_items(store: Store, tenant: str, conversation: str, previous: Any) -> Mapping[str, Any] | None:
    """Return what takes the place of the id of a changed response in a request, or None for any other id."""
    if not (isinstance(previous, str) and previous.startswith(_OWN_IDS)):
        return None
    events = await store.read(tenant, conversation)
    bodies = (own.content for own in events if own.kind == _CHANGED)
    return next((own for own in bodies if own["response"] == previous), None)


def continued(asked: Mapping[str, Any], items: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return a request in which stored items take the place of the id of a changed response."""
    if items is None:
        return {**asked}
    found = {
        **asked,
        "previous_response_id": items["previous"],
        "input": [*items["input"], *_listed(asked.get("input"))],
    }
    if items["previous"] is None:
        del found["previous_response_id"]
    return found


async def note_response(talk: GuardedConversation, own: ProxyRequest, played: PlayedTurn) -> Any:
    """Record the id of a response, and return the answer, which has an id of its own if the guard changed it."""
    answer = played.answer
    id = getattr(answer, "id", None)
    if own.protocol.name != "responses" or not isinstance(id, str) or own.given.get("store") is False:
        return answer
    if played.ending != "passed" and not own.given.get("conversation"):
        id = f"{_OWN_IDS}{secrets.token_hex(16)}"
        answer = answer.model_copy(update={"id": id})
        asked = continued(own.given, own.continues)
        output = forms.as_given(answer).get("output") or []
        items = [*_listed(asked.get("input")), *map(_as_input, output)]
        await talk.note(_CHANGED, {"response": id, "previous": asked.get("previous_response_id"), "input": items})
    await talk.note(ANSWERED, {"response": id})
    return answer


def _as_input(item: dict[str, Any]) -> dict[str, Any]:
    """Return an item of an output as an item of an input. A message loses its id, which the upstream does not know."""
    if item.get("type") != "message":
        return {name: own for name, own in item.items() if name != "status"}
    return {"role": "assistant", "content": forms.text_of(item.get("content"))}


def _listed(given: Any) -> list[Any]:
    return [{"role": "user", "content": given}] if isinstance(given, str) else list(given or ())
