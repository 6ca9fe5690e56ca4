"""The id of a decision: a text that also knows which conversation it is of."""

from __future__ import annotations

from typing import Any

from holdtrue.errors import InputError
from holdtrue.guard.conversation.happenings import same_call
from holdtrue.guard.conversation.state import ConversationState
from holdtrue.guard.decision import Decision


class DecisionId(str):
    """A `DecisionId` is the name of a decision in its conversation; two conversations may both have a `D001`.

    One that went through a browser is only its text, and is taken for one of the conversation that it comes back to.
    """

    tenant: str | None
    conversation: str | None

    def __new__(cls, text: str, tenant: str | None = None, conversation: str | None = None) -> DecisionId:
        own = super().__new__(cls, text)
        own.tenant, own.conversation = tenant, conversation
        return own

    def is_of(self, tenant: str, conversation: str) -> bool:
        """Return whether it is, as far as it knows, of a conversation."""
        return self.conversation is None or (self.tenant, self.conversation) == (tenant, conversation)


def check_decision(name: str, decision: Any, tenant: str, conversation: str, *, none: bool = False) -> None:
    """Raise `InputError`, with its name, for what is no decision of a conversation, as far as it says that itself."""
    if decision is None and none:
        return
    id = decision.id if isinstance(decision, Decision) else decision
    if not isinstance(id, str) or not id:
        raise InputError(f"{name}: a decision that was written down is needed, or its id, not {decision!r:.60}")
    if isinstance(id, DecisionId) and not id.is_of(tenant, conversation):
        raise InputError(f"{name}: {id} is a decision of another conversation, {id.conversation!r:.60}")


def decision_in(state: ConversationState, decision: Decision | str) -> str:
    """Return the id of a decision that was made in a conversation. Raises `InputError` for any other."""
    id = decision if isinstance(decision, str) else decision.id
    if id not in state.decisions:
        raise InputError(f"there is no decision {id!r:.60} in this conversation")
    if isinstance(decision, str) or isinstance(id, DecisionId):
        return str(id)
    if not same_call(state.decisions[id], decision.tool, decision.arguments):
        raise InputError(f"the decision {id} of this conversation is on another call")
    return id
