"""An `Outcome` tells an app how to go on with a call: make it, change it, leave it, or ask a person."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from holdtrue.guard.result_forms import stop_mark

if TYPE_CHECKING:
    from holdtrue.guard.decision import Decision

OutcomeKind = Literal["proceed", "replace", "stop", "interrupt"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """An `Outcome` tells how to go on with a call.

    Attributes:
        kind: `proceed`: make the call. `replace`: make it with other `arguments`. `stop`: do not make it, and give
            `for_model` to the model as its result. `interrupt`: ask a person first; where nobody can be asked, stop.
        decision: The decision on the call, or on the call that replaces it.
        arguments: The arguments of the call to make; for a stopped call, those that were decided on.
        call: The id of the call that the client gave, or None.
        refusal: The words of a person who was asked about the call and did not say yes, or "".
    """

    kind: OutcomeKind
    decision: Decision
    arguments: Any
    call: str | None = None
    refusal: str = ""

    @property
    def goes_on(self) -> bool:
        """Return whether a call is made, with `arguments`."""
        return self.kind in ("proceed", "replace")

    @property
    def for_model(self) -> str:
        """Return a message to the model: the reasons for a stop and the necessary changes."""
        own = self.decision
        if self.refusal and own.kind == "confirm":
            return f"{stop_mark(own.kind)} {own.tool} was not called: a person was asked, and answered: {self.refusal}"
        return own.for_model

    def to_interrupt(self) -> dict[str, Any]:
        """Return the question to a person as JSON. `GuardedConversation.resume` takes it back with the answer.

        It names the decision, its conversation, and the call with all arguments; `say` is the question in words.
        """
        own, id = self.decision, self.decision.id
        return {
            "decision": str(id),
            "conversation": getattr(id, "conversation", None),
            "tenant": getattr(id, "tenant", None),
            "call": self.call,
            "kind": own.kind,
            "tool": own.tool,
            "arguments": self.arguments,
            "say": own.for_user,
            "listing": list(own.listing),
            "questions": list(own.questions),
        }


def outcome_of(decision: Decision, call: str | None = None, *, replaced: bool = False) -> Outcome:
    """Return how to go on after a decision. `replaced` says that it is on a mended call.

    A person is asked for a missing yes. A person is also asked if an answer could settle the call, and no tool can and
    none is under way.
    """
    if not decision.stops:
        return Outcome("replace" if replaced else "proceed", decision, decision.arguments, call)
    is_question = bool(decision.questions) and not (decision.fetch or decision.waits)
    asks = decision.kind == "confirm" or (decision.kind == "ask" and is_question)
    return Outcome("interrupt" if asks and decision.id else "stop", decision, decision.arguments, call)
