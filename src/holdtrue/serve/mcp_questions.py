"""Ask a person about a stopped call by elicitation, in both forms that MCP has for it.

With sessions the server asks while the call waits. Without them the result of the call is the question. The client
sends its state back with the answer and the same call.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from holdtrue.guard.fetching import call_text

if TYPE_CHECKING:
    from holdtrue.guard.outcome import Outcome

_STATE, _QUESTION = "holdtrue:", "holdtrue"


def elicitation(outcome: Outcome) -> dict[str, Any]:
    """Return the question about a call as the parameters of an elicitation."""
    own = {"type": "boolean", "title": "Yes, do it", "description": "Anything but a yes leaves the call unmade."}
    call = ", ".join(f"{name}={json.dumps(each, ensure_ascii=False)}" for name, each in dict(outcome.arguments).items())
    message = f"{outcome.decision.for_user}\n{outcome.decision.tool}({call})"
    schema = {"type": "object", "properties": {"yes": own}, "required": ["yes"]}
    return {"mode": "form", "message": message, "requestedSchema": schema}


def answer_in(answer: Any) -> bool | None:
    """Return whether the answer to an elicitation is a yes or a no, or None if there was no answer."""
    match answer:
        case {"action": "accept", "content": {"yes": True}}:
            return True
        case {"action": "accept" | "decline"}:
            return False
    return None


def question(outcome: Outcome) -> dict[str, Any]:
    """Return the result of a call that is the question about it."""
    asked = {"method": "elicitation/create", "params": elicitation(outcome)}
    state = _STATE + json.dumps(outcome.to_interrupt(), ensure_ascii=False)
    return {"resultType": "input_required", "inputRequests": {_QUESTION: asked}, "requestState": state}


def take_answer(params: dict[str, Any]) -> tuple[dict[str, Any] | None, bool | None]:
    """Take the answer to a question out of the parameters of a call.

    Return the interrupt that was asked about, or None, and the answer. The client sends the state, so an answer counts
    only if it was asked about just this call. Otherwise it is None.
    """
    state = params.get("requestState")
    if not (isinstance(state, str) and state.startswith(_STATE)):
        return None, None
    del params["requestState"]
    answers = params.pop("inputResponses", None)
    try:
        asked = json.loads(state.removeprefix(_STATE))
    except ValueError:
        asked = None
    if not isinstance(asked, dict):
        return {}, None
    calls = ((own.get("tool", own.get("name")), call_text(own.get("arguments") or {})) for own in (asked, params))
    counts = len({*calls}) == 1 and isinstance(answers, dict)
    return asked, answer_in(answers.get(_QUESTION)) if counts else None
